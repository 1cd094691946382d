/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --policy and --set for the jobs of a running cluster: what may be asked for. */
#ifndef CLI_RECOMPUTE_LIVE_JOBS_H
#define CLI_RECOMPUTE_LIVE_JOBS_H

#include "cli/option_values.h"
#include "evaluate/job_list.h"
#include "format/live.h"

/*
 * Fair-share factors of the cluster's tree under the policy, and weights that
 * are set; see job_list_recompute(). *policy NULL: that in force; it becomes the
 * one that was evaluated, NULL if the factors are those that were told.
 * EXIT_WRONG after a complaint, or 0.
 */
int recompute_live_jobs(struct job_list *list, const struct live *live, const struct sets *sets,
			const struct fathom_policy **policy);

#endif
