/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --policy and --set for the jobs of a running cluster. */
#pragma once

#include "cli/option_values.h"
#include "jobs/job_evaluate.h"
#include "live/live.h"

/*
 * Recomputes fair-share factors for the cluster's tree under a policy, and priorities
 * with the weights of `sets`; see job_list_recompute(). rule->snapshot: the cluster's tree or a
 * copy of it. rule->policy: the policy, NULL for the one in force; it is set to the policy
 * that was evaluated, and the settings to its settings. *by_policy is set to true if factors
 * were evaluated; else they are still slurmctld's.
 */
void recompute_live_jobs(struct job_list *list, const struct live *live, const struct sets *sets,
			 struct job_rule *rule, bool *by_policy);

/* Recomputes a list by a rule, to which it gives the trees of the cluster's scopes. */
void recompute_with_scopes(struct job_list *list, const struct live *live, struct job_rule by);

/* Returns whether the sums that a policy needs are known in the cluster's tree. */
bool recompute_knows_sums(const struct live *live, const struct fathom_policy *policy);
