/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for mistyped words: "did you mean fairshare?". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The best suggestion for a word. Start with `word` and `length` set and the rest 0. */
struct suggestion {
	const char *word;	/* not ended by NUL */
	size_t length;
	bool is_any;		/* a name that is not similar will do, too */
	const char *name;	/* the best name so far, or NULL */
	size_t distance;	/* number of letters in which this name differs from the word */
};

/* Makes `name` the suggestion if it is similar to the word, or any will do, and more so than all
 * names before it. */
void suggestion_consider(struct suggestion *suggestion, const char *name);
/* Returns whether the best name is similar to the word. */
bool suggestion_is_similar(const struct suggestion *suggestion);
