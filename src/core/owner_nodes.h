/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a tree whose usage belongs to an account, or to a user in an account. */
#pragma once

#include "core/snapshot.h"

#define OWNER_NO_NODE SIZE_MAX	/* in place of a node: no node is marked */

/*
 * Sets is_marked[node] for each node of the tree: whether its usage belongs to the owner. Returns
 * the first marked node, or OWNER_NO_NODE.
 *
 *	user	partition	the owner
 *	NULL	-		the account with the node `account`, with all nodes below it
 *	ada	NULL		ada in this account, in all partitions
 *	ada	gpu		ada in this account, in partition gpu
 *
 * names: a snapshot with the names of the nodes; its own tree is not used.
 */
size_t owner_nodes_mark(const struct fathom_tree *tree, const struct snapshot *names,
			size_t account, const char *user, const char *partition, bool *is_marked);
/* Returns the sum of the own usage of all marked nodes, in billing TRES seconds. */
double owner_nodes_usage(const struct fathom_tree *tree, const bool *is_marked);
