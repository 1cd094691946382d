/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree as tools print it: depth first, each row with its depth, and with its usage
 * including that of all rows below it. The own usage of an account is its usage minus
 * that of its children, see tree_builder.has_totals:
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
	uint32_t *path;		/* by depth: the row of the last account at that depth */
	size_t depth;		/* number of accounts in `path`: how deep the next row may be */
	size_t path_room;	/* of `path` */
};

/* Returns the name of the parent that a next row at `depth`, 1 to tree->depth, will have. */
const char *indented_tree_parent_name(const struct indented_tree *tree, size_t depth);
/* Adds a row. depth: 0 for the first row, the root; 1 to tree->depth for others. row: its usage is
 * as listed; is_root and parent_id are not used, but found by depth. Fails as tree_builder_add()
 * does. When all are added, tree_builder_finish() makes the tree. */
void indented_tree_add(struct indented_tree *tree, struct document *input, size_t line,
		       size_t depth, const struct fathom_row *row, struct piece name,
		       struct piece partition);
