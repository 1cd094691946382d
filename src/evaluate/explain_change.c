/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches the least change that puts the one behind first, by evaluating the policy again after
 * each change that is tried. The change doubles until it swaps the two; then the least one is found
 * by bisection:
 *
 *	shares 10 -> 11 no, 12 no, 14 no, 18 yes, 16 no, 17 yes: 17
 *
 * A change that is not less than the best so far is not tried. Jobs of files are evaluated again by
 * the code that evaluated them. Jobs of a running cluster have only their weighted terms: the term
 * that changes is computed anew, and the terms are added up again.
 */
#include "evaluate/explain.h"

#include "memory/need_memory.h"

#include <math.h>
#include <string.h>

#define LEAST_NICE (-2147483645.)	/* Slurm: NICE_OFFSET - 3 */
#define MOST_URGENCY 30			/* flux: 31 would start the job at once */
#define MOST_AGE (10 * 365 * 86400.)	/* ten years */
#define MOST_WAIT (10 * 365 * 86400.)
#define LEAST_OF_SECOND 1e-3		/* below it, a part of a second is rounding */

struct change_search {
	const struct explain_question *question;
	size_t behind, ahead;		/* indices of the question's pair */
	struct tried_tree tried;	/* all 0: the tree stays */
	struct jobs few;	/* of files: the jobs that are evaluated; the texts are those of
				 * the question, to which an evaluation has added what it needs */
	struct job *job;		/* of files: the job behind */
	struct explained_change best;	/* what: CHANGE_COUNT: none yet */
};

static const struct job_row *row_of(const struct change_search *search, size_t which)
{
	return &search->question->list->row[search->question->row[which]];
}

const char *explain_change_name(enum explained_what what)
{
	static const char *const names[CHANGE_COUNT] = {
		[CHANGE_USAGE] = "usage", [CHANGE_SHARES] = "shares", [CHANGE_AGE] = "age",
		[CHANGE_NICE] = "nice",
	};

	return names[what];
}

static bool is_of_tree(const struct explained_change *change)
{
	return change->what == CHANGE_USAGE || change->what == CHANGE_SHARES;
}

/* Returns whether the user or account behind goes first in the tree as it is now. */
static bool swaps_users(struct change_search *search)
{
	const double *factor = tried_tree_evaluate(&search->tried);
	const size_t *node = search->question->node;
	struct evaluated_tree now = *search->tried.of;
	struct explained_tree view = { .tree = &now };

	if (explain_is_account(&view, node[search->behind])) {
		now.columns = json_columns_of(now.policy, search->tried.result);
		return explain_account_is_ahead(&view, node[search->behind], node[search->ahead]);
	}
	return explain_factor_is_greater(factor[node[search->behind]], factor[node[search->ahead]]);
}

/* ---- jobs of files --------------------------------------------------------------------- */

/* Returns whether jobs have places in an order of dispatch. */
static bool places_jobs(const struct job_rule *rule)
{
	return rule->snapshot && fathom_policy_places_jobs(rule->policy, &rule->settings);
}

/* Returns whether the priority of two jobs may depend on this one: all that wait take places, and
 * the greatest priority of an association counts as 1. */
static bool is_needed(const struct change_search *search, const struct job *job,
		      double highest_assoc)
{
	return places_jobs(search->question->rule) || job->id == row_of(search, 0)->id ||
	       job->id == row_of(search, 1)->id || job->assoc_priority == highest_assoc;
}

/* Copies the jobs that are needed. All other arrays stay those of the question. */
static void select_jobs(struct change_search *search)
{
	const struct jobs *all = search->question->jobs;
	int64_t id = row_of(search, search->behind)->id;
	double highest_assoc = jobs_highest_assoc(all);
	bool has_highest = false;

	search->few = *all;
	search->few.job = need_zeros(all->job_count, sizeof(*all->job));
	search->few.job_count = 0;
	for (size_t i = 0; i < all->job_count; i++) {
		struct job *copy = &search->few.job[search->few.job_count];

		if (!is_needed(search, &all->job[i], has_highest ? NAN : highest_assoc))
			continue;
		has_highest |= all->job[i].assoc_priority == highest_assoc;
		*copy = all->job[i];
		search->job = copy->id == id ? copy : search->job;
		search->few.job_count++;
	}
}

/* Changes age or nice of the job behind; under flux nice is urgency, negated. */
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

/* Returns the row of the same job and partition in another list, or NULL. */
static const struct job_row *row_like(const struct job_list *list, const struct job_row *row)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->row[i].id == row->id &&
		    (list->row[i].partition == row->partition ||
		     !strcmp(list->row[i].partition, row->partition)))
			return &list->row[i];
	return NULL;
}

/* Returns whether the job behind goes first once `change` is made, for jobs of files. The tree has
 * been changed already. */
static bool swaps_files(struct change_search *search, const struct explained_change *change)
{
	const struct explain_question *question = search->question;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };
	struct need_memory *apart = need_memory_create(), *memory = need_memory_use(apart);
	struct job_rule rule = *question->rule;
	struct snapshot snapshot;
	struct job_list list;
	struct job before = *search->job;
	bool swaps;

	if (is_of_tree(change)) {
		snapshot = *rule.snapshot;
		snapshot.tree = search->tried.tree;
		fathom_tree_settle(snapshot.tree);
		rule.snapshot = &snapshot;
		rule.recorded_factor = NULL;
		rule.figures = NULL;
	}
	change_job(search->job, change, question->list->by_flux);
	need_done(job_list_evaluate(&list, &search->few, &rule, &warnings, NULL));
	*search->job = before;
	swaps = explain_job_is_ahead(row_like(&list, row_of(search, search->behind)),
				     row_like(&list, row_of(search, search->ahead)));
	need_memory_use(memory);
	need_memory_destroy(apart);
	return swaps;
}

/* ---- rows of a running cluster --------------------------------------------------------------- */

/* Gives a row the fair-share factor that the tree has now. */
static void set_fairshare(const struct change_search *search, size_t which, const double *factor,
			  struct job_row *row)
{
	const struct explain_question *question = search->question;
	const struct job_list *list = question->list;
	size_t node = question->node[which];

	if (node == EXPLAIN_NONE || row->is_set)
		return;
	row->weighted.factor[JOB_FAIRSHARE] = factor[node] * list->weight[JOB_FAIRSHARE];
	row->priority = job_list_sum_as(list, question->row[which], row);
}

/* Returns whether the job behind goes first once `change` is made, for rows of a running cluster.
 * The tree has been changed already. */
static bool swaps_rows(struct change_search *search, const struct explained_change *change)
{
	const struct job_list *list = search->question->list;
	struct job_row behind = *row_of(search, search->behind);
	struct job_row ahead = *row_of(search, search->ahead);

	if (is_of_tree(change)) {
		const double *factor = tried_tree_evaluate(&search->tried);

		set_fairshare(search, search->behind, factor, &behind);
		set_fairshare(search, search->ahead, factor, &ahead);
		return explain_job_is_ahead(&behind, &ahead);
	}
	if (change->what == CHANGE_AGE)
		behind.weighted.factor[JOB_AGE] =
			change->to / list->max_age * list->weight[JOB_AGE];
	else
		behind.weighted.nice = (int64_t)(change->to * list->nice_weight);
	behind.priority = job_list_sum_as(list, search->question->row[search->behind], &behind);
	return explain_job_is_ahead(&behind, &ahead);
}

/* ---- one value ------------------------------------------------------------------------- */

static bool goes_down(enum explained_what what)
{
	return what == CHANGE_USAGE || what == CHANGE_NICE;
}

/* Returns a change by so many steps of 1, in the direction in which the value may change. */
static struct explained_change changed_by(const struct explained_change *from, double steps)
{
	struct explained_change change = *from;

	change.to = goes_down(from->what) ? from->from - steps : from->from + steps;
	if (from->what == CHANGE_USAGE)
		change.to = fmax(change.to, 0);
	return change;
}

/* Returns the size of a change in proportion to the value, by which changes are compared. */
static double cost_of(const struct explained_change *change)
{
	return fabs(change->to - change->from) / fmax(fabs(change->from), 1);
}

/* Sets what changes in the tree to a value, such as change->to. */
static void change_tree(struct tried_tree *tried, const struct explained_change *change,
			double value)
{
	int resource = policy_usage_resource(tried->of->policy, tried->tree);

	if (change->what == CHANGE_SHARES)
		fathom_tree_set_raw_shares(tried->tree, change->node, (uint32_t)value);
	else if (resource == POLICY_USES_USAGE)
		fathom_tree_set_own_usage(tried->tree, change->node, value);
	else
		need_done(fathom_tree_set_own_resource(tried->tree, change->node,
						       (enum fathom_resource)resource, value,
						       NULL));
}

/* Returns whether the one behind goes first once `change` is made; the tree has been changed
 * already. */
static bool swaps(struct change_search *search, const struct explained_change *change)
{
	if (!search->question->list)
		return swaps_users(search);
	return search->question->jobs ? swaps_files(search, change) : swaps_rows(search, change);
}

/* Tries a change by so many steps of 1, and undoes it. Returns whether the one behind goes first
 * then. */
static bool swaps_by(struct change_search *search, const struct explained_change *from,
		     double steps)
{
	struct explained_change change = changed_by(from, steps);
	bool answer;

	if (is_of_tree(&change))
		change_tree(&search->tried, &change, change.to);
	answer = swaps(search, &change);
	if (is_of_tree(&change))
		change_tree(&search->tried, &change, change.from);
	return answer;
}

/* Tells whether a change by `amount` swaps the two. */
typedef bool try_function(struct change_search *search, const struct explained_change *from,
			  double amount);

/* Returns the least whole amount that swaps, by bisection: `low` does not swap, and `high` does.
 * Beyond 2^53 no whole number may be between two that differ by more than 1. */
static double least_between(struct change_search *search, try_function *swaps_at,
			    const struct explained_change *from, double low, double high)
{
	while (high - low > 1) {
		double middle = floor(low + (high - low) / 2);

		if (middle == low || middle == high)
			break;
		if (swaps_at(search, from, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Returns the greatest number of steps that costs less than the best change. */
static double limit_steps(const struct change_search *search, const struct explained_change *from,
			  double most)
{
	double limit = ceil(cost_of(&search->best) * fmax(fabs(from->from), 1)) - 1;

	return search->best.what != CHANGE_COUNT && limit < most ? limit : most;
}

/* Searches one kind of change of a value as it is, or of a node. most: the greatest change in whole
 * steps of 1, down for usage and nice, up for the others; usage ends at 0. Keeps the least change
 * that swaps in search->best, unless that is less already. */
static void try_kind(struct change_search *search, enum explained_what what, size_t node,
		     double value, double most)
{
	const struct explained_change from = { what, node, value, value };
	double low = 0, high = 1;	/* `low` does not swap */

	most = limit_steps(search, &from, most);
	if (!(most >= 1))
		return;
	while (!swaps_by(search, &from, high)) {
		if (high >= most)
			return;
		low = high;
		high = fmin(2 * high, most);
	}
	search->best = changed_by(&from, least_between(search, swaps_by, &from, low, high));
}

/* ---- usage and shares ---------------------------------------------------------------------- */

/* Returns the own usage of a node, or what the policy counts in its place. */
static double own_usage(const struct explained_tree *view, size_t node)
{
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	int resource = policy_usage_resource(view->tree->policy, tree);

	if (resource == POLICY_USES_USAGE)
		return fathom_tree_own_usage(tree, node);
	return fathom_tree_own_resource(tree, node, (enum fathom_resource)resource);
}

/* Searches less usage of the node behind, and more shares of it and of the accounts above. */
static void search_path(struct change_search *search)
{
	const struct explain_question *question = search->question;
	const struct explained_tree *view = question->tree;
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	size_t behind = question->node[search->behind];
	double usage = own_usage(view, behind);

	if (question->wanted[CHANGE_USAGE])
		try_kind(search, CHANGE_USAGE, behind, usage, ceil(usage));
	for (size_t node = behind; question->wanted[CHANGE_SHARES] && node;
	     node = fathom_tree_parent(tree, node)) {
		uint32_t shares = fathom_tree_raw_shares(tree, node);

		if (shares != FATHOM_SHARES_PARENT && !(view->hidden && view->hidden[node]))
			try_kind(search, CHANGE_SHARES, node, shares,
				 (double)(FATHOM_SHARES_PARENT - 1 - shares));
	}
}

/* ---- age and nice ------------------------------------------------------------------------ */

/* Searches more age. In a sum, age counts up to PriorityMaxAge, by its weight. A formula may use
 * eligible_time, which has no limit and needs no weight. */
static void search_age(struct change_search *search, const struct job_row *row)
{
	const struct job_list *list = search->question->list;
	const struct jobs *jobs = search->question->jobs;
	/* a whole second may come out just below it: the factor is a quotient that was rounded */
	double age = floor(row->plain.factor[JOB_AGE] * list->max_age + LEAST_OF_SECOND);

	if (!list->formula && list->weight[JOB_AGE] > 0)
		try_kind(search, CHANGE_AGE, EXPLAIN_NONE, age, ceil(list->max_age - age));
	else if (list->formula && search->job->accrue_time > 0 && jobs->has_time)
		try_kind(search, CHANGE_AGE, EXPLAIN_NONE,
			 fmax((double)jobs->time - search->job->accrue_time, 0), MOST_AGE);
}

/* Searches less nice; only administrators may go below 0. */
static void search_nice(struct change_search *search, const struct job_row *row)
{
	const struct job_list *list = search->question->list;
	double nice = (double)row->plain.nice;
	double least = list->by_flux ? FATHOM_FLUX_URGENCY - MOST_URGENCY : LEAST_NICE;

	if (!search->question->lowers_nice)
		least = 0;
	if (list->nice_weight > 0)
		try_kind(search, CHANGE_NICE, EXPLAIN_NONE, nice, nice - least);
}

struct explained_change explain_change(const struct explain_question *question, size_t behind,
				       bool changes_tree)
{
	struct change_search search = { .question = question, .behind = behind, .ahead = !behind,
					.best = { .what = CHANGE_COUNT } };

	if (question->list && question->jobs)
		select_jobs(&search);
	if (question->list && question->wanted[CHANGE_NICE])
		search_nice(&search, row_of(&search, behind));
	if (question->list && question->wanted[CHANGE_AGE])
		search_age(&search, row_of(&search, behind));
	if (changes_tree && question->node[behind] != EXPLAIN_NONE) {
		search.tried = tried_tree_create(question->tree->tree);
		search_path(&search);
	}
	return search.best;
}

/* ---- waiting ----------------------------------------------------------------------------- */

/* Returns whether the one behind goes first after so many seconds in which it runs nothing.
 * decayed: a change of usage, of whatever node. */
static bool swaps_idle(struct change_search *search, const struct explained_change *decayed,
		       double seconds)
{
	const struct explain_question *question = search->question;

	tried_tree_set_idle(&search->tried, question->node[search->behind], seconds,
			    question->half_life);
	return swaps(search, decayed);
}

double explain_wait(const struct explain_question *question, size_t behind)
{
	static const struct explained_change decayed = { .what = CHANGE_USAGE };
	struct change_search search = { .question = question, .behind = behind, .ahead = !behind };
	const struct evaluated_tree *of = question->tree->tree;
	double half_life = fathom_policy_half_life(of->policy, &of->settings, question->half_life);

	if (!(half_life > 0))
		return NAN;
	if (question->list && question->jobs)
		select_jobs(&search);
	search.tried = tried_tree_create(of);
	return swaps_idle(&search, &decayed, MOST_WAIT)
		       ? least_between(&search, swaps_idle, &decayed, 0, MOST_WAIT) : NAN;
}
