/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of shares of one scope. Without any scope it is that of the user groups: those that no
 * other group has as a member stand side by side, with 1 share each.
 */
#pragma once

#include "policy/lsf/share_tree.h"
#include "core/snapshot.h"
#include "format/lsf/lsf_groups.h"
#include "format/lsf/lsf_scopes.h"

struct lsf_tree {
	struct fathom_share_tree *shares;	/* its nodes have the numbers of the snapshot's */
	struct share_leaf *leaf;	/* room for the leaves of a user */
};

/* Makes the tree and its snapshot, without usage. scope: NULL: that of the user groups. */
struct lsf_tree lsf_tree_of(const struct lsf_scope *scope, const struct lsf_groups *groups,
			    struct snapshot *snapshot);
/* Returns the leaf at which the usage of a user in an account counts: the first that serves the
 * user, as a member of the group with the account's name if the user is in it. SIZE_MAX: the user
 * has no shares. */
size_t lsf_tree_find(const struct lsf_tree *tree, const char *user, const char *account);
