/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes factors and priorities: of jobs of files, and anew of jobs of a running cluster. */
#pragma once

#include "jobs/job_list.h"
#include "jobs/job_rule.h"
#include "jobs/jobs.h"

/* ---- jobs of files ----------------------------------------------------------------------- */

/* Adds those TRES to the jobs' that have a weight but occur in no job and no partition. Lists that
 * were evaluated before must not be used afterwards, as their names may have moved. */
void job_list_add_weighted_tres(struct jobs *jobs);
/*
 * Makes a row for each job and partition, by the scope of the partition. If the priority depends
 * on the tree, and the tree lacks the job's association, factor and priority are NAN. The list
 * points to names in `jobs`. -1: EINVAL or ENOSYS, with a text about the formula.
 */
int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error);
/* Sets the row of a job that the policy never starts, as its user has no shares, as the plugin
 * does: no factors, and priority 1, the lowest; or if `holds`, 0, which holds the job. */
void job_list_set_lowest(struct job_list *list, struct job_row *row, bool holds);

/* ---- jobs of a running cluster ----------------------------------------------------------- */

/* Computes the weighted sums of rows that were read with their factors. */
void job_list_sum(struct job_list *list);
/* If a formula is in force, sets its value in the rows whose priority comes from it. The
 * site factor becomes NAN, as the plugin puts the formula's value there. */
void job_list_find_formula(struct job_list *list);
/* Returns the sum of a row with other terms, `row`; NAN if its fair-share factor is NAN. */
double job_list_sum_as(const struct job_list *list, size_t index, const struct job_row *row);
/* Sets the places of rows where `place` is not NAN, by their factors: slurmctld sends these alone.
 * Rows without a factor get none. */
void job_list_rank_places(struct job_list *list);

/* Computes fair-share factors by the rule's policy, unless that is NULL, multiplies by the weights,
 * and adds up. A priority that an administrator has set stays. Jobs of a scope with a policy of its
 * own keep their factor. Other scopes are evaluated by the rule's policy on their own tree; the
 * factor is unknown if that is not known, lacks the sums of the policy, or has settings or shares
 * of its own. The list must have all rows of each job. */
void job_list_recompute(struct job_list *list, const struct job_rule *by);

/* Returns whether a row lacks its fair-share factor, because slurmctld's terms do not tell it. */
bool job_list_lacks_fairshare(const struct job_list *list);
/* Sets the factor of rows that lack it to that of their association. factor: by node of the
 * snapshot. */
void job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				 const double *factor);
