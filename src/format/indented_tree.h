/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree listed depth first, as tools print it: each row with its depth, and
 * usage that includes what is below. What an account shows beyond its
 * children's is its own.
 */
#ifndef FORMAT_INDENTED_TREE_H
#define FORMAT_INDENTED_TREE_H

#include "format/tree_builder.h"

struct indented_tree {
	struct tree_builder builder;
	double *usage, *children;	/* by row: as listed; its children's sum */
	size_t usage_room;
	uint32_t *path;		/* row of the last account of each depth */
	size_t depth, path_room;	/* accounts in path: the greatest depth of a next row */
};

/* Of a row at `depth`, from 1 to tree->depth: its parent's name. */
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
