/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tries changes on two jobs. Jobs of files are evaluated again by the code that evaluated them.
 * Jobs of a running cluster have only their weighted terms: the term that changes is computed anew,
 * and the terms are added up again.
 */
#include "evaluate/explain_jobs.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_NICE (-2147483645.)	/* Slurm: NICE_OFFSET - 3 */
#define MOST_URGENCY 30			/* flux: 31 would start the job at once */
#define MOST_AGE (10 * 365 * 86400.)	/* ten years */
#define LEAST_OF_SECOND 1e-3		/* below it, a part of a second is rounding */

struct job_trials {
	const struct explained_jobs *of;
	size_t behind, ahead;		/* their nodes, or JOB_NO_NODE */
	struct tried_tree tried;	/* all 0: the tree stays */
	struct job *job;		/* of files: the job behind */
	struct jobs few; /* of files: the jobs that are evaluated; the texts are those of
					 * `of`, to which an evaluation has added what it needs */
};

static bool is_of_tree(const struct explained_change *change)
{
	return change->what == CHANGE_USAGE || change->what == CHANGE_SHARES;
}

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
static void select_jobs(struct job_trials *trials)
{
	const struct jobs *all = trials->of->jobs;
	int64_t id = trials->of->list->row[trials->of->behind].id;
	double highest_assoc = 0;
	bool has_highest = false;

	trials->few = *all;
	trials->few.job = need_zeros(all->job_count, sizeof(*all->job));
	trials->few.job_count = 0;
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

static bool swaps_files(struct job_trials *trials, const struct explained_change *change)
{
	const struct explained_jobs *of = trials->of;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };
	struct job_rule rule = *of->rule;
	struct snapshot snapshot;
	struct job_list list;
	struct job before = *trials->job;
	bool swaps;

	if (is_of_tree(change)) {
		snapshot = *rule.snapshot;
		snapshot.tree = trials->tried.tree;
		fathom_tree_settle(snapshot.tree);
		rule.snapshot = &snapshot;
		rule.recorded_factor = NULL;
		rule.figures = NULL;
	}
	change_job(trials->job, change, of->list->by_flux);
	need_done(job_list_evaluate(&list, &trials->few, &rule, &warnings, NULL));
	*trials->job = before;
	swaps = explain_job_is_ahead(row_like(&list, &of->list->row[of->behind]),
				     row_like(&list, &of->list->row[of->ahead]));
	job_list_clear(&list);
	return swaps;
}

/* ---- rows of a running cluster --------------------------------------------------------------- */

/* The tree has changed: takes the fair-share factors that it now gives. */
static bool swaps_by_tree(struct job_trials *trials)
{
	const struct explained_jobs *of = trials->of;
	const struct job_list *list = of->list;
	const double *factor = tried_tree_evaluate(&trials->tried);
	double weight = list->weight[JOB_FAIRSHARE];
	struct job_row behind = list->row[of->behind], ahead = list->row[of->ahead];

	behind.priority = job_list_sum_with(list, of->behind, factor[trials->behind] * weight);
	if (trials->ahead != JOB_NO_NODE)
		ahead.priority = job_list_sum_with(list, of->ahead, factor[trials->ahead] * weight);
	return explain_job_is_ahead(&behind, &ahead);
}

/* A term of the row behind changes. */
static bool swaps_by_term(const struct job_trials *trials, const struct explained_change *change)
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
	return explain_job_is_ahead(&changed, &list->row[of->ahead]);
}

/* ---- both ----------------------------------------------------------------------------- */

static bool swaps_jobs(void *context, const struct explained_change *change)
{
	struct job_trials *trials = context;
	bool swaps;

	if (is_of_tree(change))
		explain_change_set(&trials->tried, change, change->to);
	if (trials->of->jobs)
		swaps = swaps_files(trials, change);
	else
		swaps = is_of_tree(change) ? swaps_by_tree(trials) : swaps_by_term(trials, change);
	if (is_of_tree(change))
		explain_change_set(&trials->tried, change, change->from);
	return swaps;
}

/* Age counts up to PriorityMaxAge. A formula may look at eligible_time, which has no limit, and
 * counts without a weight. */
static void search_age(struct change_search *search, const struct job_trials *trials,
		       const struct job_row *row)
{
	const struct job_list *list = trials->of->list;
	const struct jobs *jobs = trials->of->jobs;
	/* the product of a quotient may come out just below a whole second */
	double age = floor(row->plain.factor[JOB_AGE] * list->max_age + LEAST_OF_SECOND);

	if (!list->formula && list->weight[JOB_AGE] > 0)
		change_search_try(search, CHANGE_AGE, EXPLAIN_NONE, age, ceil(list->max_age - age));
	else if (list->formula && trials->job->accrue_time > 0 && jobs->has_time)
		change_search_try(search, CHANGE_AGE, EXPLAIN_NONE,
				  fmax((double)jobs->time - trials->job->accrue_time, 0), MOST_AGE);
}

static void search_nice(struct change_search *search, const struct job_list *list,
			const struct job_row *row)
{
	double nice = (double)row->plain.nice;
	double least = list->by_flux ? FATHOM_FLUX_URGENCY - MOST_URGENCY : LEAST_NICE;

	if (list->nice_weight > 0)
		change_search_try(search, CHANGE_NICE, EXPLAIN_NONE, nice, nice - least);
}

/* Returns the node that a row's fair share comes from. */
static size_t node_of(const struct explained_jobs *of, size_t row)
{
	const struct job_row *at = &of->list->row[row];

	return !of->tree || at->is_set ? JOB_NO_NODE
				       : job_associations_search(of->tree->tree->snapshot, at);
}

struct explained_change explain_job_change(const struct explained_jobs *jobs,
					   const struct change_kinds *kinds)
{
	const struct job_row *row = &jobs->list->row[jobs->behind];
	struct job_trials trials = { .of = jobs, .behind = node_of(jobs, jobs->behind),
				     .ahead = node_of(jobs, jobs->ahead) };
	struct change_search search = { .swaps = swaps_jobs, .context = &trials,
					.best = { .what = CHANGE_COUNT } };

	if (jobs->jobs)
		select_jobs(&trials);
	if (kinds->wanted[CHANGE_NICE])
		search_nice(&search, jobs->list, row);
	if (kinds->wanted[CHANGE_AGE])
		search_age(&search, &trials, row);
	if (trials.behind != JOB_NO_NODE) {
		trials.tried = tried_tree_create(jobs->tree->tree);
		change_search_path(&search, jobs->tree, trials.behind, kinds);
		tried_tree_clear(&trials.tried);
	}
	if (jobs->jobs)
		free(trials.few.job);
	return search.best;
}
