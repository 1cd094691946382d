/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How priorities of jobs are computed: policy, settings and tree, for all partitions and for those
 * of scopes. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* Partitions that have a policy of their own. A partition is in at most one scope. */
struct job_scope {
	const char *name;
	char *const *partition;		/* their names; of files */
	size_t partition_count;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	/* the rule's tree with the scope's own usage; NULL: all usage counts */
	const struct snapshot *snapshot;
	const double *recorded_factor;	/* of a running cluster: by node of that tree; or NULL */
	bool queue_first;		/* DISPATCH_ORDER=QUEUE */
};

struct job_rule {
	const struct snapshot *snapshot;	/* NULL: no tree */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const struct job_scope *scope;
	size_t scope_count;
	bool holds_without_shares;	/* WithoutShares=hold */
	const double *recorded_factor;	/* by node, used instead of the policy's outside scopes;
					 * or NULL */
	/* by node: used in formulas instead of the policy's outside scopes, NAN: not known; or
	 * NULL */
	const struct json_columns *figures;
	const char *formula;	/* NULL: by the policy's priority rule */
	double scale;		/* of the formula */
	/* of a running cluster: */
	bool lacks_sums;	/* the tree lacks sums that the policy needs: factors are unknown */
	const double *weight;	/* by enum job_factor */
};
