/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes factors and priorities of jobs. */
#ifndef JOBS_JOB_JOBS_H
#define JOBS_JOB_JOBS_H

#include "fathom.h"
#include "jobs/job_list.h"
#include "jobs/job_rule.h"
#include "jobs/jobs.h"

/* Adds TRES to the jobs that have a weight but occur in no job and no partition. Lists that were
 * evaluated before must not be used afterwards, as their names may have moved. */
void job_list_add_weighted_tres(struct jobs *jobs);
/*
 * Makes a row for each job and partition, by the scope of the partition. If the priority depends
 * on the tree, and the tree lacks the job's association, factor and priority are NAN. The list
 * points to names in `jobs`. -1: EINVAL or ENOSYS, with a text about the formula.
 */
int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error);
/* Gives a job that the policy never starts, as its user has no shares, what the plugin gives it:
 * no factors, and priority 1, the lowest; priority 0 would hold the job. */
void job_list_set_lowest(struct job_list *list, struct job_row *row);
/* Computes the weighted sums of rows that were read with their factors. */
void job_list_sum(struct job_list *list);
/* If a formula is in force, sets its value in the rows whose priority comes from it. The
 * site factor becomes NAN, as the plugin puts the formula's value there. */
void job_list_find_formula(struct job_list *list);
/* Returns the sum of a row with other terms, `row`; NAN if its fair-share factor is NAN. */
double job_list_sum_as(const struct job_list *list, size_t index, const struct job_row *row);

#endif
