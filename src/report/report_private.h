/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of this folder share: the page, and documents as it needs them. */
#pragma once

#include "document/document.h"
#include "memory/need_memory.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The page without its data: page.html with the files that it names, made at build time. */

extern const char report_page[];	/* ends with NUL; has a line "@data@" */

/* ---- report_documents.c ---------------------------------------------------------------- */

/* A format: its name, and the function that takes from a document what the page needs. */
struct report_format {
	const char *name;
	int version;
	json_t *(*reduce)(struct document *input, const json_t *document);
};

extern const struct report_format report_format_shares, report_format_replay, report_format_history;

/* ---- report_numbers.c ------------------------------------------------------------------ */

/*
 * Lists of numbers, as short as a page needs them. A list becomes a text of digits in base 64, with
 * the alphabet of RFC 4648; "-" in all digits of a number is null. The first character says how the
 * others are read:
 *
 *	"2AAABBA--"	whole numbers of two digits: 0, 1, 64, null
 *	"eAAAaaR---"	numbers with four significant decimal digits: 0 is AAA; m * 10^e, with m
 *			1000 to 9999 and e NUMBERS_LEAST_EXPONENT and above, is
 *			1 + (e - NUMBERS_LEAST_EXPONENT) * 9000 + m - 1000
 */

#define NUMBERS_LEAST_EXPONENT (-21)

/* Replaces a list of numbers and nulls under a key by its text, unless a number does not fit: below
 * 0, or 1e11 and above. Below 1e-18 it is 0. */
void numbers_pack_key(json_t *object, const char *key);

/* The digit of a value below 64. */
char numbers_digit(unsigned int value);

/* ---- report_users.c -------------------------------------------------------------------- */

/* Whose waits change from one replay to another. */

/* Adds "users" to the reduced document, from the policies of a document: those whose mean wait
 * differs most between the first policy and another, times their jobs, with the mean wait under
 * each policy. Without users in the document there are none. */
void users_add(struct document *input, const json_t *from, json_t *reduced);

/* ---- report_weeks.c -------------------------------------------------------------------- */

/* Which replay has the best figure by more than chance. */

/* Gives each of the reduced policies, in the order of those of the document, a list "best" of the
 * keys of figures in which it is the best: over the whole trace, and in at least 95 % of 1,000
 * random draws of as many weeks as the trace has, each week as often as it is drawn. Returns the
 * number of weeks; 0: too few, or not known, and all lists are empty. */
size_t weeks_find_best(struct document *input, const json_t *from, json_t *policies);
