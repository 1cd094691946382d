/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of struct fathom_tree. Only core and the policies may use it. */
#pragma once

#include "core/resource.h"
#include "fathom.h"

/*
 * Each column is an array of node_count values, by node in breadth-first order unless a comment
 * says otherwise. See the calls of the same names in fathom/tree.h.
 *
 * A level is the set of nodes whose shares are parts of one sum: all nodes with the same fs parent
 * p. Its level_count[p] members stand in level_member from index level_first[p] on, in the order of
 * the rows. Accounts whose own shares are "parent" are not members; their children are.
 */
struct fathom_tree {
	size_t node_count, user_count;
	uint32_t *node_of_row;		/* by row */

	/* from the rows */
	int64_t *id;
	uint32_t *parent, *first_child, *child_count;
	uint8_t *kind;			/* enum fathom_kind */
	uint32_t *raw_shares;		/* or FATHOM_SHARES_PARENT; 1 for the root */
	double *own_usage;

	double *own_resource[FATHOM_RESOURCE_COUNT];	/* NULL: none was ever set */

	/* derived from shares; updated by fathom_tree_settle() after shares have changed */
	bool shares_changed;
	uint32_t *fs_parent;
	double *level_shares;	/* by fs parent: sum of the raw shares of its level */
	double *level_share;	/* raw shares over level_shares; for "parent": the fs parent's */
	double *norm_shares;	/* product of level_share from the root down to the node */
	uint32_t *level_first, *level_count;	/* by fs parent: where level_member has its level */
	uint32_t *level_member;	/* nodes, level by level */

	/* sums over each node and all nodes below it; updated by fathom_tree_settle() after a
	 * node's own value has changed */
	double *usage;
	double *resource[FATHOM_RESOURCE_COUNT];	/* NULL: as own_resource */
	bool usage_changed, resource_changed[FATHOM_RESOURCE_COUNT];
};

/* Returns whether FairShare=parent is set for the node. */
static inline bool tree_uses_parent_shares(const struct fathom_tree *tree, size_t node)
{
	return tree->raw_shares[node] == FATHOM_SHARES_PARENT;
}
