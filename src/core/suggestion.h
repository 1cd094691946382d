/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for mistyped words: "did you mean fairshare?". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The best suggestion for a word. Start with `word` and `length` set and the rest 0. */
struct suggestion {
	const char *word;	/* not ended by NUL */
	size_t length;
	bool is_any;		/* also takes a name that is not similar to the word */
	const char *name;	/* the best name so far, which is the caller's; NULL: none */
	size_t distance;	/* letters in which that name differs from the word; see
				 * suggestion.c */
};

/* Makes `name` the suggestion if it is nearer to the word than all names before it, and similar to
 * the word unless is_any. */
void suggestion_consider(struct suggestion *suggestion, const char *name);
/* Returns whether the best name is similar to the word; there must be one. */
bool suggestion_is_similar(const struct suggestion *suggestion);
