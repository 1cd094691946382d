/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks the nodes whose usage belongs to an account or user, and adds their usage up. */
#include "core/owner_nodes.h"

#include <string.h>

/* Returns whether the node is an association of the user, in a partition or, if that is NULL, in
 * any. */
static bool is_association(const struct fathom_tree *tree, const struct snapshot *names,
			   size_t node, const char *user, const char *partition)
{
	const char *node_partition = snapshot_partition(names, node);

	return fathom_tree_kind(tree, node) == FATHOM_USER &&
	       !strcmp(snapshot_name(names, node), user) &&
	       (!partition || (node_partition && !strcmp(node_partition, partition)));
}

size_t owner_nodes_mark(const struct fathom_tree *tree, const struct snapshot *names,
			size_t account, const char *user, const char *partition, bool *is_marked)
{
	size_t first = OWNER_NO_NODE;

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		size_t parent = fathom_tree_parent(tree, node);

		if (user)	/* the root counts as its own parent, so it is left out */
			is_marked[node] = node && parent == account &&
					  is_association(tree, names, node, user, partition);
		else	/* a parent is marked before its children */
			is_marked[node] = node == account || (node && is_marked[parent]);
		if (is_marked[node] && first == OWNER_NO_NODE)
			first = node;
	}
	return first;
}

double owner_nodes_usage(const struct fathom_tree *tree, const bool *is_marked)
{
	double sum = 0;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (is_marked[node])
			sum += fathom_tree_own_usage(tree, node);
	return sum;
}
