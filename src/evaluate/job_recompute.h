/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs whose factors the controller told, as they would be otherwise. */
#ifndef EVALUATE_JOB_RECOMPUTE_H
#define EVALUATE_JOB_RECOMPUTE_H

#include "core/snapshot.h"
#include "evaluate/job_list.h"
#include "policy/settings_layout.h"

/* What is to be otherwise. */
struct recomputation {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;	/* NULL: factors stay as they are told */
	struct fathom_settings settings;
	const double *told_factor;	/* by node, in place of the policy's; or NULL */
	bool is_unknown;		/* what the policy goes by */
	double weight[JOB_FACTOR_COUNT];	/* for the list's */
};

/* Fair-share factors of the tree under the policy, then weights, then sums; a
 * priority that an administrator has set stays. The list's rows must be all that
 * were told. -1: ENOMEM. */
int job_list_recompute(struct job_list *list, const struct recomputation *by,
		       struct fathom_error *error);

#endif
