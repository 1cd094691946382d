/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a tree whose usage belongs to an account, or to a user in an account. */
#pragma once

#include "core/snapshot.h"

#define OWNER_NO_NODE SIZE_MAX

/*
 * Marks the nodes by number. names: of the tree's nodes; its own tree is not used. user: NULL means
 * the account itself and all below it. partition: NULL means each of the user's associations.
 * Returns the first node, or OWNER_NO_NODE if there is none.
 */
size_t owner_nodes_mark(const struct fathom_tree *tree, const struct snapshot *names,
			size_t account, const char *user, const char *partition, bool *is_marked);
/* Returns the sum of their own usage. */
double owner_nodes_usage(const struct fathom_tree *tree, const bool *is_marked);
