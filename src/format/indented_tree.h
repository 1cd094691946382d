/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree as tools print it: depth first, each row with its depth and with the usage
 * of all rows below it. The own usage of an account is its usage minus that of its
 * children:
 *
 *	depth	name	usage	own usage
 *	0	root	100	0
 *	1	physics	100	10
 *	2	ada	60	60
 *	2	bob	30	30
 */
#ifndef FORMAT_INDENTED_TREE_H
#define FORMAT_INDENTED_TREE_H

#include "format/tree_builder.h"

struct indented_tree {
	struct tree_builder builder;
	double *usage, *children;	/* by row: usage as listed; sum of its children's */
	size_t usage_room;
	uint32_t *path;		/* by depth: the row of the last account, from the root down */
	size_t depth;		/* accounts in `path`, and so the greatest depth of the next row */
	size_t path_room;
};

/* Returns the name of the parent that a next row at `depth`, 1 to tree->depth, will have. */
const char *indented_tree_parent_name(const struct indented_tree *tree, size_t depth);
/* A row at `depth`, from 1 to tree->depth, or 0 for the first, the root:
 * tree_builder_add() with the parent filled in. */
int indented_tree_add(struct indented_tree *tree, struct input *input, size_t line, size_t depth,
		      const struct fathom_row *row, struct piece name, struct piece partition,
		      double usage, struct fathom_error *error);
/* tree_builder_finish() with each row's own usage. */
int indented_tree_finish(struct indented_tree *tree, struct input *input, bool partitions_known,
			 struct snapshot *snapshot, struct fathom_error *error);
void indented_tree_clear(struct indented_tree *tree);

#endif
