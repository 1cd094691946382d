/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_SUGGESTION_H
#define CORE_SUGGESTION_H

#include <stddef.h>

/* The best suggestion for a mistyped word. Start with .word and .length set and the rest 0. */
struct suggestion {
	const char *word;	/* not terminated */
	size_t length;
	const char *name;	/* the best so far, or NULL */
	size_t distance;	/* letters in which it differs */
};

/* Makes `name` the suggestion if it is similar to the word, and more so than all names
 * before it. */
void suggestion_consider(struct suggestion *suggestion, const char *name);

#endif
