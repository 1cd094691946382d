/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools of a replay: LSF's tables, and random traces against a model that looks at each second
 * of time and divides, places and starts by the words of the document.
 */
#include "../unit.h"
#include "finished_replay.h"

#include "replay/replay.h"

#define MOST_JOBS 300
#define MOST_PARTITIONS 10
#define MOST_GROUPS 3
#define MOST_POOLS 2

struct test_case {
	struct replay_job job[MOST_JOBS];
	double start[MOST_JOBS];
	size_t count;
	struct replay_partition partition[MOST_PARTITIONS];
	uint32_t group[MOST_PARTITIONS][MOST_GROUPS];
	struct replay_pool pool[MOST_POOLS];
	uint64_t cpus[MOST_GROUPS], nodes[MOST_GROUPS];
	uint32_t scope_of_group[MOST_GROUPS];
	struct replay_scope scope;	/* of hosts */
	struct replay_rules rules;
};

static void note_start(const struct replay_job *job, double start, void *context)
{
	struct test_case *test = context;

	test->start[job->number] = start;
}

/* One group of CPUs, no partitions yet. */
static void begin_case(struct test_case *test, const char *policy, const char *scheduler,
		       uint64_t cpus)
{
	memset (test, 0, sizeof (*test));
	test->cpus[0] = cpus;
	test->nodes[0] = 1;
	test->pool[0].max_slots = test->pool[1].max_slots = FATHOM_NO_LIMIT;
	test->rules = (struct replay_rules){
		.policy = fathom_policy_find (policy),
		.scheduler = scheduler_named (scheduler), .cpus = cpus,
		.group_cpus = test->cpus, .group_nodes = test->nodes, .group_count = 1,
		.partition = test->partition, .pool = test->pool, .pool_count = 1,
		.calc_period = 100, .started = note_start, .context = test,
	};
	test->rules.settings = fathom_settings_standard (test->rules.policy);
}

/* share 0: the partition is in no pool. Returns its number. */
static uint32_t add_partition(struct test_case *test, double share, double priority)
{
	uint32_t number = (uint32_t)test->rules.partition_count++;

	test->partition[number] = (struct replay_partition){
		.group = test->group[number], .group_count = 1, .pool = share > 0,
		.slot_share = share, .queue.partition_factor = priority,
	};
	return number;
}

static void add_jobs(struct test_case *test, uint32_t partition, size_t count, double submit,
		     double run)
{
	for (; count; count--) {
		test->job[test->count] = (struct replay_job){
			.number = test->count, .submit = submit, .run = run, .estimate = run,
			.billing = 1, .cpus = 1, .node = 1, .partition = partition,
		};
		test->count++;
	}
}

static int by_submission(const void *x, const void *y)
{
	const struct replay_job *a = x, *b = y;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void run(struct test_case *test)
{
	struct unit_tree tree = unit_tree_read ("a 1, b 1, c 1");

	qsort (test->job, test->count, sizeof (*test->job), by_submission);
	for (size_t i = 0; i < test->count; i++) {
		test->job[i].number = i;
		test->start[i] = NAN;
	}
	finished_replay (&test->rules, tree.tree, test->job, test->count);
}

/* Returns how many jobs of the partition run then. */
static size_t running(const struct test_case *test, uint32_t partition, double now)
{
	size_t count = 0;

	for (size_t i = 0; i < test->count; i++)
		count += test->job[i].partition == partition && test->start[i] <= now &&
			 now < test->start[i] + test->job[i].run;
	return count;
}

/* ---- LSF's tables ------------------------------------------------------------------------- */

#define ALL 30	/* more jobs than slots */

/* Source: LSF, "Queue-based fairshare", as far as the tables are results of its rule. */
static const struct vector {
	uint64_t slots;
	struct { double share; size_t jobs, running; } queue[MOST_PARTITIONS];
	uint64_t max_slots;
	bool use_priority;
} vectors[] = {
	{ 12, { { 50, ALL, 6 }, { 30, ALL, 4 }, { 20, ALL, 2 } }, 0, false },
	{ 15, { { 50, ALL, 8 }, { 30, ALL, 5 }, { 20, ALL, 2 } }, 0, false },
	{ 15, { { 30, ALL, 5 }, { 30, ALL, 5 }, { 30, ALL, 5 } }, 0, false },
	{ 15, { { 50, ALL, 11 }, { 30, 0, 0 }, { 20, ALL, 4 } }, 0, false },
	{ 15, { { 50, 0, 0 }, { 30, 0, 0 }, { 20, ALL, 15 } }, 0, false },
	{ 21, { { 50, ALL, 11 }, { 30, ALL, 7 }, { 20, ALL, 3 } }, 0, false },
	{ 21, { { 10, ALL, 3 }, { 10, ALL, 3 }, { 10, ALL, 3 }, { 10, ALL, 3 }, { 10, ALL, 3 },
		{ 10, ALL, 3 }, { 10, ALL, 3 }, { 10, ALL, 0 }, { 10, ALL, 0 },
		{ 10, ALL, 0 } }, 0, false },
	{ 10, { { 60, 3, 3 }, { 30, ALL, 5 }, { 30, 2, 2 } }, 0, false },
	/* 10 slots are divided: 5 3 2. Then all have what they got; the others go round: the first
	 * of equal ones is 1/50 behind, then 1/30 and 1/20, then 2/50 and 2/30 */
	{ 15, { { 50, ALL, 7 }, { 30, ALL, 5 }, { 20, ALL, 3 } }, 10, false },
	/* with USE_PRIORITY_IN_POOL the first round alone, 1 4 2, and then jobs as submitted */
	{ 10, { { 10, ALL, 2 }, { 40, ALL, 6 }, { 20, ALL, 2 } }, 0, false },
	{ 10, { { 10, ALL, 4 }, { 40, ALL, 4 }, { 20, ALL, 2 } }, 0, true },
};

static const char *const schedulers[] = { "easy", "none", "conservative" };

TEST_EACH (one_cycle_gives_what_the_table_says, vectors)
{
	const struct vector *vector = &vectors[_i];

	for (size_t policy = 0; policy < fathom_policy_count (); policy++)
		for (size_t scheduler = 0; scheduler < COUNT (schedulers); scheduler++) {
			const char *name = fathom_policy_name (fathom_policy_at (policy));
			struct test_case test;

			begin_case (&test, name, schedulers[scheduler], vector->slots);
			if (vector->max_slots)
				test.pool[0].max_slots = vector->max_slots;
			test.pool[0].use_priority = vector->use_priority;
			for (uint32_t i = 0; i < MOST_PARTITIONS && vector->queue[i].share > 0;
			     i++)
				add_jobs (&test, add_partition (&test, vector->queue[i].share, 1),
					  vector->queue[i].jobs, 0, 1000);
			run (&test);
			for (uint32_t i = 0; i < test.rules.partition_count; i++)
				ck_assert_msg (running (&test, i, 0) == vector->queue[i].running,
					       "%s, %s: partition %u: %zu, wanted %zu", name,
					       schedulers[scheduler], i, running (&test, i, 0),
					       vector->queue[i].running);
		}
}

/* ---- from pass to pass ---------------------------------------------------------------------- */

/* Half of 9 slots each. The first partition has used the machine alone, which the pass at 50 sees,
 * so that at 100 the second one is served first and gets the odd slot. */
TEST (who_has_used_less_is_served_first)
{
	struct test_case test;
	uint32_t first, second;

	begin_case (&test, "fcfs", "easy", 9);
	test.rules.calc_period = 50;
	first = add_partition (&test, 50, 1);
	second = add_partition (&test, 50, 1);
	add_jobs (&test, first, 9, 0, 100);
	add_jobs (&test, first, 20, 10, 50);
	add_jobs (&test, second, 20, 20, 50);
	run (&test);
	ck_assert_uint_eq (running (&test, first, 99), 9);
	ck_assert_uint_eq (running (&test, first, 100), 4);
	ck_assert_uint_eq (running (&test, second, 100), 5);
}

/* An idle partition lends its slots and has them back as jobs end. */
TEST (slots_are_lent_and_come_back)
{
	struct test_case test;
	uint32_t first, second;

	begin_case (&test, "fair-tree", "easy", 10);
	first = add_partition (&test, 70, 1);
	second = add_partition (&test, 30, 1);
	add_jobs (&test, second, 100, 0, 50);
	add_jobs (&test, first, 100, 110, 50);
	run (&test);
	ck_assert_uint_eq (running (&test, second, 100), 10);
	ck_assert_uint_eq (running (&test, first, 150), 7);
	ck_assert_uint_eq (running (&test, second, 150), 3);
	ck_assert_uint_eq (running (&test, first, 350), 7);
	ck_assert_uint_eq (running (&test, second, 350), 3);
}

/* What is noted at a submission decides until the next pass: at 10 both have what they got, and
 * jobs go out in turns, the first partition first; that its jobs end at 50 changes nothing. */
TEST (the_order_stays_until_the_next_pass)
{
	struct test_case test;
	uint32_t first, second;
	double start[6];

	begin_case (&test, "fcfs", "easy", 4);
	first = add_partition (&test, 50, 1);
	second = add_partition (&test, 50, 1);
	add_jobs (&test, first, 2, 0, 60);
	add_jobs (&test, second, 2, 0, 50);
	add_jobs (&test, first, 3, 10, 20);
	add_jobs (&test, second, 3, 10, 20);
	run (&test);
	memcpy (start, test.start + 4, sizeof (start));
	ck_assert_double_eq (start[0], 50);
	ck_assert_double_eq (start[3], 50);
	ck_assert_double_eq (start[1], 60);
	ck_assert_double_eq (start[4], 60);
}

/* MaxCPUsPerNode of two nodes. */
TEST (limit_of_a_partition_counts)
{
	struct test_case test;
	uint32_t first, second;

	begin_case (&test, "fcfs", "easy", 10);
	test.nodes[0] = 2;
	first = add_partition (&test, 50, 1);
	second = add_partition (&test, 50, 1);
	test.partition[first].most_cpus = 1;
	add_jobs (&test, first, 20, 0, 100);
	add_jobs (&test, second, 8, 0, 100);
	run (&test);
	ck_assert_uint_eq (running (&test, first, 0), 2);
	ck_assert_uint_eq (running (&test, second, 0), 8);
}

/* Users go by their policy within a partition: a has used the machine. */
TEST_LOOP (policy_decides_within_a_partition, 2)
{
	static const char *const policies[] = { "fair-tree", "lsf" };
	struct test_case test;
	uint32_t first;

	begin_case (&test, policies[_i], "easy", 4);
	first = add_partition (&test, 50, 1);
	add_jobs (&test, first, 4, 0, 150);
	add_jobs (&test, first, 8, 10, 50);
	for (size_t i = 8; i < 12; i++)
		test.job[i].node = 2;
	run (&test);
	for (size_t i = 8; i < 12; i++)
		ck_assert_double_eq (test.start[i], 150);
}

/* ---- a model, second by second -------------------------------------------------------------- */

#define HORIZON 3000

struct model {
	const struct test_case *test;
	int free[MOST_GROUPS];
	int taken[MOST_JOBS][MOST_GROUPS];
	int start[MOST_JOBS];		/* -1: it waits */
	/* by pool and partition: */
	double used[MOST_POOLS][MOST_PARTITIONS];
	int held[MOST_POOLS][MOST_PARTITIONS], before[MOST_POOLS][MOST_PARTITIONS];
	int got[MOST_POOLS][MOST_PARTITIONS];
	size_t service[MOST_POOLS][MOST_PARTITIONS];	/* partitions in the order of service */
	size_t order[MOST_JOBS];	/* waiting jobs */
	size_t waiting;
};

static unsigned groups_of(const struct test_case *test, size_t partition)
{
	unsigned groups = 0;

	for (size_t i = 0; i < test->partition[partition].group_count; i++)
		groups |= 1U << test->group[partition][i];
	return groups;
}

/* Returns the groups of a pool that are no hosts of a scope. */
static unsigned groups_of_pool(const struct test_case *test, size_t pool)
{
	unsigned groups;
	size_t i = 0;

	while (test->partition[i].pool != pool + 1)
		i++;
	groups = groups_of (test, i);
	for (i = 0; i < MOST_GROUPS; i++)
		if (test->scope_of_group[i])
			groups &= ~(1U << i);
	return groups;
}

static int cpus_of(const struct test_case *test, unsigned groups)
{
	int cpus = 0;

	for (size_t i = 0; i < MOST_GROUPS; i++)
		cpus += groups >> i & 1 ? (int)test->cpus[i] : 0;
	return cpus;
}

/* Is the partition in the pool, or outside of all and on its nodes? */
static bool takes_part(const struct test_case *test, size_t pool, size_t partition)
{
	unsigned shared = groups_of (test, partition) & groups_of_pool (test, pool);

	if (test->partition[partition].pool)
		return test->partition[partition].pool == pool + 1;
	return cpus_of (test, shared) > 0;
}

static bool is_in(const struct test_case *test, size_t pool, size_t partition)
{
	return test->partition[partition].pool == pool + 1;
}

static bool is_waiting(const struct model *model, size_t job, int now)
{
	return model->start[job] < 0 && model->test->job[job].submit <= now;
}

static void count_held(struct model *model)
{
	const struct test_case *test = model->test;

	memset (model->held, 0, sizeof (model->held));
	for (size_t pool = 0; pool < test->rules.pool_count; pool++)
		for (size_t i = 0; i < test->count; i++)
			for (size_t group = 0; group < MOST_GROUPS; group++)
				if (groups_of_pool (test, pool) >> group & 1)
					model->held[pool][test->job[i].partition] +=
						model->taken[i][group];
}

static int demand_of(const struct model *model, size_t pool, size_t partition, int now)
{
	const struct test_case *test = model->test;
	int demand = model->held[pool][partition];

	for (size_t i = 0; i < test->count; i++)
		if (test->job[i].partition == partition && is_waiting (model, i, now))
			demand += (int)test->job[i].cpus;
	if (!is_in (test, pool, partition)) {
		int shared = cpus_of (test, groups_of (test, partition) &
						    groups_of_pool (test, pool));

		demand = demand < shared ? demand : shared;
	}
	return demand;
}

/* Sorts the partitions of a pool among each other by use, all others by priority. */
static size_t order_service(struct model *model, size_t pool)
{
	const struct test_case *test = model->test;
	size_t *service = model->service[pool], count = 0;

	for (size_t i = 0; i < test->rules.partition_count; i++)
		if (takes_part (test, pool, i))
			service[count++] = i;
	for (size_t round = 0; round < count; round++)	/* bubbles keep equal ones in order */
		for (size_t i = 1; i < count; i++) {
			size_t a = service[i - 1], b = service[i];

			if (test->partition[b].queue.partition_factor >
			    test->partition[a].queue.partition_factor) {
				service[i - 1] = b;
				service[i] = a;
			}
		}
	for (size_t round = 0; round < count; round++)
		for (size_t i = 0; i < count; i++)
			for (size_t j = i + 1; j < count; j++) {
				size_t a = service[i], b = service[j];

				if (!is_in (test, pool, a) || !is_in (test, pool, b))
					continue;
				if (model->used[pool][b] / test->partition[b].slot_share <
				    model->used[pool][a] / test->partition[a].slot_share) {
					service[i] = b;
					service[j] = a;
				}
				break;	/* neighbours among those of the pool */
			}
	return count;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* The rounds of the document. Partitions outside take what they want at their place. */
static void divide(struct model *model, size_t pool, int now)
{
	const struct test_case *test = model->test;
	size_t count = order_service (model, pool);
	int hosts = cpus_of (test, groups_of_pool (test, pool)), left = hosts, before = -1;
	int *got = model->got[pool];

	if (test->pool[pool].max_slots < (uint64_t)left)
		left = (int)test->pool[pool].max_slots;
	memset (got, 0, sizeof (model->got[pool]));
	for (int round = 0; left != before; round++) {
		int start = left;

		before = left;
		for (size_t i = 0; i < count; i++) {
			size_t at = model->service[pool][i];
			int wants = demand_of (model, pool, at, now) - got[at];
			double share = test->partition[at].slot_share;

			if (is_in (test, pool, at)) {
				int offer = (int)ceil (start * share / 100 - 1e-9);

				wants = least (least (wants, offer), left);
				left -= wants;
			} else {
				wants = round ? 0 : least (wants, hosts);
			}
			got[at] += wants;
			hosts -= wants;
			if (!round && left > hosts)
				start = left = hosts;
		}
		if (test->pool[pool].use_priority)
			break;
	}
}

static void do_pass(struct model *model, int now)
{
	double half_life = model->test->rules.half_life, period = model->test->rules.calc_period;
	double decay = half_life > 0 ? exp2 (-period / half_life) : 1;
	double seconds = half_life > 0 ? half_life / M_LN2 * (1 - decay) : period;

	for (size_t pool = 0; pool < model->test->rules.pool_count; pool++) {
		for (size_t i = 0; now && i < MOST_PARTITIONS; i++)
			model->used[pool][i] = model->used[pool][i] * decay +
					       model->before[pool][i] * seconds;
		memcpy (model->before[pool], model->held[pool], sizeof (model->held[pool]));
		divide (model, pool, now);
	}
}

/* A partition of a pool, or without a scope and on its nodes, is served by itself. */
static bool is_single(const struct test_case *test, size_t partition)
{
	const struct replay_partition *of = &test->partition[partition];
	bool shares = false;

	if (of->pool)
		return !test->pool[of->pool - 1].use_priority;
	for (size_t pool = 0; pool < test->rules.pool_count; pool++)
		shares |= !of->scope && takes_part (test, pool, partition);
	return shares;
}

/* Others of one priority are served as one, where the first of them is. */
static size_t served_with(const struct test_case *test, size_t partition)
{
	double factor = test->partition[partition].queue.partition_factor;

	for (size_t i = 0; i < partition && !is_single (test, partition); i++)
		if (!is_single (test, i) && test->partition[i].queue.partition_factor == factor)
			return i;
	return partition;
}

/* First come, first served, by priority of the partition. */
static bool goes_before(const struct test_case *test, size_t a, size_t b)
{
	size_t of_a = test->job[a].partition, of_b = test->job[b].partition;
	double factor_a = test->partition[of_a].queue.partition_factor;
	double factor_b = test->partition[of_b].queue.partition_factor;

	of_a = served_with (test, of_a);
	of_b = served_with (test, of_b);
	if (factor_a != factor_b)
		return factor_a > factor_b;
	return of_a != of_b ? of_a < of_b : a < b;
}

static void list_waiting(struct model *model, int now)
{
	model->waiting = 0;
	for (size_t i = 0; i < model->test->count; i++) {
		size_t at = model->waiting;

		if (!is_waiting (model, i, now))
			continue;
		for (; at && goes_before (model->test, i, model->order[at - 1]); at--)
			model->order[at] = model->order[at - 1];
		model->order[at] = i;
		model->waiting++;
	}
}

/* Moves the next of the jobs at `from` and behind to the front of them: one that is in no pool or
 * whose partition is below what it got; if there is none, one of the partition that is the least
 * above, over its share, or with UsePriorityInPool the first. */
static void move_next(struct model *model, int held[MOST_PARTITIONS], size_t from)
{
	const struct test_case *test = model->test;
	size_t next = from, job;
	double least_above = INFINITY;

	for (size_t i = model->waiting; i-- > from;) {
		size_t partition = test->job[model->order[i]].partition;
		uint32_t pool = test->partition[partition].pool;
		double above = pool ? held[partition] - model->got[pool - 1][partition] : -1;

		if (pool && above >= 0)
			above = test->pool[pool - 1].use_priority
					? 0 : above / test->partition[partition].slot_share;
		if (above < 0)
			above = -1;
		if (above > least_above)
			continue;
		next = i;
		least_above = above;
	}
	job = model->order[next];
	for (; next > from; next--)
		model->order[next] = model->order[next - 1];
	model->order[from] = job;
	held[test->job[job].partition] += (int)test->job[job].cpus;
}

static void take_turns(struct model *model)
{
	int held[MOST_PARTITIONS] = { 0 };

	for (size_t i = 0; i < model->test->rules.partition_count; i++)
		if (model->test->partition[i].pool)
			held[i] = model->held[model->test->partition[i].pool - 1][i];
	for (size_t i = 0; i < model->waiting; i++)
		move_next (model, held, i);
}

/* Starts the job if it fits, on groups in turn. */
static void try_start(struct model *model, size_t job, int now)
{
	const struct test_case *test = model->test;
	const struct replay_partition *partition = &test->partition[test->job[job].partition];
	int left = (int)test->job[job].cpus, free = 0;

	for (size_t i = 0; i < partition->group_count; i++)
		free += model->free[partition->group[i]];
	if (model->start[job] >= 0 || free < left)
		return;
	model->start[job] = now;
	for (size_t i = 0; i < partition->group_count; i++) {
		uint32_t group = partition->group[i];

		model->taken[job][group] = least (left, model->free[group]);
		left -= model->taken[job][group];
		model->free[group] -= model->taken[job][group];
	}
}

static void end_jobs(struct model *model, int now)
{
	for (size_t i = 0; i < model->test->count; i++)
		if (model->start[i] >= 0 && model->start[i] + model->test->job[i].run == now)
			for (size_t group = 0; group < MOST_GROUPS; group++) {
				model->free[group] += model->taken[i][group];
				model->taken[i][group] = 0;
			}
}

static void do_second(struct model *model, int now)
{
	const struct test_case *test = model->test;
	bool is_pass = now % (int)test->rules.calc_period == 0, has_arrivals = false;

	end_jobs (model, now);
	for (size_t i = 0; i < test->count; i++)
		has_arrivals |= test->job[i].submit == now;
	if (is_pass || has_arrivals)
		count_held (model);
	if (is_pass)
		do_pass (model, now);
	if (is_pass || has_arrivals) {
		list_waiting (model, now);
		take_turns (model);
	}
	for (size_t i = 0; i < model->waiting; i++)
		try_start (model, model->order[i], now);
}

static void run_model(struct model *model, const struct test_case *test)
{
	*model = (struct model){ .test = test };
	for (size_t i = 0; i < MOST_GROUPS; i++)
		model->free[i] = (int)test->cpus[i];
	for (size_t i = 0; i < MOST_JOBS; i++)
		model->start[i] = -1;
	for (int now = 0; now < HORIZON; now++)
		do_second (model, now);
}

/* ---- random traces -------------------------------------------------------------------------- */

static void make_groups(struct test_case *test, uint32_t partition, uint32_t groups)
{
	struct replay_partition *of = &test->partition[partition];

	of->group = test->group[partition];
	of->group_count = 0;
	for (uint32_t i = 0; i < MOST_GROUPS; i++)
		if (groups >> i & 1)
			test->group[partition][of->group_count++] = i;
}

static void make_partitions(struct test_case *test, struct unit_random *random)
{
	const uint32_t all = (1U << MOST_GROUPS) - 1;
	uint32_t groups[MOST_POOLS];

	test->rules.pool_count = 1 + unit_random_below (random, MOST_POOLS);
	test->rules.partition_count = test->rules.pool_count + unit_random_below (random, 6);
	for (size_t i = 0; i < MOST_POOLS; i++) {
		groups[i] = 1 + unit_random_below (random, all);
		if (!unit_random_below (random, 3))
			test->pool[i].max_slots = 1 + unit_random_below (random, 12);
		test->pool[i].use_priority = !unit_random_below (random, 4);
	}
	for (uint32_t i = 0; i < test->rules.partition_count; i++) {
		struct replay_partition *partition = &test->partition[i];

		partition->pool = i < test->rules.pool_count
					  ? i + 1 : unit_random_below (random,
						(uint32_t)test->rules.pool_count + 1);
		if (partition->pool)
			partition->slot_share = 1 + unit_random_below (random, 100);
		partition->queue.partition_factor = unit_random_below (random, 3);
		make_groups (test, i, partition->pool
						      ? groups[partition->pool - 1]
						      : 1 + unit_random_below (random, all));
	}
}

/* Gives the hosts of one group to a scope, if each pool has others. */
static void make_scope(struct test_case *test, struct unit_random *random)
{
	uint32_t scoped = unit_random_below (random, 2 * MOST_GROUPS);

	if (scoped >= MOST_GROUPS)
		return;
	for (size_t i = 0; i < test->rules.partition_count; i++)
		if (test->partition[i].pool && groups_of (test, i) == 1U << scoped)
			return;
	test->scope_of_group[scoped] = 1;
	test->scope = (struct replay_scope){ .policy = test->rules.policy,
					     .settings = test->rules.settings };
	test->rules.scope = &test->scope;
	test->rules.scope_count = 1;
	test->rules.scope_of_group = test->scope_of_group;
	for (size_t i = 0; i < test->rules.partition_count; i++)
		test->partition[i].scope = groups_of (test, i) >> scoped & 1;
}

/* From time to time nobody has jobs for several passes. */
static void make_jobs(struct test_case *test, struct unit_random *random)
{
	double submit = 0;

	test->count = 20 + unit_random_below (random, 60);
	for (size_t i = 0; i < test->count; i++) {
		uint32_t partition = unit_random_below (random,
							(uint32_t)test->rules.partition_count);
		double run = 1 + unit_random_below (random, 60);

		if (i && !unit_random_below (random, 3))
			submit += unit_random_below (random, unit_random_below (random, 20)
								     ? 10 : 300);
		test->job[i] = (struct replay_job){
			.number = i, .submit = submit, .run = run, .estimate = run, .billing = 1,
			.cpus = 1 + unit_random_below (random, (uint32_t)least (6, cpus_of (test,
								groups_of (test, partition)))),
			.node = 1, .partition = partition,
		};
	}
}

TEST_LOOP (random_traces_are_as_in_the_model, 2)
{
	struct unit_random random = { 41 + (uint64_t)_i };
	static struct test_case test;
	static struct model model;

	for (int round = 0; round < suite_rounds (40); round++) {
		begin_case (&test, "fcfs", "none", 0);
		for (size_t i = 0; i < MOST_GROUPS; i++) {
			test.cpus[i] = 1 + unit_random_below (&random, 6);
			test.rules.cpus += test.cpus[i];
		}
		test.rules.group_count = MOST_GROUPS;
		test.rules.calc_period = 7 + unit_random_below (&random, 30);
		test.rules.half_life = _i ? 50 + unit_random_below (&random, 300) : 0;
		make_partitions (&test, &random);
		make_scope (&test, &random);
		make_jobs (&test, &random);
		run (&test);
		run_model (&model, &test);
		for (size_t i = 0; i < test.count; i++)
			ck_assert_msg (test.start[i] == model.start[i],
				       "round %d, job %zu: %g, wanted %d", round, i, test.start[i],
				       model.start[i]);
	}
}
