/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_SUGGESTION_H
#define CORE_SUGGESTION_H

#include <stddef.h>

/* What an unknown word may have been meant for. Begin with .word and .length. */
struct suggestion {
	const char *word;	/* not terminated */
	size_t length;
	const char *name;	/* the best so far, or NULL */
	size_t distance;
};

/* Takes `name` if fewer letters differ than in any before, and few enough. */
void suggestion_consider(struct suggestion *suggestion, const char *name);

#endif
