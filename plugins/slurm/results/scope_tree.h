/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The own tree of a scope with UserShares, made for the associations as they are. Its leaves serve
 * users; a job counts at the leaf at which it was placed, also while it runs. */
#pragma once

#include "base/shared.h"
#include "conf/scope_shares.h"
#include "records/associations.h"
#include "settings/settings.h"

/* It never changes, except for the sums in shares.tree, which are the decay thread's. */
struct scope_tree {
	struct shared shared;
	struct fathom_node_index *map;	/* of the associations that it was made for */
	struct scope_shares shares;
};

/* Makes the tree of a scheme whose scope has user_shares. Takes assoc read in slices. NULL:
 * problem->code is ENOMEM, or EINVAL if it had too many nodes. */
struct scope_tree *scope_tree_create(const struct settings *settings, const struct scheme *scheme,
				     const struct associations *associations,
				     struct fathom_error *problem);
/* Returns the node of the tree that is charged for a run of an association. leaf: the key of the
 * run's leaf, or 0. If the association does not have this leaf now, its first leaf is charged; if
 * it has no leaves, or is not known, the root, 0. */
uint32_t scope_tree_charged(const struct scope_tree *tree, uint32_t association, uint32_t leaf);
/* Copies the names of the nodes into a snapshot, which has none yet and whose member `tree` is not
 * set. Returns -1 if out of memory. The caller clears the snapshot in each case. */
int scope_tree_snapshot(const struct scope_tree *tree, struct snapshot *snapshot);
