/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of a scope with UserShares, made for the associations as they are. A job that runs stays
 * at the leaf at which it was placed. */
#pragma once

#include "base/shared.h"
#include "conf/scope_shares.h"
#include "records/associations.h"
#include "settings/settings.h"

/* Apart from the sums in shares.tree, which are for the pass alone, it never changes. */
struct scope_tree {
	struct shared shared;
	struct fathom_node_index *map;	/* of the associations that it was made for */
	struct scope_shares shares;
};

/* Makes the tree of a scheme with user_shares. Takes assoc read in slices. NULL: ENOMEM, or
 * EINVAL for too many nodes. */
struct scope_tree *scope_tree_create(const struct settings *settings, const struct scheme *scheme,
				     const struct associations *associations,
				     struct fathom_error *problem);
/* Returns the node of the tree that is charged for a run: that of its leaf; if the association
 * has another leaf now, its first one; else the root. */
uint32_t scope_tree_charged(const struct scope_tree *tree, uint32_t association, uint32_t leaf);
/* Puts the names of the nodes into a snapshot of the tree. -1: out of memory; clear it then, too,
 * without its tree. */
int scope_tree_snapshot(const struct scope_tree *tree, struct snapshot *snapshot);
