/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the own tree of a scope from the names of associations, and finds nodes in it. */
#include "results/scope_tree.h"

#include "core/error.h"

#include <stdlib.h>

/* ---- the tree ------------------------------------------------------------------------ */

/* Frees a tree, which may not have all members; for shared_create(). */
static void destroy(void *object)
{
	struct scope_tree *tree = object;

	fathom_node_index_release(tree->map);
	scope_shares_clear(&tree->shares);
	free(tree);
}

struct scope_tree *scope_tree_create(const struct settings *settings, const struct scheme *scheme,
				     const struct associations *associations,
				     struct fathom_error *problem)
{
	struct scope_tree *tree = shared_create(sizeof(*tree), destroy);
	size_t count = associations->node_count;
	struct snapshot names = { .tree = associations->tree };
	int status = fathom_error_no_memory(problem);	/* unless the names can be read */

	if (!tree)
		return NULL;
	tree->map = fathom_node_index_share(associations->map);
	/* names of associations that are gone may be missing: the next pass reads the tree anew */
	if (association_names_read(&names, associations->map, count) >= 0)
		status = scope_shares_create(&tree->shares, &scheme->scope->assignments,
					     &settings->conf.user_groups, &names, count, problem);
	names.tree = NULL;	/* it belongs to the associations */
	snapshot_clear(&names);
	if (!status)
		return tree;
	shared_release(tree);
	return NULL;
}

/* ---- look-up ------------------------------------------------------------------------- */

uint32_t scope_tree_charged(const struct scope_tree *tree, uint32_t association, uint32_t leaf)
{
	uint32_t node;

	if (!fathom_node_index_find(tree->map, association, &node))
		return 0;
	return share_leaves_charged(&tree->shares.leaves, node, leaf);
}

/* ---- names ---------------------------------------------------------------------------- */

/* Each name is copied, because the snapshot owns its text. */
int scope_tree_snapshot(const struct scope_tree *tree, struct snapshot *snapshot)
{
	size_t count = fathom_share_tree_count(tree->shares.assigned);

	snapshot->name = malloc(count * sizeof(*snapshot->name));
	snapshot->partition = malloc(count * sizeof(*snapshot->partition));
	if (!snapshot->name || !snapshot->partition)
		return -1;
	for (size_t node = 0; node < count; node++) {
		snapshot->partition[node] = SNAPSHOT_NO_TEXT;
		snapshot->name[node] = snapshot_add_text(
			snapshot, fathom_share_tree_name(tree->shares.assigned, node));
		if (snapshot->name[node] == SNAPSHOT_NO_TEXT)
			return -1;
	}
	return 0;
}
