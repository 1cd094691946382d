/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays against a second implementation that looks at each second of time, against what EASY and
 * conservative backfilling promise, and usage against the formula of decay.
 */
#include "../unit.h"
#include "finished_replay.h"

#include "replay/replay_private.h"

#include <limits.h>

#define MOST_JOBS 80
#define HORIZON 4000	/* seconds */
#define CPUS 8
#define MOST_GROUPS 4
#define MOST_PARTITIONS 4

/* Partitions of a machine; without any it has CPUS. */
struct site {
	uint64_t cpus[MOST_GROUPS];	/* by group */
	uint32_t group[MOST_PARTITIONS][MOST_GROUPS];
	struct replay_partition partition[MOST_PARTITIONS];
	size_t groups, partitions;
};

struct test_case {
	struct replay_job job[MOST_JOBS];
	double start[MOST_JOBS];	/* as the replay starts them, by number */
	size_t count;
	struct site site;
};

static const struct site one_partition = {
	.cpus = { CPUS }, .groups = 1, .partition = { { .group_count = 1 } }, .partitions = 1,
};

/* Returns which groups a partition has: a bit for each. */
static unsigned groups_of_partition(const struct site *site, size_t partition)
{
	unsigned groups = 0;

	for (size_t i = 0; i < site->partition[partition].group_count; i++)
		groups |= 1U << site->group[partition][i];
	return groups;
}

/* Returns which groups a job may use. */
static unsigned groups_of(const struct test_case *test, size_t i)
{
	return groups_of_partition (&test->site, test->job[i].partition);
}

static uint64_t cpus_of(const struct site *site, unsigned groups)
{
	uint64_t cpus = 0;

	for (size_t i = 0; i < site->groups; i++)
		cpus += groups >> i & 1 ? site->cpus[i] : 0;
	return cpus;
}

/* ---- running a replay ------------------------------------------------------------------- */

static void note_start(const struct replay_job *job, double start, void *context)
{
	struct test_case *test = context;

	ck_assert (isnan (test->start[job->number]));
	test->start[job->number] = start;
}

static struct replay_rules rules_of(const char *scheduler, const char *policy,
				    struct test_case *test)
{
	struct replay_rules rules = {
		.policy = fathom_policy_find (policy),
		.scheduler = scheduler_named (scheduler), .cpus = CPUS,
		.half_life = 500, .calc_period = 30, .started = note_start, .context = test,
	};

	ck_assert_ptr_nonnull (rules.scheduler);
	rules.settings = fathom_settings_standard (rules.policy);
	return rules;
}

static struct replay *run(struct test_case *test, const struct replay_rules *rules,
			  const struct fathom_tree *tree)
{
	if (!test->site.groups)
		test->site = one_partition;
	for (size_t i = 0; i < test->count; i++)
		test->start[i] = NAN;
	return finished_replay (rules, tree, test->job, test->count);
}

/* ---- vectors: jobs "submit run estimate cpus start" ------------------------------------- */

static const struct vector {
	const char *scheduler;
	struct { double submit, run, estimate; uint32_t cpus; double start; } job[8];
} vectors[] = {
	/* the second job waits for the first; the third ends before that; the fourth would not */
	{ "easy", { { 0, 10, 10, 6, 0 }, { 1, 5, 5, 8, 10 }, { 2, 8, 8, 2, 2 },
		    { 3, 9, 9, 1, 15 } } },
	/* the fourth leaves the reservation its CPUs */
	{ "easy", { { 0, 10, 10, 6, 0 }, { 1, 5, 5, 7, 10 }, { 2, 8, 8, 1, 2 },
		    { 3, 20, 20, 1, 3 } } },
	/* an early end starts the reserved job at once */
	{ "easy", { { 0, 4, 10, 6, 0 }, { 1, 5, 5, 8, 4 }, { 5, 1, 1, 8, 9 } } },
	/* jobs that run no time end at the instant at which they start */
	{ "easy", { { 0, 0, 0, 8, 0 }, { 0, 0, 7, 8, 0 }, { 0, 3, 3, 8, 0 }, { 1, 0, 0, 8, 3 } } },
	/* what fits starts, and the large job waits */
	{ "none", { { 0, 10, 10, 6, 0 }, { 1, 5, 5, 8, 22 }, { 2, 9, 9, 2, 2 },
		    { 3, 9, 9, 1, 10 }, { 12, 10, 10, 4, 12 } } },
	/* EASY lets the fourth job delay the third; conservative backfilling does not */
	{ "easy", { { 0, 10, 10, 6, 0 }, { 1, 10, 10, 4, 10 }, { 2, 10, 10, 8, 22 },
		    { 3, 19, 19, 2, 3 } } },
	{ "conservative", { { 0, 10, 10, 6, 0 }, { 1, 10, 10, 4, 10 }, { 2, 10, 10, 8, 20 },
			    { 3, 19, 19, 2, 30 } } },
	{ "conservative", { { 0, 0, 0, 8, 0 }, { 0, 0, 7, 8, 0 }, { 0, 3, 3, 8, 0 },
			    { 1, 0, 0, 8, 3 } } },
	/* nothing overtakes the second job, though there is room */
	{ "strict", { { 0, 10, 10, 6, 0 }, { 1, 5, 5, 8, 10 }, { 2, 8, 8, 2, 15 },
		      { 3, 1, 1, 1, 15 } } },
	/* as in the trace: when all CPUs are busy; later than it could */
	{ "trace", { { 0, 10, 10, 8, 0 }, { 1, 5, 5, 8, 3 }, { 2, 8, 8, 2, 40.5 },
		     { 3, 0, 0, 8, 25 }, { 3, 9, 9, 1, 3 } } },
};

TEST_EACH (a_schedule_is_that_of_the_vector, vectors)
{
	const struct vector *vector = &vectors[_i];
	struct unit_tree tree = unit_tree_read ("A 1 (a 1)");
	struct test_case test = { .count = 0 };
	struct replay_rules rules = rules_of (vector->scheduler, "fcfs", &test);

	for (; test.count < 8 && vector->job[test.count].cpus; test.count++)
		test.job[test.count] = (struct replay_job){
			.number = test.count, .submit = vector->job[test.count].submit,
			.run = vector->job[test.count].run,
			.estimate = vector->job[test.count].estimate,
			.cpus = vector->job[test.count].cpus, .node = 2,
			.start = vector->job[test.count].start,
		};
	run (&test, &rules, tree.tree);
	for (size_t i = 0; i < test.count; i++)
		ck_assert_double_eq_tol (test.start[i], vector->job[i].start, 1e-9);
}

/* ---- a second implementation, second by second ------------------------------------------ */

struct reference {
	const struct test_case *test;
	int free[HORIZON][MOST_GROUPS];	/* CPUs that running jobs leave, by estimate */
	int taken[MOST_JOBS][MOST_GROUPS];
	double start[MOST_JOBS], reserved[MOST_JOBS];
	bool is_delayed;		/* a reservation was made later */
	unsigned ended;			/* groups of which jobs have ended in this second */
};

/* Occupies what the job has taken; sign -1: gives it back. */
static void occupy(struct reference *reference, double begin, double end, size_t i, int sign)
{
	for (int t = (int)begin; t < (int)end; t++)
		for (size_t group = 0; group < reference->test->site.groups; group++)
			reference->free[t][group] -= sign * reference->taken[i][group];
}

/* Returns how many CPUs of a group are free all the time while a job runs from `begin` on. */
static int free_during(const struct reference *reference, size_t i, int begin, uint32_t group)
{
	int least = INT_MAX;

	for (int t = begin; t < begin + (int)reference->test->job[i].estimate; t++)
		least = reference->free[t][group] < least ? reference->free[t][group] : least;
	return least;
}

/* Does the job fit from `begin` on? Then it takes CPUs that are free all the time, from the groups
 * of its partition in turn. */
static bool fits(struct reference *reference, size_t i, int begin)
{
	const struct replay_job *job = &reference->test->job[i];
	const struct site *site = &reference->test->site;
	int *taken = reference->taken[i], left = (int)job->cpus, tried[MOST_GROUPS] = { 0 };

	for (size_t j = 0; j < site->partition[job->partition].group_count; j++) {
		uint32_t group = site->group[job->partition][j];
		int least = free_during (reference, i, begin, group);

		tried[group] = least < left ? least : left;
		left -= tried[group];
	}
	if (!left)
		memcpy (taken, tried, sizeof (tried));
	return !left;
}

/* Of the CPUs that are free from `begin` on, the job takes first as many of each group as are not
 * free now. */
static void take_late(struct reference *reference, size_t i, int begin, int now)
{
	const struct replay_job *job = &reference->test->job[i];
	const struct site *site = &reference->test->site;
	int *taken = reference->taken[i], left = (int)job->cpus;

	memset (taken, 0, sizeof (reference->taken[i]));
	for (size_t j = 0; left; j++) {
		size_t count = site->partition[job->partition].group_count;
		uint32_t group = site->group[job->partition][j % count];
		int most = free_during (reference, i, begin, group) -
			   (j < count ? reference->free[now][group] : taken[group]);

		most = most < 0 ? 0 : most < left ? most : left;
		taken[group] += most;
		left -= most;
	}
}

static bool is_waiting(const struct reference *reference, size_t i, int now)
{
	return isnan (reference->start[i]) && reference->test->job[i].submit <= now;
}

static void begin_job(struct reference *reference, size_t i, int now)
{
	const struct replay_job *job = &reference->test->job[i];

	reference->start[i] = now;
	occupy (reference, now, now + job->estimate, i, 1);
}

/* Gives back what jobs that end now were estimated to hold for longer. */
static void end_jobs(struct reference *reference, int now)
{
	reference->ended = 0;
	for (size_t i = 0; i < reference->test->count; i++) {
		const struct replay_job *job = &reference->test->job[i];

		if (reference->start[i] + job->run != now)
			continue;
		reference->ended |= groups_of (reference->test, i);
		occupy (reference, now, reference->start[i] + job->estimate, i, -1);
	}
}

static void reference_none(struct reference *reference, int now)
{
	for (size_t i = 0; i < reference->test->count; i++)
		if (is_waiting (reference, i, now) && fits (reference, i, now))
			begin_job (reference, i, now);
}

static bool shares_nodes_with(const struct reference *reference, size_t i, const bool *is_head)
{
	for (size_t j = 0; j < i; j++)
		if (is_head[j] &&
		    groups_of (reference->test, i) == groups_of (reference->test, j))
			return true;
	return false;
}

/* The first job of each node set that does not fit is a head. */
static void reference_easy(struct reference *reference, int now)
{
	bool is_head[MOST_JOBS] = { false };
	int reserved[MOST_JOBS];

	for (size_t i = 0; i < reference->test->count; i++) {
		const struct replay_job *job = &reference->test->job[i];

		if (!is_waiting (reference, i, now))
			continue;
		if (fits (reference, i, now)) {
			begin_job (reference, i, now);
		} else if (!shares_nodes_with (reference, i, is_head)) {
			is_head[i] = true;
			for (reserved[i] = now; !fits (reference, i, reserved[i]);)
				reserved[i]++;
			take_late (reference, i, reserved[i], now);
			/* while it is looked for jobs behind it, its CPUs are taken */
			occupy (reference, reserved[i], reserved[i] + job->estimate, i, 1);
		}
	}
	for (size_t i = 0; i < reference->test->count; i++)
		if (is_head[i])
			occupy (reference, reserved[i],
				reserved[i] + reference->test->job[i].estimate, i, -1);
}

/* Returns these groups and those which partitions link with them. */
static unsigned linked_groups(const struct site *site, unsigned groups)
{
	for (size_t i = 0; i < site->partitions; i++) {
		unsigned own = groups_of_partition (site, i);

		if (own & groups && own & ~groups)
			return linked_groups (site, groups | own);
	}
	return groups;
}

static void reference_conservative(struct reference *reference, int now)
{
	unsigned ended = linked_groups (&reference->test->site, reference->ended);

	for (size_t i = 0; i < reference->test->count; i++) {
		const struct replay_job *job = &reference->test->job[i];
		double before = reference->reserved[i];
		int begin = now;

		if (!is_waiting (reference, i, now) ||
		    (!isnan (before) && !(groups_of (reference->test, i) & ended)))
			continue;
		if (!isnan (before))
			occupy (reference, before, before + job->estimate, i, -1);
		while (!fits (reference, i, begin))
			begin++;
		reference->is_delayed |= begin > before;
		reference->reserved[i] = begin;
		occupy (reference, begin, begin + job->estimate, i, 1);
	}
	for (size_t i = 0; i < reference->test->count; i++)
		if (is_waiting (reference, i, now) && reference->reserved[i] <= now)
			reference->start[i] = now;
}

static const struct scheme {
	const char *name;
	void (*cycle)(struct reference *reference, int now);
} schemes[] = {
	{ "none", reference_none }, { "easy", reference_easy },
	{ "conservative", reference_conservative },
};

static struct reference *run_reference(const struct test_case *test, const struct scheme *scheme)
{
	struct reference *reference = calloc (1, sizeof (*reference));

	ck_assert_ptr_nonnull (reference);
	reference->test = test;
	for (int t = 0; t < HORIZON; t++)
		for (size_t group = 0; group < test->site.groups; group++)
			reference->free[t][group] = (int)test->site.cpus[group];
	for (size_t i = 0; i < test->count; i++)
		reference->start[i] = reference->reserved[i] = NAN;
	for (int now = 0; now < HORIZON / 2; now++) {
		end_jobs (reference, now);
		scheme->cycle (reference, now);
	}
	return reference;
}

/* ---- jobs at random --------------------------------------------------------------------- */

/* The reference looks at whole seconds, so each job runs at least one. */
static void make_jobs(struct test_case *test, struct unit_random *random, uint32_t users)
{
	double time = 0;

	test->site = one_partition;
	test->count = 2 + unit_random_below (random, MOST_JOBS - 2);
	for (size_t i = 0; i < test->count; i++) {
		double run = 1 + unit_random_below (random, 20);

		time += unit_random_below (random, 3) ? 0 : unit_random_below (random, 12);
		test->job[i] = (struct replay_job){
			.number = i, .submit = time, .run = run,
			.estimate = run + (unit_random_below (random, 2)
						   ? unit_random_below (random, 20) : 0),
			.cpus = 1 + (unit_random_below (random, 4)
					     ? unit_random_below (random, CPUS / 2)
					     : unit_random_below (random, CPUS)),
			.node = 1 + unit_random_below (random, users),
		};
		test->job[i].billing = test->job[i].cpus;
	}
}

/* Returns the CPUs of jobs that run then and may run on no other groups. */
static uint32_t used_at(const struct test_case *test, double now, unsigned groups)
{
	uint32_t used = 0;

	for (size_t i = 0; i < test->count; i++)
		if (test->start[i] <= now && now < test->start[i] + test->job[i].run &&
		    !(groups_of (test, i) & ~groups))
			used += test->job[i].cpus;
	return used;
}

/* Jobs have room if those that may run on some groups alone have room there, whatever the groups
 * (P. Hall, "On Representatives of Subsets", 1935). */
static void assert_no_oversubscription(const struct test_case *test)
{
	for (size_t i = 0; i < test->count; i++) {
		ck_assert (test->start[i] >= test->job[i].submit);
		for (unsigned groups = 1; groups < 1U << test->site.groups; groups++)
			ck_assert_uint_le (used_at (test, test->start[i], groups),
					   cpus_of (&test->site, groups));
	}
}

static void assert_as_in_the_reference(struct test_case *test, const struct replay_rules *rules,
				       const struct unit_tree *tree, const struct scheme *scheme,
				       int round)
{
	struct reference *reference;

	run (test, rules, tree->tree);
	reference = run_reference (test, scheme);
	for (size_t i = 0; i < test->count; i++)
		ck_assert_msg (test->start[i] == reference->start[i],
			       "%s, round %d, job %zu: %g, wanted %g", scheme->name, round, i,
			       test->start[i], reference->start[i]);
	ck_assert (!reference->is_delayed);
	assert_no_oversubscription (test);
	free (reference);
}

TEST_EACH (a_schedule_is_that_of_the_reference, schemes)
{
	const struct scheme *scheme = &schemes[_i];
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 1");
	struct unit_random random = { 7 + (uint64_t)_i };
	struct test_case test;
	struct replay_rules rules = rules_of (scheme->name, "fcfs", &test);

	for (int round = 0; round < suite_rounds (300); round++) {
		make_jobs (&test, &random, 3);
		assert_as_in_the_reference (&test, &rules, &tree, scheme, round);
	}
}

/* ---- partitions ------------------------------------------------------------------------- */

/* Groups of some CPUs, and partitions with some of them. */
static void make_site(struct test_case *test, struct unit_random *random)
{
	struct site *site = &test->site;

	*site = (struct site){ .groups = 1 + unit_random_below (random, MOST_GROUPS),
			       .partitions = 1 + unit_random_below (random, MOST_PARTITIONS) };
	for (size_t i = 0; i < site->groups; i++)
		site->cpus[i] = 1 + unit_random_below (random, 6);
	for (size_t i = 0; i < site->partitions; i++) {
		uint32_t groups = 1 + unit_random_below (random, (1U << site->groups) - 1);

		site->partition[i].group = site->group[i];
		for (uint32_t j = 0; j < site->groups; j++)
			if (groups >> j & 1)
				site->group[i][site->partition[i].group_count++] = j;
	}
	for (size_t i = 0; i < test->count; i++) {
		struct replay_job *job = &test->job[i];

		job->partition = unit_random_below (random, (uint32_t)site->partitions);
		job->cpus = 1 + unit_random_below (random, (uint32_t)cpus_of (site,
							groups_of (test, i)));
	}
}

static void use_site(struct replay_rules *rules, const struct site *site)
{
	rules->group_cpus = site->cpus;
	rules->group_count = site->groups;
	rules->partition = site->partition;
	rules->partition_count = site->partitions;
	rules->cpus = cpus_of (site, ~0U);
}

TEST_EACH (partitions_that_overlap_are_as_in_the_reference, schemes)
{
	const struct scheme *scheme = &schemes[_i];
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 1");
	struct unit_random random = { 23 + (uint64_t)_i };
	struct test_case test;
	struct replay_rules rules = rules_of (scheme->name, "fcfs", &test);

	for (int round = 0; round < suite_rounds (300); round++) {
		make_jobs (&test, &random, 3);
		make_site (&test, &random);
		use_site (&rules, &test.site);
		assert_as_in_the_reference (&test, &rules, &tree, scheme, round);
	}
}

/* Partitions without common nodes are machines of their own; those with the same are one. */
TEST_EACH (partitions_are_machines, schemes)
{
	static const uint32_t group[2] = { 0, 1 };
	static const uint64_t halves[2] = { CPUS, CPUS };
	const struct replay_partition apart[2] = { { .group = &group[0], .group_count = 1 },
						   { .group = &group[1], .group_count = 1 } };
	const struct replay_partition same[2] = { apart[0], apart[0] };
	const char *scheduler = schemes[_i].name;
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct unit_random random = { 31 };
	struct test_case test, half;

	for (int round = 0; round < suite_rounds (30); round++) {
		struct replay_rules rules = rules_of (scheduler, "fcfs", &test);
		double start[2][MOST_JOBS];

		make_jobs (&test, &random, 2);
		for (uint32_t side = 0; side < 2; side++) {
			struct replay_rules of_half = rules_of (scheduler, "fcfs", &half);

			half = (struct test_case){ .count = 0 };
			for (size_t i = side; i < test.count; i += 2) {
				half.job[half.count] = test.job[i];
				half.job[half.count].number = half.count;
				half.count++;
			}
			run (&half, &of_half, tree.tree);
			for (size_t i = side; i < test.count; i += 2)
				start[0][i] = half.start[i / 2];
		}
		run (&test, &rules, tree.tree);
		memcpy (start[1], test.start, sizeof (start[1]));
		for (int is_same = 0; is_same < 2; is_same++) {
			rules.partition = is_same ? same : apart;
			rules.partition_count = 2;
			rules.group_cpus = halves;
			rules.group_count = 2 - (size_t)is_same;
			rules.cpus = is_same ? CPUS : 2 * CPUS;
			for (size_t i = 0; i < test.count; i++)
				test.job[i].partition = i % 2;
			run (&test, &rules, tree.tree);
			for (size_t i = 0; i < test.count; i++)
				ck_assert_double_eq (test.start[i], start[is_same][i]);
		}
	}
}

/* Two sites side by side: groups 0 and 1 with partitions 0 and 1, and those from 2 on. */
static void make_two_sites(struct test_case *test, struct unit_random *random)
{
	struct site *site = &test->site;

	*site = (struct site){ .groups = MOST_GROUPS, .partitions = MOST_PARTITIONS };
	for (uint32_t i = 0; i < MOST_GROUPS; i++)
		site->cpus[i] = 1 + unit_random_below (random, CPUS);
	for (uint32_t i = 0; i < MOST_PARTITIONS; i++) {
		uint32_t groups = 1 + unit_random_below (random, 3);

		site->partition[i].group = site->group[i];
		for (uint32_t j = 0; j < 2; j++)
			if (groups >> j & 1)
				site->group[i][site->partition[i].group_count++] = (i & 2) + j;
	}
	for (size_t i = 0; i < test->count; i++) {
		struct replay_job *job = &test->job[i];

		job->partition = (i & 1) * 2 + unit_random_below (random, 2);
		job->cpus = 1 + unit_random_below (random, (uint32_t)cpus_of (&test->site,
							groups_of (test, i)));
		job->billing = job->cpus;
		job->node = (i & 1 ? 5 : 3) + unit_random_below (random, 2);
	}
}

/* Runs the jobs of one site alone. start: gets theirs. */
static void run_site(const struct test_case *test, size_t side, const char *scheduler,
		     const struct fathom_tree *tree, double *start)
{
	struct test_case alone = { .site = test->site };
	struct replay_rules rules = rules_of (scheduler, "fair-tree", &alone);

	rules.half_life = 0;
	use_site (&rules, &alone.site);
	for (size_t i = side; i < test->count; i += 2) {
		alone.job[alone.count] = test->job[i];
		alone.job[alone.count].number = alone.count;
		alone.count++;
	}
	run (&alone, &rules, tree);
	for (size_t i = side; i < test->count; i += 2)
		start[i] = alone.start[i / 2];
}

/* Where partitions have no nodes in common, what comes, ends and changes places in one of them
 * moves no reservation in another. */
TEST_EACH (sites_side_by_side_do_not_meet, schemes)
{
	const char *scheduler = schemes[_i].name;
	struct unit_tree tree = unit_tree_read ("A 1 (a 1, b 1), B 1 (c 1, d 1)");
	struct unit_random random = { 37 + (uint64_t)_i };
	struct test_case test;
	struct replay_rules rules = rules_of (scheduler, "fair-tree", &test);

	rules.half_life = 0;	/* so that usage is exact */
	for (int round = 0; round < suite_rounds (300); round++) {
		double start[MOST_JOBS];

		make_jobs (&test, &random, 1);
		make_two_sites (&test, &random);
		test.job[0].submit = test.job[1].submit = 0;	/* so that passes are the same */
		use_site (&rules, &test.site);
		run_site (&test, 0, scheduler, tree.tree, start);
		run_site (&test, 1, scheduler, tree.tree, start);
		run (&test, &rules, tree.tree);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == start[i], "%s, round %d, job %zu: %g, "
				       "wanted %g", scheduler, round, i, test.start[i], start[i]);
	}
}

/* ---- promises under policies that change the order -------------------------------------- */

/* Could a waiting job have started at the start of another? At the very least the scheduler "none"
 * leaves no CPU idle for which a job waits. */
static void assert_work_conserving(const struct test_case *test)
{
	for (size_t i = 0; i < test->count; i++)
		for (size_t j = 0; j < test->count; j++) {
			double now = test->start[j] + test->job[j].run;
			uint32_t used = 0;

			if (test->job[i].submit > now || test->start[i] <= now)
				continue;
			for (size_t k = 0; k < test->count; k++)
				if (test->start[k] <= now &&
				    now < test->start[k] + test->job[k].run)
					used += test->job[k].cpus;
			ck_assert_uint_gt (used + test->job[i].cpus, CPUS);
		}
}

/* Usage as of `now`, by the formula, of what a node's jobs have run until then. */
static double usage_by_formula(const struct test_case *test, uint32_t node, double now,
			       double half_life)
{
	double usage = 0;

	for (size_t i = 0; i < test->count; i++) {
		const struct replay_job *job = &test->job[i];
		double end = fmin (test->start[i] + job->run, now);

		if (job->node == node && end > test->start[i])
			usage += job->billing * half_life / M_LN2 *
				 (exp2 (-(now - end) / half_life) -
				  exp2 (-(now - test->start[i]) / half_life));
	}
	return usage;
}

static void assert_usage(const struct test_case *test, const struct replay *replay,
			 const struct fathom_tree *tree)
{
	const struct replay_figures *figures = replay_figures (replay);

	for (uint32_t node = 1; node < fathom_tree_count (tree); node++) {
		double wanted = usage_by_formula (test, node, figures->last_end,
						  replay->rules.half_life);

		ck_assert_double_eq_tol (figures->node[node].usage, wanted, 1e-9 * (1 + wanted));
	}
}

TEST_LOOP (every_policy_keeps_the_promises, fathom_policy_count ())
{
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read ("A 2 (a 1, b 3), B 1 (c 1), d 1");
	struct unit_random random = { 11 + (uint64_t)_i };
	struct test_case test;

	for (int round = 0; round < suite_rounds (40); round++)
		for (size_t i = 0; replay_schedulers[i]; i++) {
			const char *scheduler = replay_schedulers[i]->name;
			struct replay_rules rules = rules_of (scheduler, policy, &test);
			struct replay *replay;

			if (rules.scheduler->keeps_starts)
				continue;
			make_jobs (&test, &random, 5);
			for (size_t job = 0; job < test.count; job++)
				while (fathom_tree_kind (tree.tree, test.job[job].node) !=
				       FATHOM_USER)
					test.job[job].node++;
			replay = run (&test, &rules, tree.tree);
			assert_no_oversubscription (&test);
			if (!strcmp (scheduler, "none"))
				assert_work_conserving (&test);
			assert_usage (&test, replay, tree.tree);
		}
}

/* The last job is that of a user who has used nothing, and is submitted at 41; passes are at 30, 60
 * and so on. */
static const struct overtaking {
	const char *scheduler;
	double run_of_first;
	double start[3];
} overtakings[] = {
	/* the pass at 60 reverses the reservations, before the second job starts */
	{ "conservative", 100, { 0, 200, 100 } },
	/* no pass comes before it starts */
	{ "conservative", 50, { 0, 50, 150 } },
	/* nothing is reserved but for the first job in the order of the pass at 30 */
	{ "easy", 50, { 0, 150, 50 } },
};

TEST_EACH (reservations_follow_the_order, overtakings)
{
	const struct overtaking *overtaking = &overtakings[_i];
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 3, .job = {
		{ .submit = 0, .run = overtaking->run_of_first, .node = 1 },
		{ .submit = 40, .run = 100, .node = 1 }, { .submit = 41, .run = 100, .node = 2 },
	} };
	struct replay_rules rules = rules_of (overtaking->scheduler, "fair-tree", &test);

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].number = i;
		test.job[i].cpus = CPUS;
		test.job[i].billing = CPUS;
		test.job[i].estimate = test.job[i].run;
	}
	run (&test, &rules, tree.tree);
	for (size_t i = 0; i < test.count; i++)
		ck_assert_double_eq (test.start[i], overtaking->start[i]);
}

/* The fourth job waits for nodes of two partitions until 10. The fifth may have some of them from
 * 5 on, past that; the sixth would then have to leave at 10, and runs for longer. */
TEST (reservations_leave_room_for_each_other)
{
	static const uint32_t group[3][2] = { { 1, 0 }, { 0 }, { 1 } };
	static const uint64_t cpus[2] = { 8, 2 };
	static const double start[6] = { 0, 0, 0, 10, 5, 15 };
	const struct replay_partition partition[3] = {
		{ .group = group[0], .group_count = 2 }, { .group = group[1], .group_count = 1 },
		{ .group = group[2], .group_count = 1 },
	};
	struct unit_tree tree = unit_tree_read ("a 1");
	struct test_case test = { .count = 6, .job = {
		{ .submit = 0, .run = 5, .cpus = 5, .partition = 1 },
		{ .submit = 0, .run = 10, .cpus = 2, .partition = 1 },
		{ .submit = 0, .run = 10, .cpus = 2, .partition = 2 },
		{ .submit = 1, .run = 5, .cpus = 8, .partition = 0 },
		{ .submit = 1, .run = 10, .cpus = 2, .partition = 1 },
		{ .submit = 1, .run = 12, .cpus = 1, .partition = 1 },
	} };
	struct replay_rules rules = rules_of ("easy", "fcfs", &test);

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].number = i;
		test.job[i].node = 1;
		test.job[i].estimate = test.job[i].run;
	}
	rules.partition = partition;
	rules.partition_count = 3;
	rules.group_cpus = cpus;
	rules.group_count = 2;
	rules.cpus = 10;
	run (&test, &rules, tree.tree);
	for (size_t i = 0; i < test.count; i++)
		ck_assert_double_eq (test.start[i], start[i]);
}

/* ---- scopes ------------------------------------------------------------------------------ */

/* Runs every second job on a machine of its own. start: gets those of all jobs. */
static void run_halves(const struct test_case *test, const char *scheduler, const char *policy,
		       const struct fathom_tree *tree, double *start)
{
	for (uint32_t side = 0; side < 2; side++) {
		struct test_case half = { .count = 0 };
		struct replay_rules rules = rules_of (scheduler, policy, &half);

		for (size_t i = side; i < test->count; i += 2) {
			half.job[half.count] = test->job[i];
			half.job[half.count].number = half.count;
			half.job[half.count++].partition = 0;
		}
		run (&half, &rules, tree);
		for (size_t i = side; i < test->count; i += 2)
			start[i] = half.start[i / 2];
	}
}

/* Scopes on nodes of their own are clusters of their own, under any policy. (What lsf counts
 * changes with time, so that its order is another one where jobs of others start or end.) */
TEST_LOOP (scopes_are_clusters, fathom_policy_count ())
{
	static const uint32_t group[2] = { 0, 1 };
	static const uint64_t halves[2] = { CPUS, CPUS };
	const struct replay_partition partition[2] = {
		{ .group = &group[0], .group_count = 1, .scope = 1 },
		{ .group = &group[1], .group_count = 1, .scope = 2 },
	};
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read ("A 2 (a 1, b 3), B 1 (c 1), d 1");
	struct unit_random random = { 41 + (uint64_t)_i };
	struct test_case test;

	for (int round = 0; round < suite_rounds (20); round++) {
		const char *scheduler =
			round % 2 && strcmp (policy, "lsf") ? "easy" : "none";
		struct replay_rules rules = rules_of (scheduler, policy, &test);
		const struct replay_scope same = { .policy = rules.policy,
						   .settings = rules.settings };
		const struct replay_scope scope[2] = { same, same };
		double start[MOST_JOBS];
		struct replay *replay;

		make_jobs (&test, &random, 5);
		test.job[0].submit = test.job[1].submit = 0;	/* so that passes are the same */
		for (size_t i = 0; i < test.count; i++) {
			while (fathom_tree_kind (tree.tree, test.job[i].node) != FATHOM_USER)
				test.job[i].node++;
			test.job[i].partition = i % 2;
		}
		run_halves (&test, scheduler, policy, tree.tree, start);
		rules.partition = partition;
		rules.partition_count = rules.group_count = rules.scope_count = 2;
		rules.group_cpus = halves;
		rules.cpus = 2 * CPUS;
		rules.scope = scope;
		replay = run (&test, &rules, tree.tree);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == start[i], "%s, round %d, job %zu: %g, "
				       "wanted %g", policy, round, i, test.start[i], start[i]);
		assert_usage (&test, replay, tree.tree);
	}
}

/* Under lsf jobs of one user go by PriorityJobFactor of their partition, then by submission. */
TEST (a_scope_has_queue_order)
{
	static const uint32_t group = 0;
	static const uint64_t cpus = CPUS;
	const struct replay_partition partition[2] = {
		{ .group = &group, .group_count = 1, .scope = 1, .queue.partition_factor = 2 },
		{ .group = &group, .group_count = 1, .scope = 1, .queue.partition_factor = 1,
		  .rank = 1 },
	};
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 3, .job = {
		{ .number = 0, .submit = 0, .run = 100, .node = 1, .partition = 1 },
		{ .number = 1, .submit = 1, .run = 100, .node = 1, .partition = 1 },
		{ .number = 2, .submit = 2, .run = 100, .node = 1, .partition = 0 },
	} };
	struct replay_rules rules = rules_of ("easy", "lsf", &test);
	const struct replay_scope scope = { .policy = rules.policy, .settings = rules.settings };

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].cpus = CPUS;
		test.job[i].billing = CPUS;
		test.job[i].estimate = test.job[i].run;
	}
	rules.partition = partition;
	rules.partition_count = 2;
	rules.scope_count = rules.group_count = 1;
	rules.group_cpus = &cpus;
	rules.scope = &scope;
	run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[2], 100);
	ck_assert_double_eq (test.start[1], 200);
}

/* On the same nodes, jobs of scopes go by the factors of their scopes; under lsf the scope of the
 * partition with the greater PriorityJobFactor goes first. */
TEST_LOOP (scopes_share_nodes, 2)
{
	static const uint32_t group = 0;
	static const uint64_t cpus = CPUS;
	static const double start[2][4] = {
		/* b has used scope 2, where a has not: a's job goes first; in scope 1 a has */
		{ 0, 100, 300, 200 },
		/* jobs of scope 1 go first */
		{ 0, 100, 200, 300 },
	};
	struct replay_partition partition[2] = {
		{ .group = &group, .group_count = 1, .scope = 1, .queue.partition_factor = 2 },
		{ .group = &group, .group_count = 1, .scope = 2, .queue.partition_factor = 1,
		  .rank = 1 },
	};
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 4, .job = {
		{ .number = 0, .submit = 0, .run = 100, .node = 1, .partition = 0 },
		{ .number = 1, .submit = 1, .run = 100, .node = 2, .partition = 1 },
		{ .number = 2, .submit = 150, .run = 100, .node = 1, .partition = 0 },
		{ .number = 3, .submit = 160, .run = 100, .node = 1, .partition = 1 },
	} };
	struct replay_rules rules = rules_of ("easy", _i ? "lsf" : "classic", &test);
	const struct replay_scope same = { .policy = rules.policy, .settings = rules.settings };
	const struct replay_scope scope[2] = { same, same };

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].cpus = CPUS;
		test.job[i].billing = CPUS;
		test.job[i].estimate = test.job[i].run;
	}
	rules.partition = partition;
	rules.partition_count = rules.scope_count = 2;
	rules.group_cpus = &cpus;
	rules.group_count = 1;
	rules.scope = scope;
	run (&test, &rules, tree.tree);
	for (size_t i = 0; i < test.count; i++)
		ck_assert_double_eq (test.start[i], start[_i][i]);
}

/* ---- order ------------------------------------------------------------------------------ */

/* Two users, the first of whom has used the machine: the second one's job goes first, though it was
 * submitted later. */
TEST_LOOP (who_has_used_less_goes_first, fathom_policy_count ())
{
	const char *policy = fathom_policy_name (fathom_policy_at ((size_t)_i));
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 4, .job = {
		{ .number = 0, .submit = 0, .run = 100, .estimate = 100, .node = 1 },
		{ .number = 1, .submit = 50, .run = 100, .estimate = 100, .node = 2 },
		{ .number = 2, .submit = 60, .run = 100, .estimate = 100, .node = 1 },
		{ .number = 3, .submit = 61, .run = 100, .estimate = 100, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("easy", policy, &test);
	bool is_fcfs = policy_is_first_come (rules.policy);

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].cpus = test.job[i].nodes = CPUS;
		test.job[i].billing = CPUS;
	}
	/* flux counts jobs that have ended, so the first one ends before the others come */
	for (size_t i = 1; i < test.count; i++)
		test.job[i].submit += 100;
	test.job[0].run = test.job[0].estimate = 120;
	test.job[1].submit = 119;
	run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[1], 120);
	/* at 220 a has used 120 s, b 100 s: a's job goes first only in queue order */
	ck_assert_double_eq (test.start[2], is_fcfs ? 220 : 320);
	ck_assert_double_eq (test.start[3], is_fcfs ? 320 : 220);
}

/* Places in lsf's order of dispatch, which weights need, give the same order as turns do; also if
 * users are so deep in the tree that turns are taken one by one, see user_turns_suit(). */
TEST_LOOP (places_are_as_turns, 2)
{
	static const struct fathom_priority_config by_place = { .weight.fairshare = 1000000000 };
	static const char *const scheduler[] = { "easy", "none", "strict" };
	struct unit_tree tree = unit_tree_read (_i ? "A 1 (B 1 (a 1, b 2, c 1))" : "a 1, b 2, c 1");
	struct unit_random random = { 43 };
	struct test_case test;

	for (int round = 0; round < suite_rounds (60); round++) {
		struct replay_rules rules = rules_of (scheduler[round % 3], "lsf", &test);
		/* a memory of its own: replays reserve much more than they use */
		struct need_memory *apart = need_memory_create ();
		struct need_memory *memory = need_memory_use (apart);
		double start[MOST_JOBS];

		make_jobs (&test, &random, 3);
		for (size_t i = 0; i < test.count; i++)
			test.job[i].node += _i ? 2 : 0;	/* behind A and B */
		run (&test, &rules, tree.tree);
		memcpy (start, test.start, sizeof (start));
		rules.priority = &by_place;
		run (&test, &rules, tree.tree);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == start[i], "round %d: %zu: %g, wanted %g",
				       round, i, test.start[i], start[i]);
		need_memory_use (memory);
		need_memory_destroy (apart);
	}
}

/* A factor as priority has 40 bits, so that those that differ by rounding alone are equal. */
static const struct { double factor, priority; } rounded_factors[] = {
	{ 1, 1 }, { 0, 0 }, { 1 - 0x3p-40, 1 - 0x3p-40 }, { 1 - 0x1p-53, 1 },
	{ 0.5 + 0x1p-40, 0.5 + 0x1p-40 }, { 0.5 + 0x3p-43, 0.5 }, { 0.5 + 0x3p-42, 0.5 + 0x1p-40 },
	{ 0.1 + 0.2, 0x1.3333333334p-2 }, { 0.3, 0x1.3333333334p-2 },
	{ NAN, 0 },	/* of no user: behind all others */
};
TEST_EACH (priority_is_the_factor_in_40_bits, rounded_factors)
{
	const struct replay_rules rules = { .policy = fathom_policy_find ("fair-tree") };
	const struct job_order order = { .rules = &rules };
	const struct replay_job job = { .node = 1 };

	ck_assert_double_eq (job_order_priority (&order, &rules, &job, rounded_factors[_i].factor),
			     rounded_factors[_i].priority);
}

/* ---- figures ---------------------------------------------------------------------------- */

TEST (figures_are_those_of_the_definitions)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 4, .job = {
		{ .number = 0, .submit = 0, .run = 10, .cpus = 8, .node = 1 },
		{ .number = 1, .submit = 0, .run = 5, .cpus = 8, .node = 2 },
		{ .number = 2, .submit = 4, .run = 20, .cpus = 4, .node = 1 },
		{ .number = 3, .submit = 4, .run = 1, .cpus = 4, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("easy", "fcfs", &test);
	struct replay *replay;
	const struct replay_figures *figures;

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].estimate = test.job[i].run;
		test.job[i].billing = test.job[i].cpus;
	}
	rules.calc_period = 12;
	rules.half_life = 0;
	replay = run (&test, &rules, tree.tree);
	figures = replay_figures (replay);
	/* starts 0, 10, 15, 15: waits 0, 10, 11, 11 */
	ck_assert_uint_eq (figures->jobs, 4);
	ck_assert_double_eq_tol (figures->mean_wait, 8, 1e-12);
	ck_assert_double_eq (figures->median_wait, 10);
	ck_assert_double_eq (figures->p95_wait, 11);
	ck_assert_double_eq (figures->longest_wait, 11);
	/* 1; 15/10; 31/20; 12/10 */
	ck_assert_double_eq_tol (figures->mean_bounded_slowdown, (1 + 1.5 + 1.55 + 1.2) / 4, 1e-12);
	ck_assert_double_eq (figures->makespan, 35);
	ck_assert_double_eq_tol (figures->utilization, (80 + 40 + 80 + 4) / (8. * 35), 1e-12);
	/* passes at 0 (nothing used), 12 (a 80, b 16), 24 (a alone has demand) */
	ck_assert_uint_eq (figures->passes, 2);
	ck_assert_double_eq_tol (figures->share_error, (80. / 96 - 0.5) / 2, 1e-12);
	ck_assert_double_eq_tol (figures->node[1].usage, 80 + 80, 1e-12);
	ck_assert_double_eq_tol (figures->node[2].usage, 40 + 4, 1e-12);
}

TEST (quantiles_are_nearest_ranks)
{
	struct wait_times times = { NULL };

	for (int i = 20000; i > 0; i--)
		wait_times_add (&times, (i + 99) / 100);
	wait_times_settle (&times);
	ck_assert_uint_eq (times.count, 200);
	ck_assert_double_eq (wait_times_quantile (&times, 0), 1);
	for (unsigned percent = 1; percent <= 100; percent++)
		ck_assert_double_eq (wait_times_quantile (&times, percent), 2 * percent);
	wait_times_add (&times, 300);
	wait_times_settle (&times);
	/* 1 % of 20,001 is rounded up */
	ck_assert_double_eq (wait_times_quantile (&times, 1), 3);
	ck_assert_double_eq (wait_times_quantile (&times, 100), 300);
	times = (struct wait_times){ NULL };
	ck_assert (isnan (wait_times_quantile (&times, 50)));
}

/* OpenPBS decays in steps: usage is halved at 100, 200 and so on, and not between. */
TEST (pbs_decays_in_steps)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 2, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 8, .node = 1 },
		{ .number = 1, .submit = 0, .run = 300, .estimate = 300, .cpus = 8, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("easy", "pbs", &test);
	struct replay *replay;

	rules.settings = unit_settings (rules.policy, "fairshare_decay_time=100");
	rules.calc_period = 10;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (replay->scopes.scope[0].order.tree.pass, 350);
	/* a: 400 CPU seconds, three steps ago */
	ck_assert_double_eq_tol (replay->scopes.scope[0].book.stepped[1], 400 / 8., 1e-9);
	/* b: 8 CPUs from 50 until 350 */
	ck_assert_double_eq_tol (replay->scopes.scope[0].book.stepped[2],
				 8 * (((50 * .5 + 100) * .5 + 100) * .5 + 50), 1e-9);
}

static double square_of(const struct fathom_stretch *stretch, double seconds, void *formula)
{
	return *(const double *)formula * stretch->cpus * seconds * seconds;
}

/* What a run has used grows by its formula; each charge is what it has grown by. */
TEST (pbs_charges_by_formula)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 2, .job = {
		{ .number = 0, .submit = 0, .run = 50, .estimate = 50, .cpus = 8, .node = 1 },
		{ .number = 1, .submit = 0, .run = 70, .estimate = 70, .cpus = 8, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("easy", "pbs", &test);
	struct replay *replay;
	double factor = 0.5;

	rules.settings = unit_settings (rules.policy, "fairshare_decay_time=100");
	rules.calc_period = 10;
	rules.used = square_of;
	rules.formula = &factor;
	replay = run (&test, &rules, tree.tree);
	/* a's run has ended before the step at 100; b has run from 50 until then, and until 120 */
	ck_assert_double_eq_tol (replay->scopes.scope[0].book.stepped[1], 4 * 50 * 50 * .5, 1e-6);
	ck_assert_double_eq_tol (replay->scopes.scope[0].book.stepped[2],
				 4 * 50 * 50 * .5 + 4 * (70 * 70 - 50 * 50), 1e-6);
}

/* With weights of slurm.conf the sum decides: age alone is first come, first served. */
TEST (the_weighted_sum_decides)
{
	static const struct fathom_priority_config by_age = { .weight = { .age = 1000 },
							      .max_age = 1000 };
	static const struct fathom_priority_config by_size = {
		.weight = { .job_size = 1000 }, .cluster_nodes = CPUS, .cluster_cpus = CPUS,
	};
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 4, .job = {
		{ .number = 0, .submit = 0, .run = 100, .cpus = 8, .node = 1 },
		{ .number = 1, .submit = 10, .run = 100, .cpus = 5, .node = 1 },
		{ .number = 2, .submit = 50, .run = 100, .cpus = 6, .node = 2 },
		{ .number = 3, .submit = 90, .run = 100, .cpus = 7, .node = 1 },
	} };
	struct replay_rules rules = rules_of ("easy", "fair-tree", &test);

	for (size_t i = 0; i < test.count; i++) {
		test.job[i].estimate = test.job[i].run;
		test.job[i].nodes = test.job[i].cpus;
		test.job[i].billing = 1;
	}
	for (int i = 0; i < 3; i++) {
		static const double start[3][4] = {
			{ 0, 200, 100, 300 }, { 0, 100, 200, 300 }, { 0, 300, 200, 100 },
		};
		rules.priority = i == 0 ? NULL : i == 1 ? &by_age : &by_size;
		run (&test, &rules, tree.tree);
		for (size_t job = 0; job < test.count; job++)
			ck_assert_double_eq (test.start[job], start[i][job]);
	}
}

/* A year without jobs is skipped, and all is as if it were not. */
TEST (idle_passes_change_nothing)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 5, .job = {
		{ .number = 0, .submit = 0, .run = 100, .node = 1 },
		{ .number = 1, .submit = 0, .run = 50, .node = 2 },
		{ .number = 2, .submit = 31536000, .run = 100, .node = 1 },
		{ .number = 3, .submit = 31536001, .run = 100, .node = 1 },
		{ .number = 4, .submit = 31536002, .run = 100, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("easy", "fair-tree", &test);
	struct replay *replay;

	rules.half_life = 30 * 86400;
	rules.calc_period = 1;
	for (size_t i = 0; i < test.count; i++) {
		test.job[i].cpus = CPUS;
		test.job[i].billing = CPUS;
		test.job[i].estimate = test.job[i].run;
	}
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq (test.start[4], 31536100);
	ck_assert_double_eq (test.start[3], 31536200);
	ck_assert_double_le (replay->figures.series.passes, 1000);
	assert_usage (&test, replay, tree.tree);
}

/* One job from 5 to 15, another one until 40: the first has then decayed for 25 seconds. */
TEST (usage_is_that_of_the_last_end)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 2, .job = {
		{ .number = 0, .submit = 0, .start = 5, .run = 10, .estimate = 10, .cpus = 2,
		  .billing = 3, .node = 1 },
		{ .number = 1, .submit = 0, .start = 0, .run = 40, .estimate = 60, .cpus = CPUS,
		  .billing = 1, .node = 2 },
	} };
	struct replay_rules rules = rules_of ("trace", "fcfs", &test);
	struct replay *replay;
	double rate;

	rules.half_life = 20;
	rate = log (2) / rules.half_life;
	replay = run (&test, &rules, tree.tree);
	ck_assert_double_eq_tol (replay_figures (replay)->node[1].usage,
				 3 / rate * (exp (-25 * rate) - exp (-35 * rate)), 1e-9);
	ck_assert_double_eq_tol (replay_figures (replay)->node[2].usage,
				 1 / rate * (1 - exp (-40 * rate)), 1e-9);
}

/* ---- a replay that begins in the middle ------------------------------------------------------ */

/* Gives a replay that begins at `now` what runs and waits then, as the whole replay has it, and
 * what comes. */
static void resume_all(struct replay *replay, const struct test_case *whole, double now)
{
	struct fathom_error error;

	replay_begin (replay, now);
	for (size_t i = 0; i < whole->count; i++) {
		struct replay_job job = whole->job[i];

		job.start = whole->start[i];
		if (job.start <= now && job.start + job.run > now)
			ck_assert_int_eq (replay_resume (replay, &job, &error), 0);
	}
	for (size_t i = 0; i < whole->count; i++)
		if (whole->start[i] > now)
			ck_assert_int_eq (replay_submit (replay, &whole->job[i], &error), 0);
	replay_start_all (replay, INFINITY);
}

static const char *const forgetful[] = { "easy", "none", "strict" };

/* These schedulers look at what runs and waits alone, and so does the order of fcfs. */
TEST_EACH (what_is_resumed_goes_on_as_the_whole, forgetful)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 1");
	struct unit_random random = { 53 + (uint64_t)_i };

	for (int round = 0; round < suite_rounds (100); round++) {
		struct test_case whole = { .count = 0 }, resumed;
		struct replay_rules rules = rules_of (forgetful[_i], "fcfs", &whole);
		struct replay *replay;
		double now;

		make_jobs (&whole, &random, 3);
		run (&whole, &rules, tree.tree);
		now = whole.job[unit_random_below (&random, (uint32_t)whole.count)].submit + 0.5;
		resumed = whole;
		for (size_t i = 0; i < whole.count; i++)
			resumed.start[i] = NAN;
		rules.context = &resumed;
		replay = replay_create (&rules, tree.tree);
		resume_all (replay, &whole, now);
		for (size_t i = 0; i < whole.count; i++)
			if (whole.start[i] > now)
				ck_assert_double_eq (resumed.start[i], whole.start[i]);
	}
}

/* User a holds one CPU for good, so that the second job, of all CPUs, never starts. The third fits,
 * but does not end either: it goes ahead of the second by the first pass that charges a, unless it
 * is a's as well. */
TEST_EACH (what_waits_for_an_endless_job_is_given_up, forgetful)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1");
	struct test_case test = { .count = 3, .job = {
		{ .number = 0, .run = 1e9, .cpus = 1, .node = 1, .billing = 1 },
		{ .number = 1, .run = 1e9, .cpus = CPUS, .node = 1 },
		{ .number = 2, .run = 2e9, .cpus = 1 },
	} };

	for (uint32_t user = 1; user <= 2; user++) {
		struct replay_rules rules = rules_of (forgetful[_i], "fair-tree", &test);
		struct fathom_error error;
		struct replay *replay = replay_create (&rules, tree.tree);
		bool waits = user == 1 && rules.scheduler != &replay_scheduler_none;

		test.job[2].node = user;
		replay_begin (replay, 0);
		for (size_t i = 0; i < test.count; i++) {
			test.start[i] = NAN;
			test.job[i].estimate = test.job[i].run;
			ck_assert_int_eq ((i ? replay_submit : replay_resume)
					  (replay, &test.job[i], &error), 0);
		}
		replay_start_all (replay, 5e8);
		ck_assert_double_nan (test.start[1]);
		ck_assert_int_eq (isnan (test.start[2]), waits);
		ck_assert_double_le (replay->now, waits ? 8 * 86400 : rules.calc_period);
	}
}

/* Stops the replay, the context, when job 1 starts. */
static void stop_at_job_1(const struct replay_job *job, double start, void *context)
{
	struct replay **replay = context;

	(void)start;
	if (job->number == 1)
		replay_stop (*replay);
}

/* One job after the other, each of an hour, on all CPUs. */
TEST (a_replay_of_starts_ends_early)
{
	struct unit_tree tree = unit_tree_read ("a 1");
	struct test_case test = { .count = 0 };
	const double until[] = { 5000, INFINITY };

	for (size_t round = 0; round < 2; round++) {
		struct replay_rules rules = rules_of ("easy", "fcfs", &test);
		struct fathom_error error;
		struct replay *replay;

		rules.context = &replay;
		rules.started = stop_at_job_1;
		replay = replay_create (&rules, tree.tree);
		replay_begin (replay, 0);
		for (size_t i = 0; i < 4; i++) {
			struct replay_job job = { .number = i, .run = 3600, .estimate = 3600,
						  .cpus = CPUS, .node = 1 };

			ck_assert_int_eq (replay_submit (replay, &job, &error), 0);
		}
		replay_start_all (replay, until[round]);
		/* the last instant: a pass, or the start of job 1 */
		ck_assert_double_le (replay->now, 5000);
		ck_assert_uint_eq (pending_queue_waiting (&replay->queue), 2);
	}
}

TEST (wrong_jobs_are_refused)
{
	struct unit_tree tree = unit_tree_read ("a 1");
	struct test_case test = { .start = { NAN } };
	struct replay_rules rules = rules_of ("easy", "fcfs", &test);
	struct fathom_error error;
	struct replay *replay = replay_create (&rules, tree.tree);
	struct replay_job job = { .submit = 5, .run = 1, .estimate = 1, .cpus = CPUS + 1,
				  .node = 1 };

	ck_assert_int_eq (replay_submit (replay, &job, &error), -1);
	job.cpus = CPUS;
	job.estimate = 0.5;
	ck_assert_int_eq (replay_submit (replay, &job, &error), -1);
	job.estimate = 1;
	job.partition = 1;
	ck_assert_int_eq (replay_submit (replay, &job, &error), -1);
	job.partition = 0;
	ck_assert_int_eq (replay_submit (replay, &job, &error), 0);
	job.submit = 4;
	ck_assert_int_eq (replay_submit (replay, &job, &error), -1);
	rules.scheduler = &replay_scheduler_trace;
	replay = replay_create (&rules, tree.tree);
	job.start = 3;
	ck_assert_int_eq (replay_submit (replay, &job, &error), -1);
	job.start = 4;
	ck_assert_int_eq (replay_submit (replay, &job, &error), 0);
	rules.half_life = 0.1;
	ck_assert_int_eq (replay_check (&rules, &error), -1);
}
