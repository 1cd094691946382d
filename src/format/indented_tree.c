/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parents of rows that are listed depth first. */
#include "format/indented_tree.h"

#include "memory/need_memory.h"

const char *indented_tree_parent_name(const struct indented_tree *tree, size_t depth)
{
	return tree->builder.text + tree->builder.name[tree->path[depth - 1]];
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
		       struct piece partition)
{
	struct fathom_row placed = *row;
	size_t index = tree->builder.count;

	tree->builder.has_totals = true;
	placed.is_root = !depth;
	if (depth)
		placed.parent_id = tree->builder.row[tree->path[depth - 1]].id;
	tree_builder_add(&tree->builder, input, line, &placed, name, partition);
	enter_path(tree, index, depth, row->kind);
}
