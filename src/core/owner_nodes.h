/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a tree whose usage belongs to an account, or to a user in an account. */
#pragma once

#include "core/snapshot.h"

#define OWNER_NO_NODE SIZE_MAX

/*
 * Sets is_marked[node] for each node of the tree: whether its usage belongs to the owner. The owner
 * is `user` in the account with the node `account`, in one partition or, if that is NULL, in any;
 * if user is NULL, the owner is the account with all below it. names: a snapshot with the names of
 * the nodes; its own tree is not used. Returns the first marked node, or OWNER_NO_NODE.
 */
size_t owner_nodes_mark(const struct fathom_tree *tree, const struct snapshot *names,
			size_t account, const char *user, const char *partition, bool *is_marked);
/* Returns the sum of the own usage of all marked nodes, in billing TRES seconds. */
double owner_nodes_usage(const struct fathom_tree *tree, const bool *is_marked);
