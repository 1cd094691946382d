/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree as tools print it: depth first, each row with its depth, and with its usage
 * including that of all rows below it. The own usage of an account is its usage minus
 * that of its children:
 *
 *	depth	name	usage	own usage
 *	0	root	100	0
 *	1	physics	100	10
 *	2	ada	60	60
 *	2	bob	30	30
 */
#pragma once

#include "format/tree_builder.h"

/* Starts with all members 0. */
struct indented_tree {
	struct tree_builder builder;
	double *usage;			/* by row: usage as listed */
	double *children;		/* by row: sum of the usage of its children */
	uint32_t *parent;		/* by row: its parent's row */
	uint32_t *path;		/* by depth: the row of the last account at that depth */
	size_t depth;		/* number of accounts in `path`: how deep the next row may be */
	size_t path_room;	/* of `path` */
};

/* Returns the name of the parent that a next row at `depth`, 1 to tree->depth, will have. */
const char *indented_tree_parent_name(const struct indented_tree *tree, size_t depth);
/* Adds a row. depth: 0 for the first row, the root; 1 to tree->depth for others. row: its is_root,
 * parent_id and usage are not used: they are found by depth and by `usage`, the usage as listed.
 * Fails as tree_builder_add() does. */
void indented_tree_add(struct indented_tree *tree, struct document *input, size_t line,
		       size_t depth, const struct fathom_row *row, struct piece name,
		       struct piece partition, double usage);
/* Computes each row's own usage and makes the tree; see tree_builder_finish(). */
void indented_tree_finish(struct indented_tree *tree, struct document *input,
			  bool partitions_known, struct snapshot *snapshot);
