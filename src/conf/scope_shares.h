/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a scope with UserShares, and which of its leaves serve the jobs of an association:
 *
 *	UserShares="[ada, 10] [lab, 5]"	UserGroup=lab Members="ada bob"
 *	tree			association of		leaves
 *	root			ada in account maths	ada, lab
 *	  ada	10		ada in account lab	lab
 *	  lab	5		bob			lab
 *				cy			none: no shares
 *
 * Of several leaves, each job counts at one.
 */
#pragma once

#include "conf/conf_user_shares.h"
#include "policy/lsf/share_tree.h"
#include "core/snapshot.h"

/* Start with all members 0. */
struct scope_shares {
	struct fathom_share_tree *assigned;	/* made from UserShares */
	struct fathom_tree *tree;	/* the same nodes, by the same numbers, to be evaluated */
	struct share_leaves leaves;	/* of each association, by its node in `names` */
};

/* Makes the tree, and lists the leaves of each association. names: of the `count` nodes of the
 * tree of associations; a node without a name has no leaf. -1: ENOMEM, or EINVAL for too many
 * nodes; the caller calls scope_shares_clear() then, too. */
int scope_shares_create(struct scope_shares *shares, const struct conf_assignments *assignments,
			const struct conf_user_groups *groups, const struct snapshot *names,
			size_t count, struct fathom_error *error);
void scope_shares_clear(struct scope_shares *shares);
