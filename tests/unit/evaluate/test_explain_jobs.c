/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations of pairs of jobs with random terms, under every policy: of files, which are
 * evaluated again, and of a running cluster, whose terms are added up again. */
#include "random_case.h"

#include "evaluate/explain.h"
#include "jobs/job_associations.h"

#define PAIRS 1000
#define MOST_JOBS 8
#define TIME 1700000000

struct job_case {
	struct random_case drawn;
	struct jobs jobs;
	struct job_rule rule;
	struct job_list list;
};

/* ---- random jobs ------------------------------------------------------------------------- */

static void add_job(struct job_case *of, size_t i)
{
	struct unit_random *random = &of->drawn.random;
	struct jobs *jobs = &of->jobs;
	size_t user = random_case_user(&of->drawn);
	struct job job = {
		.id = (int64_t)(i + 1), .qos_name = JOBS_NONE, .qos = JOBS_NONE,
		.own_hold = JOBS_NONE, .reason = JOBS_NONE, .reason_clause = JOBS_NONE,
		.comment = JOBS_NONE,
		.user = jobs_add_text(jobs, snapshot_name(&of->drawn.snapshot, user)),
		.account = jobs_add_text(jobs, snapshot_account(&of->drawn.snapshot, user)),
		.first_requested = 0, .requested_count = 1, .urgency = 16,
		.accrue_time = TIME - unit_random_below(random, 700000), .fairshare = NAN,
		.nice = unit_random_below(random, 3) ? 0 : unit_random_below(random, 2000),
		.cpus = 1 + unit_random_below(random, 8), .min_nodes = 1,
		.submit_time = TIME - 1000 - (double)i,
		.assoc_priority = unit_random_below(random, 5),
	};

	if (unit_random_below(random, 2)) {	/* under flux, urgency is 16 - nice */
		job.urgency = NAN;
		job.nice = unit_random_below(random, 10);
	}
	JOBS_ADD(jobs, job, job);
}

static void draw_jobs(struct job_case *of)
{
	struct jobs *jobs = &of->jobs;
	double *value = jobs->settings.value;

	jobs->has_time = true;
	jobs->time = TIME;
	value[JOB_WEIGHT_AGE] = 1000;
	value[JOB_WEIGHT_FAIRSHARE] = unit_random_below(&of->drawn.random, 4) ? 10000 : 100;
	value[JOB_WEIGHT_ASSOC] = 50;
	value[JOB_MAX_AGE] = 604800;
	JOBS_ADD(jobs, requested, ((struct requested_partition){
					  .name = jobs_add_text(jobs, "all"),
					  .partition = JOBS_NONE }));
	for (size_t i = 0; i < MOST_JOBS; i++)
		add_job(of, i);
}

static int evaluate(struct job_case *of, struct job_list *list, const struct snapshot *snapshot)
{
	struct job_rule rule = of->rule;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };

	memset(list, 0, sizeof(*list));
	rule.snapshot = snapshot;
	return job_list_evaluate(list, &of->jobs, &rule, &warnings, NULL);
}

static void job_case_create(struct job_case *of, uint64_t seed, const struct fathom_policy *policy)
{
	memset(of, 0, sizeof(*of));
	random_case_create(&of->drawn, seed, policy, NULL);
	of->rule = (struct job_rule){ .policy = of->drawn.evaluated.policy,
				      .settings = of->drawn.evaluated.settings, .scale = 1 };
	draw_jobs(of);
	ck_assert(!evaluate(of, &of->list, &of->drawn.snapshot));
	of->rule.snapshot = &of->drawn.snapshot;
}

static void job_case_clear(struct job_case *of)
{
	random_case_clear(&of->drawn);
}

/* ---- changes ------------------------------------------------------------------------------ */

/* Evaluates all jobs again with the change, independent of the code that searches. */
static bool swaps(struct job_case *of, const struct explained_change *change, size_t behind,
		  size_t ahead)
{
	struct snapshot snapshot = of->drawn.snapshot;
	struct job *job = &of->jobs.job[behind], before = *job;
	double grown = change->to - change->from;
	struct job_list list;
	bool answer;

	snapshot.tree = fathom_tree_copy(snapshot.tree, NULL);
	if (change->what == CHANGE_SHARES)
		fathom_tree_set_raw_shares(snapshot.tree, change->node, (uint32_t)change->to);
	else if (change->what == CHANGE_USAGE)
		fathom_tree_set_own_usage(snapshot.tree, change->node, change->to);
	else if (change->what == CHANGE_AGE)
		job->accrue_time -= grown;
	else if (of->list.by_flux && !isnan(job->urgency))
		job->urgency -= grown;
	else
		job->nice += grown;
	fathom_tree_settle(snapshot.tree);
	ck_assert(!evaluate(of, &list, &snapshot));
	answer = list.row[behind].priority != list.row[ahead].priority ?
			 list.row[behind].priority > list.row[ahead].priority : behind < ahead;
	*job = before;
	fathom_tree_destroy(snapshot.tree);
	return answer;
}

static struct explain_question question_of(struct job_case *of, bool is_of_file, int what)
{
	struct explain_question question = {
		.tree = &of->drawn.tree, .list = &of->list, .count = 2,
		.lowers_nice = true,
		.jobs = is_of_file ? &of->jobs : NULL, .rule = is_of_file ? &of->rule : NULL,
	};

	for (int i = 0; i < CHANGE_COUNT; i++)
		question.wanted[i] = what == CHANGE_COUNT || what == i;
	question.row[0] = unit_random_below(&of->drawn.random, MOST_JOBS);
	question.row[1] = (question.row[0] + 1 +
			   unit_random_below(&of->drawn.random, MOST_JOBS - 1)) % MOST_JOBS;
	for (size_t i = 0; i < 2; i++)
		question.node[i] = job_associations_search(&of->drawn.snapshot,
							   &of->list.row[question.row[i]]);
	return question;
}

/* Returns whether there is a change. */
static bool check_pair(struct job_case *of, bool is_of_file, int what)
{
	struct explain_question question = question_of(of, is_of_file, what);
	struct explained explained;
	struct explained_change change, half;
	size_t behind, ahead;

	explained_create(&explained, &question);
	behind = question.row[explained.behind];
	ahead = question.row[1 - explained.behind];
	ck_assert(explain_job_is_ahead(&of->list.row[ahead], &of->list.row[behind]));
	change = half = explained.change;
	if (change.what == CHANGE_COUNT)
		return false;
	half.to = change.from + trunc((change.to - change.from) / 2);
	ck_assert_msg(swaps(of, &change, behind, ahead), "seed %llu: %s from %g to %g",
		      (unsigned long long)of->drawn.seed, explain_change_names[change.what],
		      change.from, change.to);
	ck_assert_msg(half.to == half.from || !swaps(of, &half, behind, ahead),
		      "seed %llu: half, %s from %g to %g", (unsigned long long)of->drawn.seed,
		      explain_change_names[change.what], half.from, half.to);
	return true;
}

/* lsf places jobs, so that the terms of two are not enough. */
static bool can_add_up(const struct job_case *of)
{
	return !of->list.has_places && !of->list.by_flux;
}

/* Loop test: _i is the policy. */
TEST_LOOP(named_change_swaps_and_half_of_it_does_not, fathom_policy_count())
{
	const struct fathom_policy *policy = fathom_policy_at((size_t)_i);
	size_t found[2] = { 0 }, of_kind[CHANGE_COUNT + 1] = { 0 };
	bool has_age = fathom_policy_priority_rule(policy) != FATHOM_FLUX_PRIORITY;

	for (uint64_t seed = 1; seed <= PAIRS; seed++) {
		struct job_case of;
		/* each kind alone, and all */
		int what = (int)(seed % (CHANGE_COUNT + 1));

		job_case_create(&of, seed, policy);
		for (int is_of_file = 0; is_of_file < 2; is_of_file++)
			if (is_of_file || can_add_up(&of)) {
				bool is_found = check_pair(&of, is_of_file, what);

				found[is_of_file] += is_found;
				of_kind[what] += is_found;
			}
		job_case_clear(&of);
	}
	ck_assert_uint_gt(found[1], PAIRS / 8);
	ck_assert_uint_gt(of_kind[CHANGE_NICE], 0);
	ck_assert((of_kind[CHANGE_AGE] > 0) == has_age);
	ck_assert((of_kind[CHANGE_SHARES] > 0) == !policy_is_first_come(policy));
	ck_assert(found[0] == 0 || found[0] > PAIRS / 8);
}

/* ---- waiting ---------------------------------------------------------------------------- */

/* Evaluates all jobs as they are after so many seconds, of which the user behind runs nothing for
 * `idle` seconds, independent of the code that searches. */
static bool swaps_after(struct job_case *of, const struct explain_question *question,
			size_t behind, double seconds, double idle)
{
	const struct evaluated_tree *evaluated = &of->drawn.evaluated;
	struct snapshot snapshot = of->drawn.snapshot;
	const struct job_row *row;
	struct job_list list;
	size_t one = question->row[behind], other = question->row[!behind];

	snapshot.tree = fathom_tree_copy(snapshot.tree, NULL);
	ck_assert(idle == 0 ||
		  !policy_set_idle(evaluated->policy, &evaluated->settings, snapshot.tree,
				   of->drawn.snapshot.tree, question->node[behind], idle,
				   question->decay.half_life, NULL));
	fathom_tree_settle(snapshot.tree);
	of->jobs.time = TIME + (int64_t)seconds;
	ck_assert(!evaluate(of, &list, &snapshot));
	of->jobs.time = TIME;
	fathom_tree_destroy(snapshot.tree);
	row = list.row;
	return row[one].priority != row[other].priority ? row[one].priority > row[other].priority
							: one < other;
}

/* Returns whether there is a time to wait. */
static bool check_wait(struct job_case *of, bool is_of_file)
{
	struct explain_question question = question_of(of, is_of_file, CHANGE_NICE);
	struct explained explained;
	double wait, half;

	question.wants_advice = true;
	question.decay.half_life = 86400;
	explained_create(&explained, &question);
	wait = explained.wait;
	half = floor(wait / 2);
	if (isnan(wait))
		return false;
	ck_assert_msg(swaps_after(of, &question, explained.behind, wait, wait),
		      "seed %llu: after %g", (unsigned long long)of->drawn.seed, wait);
	/* shortly before, a rounded priority may be above the other for some seconds */
	ck_assert_msg(!swaps_after(of, &question, explained.behind, wait - 1, wait - 1) &&
		      !swaps_after(of, &question, explained.behind, half, half),
		      "seed %llu: before %g", (unsigned long long)of->drawn.seed, wait);
	ck_assert_msg(!swaps_after(of, &question, explained.behind, wait, 0),
		      "seed %llu: not idle for %g", (unsigned long long)of->drawn.seed, wait);
	return true;
}

/* Loop test: _i is the policy. */
TEST_LOOP(whoever_waits_goes_first_then_and_not_a_second_before, fathom_policy_count())
{
	size_t found[2] = { 0 };

	for (uint64_t seed = 1; seed <= PAIRS; seed++) {
		struct job_case of;
		bool is_of_file = seed % 2;

		job_case_create(&of, seed, fathom_policy_at((size_t)_i));
		if (is_of_file || can_add_up(&of))
			found[is_of_file] += check_wait(&of, is_of_file);
		job_case_clear(&of);
	}
	/* the rows of lsf and flux that a cluster sends are not computed again here */
	ck_assert((found[1] > 0) == !policy_is_first_come(fathom_policy_at((size_t)_i)));
	ck_assert(found[0] == 0 || found[0] > PAIRS / 20);
}

/* ---- what cannot be tried ---------------------------------------------------------------- */

static void cannot_sum(struct explain_question *question, struct explained_tree *tree)
{
	(void)tree;
	question->is_fixed = true;
}

static void cannot_dispatch(struct explain_question *question, struct explained_tree *tree)
{
	(void)tree;
	question->has_fixed_fairshare = true;
}

static void cannot_see(struct explain_question *question, struct explained_tree *tree)
{
	(void)question;
	tree->is_partial = true;
}

static void has_no_tree(struct explain_question *question, struct explained_tree *tree)
{
	(void)tree;
	question->tree = NULL;
	question->node[0] = question->node[1] = EXPLAIN_NONE;
}

static void has_no_association(struct explain_question *question, struct explained_tree *tree)
{
	(void)tree;
	question->node[0] = question->node[1] = EXPLAIN_NONE;
}

static void has_formula(struct explain_question *question, struct explained_tree *tree)
{
	(void)tree;
	question->has_fixed_priorities = true;
}

static const struct {
	void (*take)(struct explain_question *question, struct explained_tree *tree);
	enum explain_gap gap;
	bool of_all;		/* also of age and nice */
} gaps[] = {
	{ cannot_sum, GAP_SUMS, false },
	{ cannot_dispatch, GAP_DISPATCH, false },
	{ cannot_see, GAP_HIDDEN, false },
	{ has_no_tree, GAP_TREE, false },
	{ has_no_association, GAP_ASSOCIATION, false },
	{ has_formula, GAP_FORMULA, true },
};

/* Loop test: _i is the gap. */
TEST_EACH(what_cannot_be_tried_is_told, gaps)
{
	size_t without_change = 0;

	for (uint64_t seed = 1; seed <= PAIRS / 10; seed++) {
		struct job_case of;
		struct explained_tree tree;
		struct explain_question question;
		struct explained explained;

		job_case_create(&of, seed, fathom_policy_find("classic"));
		question = question_of(&of, false, seed % 2 ? CHANGE_SHARES : CHANGE_COUNT);
		tree = *question.tree;
		question.tree = &tree;
		gaps[_i].take(&question, &tree);
		explained_create(&explained, &question);
		ck_assert_int_eq(explained.gap, gaps[_i].gap);
		ck_assert(explained.change.what != CHANGE_SHARES &&
			  explained.change.what != CHANGE_USAGE);
		ck_assert(explain_is_untried(&explained, CHANGE_SHARES));
		ck_assert(explain_is_untried(&explained, CHANGE_USAGE) == !(seed % 2));
		ck_assert(explain_is_untried(&explained, CHANGE_NICE) ==
			  (!(seed % 2) && gaps[_i].of_all));
		without_change += explained.change.what == CHANGE_COUNT;
		job_case_clear(&of);
	}
	ck_assert_uint_ge(without_change, PAIRS / 20);
}

TEST(without_a_weight_of_fair_share_nothing_is_missing)
{
	struct job_case of;
	struct explain_question question;
	struct explained explained;

	job_case_create(&of, 1, fathom_policy_find("classic"));
	of.list.weight[JOB_FAIRSHARE] = 0;
	question = question_of(&of, false, CHANGE_COUNT);
	question.is_fixed = true;
	explained_create(&explained, &question);
	ck_assert_int_eq(explained.gap, GAP_NONE);
	job_case_clear(&of);
}

TEST(jobs_whose_terms_are_not_sent_cannot_be_compared)
{
	struct job_case of;
	struct explain_question question;
	struct explained explained;

	job_case_create(&of, 1, fathom_policy_find("classic"));
	question = question_of(&of, false, CHANGE_COUNT);
	of.list.row[question.row[0]].has_no_terms = true;
	explained_create(&explained, &question);
	ck_assert_int_eq(explained.gap, GAP_TERMS);
	ck_assert(explain_is_untried(&explained, CHANGE_NICE));
	job_case_clear(&of);
}

/* ---- terms and places ----------------------------------------------------------------- */

TEST_LOOP(points_add_up_to_the_priority, fathom_policy_count())
{
	for (uint64_t seed = 1; seed <= PAIRS / 10; seed++) {
		struct job_case of;
		struct explained_term terms[16];
		double sum = 0, shares = 0;

		job_case_create(&of, seed, fathom_policy_at((size_t)_i));
		ck_assert_uint_le(explain_term_count(&of.list), COUNT(terms));
		explain_terms(&of.list, &of.list.row[0], terms);
		for (size_t i = 0; i < explain_term_count(&of.list); i++) {
			sum += terms[i].points;
			shares += terms[i].share > 0 ? terms[i].share : 0;
		}
		if (of.list.row[0].priority > 1)
			ck_assert_double_lt(fabs(sum - of.list.row[0].priority), 1);
		if (sum > 0)
			ck_assert_double_eq_tol(shares, 1, 1e-9);
		job_case_clear(&of);
	}
}

/* Ranks are a permutation, and each job but the first names the one before it. */
TEST_LOOP(ranks_are_a_line, fathom_policy_count())
{
	struct job_case of;
	size_t at_rank[MOST_JOBS + 1];

	job_case_create(&of, (uint64_t)_i + 1, fathom_policy_at((size_t)_i));
	of.list.row[3].priority = 0;	/* held */
	memset(at_rank, 0xff, sizeof(at_rank));
	for (size_t i = 0; i < MOST_JOBS; i++) {
		struct explained_place place = explain_job_place(&of.list, i);

		ck_assert_uint_eq(place.of, MOST_JOBS - 1);
		ck_assert_uint_eq(place.rank == 0, i == 3);
		ck_assert_uint_le(place.rank, MOST_JOBS - 1);
		at_rank[place.rank] = i;
	}
	for (size_t rank = 1; rank < MOST_JOBS; rank++)
		ck_assert_uint_eq(explain_job_place(&of.list, at_rank[rank]).ahead,
				  rank == 1 ? EXPLAIN_NONE : at_rank[rank - 1]);
	job_case_clear(&of);
}

/* A job may still be known to be ahead. */
TEST(where_jobs_may_be_hidden_there_are_no_ranks)
{
	struct job_case of;

	job_case_create(&of, 1, fathom_policy_find("classic"));
	of.list.hides_jobs = true;
	for (size_t i = 0; i < MOST_JOBS; i++) {
		struct explained_place place = explain_job_place(&of.list, i);
		struct explained_place known;

		of.list.hides_jobs = false;
		known = explain_job_place(&of.list, i);
		of.list.hides_jobs = true;
		ck_assert_uint_eq(place.rank, 0);
		ck_assert_uint_eq(place.of, EXPLAIN_NONE);
		ck_assert_uint_eq(place.ahead, known.ahead);
	}
	job_case_clear(&of);
}
