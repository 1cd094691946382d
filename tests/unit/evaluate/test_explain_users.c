/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations of users in random trees, under every policy. */
#include "random_case.h"

#include "evaluate/explain.h"
#include "memory/need_memory.h"

#include <math.h>

#define PAIRS 1000	/* of each policy and kind of change */
#define ALL_KINDS CHANGE_COUNT

/* The schemes: each policy with its default settings, and then these. */
static const struct { const char *policy, *setting; } other_settings[] = {
	{ "classic", "dampening_factor=3" }, { "fair-tree", "tie_mode=slurm" },
	{ "pbs", "order=path" }, { "pbs", "initial_usage=1" },
};

#define SCHEME_COUNT (fathom_policy_count() + COUNT(other_settings))

static const struct fathom_policy *policy_of(int scheme)
{
	size_t i = (size_t)scheme, count = fathom_policy_count();

	return i < count ? fathom_policy_at(i) :
			   fathom_policy_find(other_settings[i - count].policy);
}

static void draw(struct random_case *drawn, int scheme, uint64_t seed)
{
	size_t i = (size_t)scheme, count = fathom_policy_count();

	random_case_create(drawn, seed, policy_of(scheme),
			   i < count ? NULL : other_settings[i - count].setting);
}

static const double *factor_of(const struct random_case *drawn)
{
	return drawn->evaluated.columns.factor;
}

/* ---- a tree that is written in a test ---------------------------------------------------- */

struct example {
	struct unit_tree read;
	struct snapshot snapshot;
	struct evaluated_tree evaluated;
	struct explained_tree tree;
};

static void example_open(struct example *example, const char *tree, const char *policy)
{
	example->read = unit_tree_read(tree);
	example->snapshot = (struct snapshot){ .tree = example->read.tree };
	example->evaluated = (struct evaluated_tree){ .snapshot = &example->snapshot,
						      .policy = fathom_policy_find(policy) };
	example->evaluated.settings = fathom_settings_standard(example->evaluated.policy);
	evaluated_tree_evaluate(&example->evaluated);
	example->tree = (struct explained_tree){ .tree = &example->evaluated };
}

static size_t node_of(const struct example *example, const char *name)
{
	return unit_node(&example->read, name);
}

/* ---- changes ----------------------------------------------------------------------------- */

/* Evaluates a copy of the tree with the change, independent of the code that searches. */
static bool swaps(const struct random_case *drawn, const struct explained_change *change,
		  size_t behind, size_t ahead)
{
	struct fathom_tree *tree = fathom_tree_copy(drawn->snapshot.tree, NULL);
	struct fathom_result *result = fathom_result_create(drawn->evaluated.policy, tree, NULL);
	const double *factor;
	bool answer;

	if (change->what == CHANGE_SHARES)
		fathom_tree_set_raw_shares(tree, change->node, (uint32_t)change->to);
	else
		fathom_tree_set_own_usage(tree, change->node, change->to);
	fathom_tree_settle(tree);
	fathom_evaluate(result, tree, &drawn->evaluated.settings);
	factor = fathom_result_factor(result);
	answer = explain_factor_is_greater(factor[behind], factor[ahead]);
	fathom_result_destroy(result);
	fathom_tree_destroy(tree);
	return answer;
}

/* Half of the change, rounded towards none. */
static struct explained_change half_of(const struct explained_change *change)
{
	struct explained_change half = *change;

	half.to = change->from + trunc((change->to - change->from) / 2);
	return half;
}

/* Searches the change of a kind, or of all. */
static struct explained_change change_of(const struct random_case *drawn, size_t behind,
					 size_t ahead, int what)
{
	struct explain_question question = { .tree = &drawn->tree, .node = { behind, ahead },
					     .count = 2 };

	for (int i = 0; i < CHANGE_COUNT; i++)
		question.wanted[i] = what == ALL_KINDS || what == i;
	return explain_change(&question, 0, true);
}

/* Draws a pair and checks its change; returns whether there is one. */
static bool check_pair(struct random_case *drawn, int what)
{
	size_t behind = random_case_user(drawn), ahead = random_case_user(drawn);
	const double *factor = factor_of(drawn);
	struct explained_change change, half;

	if (explain_factor_is_greater(factor[behind], factor[ahead])) {
		size_t better = behind;

		behind = ahead;
		ahead = better;
	}
	change = change_of(drawn, behind, ahead, what);
	if (change.what == CHANGE_COUNT)
		return false;
	half = half_of(&change);
	ck_assert_msg(swaps(drawn, &change, behind, ahead), "seed %llu: %s of %zu to %g",
		      (unsigned long long)drawn->seed, explain_change_names[change.what],
		      change.node, change.to);
	ck_assert_msg(half.to == half.from || !swaps(drawn, &half, behind, ahead),
		      "seed %llu: half, %s of %zu to %g", (unsigned long long)drawn->seed,
		      explain_change_names[change.what], change.node, half.to);
	return true;
}

/* Loop test: _i is the scheme. */
TEST_LOOP(named_change_swaps_and_half_of_it_does_not, SCHEME_COUNT)
{
	static const int wanted[] = { ALL_KINDS, CHANGE_USAGE, CHANGE_SHARES };

	for (size_t i = 0; i < COUNT(wanted); i++) {
		size_t found = 0;

		for (uint64_t seed = 1; seed <= PAIRS; seed++) {
			struct random_case drawn;

			draw(&drawn, _i, seed);
			found += check_pair(&drawn, wanted[i]);
			random_case_clear(&drawn);
		}
		if (policy_is_first_come(policy_of(_i)))
			ck_assert_uint_eq(found, 0);
		else
			ck_assert_uint_gt(found, PAIRS / 10);
	}
}

/* The change of one kind is never less than the best of all kinds. */
TEST_LOOP(least_change_is_the_least_of_all_kinds, SCHEME_COUNT)
{
	for (uint64_t seed = 1; seed <= PAIRS / 5; seed++) {
		struct random_case drawn;
		struct explained_change best, one;
		size_t behind, ahead;

		draw(&drawn, _i, seed);
		behind = random_case_user(&drawn);
		ahead = random_case_user(&drawn);
		best = change_of(&drawn, behind, ahead, ALL_KINDS);
		for (int what = CHANGE_USAGE; what <= CHANGE_SHARES; what++) {
			one = change_of(&drawn, behind, ahead, what);
			if (one.what == CHANGE_COUNT)
				continue;
			ck_assert_int_ne(best.what, CHANGE_COUNT);
			ck_assert_double_le(fabs(best.to - best.from) / fmax(best.from, 1),
					    fabs(one.to - one.from) / fmax(one.from, 1));
		}
		random_case_clear(&drawn);
	}
}

/* ---- waiting ------------------------------------------------------------------------------ */

#define WEEK 604800.

/* Returns whether a user goes first after so many seconds without jobs. */
static bool swaps_after(const struct random_case *drawn, size_t behind, size_t ahead,
			double seconds)
{
	double half_life = fathom_policy_half_life(drawn->evaluated.policy,
						   &drawn->evaluated.settings, WEEK);
	double own = fathom_tree_own_usage(drawn->snapshot.tree, behind);
	const struct explained_change decayed = { CHANGE_USAGE, behind, own,
						  own * fathom_decay(seconds, half_life) };

	return swaps(drawn, &decayed, behind, ahead);
}

TEST_LOOP(who_waits_goes_first_and_not_a_second_sooner, SCHEME_COUNT)
{
	size_t found = 0;

	for (uint64_t seed = 1; seed <= PAIRS; seed++) {
		struct random_case drawn;
		struct explain_question question = { .tree = &drawn.tree, .count = 2,
						     .decay = { .half_life = WEEK } };
		double seconds;

		draw(&drawn, _i, seed);
		question.node[0] = random_case_user(&drawn);
		question.node[1] = random_case_user(&drawn);
		if (explain_factor_is_greater(factor_of(&drawn)[question.node[1]],
					      factor_of(&drawn)[question.node[0]]) &&
		    (seconds = explain_wait(&question, 0)) > 0 && isfinite(seconds)) {
			found++;
			ck_assert_msg(swaps_after(&drawn, question.node[0], question.node[1],
						  seconds) &&
				      !swaps_after(&drawn, question.node[0], question.node[1],
						   seconds - 1),
				      "seed %llu: %g s", (unsigned long long)seed, seconds);
		}
		random_case_clear(&drawn);
	}
	if (!policy_is_first_come(policy_of(_i)))
		ck_assert_uint_gt(found, PAIRS / 50);
}

/* ---- places and partings --------------------------------------------------------------------- */

TEST_LOOP(place_counts_those_with_greater_factors, SCHEME_COUNT)
{
	for (uint64_t seed = 1; seed <= PAIRS; seed++) {
		struct random_case drawn;
		struct explained_place place;
		const double *factor;
		size_t user, rank = 1, of = 0;

		draw(&drawn, _i, seed);
		factor = factor_of(&drawn);
		user = random_case_user(&drawn);
		for (size_t node = 0; node < drawn.count; node++)
			if (fathom_tree_kind(drawn.snapshot.tree, node) == FATHOM_USER) {
				of++;
				rank += factor[node] * (1 - 1e-12) > factor[user];
			}
		place = explain_place(&drawn.tree, user);
		ck_assert_uint_eq(place.rank, rank);
		ck_assert_uint_eq(place.of, of);
		if (rank == 1)
			ck_assert_uint_eq(place.ahead, EXPLAIN_NONE);
		else
			ck_assert(factor[place.ahead] > factor[user]);
		random_case_clear(&drawn);
	}
}

/* Under a policy that walks, whoever is below the better of the two nodes has the greater
 * factor. */
TEST_LOOP(paths_part_where_the_order_is_decided, SCHEME_COUNT)
{
	for (uint64_t seed = 1; seed <= PAIRS; seed++) {
		struct random_case drawn;
		const struct policy_comparison *comparison;
		struct explained_parting parting;
		size_t who, whom;

		draw(&drawn, _i, seed);
		comparison = explain_comparison(&drawn.tree);
		who = random_case_user(&drawn);
		whom = random_case_user(&drawn);
		if (comparison && who != whom) {
			double sign = comparison->less_is_better ? -1 : 1;
			double a, b;

			parting = explain_parting(&drawn.tree, who, whom);
			a = sign * explain_figure(&drawn.tree, parting.who);
			b = sign * explain_figure(&drawn.tree, parting.whom);
			if (comparison->is_walked && !parting.is_tie)
				ck_assert_msg((a > b) == (factor_of(&drawn)[who] >
							  factor_of(&drawn)[whom]),
					      "seed %llu", (unsigned long long)seed);
		}
		random_case_clear(&drawn);
	}
}

static const struct {
	const char *policy, *tree, *who, *whom, *parts, *from;
	bool is_tie;
} partings[] = {
	/* accounts that tie are merged, so that their users are compared */
	{ "fair-tree", "A 1 (a1 1/10, a2 1/30), B 1 (b1 1/20, b2 1/20)", "a1", "b1", "a1", "b1",
	  false },
	{ "fair-tree", "A 1 (a1 1/10, a2 1/30), B 1 (b1 1/20, b2 1/20)", "b1", "b2", "b1", "b2",
	  true },
	/* a user that ties with an account goes before its users */
	{ "fair-tree", "u 1/40, v 1/40, A 1 (a1 1/10, a2 1/30)", "u", "a2", "u", "A", true },
	{ "fair-tree", UNIT_C1, "user2", "user4", "A", "D", false },
	/* the account decides, not the users in it */
	{ "classic", UNIT_C1, "user3", "user5", "C", "F", false },
	{ "classic", UNIT_C1, "user2", "user3", "user2", "user3", false },
	/* 5 of 10 and 6 of 10 differ less than 1/10 and 9/10 of them */
	{ "classic", "A 5 (a1 1/8, a2 1/1), B 5 (b1 1/1, b2 1/7)", "a1", "b1", "a1", "b1",
	  false },
};

TEST_EACH(paths_part, partings)
{
	struct example example;
	struct explained_parting parting;

	example_open(&example, partings[_i].tree, partings[_i].policy);
	parting = explain_parting(&example.tree, node_of(&example, partings[_i].who),
				  node_of(&example, partings[_i].whom));
	ck_assert_uint_eq(parting.who, node_of(&example, partings[_i].parts));
	ck_assert_uint_eq(parting.whom, node_of(&example, partings[_i].from));
	ck_assert(parting.is_tie == partings[_i].is_tie);
}

/* u5 of C2 has shares `parent` below the root: it counts as the root, whatever it has used. */
TEST(figure_of_shares_parent_is_that_of_the_account)
{
	struct example example;

	example_open(&example, UNIT_C2, "classic");
	ck_assert_double_eq(explain_figure(&example.tree, node_of(&example, "u5")), 1);
	ck_assert_double_eq(explain_figure(&example.tree, node_of(&example, "u2")),
			    explain_figure(&example.tree, node_of(&example, "A")));
	ck_assert(isinf(explain_times_share(&example.tree, node_of(&example, "z"))));
}

/* ---- what may not be seen ------------------------------------------------------------------ */

TEST(partial_tree_tells_no_rank_cost_or_change)
{
	struct explain_question question = { .count = 2,
					     .wanted = { true, true, true, true } };
	struct explained explained;
	struct example example;

	example_open(&example, UNIT_C1, "classic");
	example.tree.is_partial = true;
	question.tree = &example.tree;
	question.node[0] = node_of(&example, "user2");
	question.node[1] = node_of(&example, "user4");
	explained_create(&explained, &question);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(explained.one[i].place.rank, 0);
		ck_assert_uint_eq(explained.one[i].place.of, EXPLAIN_NONE);
		ck_assert_uint_eq(explained.one[i].place.ahead, EXPLAIN_NONE);
		ck_assert_uint_eq(explained.one[i].cost.node, EXPLAIN_NONE);
	}
	ck_assert_int_eq(explained.change.what, CHANGE_COUNT);
	ck_assert_int_eq(explained.gap, GAP_HIDDEN);
	ck_assert(explain_is_untried(&explained, CHANGE_USAGE));
	ck_assert(!explain_is_untried(&explained, CHANGE_AGE));
}

/* The two are compared by their factors all the same. */
TEST(users_part_only_at_accounts_that_may_be_seen)
{
	struct explain_question question = { .count = 2 };
	bool hidden[32] = { false };
	struct explained explained;
	struct example example;

	example_open(&example, UNIT_C1, "classic");
	ck_assert_uint_le(fathom_tree_count(example.read.tree), COUNT(hidden));
	example.tree.is_partial = true;
	example.tree.hidden = hidden;
	question.tree = &example.tree;
	question.node[0] = node_of(&example, "user2");
	question.node[1] = node_of(&example, "user4");
	hidden[0] = true;	/* above both */
	explained_create(&explained, &question);
	ck_assert(explained.has_parting);
	hidden[node_of(&example, "A")] = true;
	explained_create(&explained, &question);
	ck_assert(!explained.has_parting);
}

/* ---- recovery ------------------------------------------------------------------------- */

#define PERIOD 300.
#define HALF_LIFE 20000.
#define MOST_PASSES 3000

/* Steps decay pass by pass, as slurmctld does, until the factor is at the level. Returns the number
 * of passes, or MOST_PASSES. */
static size_t step(const struct random_case *drawn, size_t user, double level, bool is_account)
{
	const struct fathom_tree *from = drawn->snapshot.tree;
	const struct evaluated_tree *of = &drawn->evaluated;
	struct fathom_tree *tree = fathom_tree_copy(from, NULL);
	struct fathom_result *result = fathom_result_create(of->policy, tree, NULL);
	double half_life = fathom_policy_half_life(of->policy, &of->settings, HALF_LIFE);
	size_t passes = 0, account = fathom_tree_parent(from, user);

	for (; passes < MOST_PASSES; passes++) {
		fathom_tree_settle(tree);
		fathom_evaluate(result, tree, &of->settings);
		if (fathom_result_factor(result)[user] >= level)
			break;
		for (size_t node = 0; node < fathom_tree_count(tree); node++) {
			size_t up = node;

			while (is_account && up > account)
				up = fathom_tree_parent(tree, up);
			if (node == user || (is_account && up == account))
				fathom_tree_set_own_usage(
					tree, node, fathom_tree_own_usage(tree, node) *
							    exp2(-PERIOD / half_life));
		}
	}
	fathom_result_destroy(result);
	fathom_tree_destroy(tree);
	return passes;
}

TEST_LOOP(recovery_agrees_with_stepping_to_one_period, SCHEME_COUNT)
{
	size_t reached = 0;

	for (uint64_t seed = 1; seed <= PAIRS / 4; seed++) {
		struct random_case drawn;
		struct explained_recovery recovery;
		size_t user, passes;
		double level;
		bool is_account = seed % 2;
		const struct usage_decay decay = { .half_life = HALF_LIFE };

		draw(&drawn, _i, seed);
		user = random_case_user(&drawn);
		level = fmin(factor_of(&drawn)[user] + .25 * unit_random_real(&drawn.random), 1);
		passes = step(&drawn, user, level, is_account);
		recovery = explain_until(&drawn.tree, user, level, decay,
					 is_account ? IDLE_ACCOUNT : IDLE_USER);
		if (passes < MOST_PASSES) {
			ck_assert_msg(fabs((double)passes * PERIOD - recovery.seconds) <= PERIOD,
				      "seed %llu: %zu passes, %g s", (unsigned long long)seed,
				      passes, recovery.seconds);
			reached += passes > 0;
		} else {
			ck_assert_msg(!(recovery.seconds < MOST_PASSES * PERIOD),
				      "seed %llu: never, but %g s", (unsigned long long)seed,
				      recovery.seconds);
		}
		random_case_clear(&drawn);
	}
	if (policy_is_first_come(policy_of(_i)))
		return;
	ck_assert_uint_gt(reached, 10);
}

/* user2 of the vector C1: usage 250 of 1000, and U = 0.275. */
TEST(recovery_of_a_vector)
{
	struct example example;
	struct explained_recovery recovery;

	const struct usage_decay week = { .half_life = 604800 }, none = { 0 };

	example_open(&example, UNIT_C1, "classic");
	/* With y of user2's usage left, T = 750 + 250 y and T U = 25 + 250 y; U must be
	 * .05 * log2 (10). */
	recovery = explain_until(&example.tree, node_of(&example, "user2"), 0.1, week,
				 IDLE_USER);
	ck_assert_double_eq(recovery.seconds, 644756);
	recovery = explain_until(&example.tree, node_of(&example, "user3"), 0.1, week,
				 IDLE_USER);
	ck_assert_double_eq(recovery.seconds, 0);
	recovery = explain_until(&example.tree, node_of(&example, "user2"), 0.7, week,
				 IDLE_USER);
	ck_assert(isnan(recovery.seconds));
	recovery = explain_until(&example.tree, node_of(&example, "user2"), 0.1, none, IDLE_USER);
	ck_assert(isnan(recovery.seconds));
}

/* What decays before the reset decays as without it; the reset does the rest. */
TEST(recovery_by_a_reset)
{
	static const struct { double half_life, reset, seconds; bool is_reset; } cases[] = {
		{ 604800, 644757, 644756, false }, { 604800, 644756, 644756, true },
		{ 604800, 1, 1, true }, { 0, 86400, 86400, true },
	};
	struct example example;

	example_open(&example, UNIT_C1, "classic");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct explained_recovery recovery = explain_until(
			&example.tree, node_of(&example, "user2"), 0.1,
			(struct usage_decay){ cases[i].half_life, cases[i].reset }, IDLE_USER);

		ck_assert_double_eq(recovery.seconds, cases[i].seconds);
		ck_assert(recovery.is_reset == cases[i].is_reset);
		ck_assert(!cases[i].is_reset || recovery.factor == 1);
	}
}

/* ---- what costs most ------------------------------------------------------------------------- */

static const struct { const char *policy, *tree, *user, *costs, *by; } costs[] = {
	/* account C has used 3 times its share, its step is the greatest */
	{ "classic", UNIT_C1, "user3", "C", "user2" },
	{ "classic", UNIT_C1, "user2", "user2", NULL },
	/* nothing costs the best */
	{ "classic", "A 1 (u 1/0), B 1 (v 1/10)", "u", NULL, NULL },
	/* D and its two users are ahead because of A */
	{ "fair-tree", UNIT_C1, "user3", "A", "user2" },
	/* two better siblings in the account cost more than one better account */
	{ "fair-tree", "A 1 (u 1/60, v 1/1, w 1/1), B 1 (x 1/10)", "u", "u", NULL },
	{ "lsf", "A 1 (u 1/7200, v 1/0), B 1 (x 1/0)", "v", "A", "u" },
};

TEST_EACH(what_costs_most, costs)
{
	struct example example;
	struct explained_cost cost;

	example_open(&example, costs[_i].tree, costs[_i].policy);
	cost = explain_cost(&example.tree, node_of(&example, costs[_i].user));
	if (costs[_i].costs) {
		ck_assert_uint_eq(cost.node, node_of(&example, costs[_i].costs));
		ck_assert_uint_eq(cost.by, costs[_i].by ? node_of(&example, costs[_i].by) :
							  EXPLAIN_NONE);
	} else {
		ck_assert_uint_eq(cost.node, EXPLAIN_NONE);
	}
}

/* ---- what must not be seen ------------------------------------------------------------ */

TEST(hidden_nodes_are_as_if_they_did_not_exist)
{
	struct example example;
	bool hidden[16] = { false };
	struct explained_place place;
	struct explained_path path;
	struct explained_cost cost;
	size_t user;

	example_open(&example, UNIT_C1, "classic");
	example.tree.hidden = hidden;
	user = node_of(&example, "user3");
	place = explain_place(&example.tree, user);
	ck_assert_uint_eq(place.rank, 4);
	ck_assert_uint_eq(place.ahead, node_of(&example, "user1"));
	hidden[node_of(&example, "user1")] = hidden[node_of(&example, "user2")] = true;
	hidden[node_of(&example, "A")] = true;
	place = explain_place(&example.tree, user);
	ck_assert_uint_eq(place.rank, 3);
	ck_assert_uint_eq(place.of, 3);
	ck_assert_uint_eq(place.ahead, node_of(&example, "user4"));
	path = explained_path_create(&example.tree, user);
	ck_assert_uint_eq(path.count, 3);
	ck_assert_uint_eq(path.node[1], node_of(&example, "C"));
	need_free(path.node);
	cost = explain_cost(&example.tree, user);
	ck_assert_uint_eq(cost.node, node_of(&example, "C"));
	ck_assert_uint_eq(cost.by, EXPLAIN_NONE);
}

/* ---- lsf: jobs that end --------------------------------------------------------------- */

TEST(idle_users_of_lsf_give_back_what_they_hold)
{
	static const enum fathom_resource ended[] = { FATHOM_RUN_TIME, FATHOM_JOB_SLOTS,
						      FATHOM_COMMITTED_RUN_TIME };
	struct unit_tree read = unit_tree_read("u 1/7, v 1/0");
	struct fathom_tree *tree = fathom_tree_copy(read.tree, NULL);
	const struct fathom_policy *lsf = fathom_policy_find("lsf");
	struct fathom_settings settings = fathom_settings_standard(lsf);
	double half_life = fathom_policy_half_life(lsf, &settings, 0);

	/* without resources, usage stands for run time */
	ck_assert(!policy_set_idle(lsf, &settings, tree, read.tree, 1, half_life, 0, NULL));
	ck_assert_double_eq(fathom_tree_own_usage(tree, 1), 3.5);
	for (int i = 0; i < 5; i++)
		ck_assert(!fathom_tree_set_own_resource(read.tree, 1, (enum fathom_resource)i, 100,
							NULL));
	ck_assert(!policy_set_idle(lsf, &settings, tree, read.tree, 1, half_life, 0, NULL));
	for (size_t i = 0; i < COUNT(ended); i++)
		ck_assert_double_eq(fathom_tree_own_resource(tree, 1, ended[i]), 0);
	ck_assert_double_eq(fathom_tree_own_resource(tree, 1, FATHOM_HIST_RUN_TIME), 100);
	ck_assert_double_eq(fathom_tree_own_resource(tree, 1, FATHOM_CPU_TIME), 50);
	fathom_tree_destroy(tree);
}

/* The cluster's own factor says what is now, also of a tree that could not tell it. */
TEST(recorded_factor_tells_what_is_now)
{
	struct explained_recovery recovery;
	double factor[32];
	struct example example;
	size_t user;
	const struct usage_decay decay = { .half_life = HALF_LIFE };

	example_open(&example, UNIT_C1, "classic");
	user = node_of(&example, "user2");
	ck_assert_uint_le(fathom_tree_count(example.read.tree), COUNT(factor));
	for (size_t i = 0; i < COUNT(factor); i++)
		factor[i] = 0.75;
	example.evaluated.columns.factor = factor;
	recovery = explain_until(&example.tree, user, 0.7, decay, IDLE_USER);
	ck_assert(recovery.is_now);
	ck_assert_double_eq(recovery.seconds, 0);
	ck_assert_double_eq(recovery.factor, 0.75);
	recovery = explain_until(&example.tree, user, 0.8, decay, IDLE_USER);
	ck_assert(!recovery.is_now);
}
