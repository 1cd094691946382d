/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parents and the own usage of rows that are listed depth first. */
#include "format/indented_tree.h"

#include "memory/need_memory.h"

#include <math.h>

const char *indented_tree_parent_name(const struct indented_tree *tree, size_t depth)
{
	return tree->builder.text + tree->builder.name[tree->path[depth - 1]];
}

/* Adds a row to the arrays by row. */
static void add_usage(struct indented_tree *tree, size_t row, size_t depth, double usage)
{
	size_t rows = row, parents = row;	/* NEED_ADD() counts up the number of each array */

	NEED_ADD(tree->usage, row, usage);
	NEED_ADD(tree->children, rows, 0);
	NEED_ADD(tree->parent, parents, depth ? tree->path[depth - 1] : 0);
}

/* Leaves the accounts at this depth and below it; if the row is an account, enters it. */
static void enter_path(struct indented_tree *tree, size_t row, size_t depth, enum fathom_kind kind)
{
	tree->depth = depth;
	if (kind == FATHOM_USER)
		return;
	tree->path = need_room(tree->path, &tree->path_room, depth + 1, sizeof(*tree->path));
	tree->path[depth] = (uint32_t)row;
	tree->depth++;
}

void indented_tree_add(struct indented_tree *tree, struct document *input, size_t line,
		       size_t depth, const struct fathom_row *row, struct piece name,
		       struct piece partition, double usage)
{
	struct fathom_row placed = *row;
	size_t index = tree->builder.count;

	placed.is_root = !depth;
	if (depth)
		placed.parent_id = tree->builder.row[tree->path[depth - 1]].id;
	tree_builder_add(&tree->builder, input, line, &placed, name, partition);
	add_usage(tree, index, depth, usage);
	enter_path(tree, index, depth, row->kind);
}

void indented_tree_finish(struct indented_tree *tree, struct document *input,
			  bool partitions_known, struct snapshot *snapshot)
{
	/* backwards, so that children come before their parents */
	for (size_t row = tree->builder.count; row--;) {
		double listed = tree->usage[row], below = tree->children[row];

		/* listed usage is rounded, so that children may add up to more */
		tree->builder.row[row].usage = fmax(listed - below, 0);
		if (row)
			tree->children[tree->parent[row]] += fmax(listed, below);
	}
	tree_builder_finish(&tree->builder, input, partitions_known, snapshot);
}
