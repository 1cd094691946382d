/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several clusters in one time: against a second implementation that looks at each second, and
 * against one machine whose partitions are the clusters.
 */
#include "../unit.h"
#include "finished_replay.h"

#include "policy/traits.h"
#include "replay/replay.h"

#define MOST_JOBS 90
#define HORIZON 8000	/* seconds */
#define CLUSTERS 3
#define CPUS 8
#define PERIOD 30
#define HALF_LIFE 500.

struct test_case {
	struct replay_job job[MOST_JOBS];	/* in the order of submission */
	size_t cluster[MOST_JOBS];
	double start[MOST_JOBS];
	size_t count;
};

static void note_start(const struct replay_job *job, double start, void *context)
{
	struct test_case *test = context;

	ck_assert (isnan (test->start[job->number]));
	test->start[job->number] = start;
}

static struct replay_rules rules_of(const char *policy, const char *scheduler,
				    struct test_case *test)
{
	struct replay_rules rules = {
		.policy = fathom_policy_find (policy), .cpus = CPUS,
		.scheduler = scheduler_named (scheduler),
		.half_life = HALF_LIFE, .calc_period = PERIOD, .yardstick = HALF_LIFE,
		.started = note_start, .context = test,
	};

	rules.settings = fathom_settings_standard (rules.policy);
	return rules;
}

/* weight: by cluster; NULL: usage counts where it was. */
static struct replay **run(struct test_case *test, const struct replay_rules *rules,
			   const double *weight, const struct fathom_tree *tree)
{
	struct replay_rules of[CLUSTERS];
	struct replay **clusters;
	struct fathom_error error;

	for (size_t i = 0; i < CLUSTERS; i++) {
		of[i] = *rules;
		of[i].weight = weight ? weight[i] : 0;
	}
	for (size_t i = 0; i < test->count; i++)
		test->start[i] = NAN;
	clusters = replay_create_clusters (of, CLUSTERS, tree, test->job[0].submit);
	ck_assert_ptr_nonnull (clusters);
	for (size_t i = 0; i < test->count; i++)
		ck_assert_int_eq (replay_submit (clusters[test->cluster[i]], &test->job[i],
						 &error), 0);
	replay_finish (*clusters);
	return clusters;
}

static const double alike[CLUSTERS] = { 1, 1, 1 };

/* ---- by hand --------------------------------------------------------------------------- */

/* User a fills cluster 0 for 100 seconds, then b cluster 1 for 60. There a's job is submitted
 * first: it goes first by usage of cluster 1 alone, and after b's by that of both. */
TEST_LOOP (who_has_used_another_cluster_waits, fathom_policy_count ())
{
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 4, .cluster = { 0, 1, 1, 1 }, .job = {
		{ .number = 0, .submit = 0, .run = 100, .node = 1 },
		{ .number = 1, .submit = 100, .run = 60, .node = 2 },
		{ .number = 2, .submit = 110, .run = 100, .node = 1 },
		{ .number = 3, .submit = 111, .run = 100, .node = 2 },
	} };
	struct replay_rules rules = rules_of (policy, "easy", &test);
	bool is_fcfs = policy_is_first_come (rules.policy);

	for (size_t i = 0; i < test.count; i++) {
		struct replay_job *job = &test.job[i];

		job->cpus = job->nodes = CPUS;
		job->billing = CPUS;
		job->estimate = job->run;
	}
	run (&test, &rules, NULL, tree.tree);
	ck_assert_double_eq (test.start[2], 160);
	ck_assert_double_eq (test.start[3], 260);
	run (&test, &rules, alike, tree.tree);
	ck_assert_double_eq (test.start[2], is_fcfs ? 160 : 260);
	ck_assert_double_eq (test.start[3], is_fcfs ? 260 : 160);
}

/* ---- at random ------------------------------------------------------------------------- */

/* Jobs of so many users from node `first` on; has_own: each cluster has so many of its own. */
static void make_jobs(struct test_case *test, struct unit_random *random, uint32_t first,
		      uint32_t users, bool has_own)
{
	double time = 0;

	test->count = 2 + unit_random_below (random, MOST_JOBS - 2);
	for (size_t i = 0; i < test->count; i++) {
		uint32_t run = 1 + unit_random_below (random, 60), estimate = run;
		uint32_t cluster = unit_random_below (random, CLUSTERS);

		if (i && unit_random_below (random, 3))
			time += unit_random_below (random, 12);
		estimate += unit_random_below (random, 2) * unit_random_below (random, 20);
		test->cluster[i] = cluster;
		test->job[i] = (struct replay_job){
			.number = i, .submit = time, .run = run, .estimate = estimate,
			.cpus = 1 + unit_random_below (random, CPUS), .nodes = 1,
			.node = first + unit_random_below (random, users) +
				(has_own ? cluster * users : 0),
		};
		test->job[i].billing = test->job[i].cpus;
	}
}

/* What jobs of a node have used until `now`, as it counts in a cluster. */
static double used_by(const struct test_case *test, const double *weight, size_t cluster,
		      uint32_t node, double now)
{
	double used = 0;

	for (size_t i = 0; i < test->count; i++) {
		const struct replay_job *job = &test->job[i];
		double end = fmin (test->start[i] + job->run, now);

		if (job->node == node && end > test->start[i])
			used += (test->cluster[i] == cluster ? 1 : weight[test->cluster[i]]) *
				job->cpus * (exp2 ((end - now) / HALF_LIFE) -
					     exp2 ((test->start[i] - now) / HALF_LIFE));
	}
	return used;
}

/* Returns the job that goes first of those that wait in a cluster, or their number. used: by node,
 * over shares. */
static size_t first_of(const struct test_case *test, size_t cluster, double now,
		       const double *used)
{
	size_t first = test->count;

	for (size_t i = 0; i < test->count; i++) {
		const struct replay_job *job = &test->job[i];

		if (test->cluster[i] != cluster || job->submit > now || !isnan (test->start[i]))
			continue;
		if (first == test->count ||
		    used[job->node] < used[test->job[first].node] * (1 - 1e-10))
			first = i;
	}
	return first;
}

static uint32_t free_cpus(const struct test_case *test, size_t cluster, double now)
{
	uint32_t free = CPUS;

	for (size_t i = 0; i < test->count; i++)
		if (test->cluster[i] == cluster && test->start[i] <= now &&
		    now < test->start[i] + test->job[i].run)
			free -= test->job[i].cpus;
	return free;
}

#define USERS 3
static const double shares[1 + USERS] = { 0, 1, 2, 3 };

/* The second implementation: looks at each second, and computes usage anew from all jobs. */
static void reference(struct test_case *test, const double *weight)
{
	double used[CLUSTERS][1 + USERS] = { { 0 } };

	for (size_t i = 0; i < test->count; i++)
		test->start[i] = NAN;
	for (int now = 0; now < HORIZON; now++) {
		for (size_t cluster = 0; !(now % PERIOD) && cluster < CLUSTERS; cluster++)
			for (uint32_t node = 1; node <= USERS; node++)
				used[cluster][node] = used_by (test, weight, cluster, node, now) /
						      shares[node];
		for (size_t cluster = 0; cluster < CLUSTERS; cluster++) {
			size_t i;

			while ((i = first_of (test, cluster, now, used[cluster])) < test->count &&
			       test->job[i].cpus <= free_cpus (test, cluster, now))
				test->start[i] = now;
		}
	}
}

TEST (schedules_are_those_of_the_reference)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 2, c 3");
	struct unit_random random = { 71 };

	for (int round = 0; round < suite_rounds (60); round++) {
		static const double choice[] = { 0, 0.25, 1, 3 };
		struct test_case test, wanted;
		struct replay_rules rules = rules_of ("classic", "strict", &test);
		double weight[CLUSTERS];

		for (size_t i = 0; i < CLUSTERS; i++)
			weight[i] = choice[unit_random_below (&random, COUNT (choice))];
		make_jobs (&test, &random, 1, USERS, false);
		wanted = test;
		reference (&wanted, weight);
		run (&test, &rules, weight, tree.tree);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == wanted.start[i],
				       "round %d, job %zu: %g, wanted %g", round, i, test.start[i],
				       wanted.start[i]);
	}
}

#define TREE_OF_ALL "A 2 (a 1, b 3), B 1 (c 1, d 2), C 3 (e 1, f 1)"
#define FIRST_USER 4	/* its node */

/* Users who are in one cluster alone wait as they do where usage counts in its own cluster. */
TEST_LOOP (clusters_without_common_users_do_not_meet, fathom_policy_count ())
{
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read (TREE_OF_ALL);
	struct unit_random random = { 73 + (uint64_t)_i };

	for (int round = 0; round < suite_rounds (40); round++) {
		struct test_case test, shared;
		struct replay_rules rules = rules_of (policy, "easy", &test);

		make_jobs (&test, &random, FIRST_USER, 2, true);
		shared = test;
		run (&test, &rules, NULL, tree.tree);
		rules.context = &shared;
		run (&shared, &rules, alike, tree.tree);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (shared.start[i] == test.start[i],
				       "%s, round %d, job %zu: %g, wanted %g", policy, round, i,
				       shared.start[i], test.start[i]);
	}
}

/* ---- one machine whose partitions are the clusters ------------------------------------------- */

static void run_partitions(struct test_case *test, struct replay_rules rules, bool has_scopes,
			   const struct fathom_tree *tree, struct replay **replay)
{
	static const uint64_t cpus[CLUSTERS] = { CPUS, CPUS, CPUS };
	static const uint32_t group[CLUSTERS] = { 0, 1, 2 };
	struct replay_partition partition[CLUSTERS];
	struct replay_scope scope[CLUSTERS];

	for (uint32_t i = 0; i < CLUSTERS; i++) {
		partition[i] = (struct replay_partition){ .group = &group[i], .group_count = 1,
							  .scope = has_scopes ? i + 1 : 0 };
		scope[i] = (struct replay_scope){ .policy = rules.policy,
						  .settings = rules.settings };
	}
	for (size_t i = 0; i < test->count; i++) {
		test->job[i].partition = (uint32_t)test->cluster[i];
		test->start[i] = NAN;
	}
	rules.group_cpus = cpus;
	rules.group_count = rules.partition_count = CLUSTERS;
	rules.partition = partition;
	rules.scope = scope;
	rules.scope_count = has_scopes ? CLUSTERS : 0;
	rules.cpus = CLUSTERS * CPUS;
	rules.context = test;
	*replay = finished_replay (&rules, tree, test->job, test->count);
}

static void assert_equal_figures(const struct replay_figures *got,
				 const struct replay_figures *wanted)
{
	ck_assert_uint_eq (got->jobs, wanted->jobs);
	ck_assert_uint_eq (got->passes, wanted->passes);
	unit_assert_near (got->mean_wait, wanted->mean_wait, "mean wait", "");
	unit_assert_near (got->p95_wait, wanted->p95_wait, "p95", "");
	unit_assert_near (got->mean_bounded_slowdown, wanted->mean_bounded_slowdown, "", "");
	unit_assert_near (got->makespan, wanted->makespan, "makespan", "");
	unit_assert_near (got->utilization, wanted->utilization, "utilization", "");
	unit_assert_near (got->share_error, wanted->share_error, "share error", "");
	unit_assert_near (got->jain, wanted->jain, "Jain", "");
	unit_assert_near (got->below_share, wanted->below_share, "below", "");
	for (size_t node = 0; node < wanted->nodes; node++) {
		ck_assert_uint_eq (got->node[node].jobs, wanted->node[node].jobs);
		unit_assert_near (got->node[node].wait, wanted->node[node].wait, "wait", "");
		ck_assert_double_eq_tol (got->node[node].usage, wanted->node[node].usage,
					 1e-9 * (1 + wanted->node[node].usage));
	}
}

/* Days are short here. */
static struct fathom_date day_of(double time, const void *calendar)
{
	(void)calendar;
	return (struct fathom_date){ 2026, 1 + (int)(time / 200) / 28, 1 + (int)(time / 200) % 28 };
}

/* Usage that counts alike everywhere is that of one machine, usage that counts where it was that of
 * scopes. What lsf counts changes with time, and what jobs hold counts in their own cluster, so
 * that its order differs. In every other round usage is reset. */
TEST_LOOP (clusters_are_partitions, 2 * fathom_policy_count ())
{
	const struct fathom_policy *policy = fathom_policy_at ((size_t)_i / 2);
	const bool is_separate = _i % 2;
	struct unit_tree tree = unit_tree_read (TREE_OF_ALL);
	struct unit_random random = { 79 + (uint64_t)_i };

	for (int round = 0; !policy_counts_holdings (policy) && round < suite_rounds (40);
	     round++) {
		struct test_case test, wanted;
		struct replay_rules rules = rules_of (fathom_policy_name (policy), "easy", &test);
		struct replay **clusters;
		struct replay *replay;

		rules.reset_period = round % 2 ? FATHOM_RESET_DAILY : FATHOM_RESET_NONE;
		rules.day_of = day_of;
		make_jobs (&test, &random, FIRST_USER, 6, false);
		wanted = test;
		run_partitions (&wanted, rules, is_separate, tree.tree, &replay);
		clusters = run (&test, &rules, is_separate ? NULL : alike, tree.tree);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == wanted.start[i],
				       "%s, round %d, job %zu: %g, wanted %g",
				       fathom_policy_name (policy), round, i, test.start[i],
				       wanted.start[i]);
		assert_equal_figures (replay_joint_figures (*clusters), replay_figures (replay));
	}
}

/* The first of them is as it is alone, whatever happens on the others. */
TEST_LOOP (separate_clusters_are_replays, fathom_policy_count ())
{
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read (TREE_OF_ALL);
	struct unit_random random = { 83 + (uint64_t)_i };

	for (int round = 0; round < suite_rounds (40); round++) {
		struct test_case test, alone = { .count = 0 };
		struct replay_rules rules = rules_of (policy, "easy", &test);
		struct replay **clusters;
		struct replay *replay;

		make_jobs (&test, &random, FIRST_USER, 6, false);
		test.cluster[0] = 0;
		for (size_t i = 0; i < test.count; i++)
			if (!test.cluster[i]) {
				alone.job[alone.count] = test.job[i];
				alone.job[alone.count].number = alone.count;
				alone.start[alone.count++] = NAN;
			}
		clusters = run (&test, &rules, NULL, tree.tree);
		rules.context = &alone;
		replay = finished_replay (&rules, tree.tree, alone.job, alone.count);
		for (size_t i = 0, at = 0; i < test.count; i++)
			if (!test.cluster[i])
				ck_assert_double_eq (test.start[i], alone.start[at++]);
		ck_assert_double_eq (replay_figures (clusters[0])->mean_wait,
				     replay_figures (replay)->mean_wait);
		ck_assert_double_eq (replay_figures (clusters[0])->makespan,
				     replay_figures (replay)->makespan);
	}
}

/* ---- errors ------------------------------------------------------------------------------ */

TEST (jobs_of_all_clusters_are_in_one_order)
{
	struct unit_tree tree = unit_tree_read ("a 1");
	struct test_case test = { .count = 1, .start = { NAN }, .job = {
		{ .submit = 9, .run = 1, .estimate = 1, .cpus = 1, .node = 1 } } };
	struct replay_rules rules = rules_of ("classic", "easy", &test);
	struct replay **clusters = run (&test, &rules, alike, tree.tree);
	struct fathom_error error;

	test.job[0].submit = 12;
	ck_assert_int_eq (replay_submit (clusters[1], &test.job[0], &error), 0);
	test.job[0].submit = 11;
	ck_assert_int_eq (replay_submit (clusters[0], &test.job[0], &error), -1);
}
