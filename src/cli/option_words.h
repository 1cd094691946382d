/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options whose value is a word of a list. */
#pragma once

#include "cli/options.h"
#include "core/list_text.h"

/* The lists of words: for `choice` of an option's row. */
enum option_word_list { WORDS_COLOR, WORDS_IDLE, WORDS_CHANGE, WORDS_SCHEDULER, WORDS_UNITS,
			WORDS_WAY };
/* Indices of the words of WORDS_UNITS and WORDS_COLOR. */
enum { UNITS_HOURS, UNITS_BILLING, UNITS_COUNT };
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

option_setter option_word;	/* int: the index of the word in the list */

#define MOST_WORDS 8

/* Words of an option, each at most once. */
struct word_list {
	int which[MOST_WORDS];	/* their indices in the list */
	size_t count;
};

option_setter option_several_words;	/* struct word_list; words separated by commas */
/* Returns a list of words. */
struct name_list option_words(enum option_word_list which);
