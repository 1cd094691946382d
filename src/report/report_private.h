/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of this folder share: the page, and documents as it needs them. */
#pragma once

#include "document/document.h"
#include "memory/need_memory.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The page without its data: page.html with the files that it names, made at build time. */

extern const char report_page[];	/* ends with NUL; has a line "@data@" */

/* ---- report.c --------------------------------------------------------------------------- */

/* Returns what the page needs of a document, see report_document_read(). input: for errors. */
typedef json_t *reduce_document(struct document *input, const json_t *document);

reduce_document reduce_shares, reduce_replay, reduce_history;

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

/* Returns whether a value is a list of numbers and nulls. */
bool numbers_only(const json_t *list);
/* Replaces the list under a key by its text. If it is no list of numbers and nulls, or a number is
 * below 0 or is 1e11 or more, the list stays. A number below 1e-18 becomes 0. */
void numbers_pack_key(json_t *object, const char *key);

/* Returns the digit, in base 64, of the last six bits of a value. */
char numbers_digit(unsigned int value);

/* ---- report_users.c -------------------------------------------------------------------- */

/* Adds "users" to the reduced document: the users whose mean wait, times their jobs, differs most
 * between the first policy and another, with their mean wait under each policy. The list is empty
 * if the document has one policy or no users. from: the document's "policies". */
void users_add(struct document *input, const json_t *from, json_t *reduced);

/* ---- report_weeks.c -------------------------------------------------------------------- */

/* Gives each reduced policy a list "best": the keys of the figures in which it is the best by more
 * than chance. That is, over the whole trace, and in at least 95 % of 1,000 random draws; a draw is
 * as many weeks as the trace has, each counted as often as it is drawn. from: the document's
 * "policies", in the same order. Returns the number of weeks; 0: there are too few, or they are not
 * known, and all lists are empty. */
size_t weeks_find_best(struct document *input, const json_t *from, json_t *policies);
