/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How priorities of jobs are computed: policy, settings and tree, for jobs in partitions of a scope
 * and for all others. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* Partitions that have policy, settings or usage of their own. A partition is in at most one
 * scope. */
struct job_scope {
	const char *name;
	const struct fathom_policy *policy;
	/* a tree with the usage in the scope's partitions alone; NULL: the rule's tree counts */
	const struct snapshot *snapshot;
	/* for job_list_evaluate(), which finds a job's scope by its partition: */
	char *const *partition;		/* the names of the scope's partitions */
	size_t partition_count;
	struct fathom_settings settings;
	bool queue_first;		/* DISPATCH_ORDER=QUEUE */
	/* for job_list_recompute(), where rows name their scope: the factors that the scheduler has
	 * computed, by node of `snapshot`, or NULL */
	const double *recorded_factor;
};

struct job_rule {
	const struct snapshot *snapshot;	/* NULL: no tree */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const struct job_scope *scope;
	size_t scope_count;
	bool holds_without_shares;	/* WithoutShares=hold */
	/* Factors outside scopes that the scheduler has computed, by node; NULL: those that the
	 * policy computes. */
	const double *recorded_factor;
	/* for job_list_evaluate(): */
	/* Figures outside scopes that the scheduler has computed, by node, NAN: not known; NULL:
	 * those that the policy computes. Formulas use them. */
	const struct json_columns *figures;
	const char *formula;	/* NULL: priorities are the policy's sum of terms */
	double scale;		/* by which the formula's value is multiplied */
	/* for job_list_recompute(): */
	bool lacks_sums;	/* the tree lacks sums that the policy needs: factors are unknown */
	const double *weight;	/* new weights, by enum job_factor */
};
