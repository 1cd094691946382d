/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts together what is known about one or two users or jobs: of each its place, its path, what
 * costs it most, its terms; of a pair where the two part, and the least change that swaps them.
 */
#include "evaluate/explain.h"

#include "memory/need_memory.h"

#include <math.h>

/* ---- one user or job --------------------------------------------------------------------- */

/* Explains one of the pair. index: 0 for who, 1 for whom. */
static void explain_one(struct explained_one *one, const struct explain_question *question,
			size_t index)
{
	const struct job_list *list = question->list;

	*one = (struct explained_one){
		.node = question->node[index],
		.row = list ? question->row[index] : EXPLAIN_NONE,
		.cost = { .node = EXPLAIN_NONE, .by = EXPLAIN_NONE },
		.place = { .ahead = EXPLAIN_NONE }, .job_place = { .ahead = EXPLAIN_NONE },
	};
	if (one->node != EXPLAIN_NONE) {
		one->place = explain_place(question->tree, one->node);
		one->path = explained_path_create(question->tree, one->node);
		one->cost = explain_cost(question->tree, one->node);
	}
	if (list) {
		one->job_place = explain_job_place(list, one->row);
		one->terms = need_zeros(explain_term_count(list), sizeof(*one->terms));
		explain_terms(list, &list->row[one->row], one->terms);
	}
}

/* ---- pairs ------------------------------------------------------------------------------- */

/* Finds where the paths of a pair part, if both are in the tree and are not the same node. */
static void part_users(struct explained *explained)
{
	const struct explained_one *one = explained->one;

	if (one[0].node == EXPLAIN_NONE || one[1].node == EXPLAIN_NONE ||
	    one[0].node == one[1].node)
		return;
	explained->parting = explain_parting(explained->question->tree, one[0].node, one[1].node);
	explained->has_parting = !explained->parting.is_hidden;
}

/* Returns why no change of usage or shares can be tried for users. */
static enum explain_gap gap_of_users(const struct explain_question *question)
{
	if (question->is_fixed)
		return GAP_SUMS;
	return question->tree->is_partial ? GAP_HIDDEN : GAP_NONE;
}

/* Finds out which of two users or accounts is behind, and what would swap them. */
static void compare_users(struct explained *explained)
{
	const struct explain_question *question = explained->question;
	size_t who = question->node[0], whom = question->node[1];
	const bool changes_tree = true;

	explained->behind = explain_is_ahead(question->tree, who, whom) ? 1 : 0;
	explained->is_equal = !explained->behind && !explain_is_ahead(question->tree, whom, who);
	if (explained->is_equal)
		return;
	explained->gap = gap_of_users(question);
	if (explained->gap == GAP_NONE)
		explained->change = explain_change(question, explained->behind, changes_tree);
}

/* Returns whether slurmctld sends the terms of a row. It sends none of a job that sprio is not
 * shown, or that the policy never starts. */
static bool has_terms(const struct job_row *row)
{
	return !row->has_no_terms && !row->is_never_started;
}

/* Returns why not all changes can be tried for jobs. A weight of 0 and no formula: the tree has no
 * influence, so that nothing is missing without it. */
static enum explain_gap gap_of_jobs(const struct explained *explained)
{
	const struct explain_question *question = explained->question;
	const struct job_row *row = question->list->row;

	if (question->has_fixed_priorities)
		return GAP_FORMULA;
	if (!question->jobs &&
	    !(has_terms(&row[question->row[0]]) && has_terms(&row[question->row[1]])))
		return GAP_TERMS;
	if (question->list->weight[JOB_FAIRSHARE] == 0 && !question->list->formula)
		return GAP_NONE;
	if (question->has_fixed_fairshare)
		return GAP_DISPATCH;
	if (question->is_fixed)
		return GAP_SUMS;
	if (!question->tree)
		return GAP_TREE;
	if (question->tree->is_partial)
		return GAP_HIDDEN;
	return question->node[explained->behind] == EXPLAIN_NONE ? GAP_ASSOCIATION : GAP_NONE;
}

bool explain_is_untried(const struct explained *explained, enum explained_what what)
{
	const struct explain_question *question = explained->question;
	bool is_of_tree = what == CHANGE_USAGE || what == CHANGE_SHARES;

	if (!question->wanted[what] || explained->gap == GAP_NONE)
		return false;
	/* gaps behind GAP_TERMS do not keep age and nice of a job from being tried */
	return is_of_tree || (question->list && explained->gap <= GAP_TERMS);
}

/* Returns whether no term and no usage changes the place of a job: it is held, or an administrator
 * has set its priority. */
static bool has_fixed_place(const struct job_list *list, const struct job_row *row)
{
	return explain_is_held(list, row) || row->is_set;
}

/* Finds out which of two jobs is behind, by which term, and what would swap them. */
static void compare_jobs(struct explained *explained)
{
	const struct explain_question *question = explained->question;
	const struct job_row *row = question->list->row;
	bool who_is_ahead = explain_job_is_ahead(&row[question->row[0]], &row[question->row[1]]);
	size_t behind = who_is_ahead ? 1 : 0;
	const struct job_row *last = &row[question->row[behind]];
	bool changes_tree;

	explained->behind = behind;
	if (explain_terms_count(question->list, last) &&
	    explain_terms_count(question->list, &row[question->row[1 - behind]]))
		explained->parting_term = explain_parting_term(explained->one[1 - behind].terms,
							       explained->one[behind].terms,
							       explained->term_count);
	if (has_fixed_place(question->list, last))
		return;
	explained->gap = gap_of_jobs(explained);
	if (explained->gap == GAP_FORMULA || explained->gap == GAP_TERMS)
		return;
	changes_tree = explained->gap == GAP_NONE && !question->is_fixed && question->tree;
	explained->change = explain_change(question, behind, changes_tree);
}

/* ---- advice ------------------------------------------------------------------------------ */

/* Returns whether usage has an influence on the order: the policy has a fair share, and it counts
 * in the priorities of jobs. */
static bool usage_matters(const struct explain_question *question)
{
	const struct job_list *list = question->list;

	return explain_comparison(question->tree) &&
	       (!list || list->formula || list->weight[JOB_FAIRSHARE] > 0);
}

/* Sets wait and reset for the one behind of a pair, if waiting may help. */
static void find_wait(struct explained *explained, const struct explain_question *pair)
{
	const struct job_list *list = pair->list;
	double wait;

	if (list && has_fixed_place(list, &list->row[pair->row[explained->behind]]))
		return;
	if (explained->gap != GAP_NONE || !usage_matters(pair))
		return;
	wait = explain_wait(pair, explained->behind);
	if (wait >= pair->decay.reset)
		explained->reset = pair->decay.reset;
	explained->wait = isinf(wait) ? NAN : wait;
}

/* Sets gap, wait and reset for a single user, who is compared with the one next ahead. */
static void find_wait_of_single(struct explained *explained)
{
	struct explain_question pair = *explained->question;

	pair.node[1] = explained->one[0].place.ahead;
	if (pair.node[1] == EXPLAIN_NONE ||
	    isnan(pair.tree->tree->columns.factor[pair.node[1]]))
		return;
	explained->gap = gap_of_users(&pair);
	find_wait(explained, &pair);
}

/* Finds what the one behind can do without an administrator: wait, or use another account. */
static void advise(struct explained *explained)
{
	const struct explain_question *question = explained->question;
	size_t node = question->node[explained->behind];

	if (!question->wants_advice || explained->is_equal || node == EXPLAIN_NONE)
		return;
	if (!explain_is_account(question->tree, node))
		explained->other_account = explain_other_account(question->tree, node);
	if (question->count == 2)
		find_wait(explained, question);
	else if (!question->list)
		find_wait_of_single(explained);
}

void explained_create(struct explained *explained, const struct explain_question *question)
{
	*explained = (struct explained){
		.question = question, .change = { .what = CHANGE_COUNT }, .wait = NAN,
		.other_account = EXPLAIN_NONE, .parting_term = EXPLAIN_NONE,
		.term_count = question->list ? explain_term_count(question->list) : 0,
	};
	for (size_t i = 0; i < question->count; i++)
		explain_one(&explained->one[i], question, i);
	if (question->count == 2) {
		part_users(explained);
		(question->list ? compare_jobs : compare_users)(explained);
	}
	advise(explained);
}
