/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree's columns, for core and the policies. */
#ifndef CORE_TREE_PRIVATE_H
#define CORE_TREE_PRIVATE_H

#include "core/resource.h"
#include "fathom.h"

/*
 * One array a column, node_count long, in breadth-first order.
 *
 * A level is all nodes with the same fs parent, whatever account they hang
 * on. Its members, transparent accounts left out, are
 * level_member[level_first[p]] onwards, level_count[p] of them, in the order
 * of the input.
 */
struct fathom_tree {
	size_t node_count, user_count;
	uint32_t *node_of_row;

	/* as given */
	int64_t *id;
	uint32_t *parent, *first_child, *child_count;
	uint8_t *kind;
	uint32_t *raw_shares;
	double *own_usage;
	double *own_resource[FATHOM_RESOURCE_COUNT];	/* NULL: none was ever set */

	/* from shares, when these change */
	bool shares_changed;
	uint32_t *fs_parent;
	double *level_shares;	/* by fs parent: sum of its level's raw shares */
	double *level_share;	/* raw over level_shares; "parent": the fs parent's */
	double *norm_shares;	/* the product up to the root */
	uint32_t *level_first, *level_count, *level_member;

	/* from usage and resources, at every settle */
	double *usage;
	double *resource[FATHOM_RESOURCE_COUNT];
};

static inline bool tree_is_parent(const struct fathom_tree *tree, size_t node)
{
	return tree->raw_shares[node] == FATHOM_SHARES_PARENT;
}

#endif
