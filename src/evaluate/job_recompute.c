/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld sends the terms of a priority multiplied by their weights. A factor is its term
 * over the weight; to recompute a priority, factors are multiplied by the new weights and
 * added up again.
 */
#include "evaluate/job_recompute.h"

#include "evaluate/job_associations.h"
#include "evaluate/job_evaluate.h"

#include <math.h>

/* Sets the fair-share factor of a job: the recorded one of its association, else the policy's. It
 * is NAN if the tree lacks the association, or the sums that the policy needs. A job that the
 * policy never starts gets no factors and priority 1 instead. */
static void set_factor(struct job_list *list, struct job_row *row,
		       const struct recomputation *by, const struct fathom_result *result,
		       size_t node)
{
	const double *factor =
		by->recorded_factor ? by->recorded_factor : fathom_result_factor(result);
	bool is_known = node != JOB_NO_NODE && !by->lacks_sums;

	row->plain.factor[JOB_FAIRSHARE] = is_known ? factor[node] : NAN;
	row->has_no_association = node == JOB_NO_NODE && by->weight[JOB_FAIRSHARE] != 0;
	if (is_known && !fathom_result_may_run(result, &by->settings, node))
		job_list_set_lowest(list, row);
}

/* Sets the fair-share factors of all jobs whose priority was not set by an administrator. */
static int set_factors(struct job_list *list, const struct recomputation *by,
		       struct fathom_error *error)
{
	struct job_associations associations = { 0 };
	struct fathom_result *result = fathom_result_create(by->policy, by->snapshot->tree, error);
	int status = result ? job_associations_create(&associations, by->snapshot, error) : -1;

	if (!status)
		fathom_evaluate(result, by->snapshot->tree, &by->settings);
	for (size_t i = 0; !status && i < list->count; i++)
		if (!list->row[i].is_set)
			set_factor(list, &list->row[i], by, result,
				   job_associations_find(&associations, &list->row[i]));
	job_associations_clear(&associations);
	fathom_result_destroy(result);
	return status;
}

/* Sets the weight of one factor, and multiplies the factor by it in all rows. */
static void weigh(struct job_list *list, size_t factor, double weight)
{
	list->weight[factor] = weight;
	for (size_t i = 0; i < list->count; i++)
		list->row[i].weighted.factor[factor] =
			weight != 0 ? list->row[i].plain.factor[factor] * weight : 0;
}

int job_list_recompute(struct job_list *list, const struct recomputation *by,
		       struct fathom_error *error)
{
	if (by->policy && set_factors(list, by, error))
		return -1;
	if (by->policy)		/* the places are those of the policy in force */
		list->has_places = false;
	/* the other terms stay as slurmctld sent them: dividing and multiplying would round */
	for (size_t factor = 0; factor < JOB_FACTOR_COUNT; factor++)
		if (by->weight[factor] != list->weight[factor] ||
		    (by->policy && factor == JOB_FAIRSHARE))
			weigh(list, factor, by->weight[factor]);
	job_list_sum(list);
	return 0;
}
