/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads counts of TRES; the header shows their form. */
#include "format/accounting/tres_text.h"

#include "document/text.h"

#include <math.h>
#include <string.h>

#define KILO 1024.
#define MEGA 2	/* the power of M, the unit of memory */
/* The range of counts for a TRES that is not set, or infinite: 2^64 - 2 and 2^64 - 1, as a double
 * has them. No count is half as large. */
#define LEAST_UNSET 0x1p63
#define MOST_UNSET 0x1p64
#define SUFFIXES "KMGTP"	/* in the order of their powers of 1024, from 1 */

/* Cuts a letter such as K off the end. Returns its power of 1024; -1: the text ends in no such
 * letter. */
static int take_suffix(struct piece *text)
{
	const char *found = text->length ? strchr(SUFFIXES, text->at[text->length - 1]) : NULL;

	if (!found || !*found)	/* strchr() also finds a NUL byte, at the end of SUFFIXES */
		return -1;
	text->length--;
	return (int)(found - SUFFIXES) + 1;
}

/* Reads a number with a letter such as K, or none. unit: the power of 1024 of the result's unit, in
 * which a number alone is. -1: the text is something else. */
static int parse_scaled(struct piece text, int unit, double *count)
{
	int power = take_suffix(&text);

	if (parse_amount(text, count))
		return -1;
	if (power > 0)
		*count *= pow(KILO, power - unit);
	return 0;
}

int tres_count_parse(struct piece text, double *count)
{
	return parse_scaled(text, 0, count);
}

int tres_text_next(struct piece *text, struct tres_word *word)
{
	struct piece value;

	do {
		if (!piece_next(text, ',', &value))
			return 0;
		if (!memchr(value.at, '=', value.length) || *value.at == '=')
			return -1;
		piece_next(&value, '=', &word->name);
		if (parse_scaled(value, piece_is(word->name, "mem") ? MEGA : 0, &word->count))
			return -1;
	} while (word->count >= LEAST_UNSET && word->count <= MOST_UNSET);
	return 1;
}

int tres_text_count(struct piece text, const char *name, double *count)
{
	struct tres_word word;
	int found;

	while ((found = tres_text_next(&text, &word)) > 0)
		if (piece_is_any_case(word.name, name)) {
			*count = word.count;
			break;
		}
	return found;
}
