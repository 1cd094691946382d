/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes with shares or hosts of their own, in replays of one job at a time, against models that
 * add up what each user was charged, without trees and ledgers.
 */
#include "../unit.h"
#include "finished_replay.h"

#include "replay/replay.h"

#define MOST_JOBS 40
#define PERIOD 30	/* seconds between passes */
#define WEIGHT 1000	/* of CPU hours, so that seconds count */

struct test_case {
	struct replay_job job[MOST_JOBS];
	double start[MOST_JOBS];	/* as the replay starts them, by number */
	size_t count;
};

static void note_start(const struct replay_job *job, double start, void *context)
{
	struct test_case *test = context;

	test->start[job->number] = start;
}

static struct replay_rules rules_of(struct test_case *test)
{
	struct replay_rules rules = {
		.policy = fathom_policy_find ("lsf"), .scheduler = &replay_scheduler_none,
		.cpus = 1, .calc_period = PERIOD, .started = note_start, .context = test,
	};

	rules.settings = unit_settings (rules.policy, "cpu_time_factor=1000");
	fathom_settings_set (rules.policy, &rules.settings, "hist_hours", "0", NULL);
	return rules;
}

static void run(struct test_case *test, const struct replay_rules *rules,
		const struct fathom_tree *tree)
{
	finished_replay (rules, tree, test->job, test->count);
}

/* Jobs of users a, b, c: nodes 1, 2, 3. */
static void make_jobs(struct test_case *test, struct unit_random *random)
{
	double submit = 0;

	test->count = 10 + unit_random_below (random, MOST_JOBS - 9);
	for (size_t i = 0; i < test->count; i++) {
		double seconds = 1 + unit_random_below (random, 100);

		test->job[i] = (struct replay_job){
			.number = i, .submit = submit, .run = seconds, .estimate = seconds,
			.billing = 1, .cpus = 1, .node = 1 + unit_random_below (random, 3),
		};
		submit += unit_random_below (random, 40);
	}
}

/* ---- leaves ----------------------------------------------------------------------------- */

/* a has leaves x and lab, b has lab, c none. */
static uint32_t first_of[] = { 0, 0, 2, 3, 3 };
static uint32_t leaf_node[] = { 1, 2, 2 };
static uint32_t leaf_key[] = { 11, 12, 22 };
static const struct share_leaves leaves = { first_of, leaf_node, leaf_key, NULL };

#define LEAVES 3	/* the root, which is charged for c, and two leaves */

/* What the model knows. */
struct model {
	const struct test_case *test;
	double shares[LEAVES];
	double charged[LEAVES];		/* CPU seconds as of the last pass */
	uint32_t leaf[MOST_JOBS];	/* at which each job has run */
	double start[MOST_JOBS];
};

static bool serves(const struct replay_job *job, uint32_t leaf)
{
	for (uint32_t i = first_of[job->node]; i < first_of[job->node + 1]; i++)
		if (leaf_node[i] == leaf)
			return true;
	return false;
}

static double priority(const struct model *model, uint32_t leaf)
{
	return model->shares[leaf] / (model->charged[leaf] / 3600 * WEIGHT + 3);
}

/* Returns the first waiting job that the leaf serves; MOST_JOBS: none. */
static size_t first_job(const struct model *model, double now, uint32_t leaf)
{
	for (size_t i = 0; i < model->test->count; i++)
		if (isnan (model->start[i]) && model->test->job[i].submit <= now &&
		    serves (&model->test->job[i], leaf))
			return i;
	return MOST_JOBS;
}

/* Of equal leaves the one with the first job goes first; who has none goes last. */
static size_t next_job(const struct model *model, double now, uint32_t *leaf)
{
	size_t best = MOST_JOBS;

	for (uint32_t i = 1; i < LEAVES; i++) {
		size_t job = first_job (model, now, i);

		if (job == MOST_JOBS ||
		    (best != MOST_JOBS && priority (model, i) < priority (model, *leaf)) ||
		    (best != MOST_JOBS && priority (model, i) == priority (model, *leaf) &&
		     job > best))
			continue;
		best = job;
		*leaf = i;
	}
	for (size_t i = 0; best == MOST_JOBS && i < model->test->count; i++)
		if (isnan (model->start[i]) && model->test->job[i].submit <= now) {
			best = i;
			*leaf = 0;
		}
	return best;
}

/* Charges all seconds until the last pass at or before `now`. */
static void charge(struct model *model, double now)
{
	double pass = floor (now / PERIOD) * PERIOD;

	memset (model->charged, 0, sizeof(model->charged));
	for (size_t i = 0; i < model->test->count; i++) {
		double end = fmin (model->start[i] + model->test->job[i].run, pass);

		if (model->start[i] < pass)
			model->charged[model->leaf[i]] += end - model->start[i];
	}
}

static void run_model(struct model *model)
{
	double now = 0;

	for (size_t i = 0; i < model->test->count; i++)
		model->start[i] = NAN;
	for (size_t started = 0; started < model->test->count; started++) {
		uint32_t leaf = 0;
		size_t next;

		charge (model, now);
		while ((next = next_job (model, now, &leaf)) == MOST_JOBS)
			charge (model, ++now);
		model->start[next] = now;
		model->leaf[next] = leaf;
		now += model->test->job[next].run;
	}
}

/* Two users share a leaf, which one of them has beside a leaf of her own. */
TEST (jobs_count_at_leaves)
{
	static const uint32_t group = 0;
	static const uint64_t cpus = 1;
	const struct replay_partition partition = { .group = &group, .group_count = 1,
						    .scope = 1 };
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 1");
	struct unit_random random = { 5 };

	for (int round = 0; round < suite_rounds (100); round++) {
		struct test_case test;
		struct model model = { .test = &test };
		struct unit_tree own = unit_tree_read (round % 2 ? "x 2, lab 1" : "x 1, lab 3");
		struct replay_rules rules = rules_of (&test);
		const struct replay_scope scope = {
			.policy = rules.policy, .settings = rules.settings,
			.tree = own.tree, .leaves = &leaves,
		};

		make_jobs (&test, &random);
		for (uint32_t i = 1; i < LEAVES; i++)
			model.shares[i] = fathom_tree_raw_shares (own.tree, i);
		rules.partition = &partition;
		rules.group_cpus = &cpus;
		rules.partition_count = rules.group_count = rules.scope_count = 1;
		rules.scope = &scope;
		run (&test, &rules, tree.tree);
		run_model (&model);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == model.start[i], "round %d, job %zu: %g, "
				       "wanted %g", round, i, test.start[i], model.start[i]);
	}
}

/* ---- hosts ------------------------------------------------------------------------------ */

/* Groups of 1 and 3 CPUs, the hosts of two scopes. Jobs in partition 0 take the first one, those in
 * partition 1 both: so one job runs at a time. Jobs of partition 0 go first. */
#define USERS 4			/* and the root, which is none */
static const uint32_t both[2] = { 0, 1 };
static const uint64_t host_cpus[2] = { 1, 3 };

struct host_model {
	const struct test_case *test;
	uint32_t scope[2];		/* by partition */
	double charged[3][USERS];	/* by scope, from 1: CPU seconds as of the last pass */
	double start[MOST_JOBS];
};

/* CPU seconds of a second of a job, by its CPUs on the hosts of a scope. */
static double cpus_in(const struct replay_job *job, uint32_t scope)
{
	return scope == 1 ? 1 : job->cpus - 1;
}

static void charge_hosts(struct host_model *model, double now)
{
	double pass = floor (now / PERIOD) * PERIOD;

	memset (model->charged, 0, sizeof(model->charged));
	for (size_t i = 0; i < model->test->count; i++) {
		const struct replay_job *job = &model->test->job[i];
		double end = fmin (model->start[i] + job->run, pass);

		for (uint32_t scope = 1; scope <= 2 && model->start[i] < pass; scope++)
			model->charged[scope][job->node] +=
				(end - model->start[i]) * cpus_in (job, scope);
	}
}

static double usage_of(const struct host_model *model, const struct replay_job *job)
{
	return model->charged[model->scope[job->partition]][job->node];
}

/* Returns whether a job goes before another one. All users have the same shares, so that of jobs in
 * one scope the one goes first whose user was charged less there; then by partition and
 * submission. */
static bool goes_before(const struct host_model *model, size_t a, size_t b)
{
	const struct replay_job *first = &model->test->job[a], *second = &model->test->job[b];
	bool is_same = model->scope[first->partition] == model->scope[second->partition];

	if (is_same && usage_of (model, first) != usage_of (model, second))
		return usage_of (model, first) < usage_of (model, second);
	if (first->partition != second->partition)
		return first->partition < second->partition;
	return a < b;
}

static size_t next_on_hosts(const struct host_model *model, double now)
{
	size_t best = MOST_JOBS;

	for (size_t i = 0; i < model->test->count; i++)
		if (isnan (model->start[i]) && model->test->job[i].submit <= now &&
		    (best == MOST_JOBS || goes_before (model, i, best)))
			best = i;
	return best;
}

static void run_host_model(struct host_model *model)
{
	double now = 0;

	for (size_t i = 0; i < model->test->count; i++)
		model->start[i] = NAN;
	for (size_t started = 0; started < model->test->count; started++) {
		size_t next;

		charge_hosts (model, now);
		while ((next = next_on_hosts (model, now)) == MOST_JOBS)
			charge_hosts (model, ++now);
		model->start[next] = now;
		now += model->test->job[next].run;
	}
}

TEST_LOOP (jobs_are_charged_on_hosts, 2)
{
	static const uint32_t scope_of_group[2] = { 1, 2 };
	struct replay_partition partition[2] = {
		{ .group = both, .group_count = 1, .scope = 1, .queue.partition_factor = 2 },
		{ .group = both, .group_count = 2, .queue.partition_factor = 1, .rank = 1 },
	};
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 1");
	struct unit_random random = { 7 + (uint64_t)_i };

	for (int round = 0; round < suite_rounds (50); round++) {
		struct test_case test;
		struct host_model model = { .test = &test, .scope = { 1, 1 + (uint32_t)_i } };
		struct replay_rules rules = rules_of (&test);
		const struct replay_scope same = { .policy = rules.policy,
						   .settings = rules.settings };
		const struct replay_scope scope[2] = { same, same };

		make_jobs (&test, &random);
		for (size_t i = 0; i < test.count; i++) {
			test.job[i].partition = unit_random_below (&random, 2);
			test.job[i].cpus = test.job[i].partition ? 4 : 1;
		}
		partition[1].scope = model.scope[1];
		rules.partition = partition;
		rules.cpus = 4;
		rules.group_cpus = host_cpus;
		rules.scope_of_group = scope_of_group;
		rules.host_rule = HOST_RULE_FIRST;
		rules.partition_count = rules.group_count = rules.scope_count = 2;
		rules.scope = scope;
		run (&test, &rules, tree.tree);
		run_host_model (&model);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == model.start[i], "round %d, job %zu: %g, "
				       "wanted %g", round, i, test.start[i], model.start[i]);
	}
}
