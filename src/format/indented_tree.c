/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the parents and the own usage of rows that are listed depth first. */
#include "format/indented_tree.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_DEPTH 16

static int no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
}

const char *indented_tree_parent_name(const struct indented_tree *tree, size_t depth)
{
	return tree->builder.text + tree->builder.name[tree->path[depth - 1]];
}

/* Notes the usage of a row, and adds it to its parent's sum of children. */
static int add_usage(struct indented_tree *tree, size_t row, size_t depth, double usage,
		      struct fathom_error *error)
{
	if (row >= tree->usage_room) {
		size_t room = tree->builder.room;
		double *grown = reallocarray(tree->usage, room, sizeof(*grown));

		if (grown)
			tree->usage = grown;
		grown = grown ? reallocarray(tree->children, room, sizeof(*grown)) : NULL;
		if (!grown)
			return no_memory(error);
		tree->children = grown;
		tree->usage_room = room;
	}
	tree->usage[row] = usage;
	tree->children[row] = 0;
	if (depth)
		tree->children[tree->path[depth - 1]] += usage;
	return 0;
}

static int enter_path(struct indented_tree *tree, size_t row, size_t depth, enum fathom_kind kind,
		      struct fathom_error *error)
{
	tree->depth = depth;
	if (kind == FATHOM_USER)
		return 0;
	if (depth == tree->path_room) {
		size_t room = depth ? 2 * depth : FIRST_DEPTH;
		uint32_t *path = reallocarray(tree->path, room, sizeof(*path));

		if (!path)
			return no_memory(error);
		tree->path = path;
		tree->path_room = room;
	}
	tree->path[depth] = (uint32_t)row;
	tree->depth++;
	return 0;
}

int indented_tree_add(struct indented_tree *tree, struct document *input, size_t line, size_t depth,
		      const struct fathom_row *row, struct piece name, struct piece partition,
		      double usage, struct fathom_error *error)
{
	struct fathom_row placed = *row;
	size_t at = tree->builder.count;

	placed.is_root = !depth;
	if (depth)
		placed.parent_id = tree->builder.row[tree->path[depth - 1]].id;
	if (tree_builder_add(&tree->builder, input, line, &placed, name, partition, error) ||
	    add_usage(tree, at, depth, usage, error))
		return -1;
	return enter_path(tree, at, depth, row->kind, error);
}

int indented_tree_finish(struct indented_tree *tree, struct document *input, bool partitions_known,
			 struct snapshot *snapshot, struct fathom_error *error)
{
	for (size_t row = 0; row < tree->builder.count; row++) {
		double own = tree->usage[row] - tree->children[row];

		/* listed usage is rounded, so that children may add up to more */
		tree->builder.row[row].usage = own > 0 ? own : 0;
	}
	return tree_builder_finish(&tree->builder, input, partitions_known, snapshot, error);
}

void indented_tree_clear(struct indented_tree *tree)
{
	tree_builder_clear(&tree->builder);
	free(tree->usage);
	free(tree->children);
	free(tree->path);
	memset(tree, 0, sizeof(*tree));
}
