/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with the figures of a policy. */
#ifndef EVALUATE_EVALUATED_TREE_H
#define EVALUATE_EVALUATED_TREE_H

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* What to evaluate, and figures that a cluster has computed already. */
struct tree_scheme {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct json_columns recorded;	/* figures of the cluster; where a column is NULL, it is
					 * evaluated */
	bool is_partial;	/* the tree lacks users, so that recorded factors give no ranks */
};

/* A tree with all columns of a policy. */
struct evaluated_tree {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_result *result;
	struct json_columns columns;	/* those of `recorded`, else of `result` */
	const double *rank;	/* by node: of users by factor, see ranks_fill(); NAN: none */
	double *computed_rank;	/* memory of `rank`, unless the policy has a column of ranks */
	bool is_recorded;	/* the factor is a figure of the cluster, not evaluated */
	bool column_is_recorded[FATHOM_MAX_COLUMNS];	/* the same for the policy's own columns */
};

/* Evaluates the snapshot, which must stay as long as the tree. -1: ENOMEM. */
int evaluated_tree_create(struct evaluated_tree *tree, const struct tree_scheme *scheme,
			  struct fathom_error *error);
void evaluated_tree_clear(struct evaluated_tree *tree);

#endif
