/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First come, first served: no fair share. Every account and user has the factor 1, so that
 * only the other factors of a job count. For clusters in which only some queues have a
 * fair-share policy.
 * Source: LSF, "Fairshare Scheduling" (queues without FAIRSHARE).
 */
#include "policy/policy.h"

/* Fills the columns, see fathom_policy.evaluate. */
static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	(void)settings;
	result->norm_shares = tree->norm_shares;
	policy_norm_usage(tree, result->norm_usage);
	for (size_t node = 0; node < tree->node_count; node++) {
		result->effective_usage[node] = !node;
		result->factor[node] = node ? 1 : NAN;
	}
}

const struct fathom_policy policy_fcfs = {
	.name = "fcfs",
	.summary = "first come, first served: no fair share",
	.evaluate = evaluate,
};
