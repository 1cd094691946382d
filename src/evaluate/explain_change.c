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

#define LEAST_NICE (-2147483645.)	/* Slurm's: -(NICE_OFFSET - 3) */
#define MOST_URGENCY 30			/* flux: 31 would start the job at once */
#define MOST_AGE (10 * 365 * 86400.)	/* ten years */
#define MOST_WAIT MOST_AGE
#define WAIT_STEPS 64			/* see explain_first_second() */
#define LEAST_OF_SECOND 1e-3		/* below it, a part of a second is rounding */

/* The search for a change, or for a time to wait. */
struct change_search {
	const struct explain_question *question;
	size_t behind, ahead;		/* indices of the question's pair */
	struct evaluated_tree tried;	/* in which usage and shares change; all 0: they do not */
	double waited;			/* seconds by which jobs are older than now */
	/* what swaps_by() changes, as it is now; its `to` does not matter */
	struct explained_change unchanged;
	/* jobs of files: */
	struct jobs needed;		/* the jobs that must be evaluated again, at a time `waited`
					 * after that of question->jobs, whose arrays they share
					 * but for `job`; job_list_evaluate() has added its TRES
					 * to those already */
	struct job *job_behind;		/* one of `needed` */
	struct explained_change best;	/* what: CHANGE_COUNT: no change has swapped the pair yet */
};

/* Returns the row of one of the pair. index: of the question's pair. */
static const struct job_row *row_of(const struct change_search *search, size_t index)
{
	return &search->question->list->row[search->question->row[index]];
}

const char *const explain_change_names[CHANGE_COUNT + 1] = {
	[CHANGE_USAGE] = "usage", [CHANGE_SHARES] = "shares", [CHANGE_AGE] = "age",
	[CHANGE_NICE] = "nice",
};

/* Returns whether the change is one of the tree, else it is one of the job. */
static bool is_of_tree(const struct explained_change *change)
{
	return change->what == CHANGE_USAGE || change->what == CHANGE_SHARES;
}

/* Returns whether the user or account behind goes first in search->tried as it is now. */
static bool swaps_users(struct change_search *search)
{
	const size_t *node = search->question->node;
	const struct explained_tree view = { .tree = &search->tried };

	tried_tree_evaluate(&search->tried);
	return explain_is_ahead(&view, node[search->behind], node[search->ahead]);
}

/* ---- jobs of files --------------------------------------------------------------------- */

/* Returns whether jobs have places in an order of dispatch, of the whole rule or of a scope. */
static bool places_jobs(const struct job_rule *rule)
{
	if (!rule->snapshot)
		return false;
	for (size_t i = 0; i < rule->scope_count; i++)
		if (fathom_policy_places_jobs(rule->scope[i].policy, &rule->scope[i].settings))
			return true;
	return fathom_policy_places_jobs(rule->policy, &rule->settings);
}

/* Returns whether the priorities of the pair may depend on this job itself: it is one of the pair,
 * or all waiting jobs take places. */
static bool is_needed(const struct change_search *search, const struct job *job)
{
	return places_jobs(search->question->rule) || job->id == row_of(search, 0)->id ||
	       job->id == row_of(search, 1)->id;
}

/* Copies the jobs on which the priorities of the pair depend to search->needed, and sets
 * search->job_behind. One job with the greatest priority of an association is among them: the
 * priorities of all associations are divided by that. */
static void select_jobs(struct change_search *search)
{
	const struct jobs *all = search->question->jobs;
	int64_t id = row_of(search, search->behind)->id;
	double highest_assoc = jobs_highest_assoc(all);
	bool has_highest = false;

	search->needed = *all;
	search->needed.job = need_zeros(all->job_count, sizeof(*all->job));
	search->needed.job_count = 0;
	for (size_t i = 0; i < all->job_count; i++) {
		bool is_highest = all->job[i].assoc_priority == highest_assoc;
		struct job *copy = &search->needed.job[search->needed.job_count];

		if (!is_needed(search, &all->job[i]) && (has_highest || !is_highest))
			continue;
		has_highest |= is_highest;
		*copy = all->job[i];
		if (copy->id == id)
			search->job_behind = copy;
		search->needed.job_count++;
	}
}

/* Makes one of the jobs older by so many seconds. A job that is not eligible yet has age 0. */
static void add_age(const struct jobs *jobs, struct job *job, double seconds)
{
	job->accrue_time = fmin(jobs_age_from(jobs, job), (double)jobs->time) - seconds;
	if (jobs->settings.rules & JOB_ACCRUES_ALWAYS)
		job->submit_time = job->accrue_time;
}

/* Makes a change of age or nice in one of the jobs; does nothing for a change of the tree. Under
 * flux, nice is 16 - urgency, and an urgency counts before the job's nice and its comment. */
static void change_job(const struct jobs *jobs, struct job *job,
		       const struct explained_change *change, bool is_flux)
{
	double added = change->to - change->from;

	if (change->what == CHANGE_AGE)
		add_age(jobs, job, added);
	else if (change->what == CHANGE_NICE && is_flux)
		job->urgency = FATHOM_FLUX_URGENCY - change->to;
	else if (change->what == CHANGE_NICE)
		job->nice += added;
}

/* Replaces the rule's scopes by that of the pair, which wait in one line, as each scope costs an
 * evaluation of its tree; if jobs have places, all stay. Puts `tried`, unless it is NULL, in place
 * of the tree of the pair's scope; without one, of the rule. */
static void adapt_rule(const struct change_search *search, const struct snapshot *tried,
		       struct job_rule *rule)
{
	const char *scope = row_of(search, 0)->scope;
	struct job_scope *list = need_zeros(rule->scope_count, sizeof(*list));
	bool keeps_all = places_jobs(rule);
	size_t count = 0;

	for (size_t i = 0; i < rule->scope_count; i++) {
		bool is_of_pair = scope && !strcmp(scope, rule->scope[i].name);

		if (!keeps_all && !is_of_pair)
			continue;
		list[count] = rule->scope[i];
		if (tried && is_of_pair)
			list[count].snapshot = tried;
		count++;
	}
	rule->scope = list;
	rule->scope_count = count;
	if (tried && !scope) {
		rule->snapshot = tried;
		/* these are of the tree before the change */
		rule->recorded_factor = NULL;
		rule->figures = NULL;
	}
}

/* Evaluates the jobs that are needed. tried: see adapt_rule(). */
static struct job_list evaluate_needed(struct change_search *search, const struct snapshot *tried)
{
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };	/* nobody reads them */
	struct job_rule rule = *search->question->rule;
	struct job_list list;

	if (tried)
		fathom_tree_settle(tried->tree);
	adapt_rule(search, tried, &rule);
	need_done(job_list_evaluate(&list, &search->needed, &rule, &warnings, NULL));
	return list;
}

/* Returns whether the job behind goes first once `change` is made, for jobs of files. A change of
 * the tree has been made in search->tried already. */
static bool swaps_jobs_of_files(struct change_search *search, const struct explained_change *change)
{
	/* a memory of its own, as the search evaluates the jobs many times */
	struct need_memory *apart = need_memory_create(), *memory = need_memory_use(apart);
	struct job before = *search->job_behind;
	struct job_list list;
	bool swaps;

	change_job(&search->needed, search->job_behind, change, search->question->list->by_flux);
	list = evaluate_needed(search, is_of_tree(change) ? search->tried.snapshot : NULL);
	*search->job_behind = before;
	swaps = explain_job_is_ahead(explain_row_like(&list, row_of(search, search->behind)),
				     explain_row_like(&list, row_of(search, search->ahead)));
	need_memory_use(memory);
	need_memory_destroy(apart);
	return swaps;
}

/* ---- rows of a running cluster --------------------------------------------------------------- */

/* Sets the terms of fair share and age, and the priority, of a copy of a row by the tree as it is
 * now and the seconds that have passed. An age of 0 does not grow: slurmctld has not begun to count
 * it. index: of the row in the question's pair. factor: by node. */
static void set_terms(const struct change_search *search, size_t index, const double *factor,
		      struct job_row *row)
{
	const struct explain_question *question = search->question;
	const struct job_list *list = question->list;
	size_t node = question->node[index];
	double age = row->plain.factor[JOB_AGE];

	if (row->is_set)
		return;
	if (node != EXPLAIN_NONE)
		row->weighted.factor[JOB_FAIRSHARE] = factor[node] * list->weight[JOB_FAIRSHARE];
	if (search->waited > 0 && age > 0)
		row->weighted.factor[JOB_AGE] =
			fmin(age + search->waited / list->max_age, 1) * list->weight[JOB_AGE];
	row->priority = job_list_sum_as(list, question->row[index], row);
}

/* Returns whether the job behind goes first once `change` is made, for rows of a running cluster.
 * A change of the tree has been made in search->tried already. */
static bool swaps_rows_of_cluster(struct change_search *search,
				  const struct explained_change *change)
{
	const struct job_list *list = search->question->list;
	struct job_row behind = *row_of(search, search->behind);
	struct job_row ahead = *row_of(search, search->ahead);

	if (is_of_tree(change)) {
		const double *factor = tried_tree_evaluate(&search->tried);

		set_terms(search, search->behind, factor, &behind);
		set_terms(search, search->ahead, factor, &ahead);
		return explain_job_is_ahead(&behind, &ahead);
	}
	if (change->what == CHANGE_AGE) {
		behind.weighted.factor[JOB_AGE] =
			change->to / list->max_age * list->weight[JOB_AGE];
	} else {
		behind.plain.nice = (int64_t)change->to;
		behind.weighted.nice = (int64_t)(change->to * list->nice_weight);
	}
	behind.priority = job_list_sum_as(list, search->question->row[search->behind], &behind);
	return explain_job_is_ahead(&behind, &ahead);
}

/* ---- one value ------------------------------------------------------------------------- */

/* Returns whether less of the value puts a user or a job forward, else more of it does. */
static bool goes_down(enum explained_what what)
{
	return what == CHANGE_USAGE || what == CHANGE_NICE;
}

/* Returns the change of a value by `steps` steps of 1, down or up as goes_down() says; usage stops
 * at 0. unchanged: tells which value; its `to` does not matter. */
static struct explained_change changed_by(const struct explained_change *unchanged, double steps)
{
	struct explained_change change = *unchanged;

	change.to = goes_down(change.what) ? change.from - steps : change.from + steps;
	if (change.what == CHANGE_USAGE)
		change.to = fmax(change.to, 0);
	return change;
}

/* Returns the size of a change in proportion to the value, by which changes are compared. */
static double cost_of(const struct explained_change *change)
{
	return fabs(change->to - change->from) / fmax(fabs(change->from), 1);
}

/* Sets the shares of change->node, or its usage or what the policy counts in place of usage, to a
 * value: change->to makes the change, change->from undoes it. */
static void change_tree(const struct evaluated_tree *tried, const struct explained_change *change,
			double value)
{
	struct fathom_tree *tree = tried->snapshot->tree;
	int resource = policy_usage_resource(tried->policy, tree);

	if (change->what == CHANGE_SHARES)
		fathom_tree_set_raw_shares(tree, change->node, (uint32_t)value);
	else if (resource == POLICY_USES_USAGE)
		fathom_tree_set_own_usage(tree, change->node, value);
	else
		need_done(fathom_tree_set_own_resource(
			tree, change->node, (enum fathom_resource)resource, value, NULL));
}

/* Returns whether the one behind goes first once `change` is made. A change of the tree has been
 * made in search->tried already. */
static bool swaps(struct change_search *search, const struct explained_change *change)
{
	if (!search->question->list)
		return swaps_users(search);
	return search->question->jobs ? swaps_jobs_of_files(search, change)
				      : swaps_rows_of_cluster(search, change);
}

/* Tries the change of search->unchanged by `steps`, see changed_by(), and undoes it. Returns
 * whether the one behind goes first with it. context: the search. */
static bool swaps_by(void *context, double steps)
{
	struct change_search *search = context;
	struct explained_change change = changed_by(&search->unchanged, steps);
	bool answer;

	if (is_of_tree(&change))
		change_tree(&search->tried, &change, change.to);
	answer = swaps(search, &change);
	if (is_of_tree(&change))
		change_tree(&search->tried, &change, change.from);
	return answer;
}

/* Returns the greatest number of steps, at most `most`, that costs less than the best change.
 * value: before the change. */
static double limit_steps(const struct change_search *search, double value, double most)
{
	double limit = ceil(cost_of(&search->best) * fmax(fabs(value), 1)) - 1;

	return search->best.what != CHANGE_COUNT && limit < most ? limit : most;
}

/* Searches the least change of one value that swaps the pair, and keeps it in search->best if it
 * costs less than what is there. node: whose usage or shares change, else EXPLAIN_NONE. value: as
 * it is now. most: the greatest number of steps, see changed_by(). */
static void try_kind(struct change_search *search, enum explained_what what, size_t node,
		     double value, double most)
{
	double low = 0, high = 1;	/* `low` does not swap */

	most = limit_steps(search, value, most);
	if (!(most >= 1))
		return;
	search->unchanged = (struct explained_change){ what, node, value, value };
	while (!swaps_by(search, high)) {
		if (high >= most)
			return;
		low = high;
		high = fmin(2 * high, most);
	}
	search->best = changed_by(&search->unchanged, explain_least(swaps_by, search, low, high));
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

/* Searches less usage of the node behind if it is a user, as an account's is that of its users; and
 * more shares of it and of the accounts above it that may be seen. */
static void search_path(struct change_search *search)
{
	const struct explain_question *question = search->question;
	const struct explained_tree *view = question->tree;
	const struct fathom_tree *tree = view->tree->snapshot->tree;
	size_t behind = question->node[search->behind];
	double usage = own_usage(view, behind);

	if (question->wanted[CHANGE_USAGE] && !explain_is_account(view, behind))
		try_kind(search, CHANGE_USAGE, behind, usage, ceil(usage));
	for (size_t node = behind; question->wanted[CHANGE_SHARES] && node;
	     node = fathom_tree_parent(tree, node)) {
		uint32_t shares = fathom_tree_raw_shares(tree, node);

		if (shares != FATHOM_SHARES_PARENT && !explain_is_hidden(view, node))
			try_kind(search, CHANGE_SHARES, node, shares,
				 (double)(FATHOM_SHARES_PARENT - 1 - shares));
	}
}

/* ---- age and nice ------------------------------------------------------------------------ */

/* Searches more age. In a sum, age counts up to PriorityMaxAge, by its weight. A formula may use
 * eligible_time, which has no limit and needs no weight. row: of the job behind. */
static void search_age(struct change_search *search, const struct job_row *row)
{
	const struct job_list *list = search->question->list;
	const struct jobs *jobs = search->question->jobs;
	double from = jobs ? jobs_age_from(jobs, search->job_behind) : 0;
	/* in whole seconds; the factor is a rounded quotient, and may be just below that of one */
	double age = floor(row->plain.factor[JOB_AGE] * list->max_age + LEAST_OF_SECOND);

	if (!list->formula && list->weight[JOB_AGE] > 0)
		try_kind(search, CHANGE_AGE, EXPLAIN_NONE, age, ceil(list->max_age - age));
	else if (list->formula && from > 0 && jobs->has_time)
		try_kind(search, CHANGE_AGE, EXPLAIN_NONE,
			 fmax((double)jobs->time - from, 0), MOST_AGE);
}

/* Searches less nice. Under flux it is 16 - urgency. row: of the job behind. */
static void search_nice(struct change_search *search, const struct job_row *row)
{
	const struct job_list *list = search->question->list;
	double nice = (double)row->plain.nice;
	double least = 0;	/* only administrators may go below it */

	if (search->question->lowers_nice)
		least = list->by_flux ? FATHOM_FLUX_URGENCY - MOST_URGENCY : LEAST_NICE;
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

/* Makes jobs older than they are now; swaps() computes their ages. */
static void set_waited(struct change_search *search, double seconds)
{
	search->waited = seconds;
	if (search->question->jobs)
		search->needed.time = search->question->jobs->time + (int64_t)seconds;
}

/* A change that tells swaps() that the tree has changed. */
static const struct explained_change decayed = { .what = CHANGE_USAGE };

/* Sets the tree and the ages of jobs to what they are after `seconds` in which the one behind runs
 * nothing. */
static void make_idle(struct change_search *search, double seconds)
{
	const struct explain_question *question = search->question;

	tried_tree_set_idle(&search->tried, question->tree->tree, question->node[search->behind],
			    seconds, question->decay.half_life);
	set_waited(search, seconds);
}

/* Returns whether the one behind goes first after `seconds` in which it runs nothing. context: the
 * search. */
static bool swaps_idle(void *context, double seconds)
{
	struct change_search *search = context;

	make_idle(search, seconds);
	return swaps(search, &decayed);
}

/* Returns the whole seconds until a job of the pair has the greatest age that counts. index: of the
 * question's pair. */
static double seconds_to_full_age(const struct change_search *search, size_t index)
{
	double missing = 1 - row_of(search, index)->plain.factor[JOB_AGE];

	return floor(missing * search->question->list->max_age + LEAST_OF_SECOND);
}

/* Returns whether the one behind goes first when all usage is reset. Call it last: the usage of
 * search->tried is lost. */
static bool swaps_at_reset(struct change_search *search)
{
	make_idle(search, search->question->decay.reset);
	tree_reset_usage(search->tried.snapshot->tree);
	return swaps(search, &decayed);
}

/* Returns the first second, at most `most`, at which swaps_idle(); NAN: there is none. The longer
 * the one behind is idle, the better it stands, except while its age is full and that of the one
 * ahead still grows: it may go first at the beginning of that time, and later no more. */
static double find_first_wait(struct change_search *search, double most)
{
	bool of_jobs = search->question->list;
	double from = of_jobs ? seconds_to_full_age(search, search->behind) : 0;
	double to = of_jobs ? seconds_to_full_age(search, search->ahead) : 0;

	return explain_first_second(swaps_idle, search, from, to, WAIT_STEPS, most);
}

double explain_wait(const struct explain_question *question, size_t behind)
{
	struct change_search search = { .question = question, .behind = behind, .ahead = !behind };
	const struct evaluated_tree *of = question->tree->tree;
	const struct usage_decay *decay = &question->decay;
	double half_life = fathom_policy_half_life(of->policy, &of->settings, decay->half_life);
	double most = decay->reset > 0 ? fmin(decay->reset - 1, MOST_WAIT) : MOST_WAIT;
	double wait = NAN;

	if (question->list && question->jobs)
		select_jobs(&search);
	search.tried = tried_tree_create(of);
	if (half_life > 0 && most > 0)
		wait = find_first_wait(&search, most);
	if (isnan(wait)) {
		if (!(decay->reset > 0 && swaps_at_reset(&search)))
			return INFINITY;
		wait = decay->reset;
	}
	/* in a tree in which nobody is idle */
	search.tried = tried_tree_create(of);
	set_waited(&search, wait);
	return swaps(&search, &decayed) ? NAN : wait;
}
