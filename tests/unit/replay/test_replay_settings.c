/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a site in a replay, against a model that looks at each second of time: one CPU, one
 * user's job after the other.
 */
#include "../unit.h"
#include "finished_replay.h"

#include "policy/entity_tree.h"
#include "replay/replay_private.h"

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
		.policy = fathom_policy_find (policy), .scheduler = &replay_scheduler_none,
		.cpus = 1, .calc_period = PERIOD, .started = note_start, .context = test,
		.day_of = day_of, .calendar = &no_offset,
	};

	rules.settings = fathom_settings_standard (rules.policy);
	return rules;
}

static struct replay *run(const struct test_case *test, const struct replay_rules *rules,
			  const struct fathom_tree *tree)
{
	return finished_replay (rules, tree, test->job, test->count);
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

TEST_EACH (resets_are_those_of_the_model, resets)
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
	}
}

/* ---- what jobs ask for ---------------------------------------------------------------------- */

enum { CPU, MEM, TRES_COUNT };

#define REQUESTS 3
static const uint64_t tres[REQUESTS][TRES_COUNT] = { { 1, 0 }, { 1, 8 }, { 1, 20 } };
static const double qos_priority[REQUESTS] = { 0, 30, 10 };
static const uint64_t partition_tres[2][TRES_COUNT] = { { 8, 32 }, { 8, 64 } };
static const double partition_factor[2] = { 1, 4 };

/* Gives jobs partitions and requests. */
static void ask(struct test_case *test, struct unit_random *random)
{
	for (size_t i = 0; i < test->count; i++) {
		test->job[i].partition = unit_random_below (random, 2);
		test->job[i].request = unit_random_below (random, REQUESTS);
	}
}

/* Lets the rules have them; config: with weights. */
static void use_requests(struct replay_rules *rules, struct fathom_priority_config *config)
{
	static struct replay_partition partitions[2];
	static struct replay_request requests[REQUESTS];
	static const uint32_t group = 0;

	for (size_t i = 0; i < 2; i++)
		partitions[i] = (struct replay_partition){
			.group = &group, .group_count = 1,
			.queue = { .partition_factor = partition_factor[i],
				   .partition_norm = partition_factor[i] / 4,
				   .partition_tres = partition_tres[i] } };
	for (size_t i = 0; i < REQUESTS; i++)
		requests[i] = (struct replay_request){ .qos_priority = qos_priority[i],
						       .qos_norm = qos_priority[i] / 30,
						       .tres = tres[i] };
	config->tres_count = TRES_COUNT;
	config->max_age = 500;
	rules->partition = partitions;
	rules->partition_count = 2;
	rules->request = requests;
	rules->priority = config;
}

static double model_age(const struct model *model, size_t job)
{
	return fmax (model->pass - model->test->job[job].submit, 0);
}

/* Classic: 2^-(part of the usage over part of the shares). */
static double model_factor(const struct model *model, size_t job)
{
	uint32_t node = model->test->job[job].node;
	double all = model->usage[1] + model->usage[2] + model->usage[3];

	return all > 0 ? exp2 (-model->usage[node] / all / (node == USERS ? 0.5 : 0.25)) : 1;
}

/* Slurm cuts the sum to a whole number. */
static double by_weights(const struct model *model, size_t job)
{
	const struct replay_job *of = &model->test->job[job];

	return fmax (trunc (fmin (model_age (model, job) / 500, 1) * 1000 +
			    model_factor (model, job) * 2000 +
			    partition_factor[of->partition] / 4 * 300 +
			    qos_priority[of->request] / 30 * 700 +
			    (double)tres[of->request][MEM] /
			    (double)partition_tres[of->partition][MEM] * 900), 1);
}

static double by_formula(const struct model *model, size_t job)
{
	const struct replay_job *of = &model->test->job[job];
	double memory = (double)tres[of->request][MEM];

	return fmax (trunc (10 * (200 * partition_factor[of->partition] +
				  3 * model_age (model, job) + (of->estimate > 30 ? 40 : 0) +
				  900 * model_factor (model, job) + memory + 2 * memory +
				  qos_priority[of->request])), 1);
}

static void compare_with(double (*priority)(const struct model *model, size_t job),
			 struct replay_rules *rules, struct test_case *test,
			 struct unit_random *random)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 2");

	for (int round = 0; round < suite_rounds (60); round++) {
		struct model model = { .test = test, .reset = FATHOM_RESET_DAILY,
				       .priority = priority };
		struct replay *replay;

		rules->reset_period = FATHOM_RESET_DAILY;
		make_jobs (test, random);
		ask (test, random);
		run_model (&model);
		replay = run (test, rules, tree.tree);
		assert_model (&model, replay);
	}
}

TEST (the_sum_has_qos_and_tres)
{
	static const double tres_weight[TRES_COUNT] = { [MEM] = 900 };
	struct fathom_priority_config config = {
		.weight = { .age = 1000, .fairshare = 2000, .partition = 300, .qos = 700 },
		.tres_weight = tres_weight,
	};
	struct unit_random random = { 41 };
	struct test_case test;
	struct replay_rules rules = rules_of ("classic", &test);

	use_requests (&rules, &config);
	compare_with (by_weights, &rules, &test, &random);
}

TEST (a_formula_decides)
{
	static const char *const extra[] = { "cpu", "memory", NULL };
	const struct fathom_formula_names names = { .extra = extra };
	struct fathom_priority_config config = { .max_age = 0 };
	struct unit_random random = { 43 };
	struct test_case test;
	struct replay_rules rules = rules_of ("classic", &test);
	struct fathom_error error;
	double values[16];
	struct replay_formula formula = { .scale = 10, .memory = MEM, .gpus = TRES_COUNT,
					  .extra = values };

	formula.formula = fathom_formula_create (
		"200*queue_priority + 3*eligible_time + 40*(walltime > 30) + "
		"900*fairshare_factor + mem/1024 + 2*memory + 30*qos", &names, NULL, &error);
	if (!formula.formula && error.code == ENOSYS)	/* built without a parser */
		return;
	ck_assert_ptr_nonnull (formula.formula);
	use_requests (&rules, &config);
	rules.job_formula = &formula;
	ck_assert_uint_lt (TRES_COUNT + fathom_policy_column_count (rules.policy),
			   COUNT (values));
	compare_with (by_formula, &rules, &test, &random);
	fathom_formula_destroy (formula.formula);
}

static double by_gpus_and_memory(const struct fathom_stretch *stretch, double seconds, void *unused)
{
	(void)unused;
	return (stretch->gpus + stretch->memory / 100) * seconds;
}

/* 40 s of 3 GPUs and 200 MB, and 60 s of a job that asks for neither. */
TEST (pbs_charges_gpus_and_memory)
{
	static const struct replay_request requests[] = { { .gpus = 3, .memory = 200 },
							  { .gpus = 0 } };
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 2");
	struct test_case test = { .count = 2, .job = {
		{ .number = 0, .submit = 0, .run = 40, .estimate = 40, .cpus = 1, .node = 1 },
		{ .number = 1, .submit = 0, .run = 60, .estimate = 60, .cpus = 1, .node = 2,
		  .request = 1 },
	} };
	struct replay_rules rules = rules_of ("pbs", &test);
	struct replay *replay;

	rules.request = requests;
	rules.used = by_gpus_and_memory;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq_tol (replay->scopes.scope[0].book.stepped[1], 5 * 40, 1e-9);
	ck_assert_double_eq_tol (replay->scopes.scope[0].book.stepped[2], 0, 1e-9);
}

/* Users a and c are charged to entity x, b to y, of shares by which few usages are equal. */
#define X_SHARES 10007
#define Y_SHARES 20011

/* The entity with less usage over its shares goes first. */
static double by_entity(const struct model *model, size_t job)
{
	return model->test->job[job].node == 2 ? -model->usage[2] / Y_SHARES
					       : -(model->usage[1] + model->usage[3]) / X_SHARES;
}

TEST (pbs_charges_entities)
{
	static const char *const names[USERS + 1] = { NULL, "x", "y", "x" };
	const struct entity_row rows[] = { { (char *)"x", (char *)ENTITY_ROOT, X_SHARES },
					   { (char *)"y", (char *)ENTITY_ROOT, Y_SHARES } };
	struct fathom_priority_config config = { .max_age = 0 };
	struct entity_tree entities;
	struct unit_random random = { 47 };
	struct test_case test;
	struct replay_rules rules = rules_of ("pbs", &test);
	struct fathom_error error;

	ck_assert_int_eq (entity_tree_create (&entities, rows, 2, 0, names, USERS + 1, &error), 0);
	use_requests (&rules, &config);
	rules.priority = NULL;
	rules.entities = &entities;
	compare_with (by_entity, &rules, &test, &random);
	entity_tree_clear (&entities);
}

/* ---- under any policy ----------------------------------------------------------------------- */

/* a has run from 0 to 50, c runs from 50 to 120, d from then on. At 100 all usage becomes 0: then
 * a's job goes before that of b, which came after it, and c counts from 100 on. */
TEST_LOOP (a_reset_forgets_all_usage, fathom_policy_count ())
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
	bool is_fair = !policy_is_first_come (rules.policy);
	struct replay *replay;

	rules.calc_period = 10;
	for (size_t i = 0; i < test.count; i++)	/* which flux counts */
		test.job[i].nodes = 1;
	test.job[0].billing = 1;
	test.job[1].billing = 2;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[2], is_fair ? 140 : 130);
	ck_assert_double_eq (test.start[3], is_fair ? 130 : 140);

	rules.reset_period = FATHOM_RESET_DAILY;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[2], 130);
	ck_assert_double_eq (test.start[3], 140);
	ck_assert_double_eq_tol (replay_figures (replay)->node[c].usage, 2 * 20, 1e-9);
	ck_assert_double_eq_tol (replay_figures (replay)->node[a].usage, 0, 1e-9);
}

/* Placing all jobs takes long, for factors that are then multiplied by 0. */
TEST (lsf_places_jobs_only_if_its_factor_counts)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 2");
	struct fathom_priority_config config = { .max_age = 1 };
	struct test_case test = { .count = 1, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 1, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("lsf", &test);

	rules.priority = &config;
	for (int weight = 0; weight < 2; weight++) {
		struct replay *replay;

		config.weight.fairshare = weight;
		replay = run (&test, &rules, tree.tree);
		ck_assert_int_eq (replay->scopes.scope[0].order.places_jobs, weight);
	}
}

/* Without times of LSF, its initial usage counts as CPU time, which decays. */
TEST (lsf_takes_usage_for_cpu_time)
{
	struct unit_tree tree = unit_tree_read ("a 1/600, b 1, c 2");
	struct test_case test = { .count = 1, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 1, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("lsf", &test);
	struct fathom_error error;

	for (int has_times = 0; has_times < 2; has_times++) {
		const struct fathom_policy_sums_row *row;
		struct replay *replay;
		double left;

		if (has_times)
			ck_assert_int_eq (fathom_tree_set_own_resource (tree.tree, 1,
									FATHOM_HIST_RUN_TIME, 7,
									&error), 0);
		replay = run (&test, &rules, tree.tree);
		row = fathom_policy_sums_at (replay->scopes.scope[0].book.sums, 0);
		ck_assert_uint_eq (row->association, 1 + 1);
		left = fathom_decay (row->time, fathom_policy_half_life (rules.policy,
									 &rules.settings, 0));
		ck_assert_double_eq_tol (row->own.value[FATHOM_SUM_CPU_TIME],
					 has_times ? 0 : 600 * left, 1e-9);
	}
}

/* Under policies with usage of their own, initial usage counts beside what jobs use, also that of a
 * user without CPU time in a tree that has some. */
TEST_LOOP (pbs_and_flux_go_by_initial_usage, 2)
{
	static const struct { double submit, run; uint32_t node; } given[] = {
		{ 0, 10, 1 }, { 10, 50, 2 }, { 60, 50, 3 },
		{ 61, 50, 1 }, { 62, 50, 2 },	/* both wait for the job before them */
	};
	struct unit_tree tree = unit_tree_read ("a 1/600, b 1, c 1");
	struct test_case test = { .count = sizeof (given) / sizeof (*given) };
	struct replay_rules rules = rules_of (_i ? "flux" : "pbs", &test);

	for (size_t i = 0; i < test.count; i++)
		test.job[i] = (struct replay_job){
			.number = i, .submit = given[i].submit, .run = given[i].run,
			.estimate = given[i].run, .cpus = 1, .nodes = 1, .node = given[i].node,
		};
	ck_assert_int_eq (fathom_tree_set_own_resource (tree.tree, 2, FATHOM_CPU_TIME, 7, NULL), 0);
	run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[4], 110);
	ck_assert_double_eq (test.start[3], 160);
}

/* NOW drops what the tree has at the first submission. */
TEST (a_reset_now_drops_the_initial_usage)
{
	struct unit_tree tree = unit_tree_read ("a 1/600, b 1, c 2");
	struct test_case test = { .count = 1, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 1, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("classic", &test);
	struct replay *replay = run (&test, &rules, tree.tree);

	ck_assert_double_eq (replay_figures (replay)->node[1].usage, 600);
	rules.reset_period = FATHOM_RESET_NOW;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (replay_figures (replay)->node[1].usage, 0);
}
