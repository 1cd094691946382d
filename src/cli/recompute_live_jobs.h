/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --policy and --set for the jobs of a running cluster. */
#ifndef CLI_RECOMPUTE_LIVE_JOBS_H
#define CLI_RECOMPUTE_LIVE_JOBS_H

#include "cli/option_values.h"
#include "evaluate/job_list.h"
#include "live/live.h"

/*
 * Recomputes fair-share factors for the cluster's tree under a policy, and priorities
 * with the weights of `sets`; see job_list_recompute(). *policy: the policy, NULL for
 * the one in force; set to the policy that was evaluated, NULL if the factors are
 * still slurmctld's. Returns 0, or EXIT_WRONG after printing an error.
 */
int recompute_live_jobs(struct job_list *list, const struct live *live, const struct sets *sets,
			const struct fathom_policy **policy);

#endif
