/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/trace/trace_strangers.h"

#include "format/tree_builder.h"

#include <string.h>

#define NO_NODE SIZE_MAX

static size_t find_account(const struct snapshot *snapshot, const char *name)
{
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT &&
		    !strcmp(snapshot_name(snapshot, node), name))
			return node;
	return NO_NODE;
}

/* Adds a row; the names have been read before, so that nothing can be wrong with them. */
static void add_row(struct tree_builder *builder, const struct fathom_row *row, const char *name,
		    const char *partition)
{
	tree_builder_add(builder, NULL, 0, row, piece_of(name), piece_of(partition));
}

static void copy_node(struct tree_builder *builder, const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;
	const struct fathom_row row = {
		.id = fathom_tree_id(tree, node), .is_root = !node,
		.parent_id = fathom_tree_id(tree, fathom_tree_parent(tree, node)),
		.kind = fathom_tree_kind(tree, node),
		.raw_shares = fathom_tree_raw_shares(tree, node),
		.usage = fathom_tree_own_usage(tree, node),
	};

	add_row(builder, &row, snapshot_name(snapshot, node), snapshot_partition(snapshot, node));
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (fathom_tree_has_resource(tree, (enum fathom_resource)i))
			tree_builder_set_resource(
				builder, (enum fathom_resource)i,
				fathom_tree_own_resource(tree, node, (enum fathom_resource)i));
}

bool snapshot_add_users(struct snapshot *snapshot, const char *account,
			const struct numbered_names *users)
{
	const size_t count = fathom_tree_count(snapshot->tree);
	size_t parent = find_account(snapshot, account);
	struct tree_builder builder = { 0 };
	struct snapshot grown = { 0 };
	struct fathom_row row = { .kind = FATHOM_USER, .raw_shares = 1 };

	if (parent == NO_NODE)
		return false;
	for (size_t node = 0; node < count; node++) {
		copy_node(&builder, snapshot, node);
		if (row.id < fathom_tree_id(snapshot->tree, node))
			row.id = fathom_tree_id(snapshot->tree, node);
	}
	row.parent_id = fathom_tree_id(snapshot->tree, parent);
	for (size_t i = 0; i < users->count; i++) {
		row.id++;
		add_row(&builder, &row, users->name[i], NULL);
	}
	tree_builder_finish(&builder, NULL, true, &grown);
	grown.has_time = snapshot->has_time;
	grown.time = snapshot->time;
	*snapshot = grown;
	return true;
}
