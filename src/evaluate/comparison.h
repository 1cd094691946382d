/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One tree under several policies, or under one policy with several settings. */
#ifndef EVALUATE_COMPARISON_H
#define EVALUATE_COMPARISON_H

#include "evaluate/evaluated_tree.h"

/* All trees have the same associations in the same order. */
struct comparison {
	struct evaluated_tree *tree;	/* the others are compared with the first */
	const char **label;		/* by tree: how a table names it */
	struct snapshot *fork;		/* by tree: one for it alone, because an evaluation may
					 * change shares and adjustments; or empty */
	size_t count;
};

/* Makes room for `count` trees; the caller evaluates them. */
void comparison_create(struct comparison *comparison, size_t count);
/* Frees all trees. */
void comparison_clear(struct comparison *comparison);

/* Returns by how many ranks a user moves up from the first tree to tree `which`; NAN for an
 * account, or if a rank is not known. */
double comparison_change(const struct comparison *comparison, size_t which, size_t node);
/* Returns whether two trees have the same factors. */
bool comparison_is_equal(const struct comparison *comparison, size_t one, size_t other);

#endif
