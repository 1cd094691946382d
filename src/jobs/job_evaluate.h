/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes factors and priorities: of jobs of files, and anew of jobs of a running cluster. */
#pragma once

#include "jobs/job_list.h"
#include "jobs/job_rule.h"
#include "jobs/jobs.h"

/* ---- jobs of files ----------------------------------------------------------------------- */

/* Adds to jobs->tres the TRES that have a weight in jobs->settings but occur in no job and no
 * partition. Lists that were evaluated before must not be used afterwards, as their names may have
 * moved. */
void job_list_add_weighted_tres(struct jobs *jobs);
/*
 * Fills a new list with a row for each job and each of its partitions, with factors, priority and,
 * if the policy places jobs, places. Partitions of a scope go by the scope's policy and tree. If
 * the priority depends on the tree, and the tree lacks the job's association, factor and priority
 * are NAN. The list points to names in `jobs`, which gets the TRES that only have a weight. It may
 * change shares in the rule's tree, see pbs_unknown_group_set_shares(). -1: the formula is wrong,
 * EINVAL, or there is no parser for formulas, ENOSYS; the list is not complete.
 */
int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error);
/* Sets the row of a job that the policy never starts, because its user has no shares, to what the
 * plugin gives it: no factors, and priority 1, the lowest. With `holds` (WithoutShares=hold) the
 * job is held, with priority 0. Counts the row in list->without_shares. */
void job_list_set_lowest(struct job_list *list, struct job_row *row, bool holds);

/* ---- jobs of a running cluster ----------------------------------------------------------- */

/* Sets each row's priority to the sum of its weighted terms, but for rows without terms and those
 * whose priority an administrator has set. The list must have all rows of each job. */
void job_list_sum(struct job_list *list);
/* Sets `formula` of the rows whose priority comes from the formula; does nothing if the list has no
 * formula. The site factor becomes NAN, as the plugin puts the formula's value there. Call
 * job_list_sum() before. */
void job_list_find_formula(struct job_list *list);
/* Returns the priority that the row number `index` would have with the terms of `row`: their sum;
 * NAN if the fair-share factor of `row` is NAN or it has no terms. */
double job_list_sum_as(const struct job_list *list, size_t index, const struct job_row *row);
/* Sets `place` of rows whose `place` is not NAN to the rank of their fair-share factor: slurmctld
 * sends the factor alone. `place` of rows without a factor becomes NAN. */
void job_list_rank_places(struct job_list *list);

/*
 * Computes priorities that slurmctld sent as terms by another rule: fair-share factors by the
 * rule's policy (NULL: they stay), times the rule's weights, added up. These rows are exceptions:
 *   a priority that an administrator has set stays;
 *   the factor of jobs in a scope with a policy of its own stays;
 *   jobs in a partition without hosts of host partitions (is_first_come) get the factor 1;
 *   jobs in other scopes get the factor that the rule's policy gives them in the scope's tree, or
 *	NAN: the tree is not known, lacks the sums that the policy needs, or the scope has settings
 *	or shares of its own.
 * The list must have all rows of each job.
 */
void job_list_recompute(struct job_list *list, const struct job_rule *rule);

/* Returns whether a row should have a fair-share factor but lacks it, as it does if the factor has
 * no weight: slurmctld's terms do not tell it then. */
bool job_list_lacks_fairshare(const struct job_list *list);
/* Sets the factor of rows that lack it to that of their association, and the term with it; rows
 * without an association stay as they are. factor: by node of the snapshot. */
void job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				 const double *factor);
