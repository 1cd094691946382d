/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recomputes priorities of jobs of a running cluster with other weights or another policy. */
#ifndef JOBS_JOB_RECOMPUTE_H
#define JOBS_JOB_RECOMPUTE_H

#include "core/snapshot.h"
#include "jobs/job_list.h"
#include "policy/settings_layout.h"

/* A scope of the cluster, with its tree and its policy in force. */
struct recomputed_scope {
	const char *name;
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	const double *recorded_factor;	/* by node; or NULL */
};

struct recomputation {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;	/* NULL: fair-share factors stay */
	struct fathom_settings settings;
	const double *recorded_factor;	/* by node, used instead of the policy's; or NULL */
	bool lacks_sums;	/* the tree lacks sums that the policy needs: factors are unknown */
	double weight[JOB_FACTOR_COUNT];
	const struct recomputed_scope *scope;	/* those that are known */
	size_t scope_count;
};

/* Computes fair-share factors by the policy, multiplies by the weights, and adds up. A
 * priority that an administrator has set stays. Jobs of a scope with a policy of its own keep their
 * factor. Other scopes are evaluated by the policy on their own tree; the factor is unknown if that
 * is not known, lacks the sums of the policy, or has settings or shares of its own. The list must
 * have all rows of each job. */
void job_list_recompute(struct job_list *list, const struct recomputation *by);

/* Returns whether a row lacks its fair-share factor, because slurmctld's terms do not tell it. */
bool job_list_lacks_fairshare(const struct job_list *list);
/* Sets the factor of rows that lack it to that of their association. factor: by node of the
 * snapshot. */
void job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				 const double *factor);

#endif
