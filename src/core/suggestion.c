/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean ...?": the known name that differs least from a mistyped word,
 * by letters to be replaced, inserted or deleted, or neighbours to be swapped (the optimal string
 * alignment distance):
 *
 *	fairhsare -> fairshare: 1	walltme -> walltime: 1
 */
#include "core/suggestion.h"

#include "core/small_letters.h"

#include <string.h>

#define LONGEST 40	/* letters; longer words are similar to no name: distance() has a table */
#define FARTHEST 2	/* the greatest distance of words that are similar */

/* Returns the least of three numbers. */
static size_t least_of(size_t a, size_t b, size_t c)
{
	size_t of_two = a < b ? a : b;

	return of_two < c ? of_two : c;
}

/* Returns whether two letters differ, whatever their case. */
static bool differs(char a, char b)
{
	return small_letter(a) != small_letter(b);
}

/* Returns whether two words begin with the same two letters, in opposite order. */
static bool are_swapped(const char *a, const char *b)
{
	return !differs(a[0], b[1]) && !differs(a[1], b[0]);
}

/* Returns the distance between word `a` of `length` letters and word `b` of `width` letters, both
 * at most LONGEST. away[i][j] is the distance between the first i letters of `a` and the first j
 * letters of `b`. */
static size_t distance(const char *a, size_t length, const char *b, size_t width)
{
	size_t away[LONGEST + 1][LONGEST + 1];

	for (size_t j = 0; j <= width; j++)
		away[0][j] = j;
	for (size_t i = 1; i <= length; i++) {
		away[i][0] = i;
		for (size_t j = 1; j <= width; j++) {
			away[i][j] = least_of(away[i - 1][j] + 1, away[i][j - 1] + 1,
					      away[i - 1][j - 1] + differs(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && are_swapped(a + i - 2, b + j - 2) &&
			    away[i - 2][j - 2] + 1 < away[i][j])
				away[i][j] = away[i - 2][j - 2] + 1;
		}
	}
	return away[length][width];
}

bool suggestion_is_similar(const struct suggestion *suggestion)
{
	/* of a short word, more than half must be right */
	return suggestion->distance <= FARTHEST && suggestion->distance * 2 < suggestion->length;
}

void suggestion_consider(struct suggestion *suggestion, const char *name)
{
	struct suggestion with_name = *suggestion;
	size_t length = suggestion->length, width = strlen(name);
	bool is_better;

	if (!suggestion->is_any && (length > LONGEST || width > LONGEST))
		return;
	with_name.name = name;
	with_name.distance = distance(suggestion->word, length < LONGEST ? length : LONGEST, name,
				      width < LONGEST ? width : LONGEST);
	is_better = !suggestion->name || with_name.distance < suggestion->distance;
	if (is_better && (suggestion->is_any || suggestion_is_similar(&with_name)))
		*suggestion = with_name;
}
