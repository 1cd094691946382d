/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tries changes on two jobs. Jobs of files are evaluated again by the code that evaluated them.
 * Jobs of a running cluster have only their weighted terms: the term that changes is computed anew,
 * and the terms are added up again.
 */
#include "evaluate/explain_jobs.h"

#include "core/error.h"
#include "evaluate/job_states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_NICE (-2147483645.)	/* Slurm: NICE_OFFSET - 3 */
#define MOST_URGENCY 30			/* flux: 31 would start the job at once */
#define MOST_AGE (10 * 365 * 86400.)	/* ten years */
#define LEAST_OF_SECOND 1e-3		/* below it, a part of a second is rounding */

struct job_trials {
	const struct explained_jobs *of;
	struct job_association_pair { size_t behind, ahead; } node;	/* or JOB_NO_NODE */
	struct fathom_tree *tree;	/* a copy, which changes; NULL: the tree stays */
	struct fathom_result *result;
	struct job *job;		/* of files: the job behind */
	struct jobs few; /* of files: the jobs that are evaluated; the texts are those of
					 * `of`, to which an evaluation has added what it needs */
};

/* ---- jobs of files --------------------------------------------------------------------- */

static bool places_jobs(const struct job_rule *rule)
{
	return rule->snapshot && fathom_policy_places_jobs(rule->policy, &rule->settings);
}

/* Returns whether the priority of two jobs may depend on this one: all that wait take places, and
 * the greatest priority of an association counts as 1. */
static bool is_needed(const struct explained_jobs *of, const struct job *job, double highest_assoc)
{
	const struct job_row *behind = &of->list->row[of->behind];
	const struct job_row *ahead = &of->list->row[of->ahead];

	return places_jobs(of->rule) || job->id == behind->id ||
	       job->id == ahead->id || job->assoc_priority == highest_assoc;
}

/* Copies the jobs that are needed. All other arrays stay those of `of`. */
static int select_jobs(struct job_trials *trials, struct fathom_error *error)
{
	const struct jobs *all = trials->of->jobs;
	int64_t id = trials->of->list->row[trials->of->behind].id;
	double highest_assoc = 0;
	bool has_highest = false;

	trials->few = *all;
	trials->few.job = calloc(all->job_count + 1, sizeof(*all->job));
	trials->few.job_count = 0;
	if (!trials->few.job)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < all->job_count; i++)
		highest_assoc = fmax(highest_assoc, all->job[i].assoc_priority);
	for (size_t i = 0; i < all->job_count; i++) {
		struct job *copy = &trials->few.job[trials->few.job_count];

		if (!is_needed(trials->of, &all->job[i], has_highest ? NAN : highest_assoc))
			continue;
		has_highest |= all->job[i].assoc_priority == highest_assoc;
		*copy = all->job[i];
		trials->job = copy->id == id ? copy : trials->job;
		trials->few.job_count++;
	}
	return 0;
}

/* Changes the job behind. */
static void change_job(struct job *job, const struct explained_change *change, bool is_flux)
{
	double grown = change->to - change->from;

	if (change->what == CHANGE_AGE)
		job->accrue_time -= grown;
	else if (change->what == CHANGE_NICE && is_flux)
		job->urgency -= grown;
	else if (change->what == CHANGE_NICE)
		job->nice += grown;
}

static const struct job_row *row_like(const struct job_list *list, const struct job_row *row)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->row[i].id == row->id &&
		    (list->row[i].partition == row->partition ||
		     !strcmp(list->row[i].partition, row->partition)))
			return &list->row[i];
	return NULL;
}

static int evaluate_files(struct job_trials *trials, const struct explained_change *change,
			  bool *swaps, struct fathom_error *error)
{
	const struct explained_jobs *of = trials->of;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };
	struct job_rule rule = *of->rule;
	struct snapshot snapshot;
	struct job_list list = { 0 };
	bool is_of_tree = change->what == CHANGE_USAGE || change->what == CHANGE_SHARES;

	if (is_of_tree) {
		snapshot = *rule.snapshot;
		snapshot.tree = trials->tree;
		rule.snapshot = &snapshot;
		rule.recorded_factor = NULL;
		rule.figures = NULL;
	}
	if (job_list_evaluate(&list, &trials->few, &rule, &warnings, error))
		return -1;
	*swaps = explain_job_is_ahead(row_like(&list, &of->list->row[of->behind]),
				      row_like(&list, &of->list->row[of->ahead]));
	job_list_clear(&list);
	return 0;
}

static int swaps_files(struct job_trials *trials, const struct explained_change *change,
		       bool *swaps, struct fathom_error *error)
{
	struct job before = *trials->job;
	int status;

	change_job(trials->job, change, trials->of->list->by_flux);
	status = evaluate_files(trials, change, swaps, error);
	*trials->job = before;
	return status;
}

/* ---- rows of a running cluster --------------------------------------------------------------- */

/* Returns the sum of a row's terms with the fair-share factor that the tree now gives. */
static double sum_with_tree(const struct job_trials *trials, size_t row, size_t node)
{
	const struct job_list *list = trials->of->list;
	double factor = fathom_result_factor(trials->result)[node];

	return job_list_sum_with(list, row, factor * list->weight[JOB_FAIRSHARE]);
}

/* The tree has changed. */
static void swaps_by_tree(struct job_trials *trials, bool *swaps)
{
	const struct explained_jobs *of = trials->of;
	struct job_row behind = of->list->row[of->behind], ahead = of->list->row[of->ahead];

	fathom_tree_settle(trials->tree);
	fathom_evaluate(trials->result, trials->tree, &of->tree->tree->settings);
	behind.priority = sum_with_tree(trials, of->behind, trials->node.behind);
	if (trials->node.ahead != JOB_NO_NODE && !ahead.is_set)
		ahead.priority = sum_with_tree(trials, of->ahead, trials->node.ahead);
	*swaps = explain_job_is_ahead(&behind, &ahead);
}

/* A term of the row behind changes. */
static void swaps_by_term(const struct job_trials *trials, const struct explained_change *change,
			  bool *swaps)
{
	const struct explained_jobs *of = trials->of;
	const struct job_list *list = of->list;
	struct job_row *row = &list->row[of->behind], before = *row, changed;

	if (change->what == CHANGE_AGE)
		row->weighted.factor[JOB_AGE] =
			change->to / list->max_age * list->weight[JOB_AGE];
	else
		row->weighted.nice = (int64_t)(change->to * list->nice_weight);
	changed = *row;
	changed.priority = job_list_sum_with(list, of->behind,
					     row->weighted.factor[JOB_FAIRSHARE]);
	*row = before;
	*swaps = explain_job_is_ahead(&changed, &list->row[of->ahead]);
}

/* ---- both ----------------------------------------------------------------------------- */

static int swaps_jobs(void *context, const struct explained_change *change, bool *swaps,
		      struct fathom_error *error)
{
	struct job_trials *trials = context;
	const struct explained_jobs *of = trials->of;
	bool is_of_tree = change->what == CHANGE_USAGE || change->what == CHANGE_SHARES;
	int status = 0;

	if (is_of_tree)
		status = explain_change_set(of->tree->tree->policy, trials->tree, change, false,
					    error);
	if (status)
		return status;
	if (of->jobs) {
		if (is_of_tree)
			fathom_tree_settle(trials->tree);
		status = swaps_files(trials, change, swaps, error);
	} else if (is_of_tree) {
		swaps_by_tree(trials, swaps);
	} else {
		swaps_by_term(trials, change, swaps);
	}
	if (is_of_tree && !status)
		status = explain_change_set(of->tree->tree->policy, trials->tree, change, true,
					    error);
	return status;
}

/* The age of a job that a formula looks at: eligible_time has no limit, and may count without a
 * weight. */
static int search_age_of_formula(struct change_search *search, const struct job_trials *trials,
				 struct fathom_error *error)
{
	const struct jobs *jobs = trials->of->jobs;
	double age = trials->job->accrue_time > 0 && jobs->has_time
			     ? fmax((double)jobs->time - trials->job->accrue_time, 0) : NAN;
	struct explained_change from = { CHANGE_AGE, EXPLAIN_NONE, age, age };

	return isnan(age) ? 0 : change_search_try(search, &from, MOST_AGE, error);
}

/* Age counts up to PriorityMaxAge. */
static int search_age(struct change_search *search, const struct job_list *list,
		      const struct job_row *row, struct fathom_error *error)
{
	/* the product of a quotient may come out just below a whole second */
	double age = floor(row->plain.factor[JOB_AGE] * list->max_age + LEAST_OF_SECOND);
	struct explained_change from = { CHANGE_AGE, EXPLAIN_NONE, age, age };

	if (!(list->weight[JOB_AGE] > 0) || !(list->max_age > age))
		return 0;
	return change_search_try(search, &from, ceil(list->max_age - age), error);
}

static int search_nice(struct change_search *search, const struct job_list *list,
		       const struct job_row *row, struct fathom_error *error)
{
	double nice = (double)row->plain.nice;
	double least = list->by_flux ? FATHOM_FLUX_URGENCY - MOST_URGENCY : LEAST_NICE;
	struct explained_change from = { CHANGE_NICE, EXPLAIN_NONE, nice, nice };

	if (!(list->nice_weight > 0) || !(nice > least))
		return 0;
	return change_search_try(search, &from, nice - least, error);
}

static size_t node_of(const struct snapshot *snapshot, const struct job_row *row)
{
	return row->is_set ? JOB_NO_NODE : job_associations_search(snapshot, row);
}

static int copy_tree(struct job_trials *trials, struct fathom_error *error)
{
	const struct explained_jobs *of = trials->of;
	const struct evaluated_tree *tree = of->tree->tree;

	trials->node.behind = node_of(tree->snapshot, &of->list->row[of->behind]);
	trials->node.ahead = node_of(tree->snapshot, &of->list->row[of->ahead]);
	trials->tree = fathom_tree_copy(tree->snapshot->tree, error);
	if (trials->tree)
		trials->result = fathom_result_create(tree->policy, trials->tree, error);
	return trials->result ? 0 : -1;
}

static int search_all(struct change_search *search, const struct job_trials *trials,
		      const struct change_kinds *kinds, struct fathom_error *error)
{
	const struct job_list *list = trials->of->list;
	const struct job_row *row = &list->row[trials->of->behind];

	if (kinds->wanted[CHANGE_NICE] && search_nice(search, list, row, error))
		return -1;
	if (kinds->wanted[CHANGE_AGE] &&
	    (list->formula ? search_age_of_formula(search, trials, error)
			   : search_age(search, list, row, error)))
		return -1;
	if (!trials->tree || trials->node.behind == JOB_NO_NODE)
		return 0;
	return change_search_path(search, trials->of->tree, trials->node.behind, kinds, error);
}

int explain_job_change(struct explained_change *change, const struct explained_jobs *jobs,
		       const struct change_kinds *kinds, struct fathom_error *error)
{
	struct job_trials trials = { .of = jobs };
	struct change_search search = { .swaps = swaps_jobs, .context = &trials,
					.best = { .what = CHANGE_COUNT } };
	int status = 0;

	*change = search.best;
	if (jobs->jobs)
		status = select_jobs(&trials, error);
	if (!status && jobs->tree)
		status = copy_tree(&trials, error);
	if (!status)
		status = search_all(&search, &trials, kinds, error);
	*change = search.best;
	if (jobs->jobs)
		free(trials.few.job);
	fathom_result_destroy(trials.result);
	fathom_tree_destroy(trials.tree);
	return status;
}
