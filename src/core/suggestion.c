/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean ...?": the known name that differs least from a mistyped word,
 * by letters to be replaced, inserted or deleted (Levenshtein's distance):
 *
 *	fairhsare -> fairshare: 2	walltme -> walltime: 1
 */
#include "core/suggestion.h"

#include <stdbool.h>
#include <string.h>

#define LONGEST 40	/* letters; longer words get no suggestion, so that a row is small */
#define FARTHEST 2	/* letters that may be wrong; names that differ in more are other words */

static size_t least_of(size_t a, size_t b, size_t c)
{
	size_t of_two = a < b ? a : b;

	return of_two < c ? of_two : c;
}

static char in_lower_case(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Upper and lower case do not matter. */
static bool differs(char a, char b)
{
	return in_lower_case(a) != in_lower_case(b);
}

/* Returns the distance between two words. After step i, row[j] is the distance between the first
 * i + 1 letters of `a` and the first j letters of `b`. */
static size_t distance(const char *a, size_t length, const char *b)
{
	size_t row[LONGEST + 1], width = strlen(b);

	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 0; i < length; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < width; j++) {
			size_t above = row[j + 1];

			row[j + 1] = least_of(above + 1, row[j] + 1,
					      diagonal + differs(a[i], b[j]));
			diagonal = above;
		}
	}
	return row[width];
}

void suggestion_consider(struct suggestion *suggestion, const char *name)
{
	size_t away;

	if (suggestion->length > LONGEST || strlen(name) > LONGEST)
		return;
	away = distance(suggestion->word, suggestion->length, name);
	/* of a short word, more than half must be right */
	if (away > FARTHEST || away * 2 >= suggestion->length ||
	    (suggestion->name && away >= suggestion->distance))
		return;
	suggestion->name = name;
	suggestion->distance = away;
}
