/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/accounting/tres_text.h"

#include "document/text.h"

#include <math.h>
#include <string.h>

#define KILO 1024.
#define PREFIXES "KMGTP"

/* Splits a prefix such as K off the end. Returns its power of 1024; -1: there is none. */
static int take_prefix(struct piece *text)
{
	const char *found = text->length ? strchr(PREFIXES, text->at[text->length - 1]) : NULL;

	if (!found || !*found)
		return -1;
	text->length--;
	return (int)(found - PREFIXES) + 1;
}

int tres_count_parse(struct piece text, double *count)
{
	int power = take_prefix(&text);

	if (parse_amount(text, count))
		return -1;
	if (power > 0)
		*count *= pow(KILO, power);
	return 0;
}

static int parse_memory(struct piece text, double *megabytes)
{
	int power = take_prefix(&text);

	if (parse_amount(text, megabytes))
		return -1;
	if (power > 0)
		*megabytes *= pow(KILO, power - 2);
	return 0;
}

int tres_text_next(struct piece *text, struct tres_word *word)
{
	const char *comma, *equals;
	struct piece value;

	if (!text->length)
		return 0;
	comma = memchr(text->at, ',', text->length);
	value = (struct piece){ text->at, comma ? (size_t)(comma - text->at) : text->length };
	text->at += value.length + (comma != NULL);
	text->length -= value.length + (comma != NULL);
	equals = memchr(value.at, '=', value.length);
	if (!equals || equals == value.at)
		return -1;
	word->name = (struct piece){ value.at, (size_t)(equals - value.at) };
	value = (struct piece){ equals + 1, value.length - word->name.length - 1 };
	if (piece_is(word->name, "mem") ? parse_memory(value, &word->count) :
					  tres_count_parse(value, &word->count))
		return -1;
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
