/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a site in a replay, against a model that looks at each second of time: one CPU, one
 * user's job after the other.
 */
#include "../unit.h"

#include "replay/replay.h"
#include "replay/replay_private.h"
#include "replay/scheduler.h"

#include <math.h>
#include <string.h>

#define MOST_JOBS 60
#define HORIZON 2800	/* seconds: 28 days of the calendar below */
#define DAY 100		/* seconds */
#define USERS 3
#define PERIOD 30	/* seconds between passes */

struct test_case {
	struct replay_job job[MOST_JOBS];
	double start[MOST_JOBS];
	size_t count;
};

/* ---- the calendar ------------------------------------------------------------------------ */

/* Days of January 1970, which began on a Thursday; context: when the first one began. */
static struct fathom_date day_of(double time, const void *context)
{
	double day = floor ((time - *(const double *)context) / DAY);

	return (struct fathom_date){ 1970, 1, 1 + (int)day };
}

/* Returns the number of the period of resets that a time lies in. */
static int period_of(enum fathom_reset reset, int time)
{
	int day = time / DAY;

	if (reset == FATHOM_RESET_DAILY)
		return day;
	return reset == FATHOM_RESET_WEEKLY ? (day + 4) / 7 : 0;
}

/* ---- the model --------------------------------------------------------------------------- */

struct model {
	const struct test_case *test;
	enum fathom_reset reset;
	double half_life;
	int start[MOST_JOBS], end[MOST_JOBS];	/* HORIZON * 2: not yet */
	int pass, since;	/* times of the last pass and of the last reset */
	double usage[USERS + 1];	/* as of the last pass, by node */
	double (*priority)(const struct model *model, size_t job);
};

static double model_usage(const struct model *model, uint32_t node, int now)
{
	double usage = 0;

	for (size_t i = 0; i < model->test->count; i++) {
		if (model->test->job[i].node != node)
			continue;
		for (int t = model->start[i] > model->since ? model->start[i] : model->since;
		     t < now && t < model->end[i]; t++)
			usage += model->half_life > 0
				 ? model->half_life / M_LN2 *
				   (exp2 (-(now - t - 1) / model->half_life) -
				    exp2 (-(now - t) / model->half_life))
				 : 1;
	}
	return usage;
}

static void model_pass(struct model *model, int now)
{
	if (period_of (model->reset, now) != period_of (model->reset, model->since) ||
	    (model->reset == FATHOM_RESET_NOW && now == 0))
		model->since = now;
	model->pass = now;
	for (uint32_t node = 1; node <= USERS; node++)
		model->usage[node] = model_usage (model, node, now);
}

/* Classic, of users with shares 1, 1 and 2: the least usage over shares goes first. */
static double by_usage(const struct model *model, size_t job)
{
	uint32_t node = model->test->job[job].node;

	return -model->usage[node] / (node == USERS ? 2 : 1);
}

/* Returns the job that goes first, or the number of jobs. */
static size_t model_choose(const struct model *model, int now)
{
	size_t best = model->test->count;

	for (size_t i = 0; i < model->test->count; i++)
		if (model->test->job[i].submit <= now && model->start[i] > HORIZON &&
		    (best == model->test->count ||
		     model->priority (model, i) > model->priority (model, best)))
			best = i;
	return best;
}

/* Does all that happens at an instant. Returns whether a job runs. */
static bool model_instant(struct model *model, int now)
{
	size_t next;

	if (now % PERIOD == 0)
		model_pass (model, now);
	for (size_t i = 0; i < model->test->count; i++)
		if (model->start[i] <= now && model->end[i] > now)
			return true;
	next = model_choose (model, now);
	if (next == model->test->count)
		return false;
	model->start[next] = now;
	model->end[next] = now + (int)model->test->job[next].run;
	return true;
}

static bool is_over(const struct model *model)
{
	for (size_t i = 0; i < model->test->count; i++)
		if (model->start[i] > HORIZON)
			return false;
	return true;
}

static void run_model(struct model *model)
{
	for (size_t i = 0; i < model->test->count; i++)
		model->start[i] = model->end[i] = HORIZON * 2;
	for (int now = 0; now < HORIZON && !(!model_instant (model, now) && is_over (model)); now++)
		;
}

/* ---- the replay -------------------------------------------------------------------------- */

static void note_start(const struct replay_job *job, double start, void *context)
{
	((struct test_case *)context)->start[job->number] = start;
}

static const double no_offset = 0;

static struct replay_rules rules_of(const char *policy, struct test_case *test)
{
	struct replay_rules rules = {
		.policy = fathom_policy_find (policy), .scheduler = replay_scheduler_find ("none"),
		.cpus = 1, .calc_period = PERIOD, .started = note_start, .context = test,
		.day_of = day_of, .calendar = &no_offset,
	};

	rules.settings = fathom_settings_standard (rules.policy);
	return rules;
}

static struct replay *run(const struct test_case *test, const struct replay_rules *rules,
			  const struct fathom_tree *tree)
{
	struct fathom_error error;
	struct replay *replay = replay_create (rules, tree, &error);

	ck_assert_ptr_nonnull (replay);
	for (size_t i = 0; i < test->count; i++)
		ck_assert_int_eq (replay_submit (replay, &test->job[i], &error), 0);
	ck_assert_int_eq (replay_finish (replay, &error), 0);
	return replay;
}

/* Jobs that come in bursts, with pauses between. */
static void make_jobs(struct test_case *test, struct unit_random *random)
{
	double submit = 0;

	*test = (struct test_case){ .count = 2 + unit_random_below (random, MOST_JOBS - 2) };
	for (size_t i = 0; i < test->count; i++) {
		double run = 1 + (double)unit_random_below (random, 40);

		test->job[i] = (struct replay_job){
			.number = i, .submit = submit, .run = run,
			.estimate = run + (double)unit_random_below (random, 20), .billing = 1,
			.node = 1 + (uint32_t)unit_random_below (random, USERS), .cpus = 1,
			.nodes = 1,
		};
		if (unit_random_below (random, 3))
			submit += (double)unit_random_below (random,
							     i % 9 == 8 ? 3 * DAY : DAY / 3);
		if (submit > HORIZON / 3 * 2)
			submit = HORIZON / 3 * 2;
	}
}

static void assert_model(const struct model *model, const struct replay *replay)
{
	const struct replay_figures *figures = replay_figures (replay);

	for (size_t i = 0; i < model->test->count; i++)
		ck_assert_msg (model->start[i] == (int)model->test->start[i],
			       "job %zu: %d, by the model %d", i, (int)model->test->start[i],
			       model->start[i]);
	for (uint32_t node = 1; node <= USERS; node++) {
		double wanted = model_usage (model, node, (int)figures->last_end);

		ck_assert_double_eq_tol (figures->node[node].usage, wanted, 1e-9 * (1 + wanted));
	}
}

static const enum fathom_reset resets[] = { FATHOM_RESET_NONE, FATHOM_RESET_NOW,
					    FATHOM_RESET_DAILY, FATHOM_RESET_WEEKLY };

START_TEST (resets_are_those_of_the_model)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 2");
	struct unit_random random = { 29 + (uint64_t)_i };
	struct test_case test;

	for (int round = 0; round < suite_rounds (60); round++) {
		struct replay_rules rules = rules_of ("classic", &test);
		struct model model = { .test = &test, .reset = resets[_i], .priority = by_usage,
				       .half_life = round % 2 ? 0 : 70 };
		struct replay *replay;

		rules.half_life = model.half_life;
		rules.reset_period = resets[_i];
		make_jobs (&test, &random);
		run_model (&model);
		replay = run (&test, &rules, tree.tree);
		assert_model (&model, replay);
		replay_destroy (replay);
	}
	unit_tree_free (&tree);
}
END_TEST

/* a has run from 0 to 50, c runs from 50 to 120, d from then on. At 100 all usage becomes 0: then
 * a's job goes before that of b, which came after it, and c counts from 100 on. */
START_TEST (a_reset_forgets_all_usage)
{
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read ("A 1 (a 1), B 1 (b 1), C 1 (c 1), D 1 (d 1)");
	const uint32_t a = (uint32_t)unit_node (&tree, "a"), b = (uint32_t)unit_node (&tree, "b"),
		       c = (uint32_t)unit_node (&tree, "c"), d = (uint32_t)unit_node (&tree, "d");
	struct test_case test = { .count = 5, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 1, .node = a },
		{ .number = 1, .submit = 1, .run = 70, .estimate = 70, .cpus = 1, .node = c },
		{ .number = 4, .submit = 2, .run = 10, .estimate = 10, .cpus = 1, .node = d },
		{ .number = 2, .submit = 60, .run = 10, .estimate = 10, .cpus = 1, .node = a },
		{ .number = 3, .submit = 61, .run = 10, .estimate = 10, .cpus = 1, .node = b },
	} };
	struct replay_rules rules = rules_of (policy, &test);
	bool is_fair = strcmp (policy, "fcfs") != 0;
	struct replay *replay;

	rules.calc_period = 10;
	for (size_t i = 0; i < test.count; i++)	/* which flux counts */
		test.job[i].nodes = 1;
	test.job[0].billing = 1;
	test.job[1].billing = 2;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[2], is_fair ? 140 : 130);
	ck_assert_double_eq (test.start[3], is_fair ? 130 : 140);
	replay_destroy (replay);

	rules.reset_period = FATHOM_RESET_DAILY;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[2], 130);
	ck_assert_double_eq (test.start[3], 140);
	ck_assert_double_eq_tol (replay_figures (replay)->node[c].usage, 2 * 20, 1e-9);
	ck_assert_double_eq_tol (replay_figures (replay)->node[a].usage, 0, 1e-9);
	replay_destroy (replay);
	unit_tree_free (&tree);
}
END_TEST

/* NOW drops what the tree has at the first submission. */
START_TEST (a_reset_now_drops_the_initial_usage)
{
	struct unit_tree tree = unit_tree_read ("a 1/600, b 1, c 2");
	struct test_case test = { .count = 1, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 1, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("classic", &test);
	struct replay *replay = run (&test, &rules, tree.tree);

	ck_assert_double_eq (replay_figures (replay)->node[1].usage, 600);
	replay_destroy (replay);
	rules.reset_period = FATHOM_RESET_NOW;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (replay_figures (replay)->node[1].usage, 0);
	replay_destroy (replay);
	unit_tree_free (&tree);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_loop_test (tests, resets_are_those_of_the_model, 0, UNIT_COUNT (resets));
	tcase_add_loop_test (tests, a_reset_forgets_all_usage, 0, (int)fathom_policy_count ());
	tcase_add_test (tests, a_reset_now_drops_the_initial_usage);
}

int main(void)
{
	return unit_run ("replay_settings", add_tests);
}
