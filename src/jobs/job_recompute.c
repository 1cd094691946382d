/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld sends the terms of a priority multiplied by their weights. A factor is its term
 * over the weight; to recompute a priority, factors are multiplied by the new weights and
 * added up again.
 */
#include "jobs/job_recompute.h"

#include "jobs/job_associations.h"
#include "jobs/job_evaluate.h"
#include "memory/need_memory.h"

#include <math.h>
#include <string.h>

/* Returns whether the term of the job's fair share stays as slurmctld sent it. Without a weight,
 * the term does not tell the factor. */
static bool keeps_term(const struct job_list *list, const struct job_row *row)
{
	return row->keeps_policy && list->weight[JOB_FAIRSHARE] != 0;
}

/* ---- the factors of one tree ------------------------------------------------------- */

/* The tree of a scope, or that of all jobs in no scope. */
struct tree {
	const char *scope;	/* NULL: in no scope */
	const struct snapshot *snapshot;
	const double *recorded;	/* factors by node, used instead of the policy's; or NULL */
	const double *kept;	/* the same under the scope's own policy; or NULL */
	bool is_unknown;	/* the policy's factors are */
};

/* Sets the fair-share factor of a job: the recorded one of its association, else the policy's. It
 * is NAN if the tree lacks the association, or the sums that the policy needs. A job that the
 * policy never starts gets no factors and priority 1 instead. */
static void set_factor(struct job_list *list, struct job_row *row,
		       const struct recomputation *by, const struct tree *tree,
		       const struct fathom_result *result, size_t node)
{
	const double *factor = tree->recorded ? tree->recorded : fathom_result_factor(result);
	bool is_known = node != JOB_NO_NODE && !tree->is_unknown && !row->has_scope_settings;

	if (row->keeps_policy) {
		factor = tree->kept;
		is_known = node != JOB_NO_NODE && tree->kept;
	}
	row->plain.factor[JOB_FAIRSHARE] = is_known ? factor[node] : NAN;
	row->has_no_association = node == JOB_NO_NODE && by->weight[JOB_FAIRSHARE] != 0;
	if (is_known && !row->keeps_policy && !fathom_result_may_run(result, &by->settings, node))
		job_list_set_lowest(list, row);
}

static bool is_of_scope(const struct job_row *row, const char *scope)
{
	return scope ? row->scope && !strcmp(row->scope, scope) : !row->scope;
}

/* Sets the factors of a tree's jobs, but for those whose priority an administrator has set. */
static void set_tree(struct job_list *list, const struct recomputation *by, const struct tree *tree)
{
	struct job_associations associations;
	struct fathom_result *result =
		need_made(fathom_result_create(by->policy, tree->snapshot->tree, NULL));

	job_associations_create(&associations, tree->snapshot);
	fathom_evaluate(result, tree->snapshot->tree, &by->settings);
	for (size_t i = 0; i < list->count; i++) {
		struct job_row *row = &list->row[i];

		if (!row->is_set && is_of_scope(row, tree->scope) && !keeps_term(list, row))
			set_factor(list, row, by, tree, result,
				   job_associations_find(&associations, row));
	}
	job_associations_clear(&associations);
	fathom_result_destroy(result);
}

/* ---- all trees --------------------------------------------------------------------- */

static struct tree tree_of(const struct recomputation *by, const struct recomputed_scope *scope)
{
	bool is_same = scope->policy == by->policy;

	return (struct tree){ .scope = scope->name, .snapshot = scope->snapshot,
			      .recorded = is_same && by->recorded_factor ? scope->recorded_factor
									 : NULL,
			      .kept = scope->recorded_factor,
			      .is_unknown = !is_same && fathom_policy_keeps_sums(by->policy) };
}

/* Sets the fair-share factors of all jobs; those of scopes that are not known become unknown. */
static void set_factors(struct job_list *list, const struct recomputation *by)
{
	const struct tree whole = { .snapshot = by->snapshot, .recorded = by->recorded_factor,
				    .is_unknown = by->lacks_sums };

	for (size_t i = 0; i < list->count; i++)
		if (!list->row[i].is_set && list->row[i].scope && !keeps_term(list, &list->row[i]))
			list->row[i].plain.factor[JOB_FAIRSHARE] = NAN;
	set_tree(list, by, &whole);
	for (size_t i = 0; i < by->scope_count; i++) {
		const struct tree tree = tree_of(by, &by->scope[i]);

		set_tree(list, by, &tree);
	}
}

/* Sets the weight of one factor, and multiplies the factor by it in all rows. A term that stays is
 * not computed again: dividing and multiplying would round. */
static void weigh(struct job_list *list, size_t factor, double weight)
{
	bool is_new = weight != list->weight[factor];

	for (size_t i = 0; i < list->count; i++)
		if (is_new || !keeps_term(list, &list->row[i]))
			list->row[i].weighted.factor[factor] =
				weight != 0 ? list->row[i].plain.factor[factor] * weight : 0;
	list->weight[factor] = weight;
}

void job_list_recompute(struct job_list *list, const struct recomputation *by)
{
	if (by->policy) {
		set_factors(list, by);
		list->has_places = false;	/* they are those of the policy in force */
	}
	/* the other terms stay as slurmctld sent them: dividing and multiplying would round */
	for (size_t factor = 0; factor < JOB_FACTOR_COUNT; factor++)
		if (by->weight[factor] != list->weight[factor] ||
		    (by->policy && factor == JOB_FAIRSHARE))
			weigh(list, factor, by->weight[factor]);
	job_list_sum(list);
}

/* ---- factors that no term tells ---------------------------------------------------- */

static bool lacks_fairshare(const struct job_row *row)
{
	return !row->is_set && isnan(row->plain.factor[JOB_FAIRSHARE]);
}

bool job_list_lacks_fairshare(const struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (lacks_fairshare(&list->row[i]))
			return true;
	return false;
}

void job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				 const double *factor)
{
	struct job_associations associations;

	job_associations_create(&associations, snapshot);
	for (size_t i = 0; i < list->count; i++) {
		struct job_row *row = &list->row[i];
		size_t node = job_associations_find(&associations, row);

		if (!lacks_fairshare(row) || node == JOB_NO_NODE)
			continue;
		row->plain.factor[JOB_FAIRSHARE] = factor[node];
		row->weighted.factor[JOB_FAIRSHARE] = factor[node] * list->weight[JOB_FAIRSHARE];
	}
	job_associations_clear(&associations);
}
