/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options whose value is a word of a list. */
#pragma once

#include "cli/options.h"
#include "core/list_text.h"

/* The choice of a row. */
enum option_word_list { WORDS_COLOR, WORDS_IDLE, WORDS_CHANGE, WORDS_SCHEDULER, WORDS_UNITS,
			WORDS_WAY };
enum { UNITS_HOURS, UNITS_BILLING, UNITS_COUNT };
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

option_setter option_word;	/* int: which word it is, from 0 */

#define MOST_WORDS 8

/* Words separated by commas, each at most once. */
struct word_list {
	int which[MOST_WORDS];
	size_t count;
};

option_setter option_several_words;	/* struct word_list */
struct name_list option_words(enum option_word_list which);
