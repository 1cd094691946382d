/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slot pools: the tables of LSF's queue-based fairshare. */
#include "../unit.h"

#define MANY 1000	/* jobs: more than there are slots */
#define QUEUES 16

/* Queues end where the name is NULL; share 0: outside the pool. */
struct queue {
	const char *name;
	double share;
	uint64_t demand;
	double priority, used;
	uint64_t limit;		/* 0: none */
	uint64_t got;
};

static const struct table {
	const char *what;
	uint64_t slots, max_slots;	/* 0: all */
	bool use_priority;
	uint64_t left;
	struct queue queue[QUEUES];
} tables[] = {
	{ "two hosts of 6", 12, 0, false, 0, {
		{ "queue1", 50, MANY, 50, 0, 0, 6 }, { "queue2", 30, MANY, 48, 0, 0, 4 },
		{ "queue3", 20, MANY, 46, 0, 0, 2 } } },
	{ "poolA", 15, 0, false, 0, {
		{ "queue1", 50, 492, 50, 0, 0, 8 }, { "queue2", 30, 500, 48, 0, 0, 5 },
		{ "queue3", 20, 498, 46, 0, 0, 2 } } },
	{ "poolB", 15, 0, false, 0, {
		{ "queue4", 30, 985, 44, 0, 0, 5 }, { "queue5", 30, 985, 43, 0, 0, 5 },
		{ "queue6", 30, 985, 42, 0, 0, 5 } } },
	{ "phase 1", 15, 0, false, 0, {
		{ "Roma", 50, 1000, 50, 0, 0, 8 }, { "Verona", 30, 995, 48, 0, 0, 5 },
		{ "Genova", 20, 996, 48, 0, 0, 2 } } },
	{ "phase 2", 15, 0, false, 0, {
		{ "Roma", 50, 231, 50, 0, 0, 11 }, { "Verona", 30, 0, 48, 0, 0, 0 },
		{ "Genova", 20, 496, 48, 0, 0, 4 } } },
	{ "phase 3", 15, 0, false, 0, {
		{ "Roma", 50, 0, 50, 0, 0, 0 }, { "Verona", 30, 0, 48, 0, 0, 0 },
		{ "Genova", 20, 475, 48, 0, 0, 15 } } },
	{ "two queues out of any pool, idle", 15, 0, false, 0, {
		{ "Pisa", 30, 1000, 44, 0, 0, 5 }, { "Milano", 0, 0, 43, 0, 0, 0 },
		{ "Parma", 0, 0, 43, 0, 0, 0 }, { "Venezia", 30, 1000, 43, 0, 0, 5 },
		{ "Bologna", 30, 1000, 43, 0, 0, 5 } } },
	{ "two queues out of any pool", 15, 0, false, 0, {
		{ "Pisa", 30, 995, 44, 0, 0, 5 }, { "Milano", 0, 3, 43, 0, 0, 3 },
		{ "Parma", 0, 3, 43, 0, 0, 3 }, { "Venezia", 30, 995, 43, 0, 0, 2 },
		{ "Bologna", 30, 995, 43, 0, 0, 2 } } },
	{ "poolA of 13 queues", 21, 0, false, 0, {
		{ "Roma", 50, 17, 50, 0, 0, 11 }, { "Verona", 30, 25, 48, 0, 0, 7 },
		{ "Genova", 20, 463, 47, 0, 0, 3 } } },
	{ "poolB of 13 queues", 21, 0, false, 0, {
		{ "Pisa", 10, 264, 44, 0, 0, 3 }, { "Milano", 10, 262, 43, 0, 0, 3 },
		{ "Parma", 10, 260, 42, 0, 0, 3 }, { "Bologna", 10, 260, 40, 0, 0, 3 },
		{ "Sora", 10, 261, 40, 0, 0, 3 }, { "Ferrara", 10, 258, 40, 0, 0, 3 },
		{ "Napoli", 10, 259, 40, 0, 0, 3 }, { "Livorno", 10, 258, 40, 0, 0, 0 },
		{ "Palermo", 10, 256, 40, 0, 0, 0 }, { "Venezia", 10, 255, 4, 0, 0, 0 } } },
	{ "poolB, when the first seven have run", 21, 0, false, 0, {
		{ "Livorno", 10, 258, 40, 0, 0, 3 }, { "Palermo", 10, 256, 40, 0, 0, 3 },
		{ "Venezia", 10, 255, 4, 0, 0, 3 },
		{ "Pisa", 10, 264, 44, 3, 0, 3 }, { "Milano", 10, 262, 43, 3, 0, 3 },
		{ "Parma", 10, 260, 42, 3, 0, 3 }, { "Bologna", 10, 260, 40, 3, 0, 3 },
		{ "Sora", 10, 261, 40, 3, 0, 0 }, { "Ferrara", 10, 258, 40, 3, 0, 0 },
		{ "Napoli", 10, 259, 40, 3, 0, 0 } } },
	{ "60 (3), 30, 30 (2)", 10, 0, false, 0, {
		{ "a", 60, 3, 3, 0, 0, 3 }, { "b", 30, MANY, 2, 0, 0, 5 },
		{ "c", 30, 2, 1, 0, 0, 2 } } },
	{ "a job limit", 100, 0, false, 0, {
		{ "a", 50, MANY, 2, 0, 40, 40 }, { "b", 50, MANY, 1, 0, 0, 60 } } },
	{ "demand beyond the limits of all", 100, 0, false, 30, {
		{ "a", 50, MANY, 2, 0, 40, 40 }, { "b", 50, 30, 1, 0, 0, 30 } } },
	{ "MAX_SLOTS_IN_POOL", 100, 10, false, 0, {
		{ "a", 50, MANY, 2, 0, 0, 5 }, { "b", 50, MANY, 1, 0, 0, 5 } } },
	{ "MAX_SLOTS_IN_POOL, the rest to who is outside", 100, 10, false, 0, {
		{ "a", 50, MANY, 2, 0, 0, 5 }, { "b", 50, MANY, 1, 0, 0, 5 },
		{ "c", 0, MANY, 0, 0, 0, 90 } } },
	{ "MAX_SLOTS_IN_POOL, enough beside it for who is outside", 100, 10, false, 0, {
		{ "c", 0, 90, 3, 0, 0, 90 }, { "a", 50, MANY, 2, 0, 0, 5 },
		{ "b", 50, MANY, 1, 0, 0, 5 } } },
	{ "MAX_SLOTS_IN_POOL beyond all", 10, 100, false, 0, {
		{ "a", 50, MANY, 2, 0, 0, 5 }, { "b", 50, MANY, 1, 0, 0, 5 } } },
	{ "USE_PRIORITY_IN_POOL", 15, 0, true, 4, {
		{ "Roma", 50, 231, 50, 0, 0, 8 }, { "Verona", 30, 0, 48, 0, 0, 0 },
		{ "Genova", 20, 496, 48, 0, 0, 3 } } },
	{ "outside and first takes all", 15, 0, false, 0, {
		{ "queue4", 0, MANY, 60, 0, 0, 15 }, { "queue1", 50, MANY, 50, 0, 0, 0 } } },
	{ "outside and last takes what is left of the first round", 10, 0, false, 0, {
		{ "queue1", 50, MANY, 50, 0, 0, 5 }, { "queue4", 0, MANY, 40, 0, 0, 5 } } },
	{ "outside: place by priority, whatever the pool has used", 10, 0, false, 0, {
		{ "b", 30, MANY, 1, 0, 0, 4 }, { "x", 0, 4, 2, 0, 0, 4 },
		{ "a", 30, MANY, 3, 9, 0, 2 } } },
	{ "used counts by share", 10, 0, false, 0, {
		{ "b", 60, MANY, 1, 11, 0, 6 }, { "a", 30, MANY, 2, 6, 0, 3 },
		{ "c", 30, MANY, 3, 8, 0, 1 } } },
	{ "shares beyond 100", 10, 0, false, 0, {
		{ "a", 100, MANY, 2, 0, 0, 10 }, { "b", 100, MANY, 1, 0, 0, 0 } } },
	{ "shares of nothing are rounded up", 10, 0, false, 0, {
		{ "a", .001, MANY, 2, 0, 0, 5 }, { "b", .001, MANY, 1, 0, 0, 5 } } },
	{ "the least of shares", 10, 0, false, 0, { { "a", 1e-300, MANY, 2, 0, 0, 10 } } },
	{ "no slots", 0, 0, false, 0, { { "a", 50, MANY, 2, 0, 0, 0 } } },
	{ "no queues", 10, 0, false, 10, { { NULL } } },
	{ "two thirds of a slot", 1, 0, false, 0, {
		{ "a", 50, MANY, 2, 0, 0, 1 }, { "b", 50, MANY, 1, 0, 0, 0 } } },
};

static size_t queues_of(const struct queue *from, struct fathom_pool_queue *to)
{
	size_t count = 0;

	for (; count < QUEUES && from[count].name; count++)
		to[count] = (struct fathom_pool_queue){
			.in_pool = from[count].share > 0, .share = from[count].share,
			.demand = from[count].demand, .priority = from[count].priority,
			.limit = from[count].limit ? from[count].limit : FATHOM_NO_LIMIT,
			.used = from[count].used,
		};
	return count;
}

/* In the table queues stand in the order of service; they are configured in any. */
static void check_table(const struct table *table, size_t rotate)
{
	struct fathom_pool pool = { .slots = table->slots, .use_priority = table->use_priority,
				    .max_slots = table->max_slots ? table->max_slots
								  : FATHOM_NO_LIMIT };
	struct fathom_pool_queue queues[QUEUES];
	struct fathom_pool_grant grants[QUEUES];
	size_t count = queues_of(table->queue, queues);
	uint64_t total = table->slots < pool.max_slots ? table->slots : pool.max_slots, left;

	for (size_t i = 0; i < rotate; i++) {
		struct fathom_pool_queue first = queues[0];

		memmove(queues, queues + 1, (count - 1) * sizeof(*queues));
		queues[count - 1] = first;
	}
	ck_assert_int_eq(fathom_pool_allocate(&pool, queues, count, grants, &left, NULL), 0);
	ck_assert_msg(left == table->left, "%s: %llu left", table->what, (unsigned long long)left);
	for (size_t i = 0; i < count; i++) {
		const struct queue *expected = &table->queue[i];
		uint64_t deserved = fathom_pool_deserved(total, expected->share);

		ck_assert_msg(grants[i].queue == &queues[(i + count - rotate) % count],
			      "%s: %s is not number %zu", table->what, expected->name, i);
		ck_assert_msg(grants[i].got == expected->got, "%s: %s got %llu", table->what,
			      expected->name, (unsigned long long)grants[i].got);
		ck_assert_uint_eq(grants[i].deserved, deserved);
		ck_assert_uint_eq(grants[i].lent, expected->share > 0 && expected->got > deserved
							  ? expected->got - deserved : 0);
	}
}

TEST_EACH(pool_is_divided_as_the_table_says, tables)
{
	check_table(&tables[_i], 0);
}

/* Where the order does not come from that of configuration. */
TEST_EACH(order_of_configuration_decides_only_between_equals, tables)
{
	const struct queue *queue = tables[_i].queue;
	size_t count = 0, distinct = 0;

	for (; count < QUEUES && queue[count].name; count++)
		distinct += !count || queue[count].priority != queue[count - 1].priority;
	if (distinct == count)
		for (size_t rotate = 1; rotate < count; rotate++)
			check_table(&tables[_i], rotate);
}

static const struct { uint64_t slots; double share; uint64_t deserved; } shares[] = {
	{ 12, 50, 6 }, { 12, 30, 4 }, { 12, 20, 3 }, { 15, 50, 8 }, { 15, 20, 3 }, { 21, 10, 3 },
	{ 100, 29, 29 }, { 100, 7, 7 }, { 1000, 1.1, 11 }, { 3000, 1.1, 33 }, { 10, 100, 10 },
	{ 0, 50, 0 },
	{ 1, .1, 1 }, { 1, 1e-300, 1 }, { 1000000000, 33.3, 333000000 },
};

TEST_EACH(share_is_rounded_up_but_not_by_an_ulp, shares)
{
	ck_assert_uint_eq(fathom_pool_deserved(shares[_i].slots, shares[_i].share),
			  shares[_i].deserved);
}

/* Ten queues of equal shares for 21 slots: whoever got none comes next, and in
 * the long run all get the same. */
TEST(accumulated_slots_let_starved_queues_come_next)
{
	enum { COUNT = 10, HOURS = 400 };
	struct fathom_pool pool = { .slots = 21, .max_slots = FATHOM_NO_LIMIT };
	struct fathom_pool_queue queues[COUNT];
	struct fathom_pool_grant grants[COUNT];
	const double hour = 3600, half_life = 24 * hour;
	double total[COUNT] = { 0 };
	uint64_t left;

	for (size_t i = 0; i < COUNT; i++)
		queues[i] = (struct fathom_pool_queue){ .in_pool = true, .share = 10,
							.demand = MANY, .limit = FATHOM_NO_LIMIT,
							.priority = 50 - (double)i };
	for (size_t t = 0; t < HOURS; t++) {
		ck_assert_int_eq(fathom_pool_allocate(&pool, queues, COUNT, grants, &left, NULL),
				 0);
		for (size_t i = 0; i < COUNT; i++) {
			struct fathom_pool_queue *queue = &queues[grants[i].queue - queues];

			if (t == 1)	/* the three that got none */
				ck_assert_int_eq(i < 3, queue - queues >= 7);
			queue->used = queue->used * fathom_decay(hour, half_life) +
				      (double)grants[i].got * fathom_decayed_seconds(0, hour, hour,
										     half_life);
			total[queue - queues] += (double)grants[i].got;
		}
	}
	for (size_t i = 0; i < COUNT; i++)
		ck_assert_double_eq_tol(total[i], 21.0 * HOURS / COUNT, 21);
}

/* The rule as semantics has it, one round at a time. */
static void plain_rule(uint64_t left, const struct fathom_pool_queue *queues, size_t count,
		       uint64_t *got)
{
	uint64_t before;

	memset(got, 0, count * sizeof(*got));
	do {
		uint64_t start = before = left;

		for (size_t i = 0; i < count; i++) {
			uint64_t want = fathom_pool_deserved(start, queues[i].share);

			if (want > queues[i].demand - got[i])
				want = queues[i].demand - got[i];
			if (want > left)
				want = left;
			got[i] += want;
			left -= want;
		}
	} while (left && left < before);
}

TEST_LOOP(rounds_done_at_once_are_those_done_one_by_one, 8)
{
	struct unit_random random = { (uint64_t)_i + 1 };
	struct fathom_pool_queue queues[QUEUES];
	struct fathom_pool_grant grants[QUEUES];
	uint64_t got[QUEUES], left;

	for (int n = 0; n < 500; n++) {
		size_t count = 1 + unit_random_below(&random, QUEUES);
		struct fathom_pool pool =
			{ .slots = unit_random_below(&random, 1u << unit_random_below(&random, 15)),
					    .max_slots = FATHOM_NO_LIMIT };
		double scale = unit_random_below(&random, 2) ? 100 : .5;

		for (size_t i = 0; i < count; i++)
			queues[i] = (struct fathom_pool_queue){
				.in_pool = true, .limit = FATHOM_NO_LIMIT, .priority = -(double)i,
				.share = (unit_random_below(&random, 1000) + 1) / 1000.0 * scale,
				.demand =
					unit_random_below(&random,
							  1u << unit_random_below(&random, 15)),
			};
		plain_rule(pool.slots, queues, count, got);
		ck_assert_int_eq(fathom_pool_allocate(&pool, queues, count, grants, &left, NULL),
				 0);
		for (size_t i = 0; i < count; i++)
			ck_assert_uint_eq(grants[i].got, got[i]);
	}
}

/* The last one would take years, if each round were done by itself. */
static const struct { double share, demand; uint64_t slots; } great[] = {
	{ 100e-5, 1e9, 1000000000 }, { 1e-7, 1e9, 1000000000 },
	{ 1e-6, 1e4, 1000000000 }, { 50, 2e4, 1000000000 },
	{ 1e-300, 1e14, 1000000000000000000 },
};

TEST_EACH(great_pools_are_divided_many_rounds_at_once, great)
{
	enum { COUNT = 10000 };
	struct fathom_pool pool = { .slots = great[_i].slots, .max_slots = FATHOM_NO_LIMIT };
	struct fathom_pool_queue *queues = calloc(COUNT, sizeof(*queues));
	struct fathom_pool_grant *grants = calloc(COUNT, sizeof(*grants));
	struct unit_random random = { 7 };
	uint64_t left, sum = 0;

	for (size_t i = 0; i < COUNT; i++)
		queues[i] = (struct fathom_pool_queue){
			.in_pool = true, .limit = FATHOM_NO_LIMIT,
			.share = great[_i].share * (.5 + unit_random_real(&random) / 2),
			.demand = (uint64_t)(great[_i].demand * unit_random_real(&random)),
		};
	ck_assert_int_eq(fathom_pool_allocate(&pool, queues, COUNT, grants, &left, NULL), 0);
	for (size_t i = 0; i < COUNT; i++)
		sum += grants[i].got;
	ck_assert_uint_eq(sum + left, pool.slots);
	free(queues);
	free(grants);
}

TEST_LOOP(one_queue_with_the_least_of_shares_ends_quickly, 20)
{
	struct fathom_pool pool = { .slots = 1000000000, .max_slots = FATHOM_NO_LIMIT };
	struct fathom_pool_queue queue = { .in_pool = true, .share = _i ? 1e-5 / _i / _i : 1e-7,
					   .limit = FATHOM_NO_LIMIT, .demand = FATHOM_NO_LIMIT };
	struct fathom_pool_grant grant;
	uint64_t left;

	ck_assert_int_eq(fathom_pool_allocate(&pool, &queue, 1, &grant, &left, NULL), 0);
	ck_assert_uint_eq(grant.got, pool.slots);
	ck_assert_uint_eq(left, 0);
}

/* ---- the order of dispatch --------------------------------------------------------- */

#define MOST_JOBS 128

/* Queues stand in the order of service; a name is one letter; share 0: outside the pool. demand:
 * beside what it holds. */
static const struct dispatch {
	const char *what;
	uint64_t slots;
	struct { char name; double share; uint64_t demand, held, jobs; } queue[5];
	const char *order;
	bool use_priority;
} dispatches[] = {
	{ "8 5 2, from the highest priority queue first", 15, {
		{ 'R', 50, 100, 0, 9 }, { 'V', 30, 100, 0, 6 }, { 'G', 20, 100, 0, 3 } },
	  "RRRRRRRRVVVVVGGRVG", false },
	{ "Verona is idle: 11 0 4", 15, {
		{ 'R', 50, 100, 0, 12 }, { 'V', 30, 0, 0, 0 }, { 'G', 20, 100, 0, 4 } },
	  "RRRRRRRRRRRGGGGR", false },
	{ "Verona comes back: what ends is hers, until she has too many", 15, {
		{ 'R', 50, 100, 11, 1 }, { 'V', 30, 100, 0, 7 }, { 'G', 20, 100, 4, 1 } },
	  "VVVVVVVRG", false },
	{ "beyond what they got, who holds more for its share waits", 15, {
		{ 'a', 50, 100, 8, 5 }, { 'b', 30, 100, 5, 3 }, { 'c', 20, 100, 2, 3 } },
	  "abcabacabac", false },
	{ "or they keep their order", 15, {
		{ 'a', 50, 100, 8, 3 }, { 'b', 30, 100, 5, 3 }, { 'c', 20, 100, 0, 5 } },
	  "ccaaabbbccc", true },
	{ "a queue outside at its place", 15, {
		{ 'P', 30, 20, 0, 20 }, { 'M', 0, 3, 0, 3 }, { 'A', 0, 3, 0, 3 },
		{ 'V', 30, 20, 0, 20 }, { 'B', 30, 20, 0, 20 } },
	  "PPPPPMMMAAAVVBBPVBPVBPVBPVBPVBPVBPVBPVBPVBPVBPVBPVBPVBPVBPVBVBVBVB", false },
	{ "it dispatches as many jobs as it can", 10, {
		{ 'h', 50, 20, 0, 7 }, { 'x', 0, 20, 0, 7 }, { 'l', 50, 20, 0, 3 } },
	  "hhhhhxxxxxxxhlhll", false },
	{ "and may take all slots of the pool", 12, {
		{ 'x', 0, 20, 0, 3 }, { 'a', 50, 20, 0, 2 }, { 'b', 30, 20, 0, 1 },
		{ 'c', 20, 20, 0, 1 } },
	  "xxxabca", false },
	{ "or none, if it is the last", 12, {
		{ 'a', 50, 20, 0, 7 }, { 'b', 30, 20, 0, 5 }, { 'c', 20, 20, 0, 3 },
		{ 'x', 0, 20, 0, 2 } },
	  "aaaaaabbbbccxxabc", false },
	{ "nobody waits", 15, { { 'a', 50, 0, 0, 0 } }, "", false },
};

/* Lists the jobs of a queue after another, each of one slot. */
static size_t list_jobs(const struct dispatch *given, size_t queues, struct fathom_pool_job *jobs)
{
	size_t count = 0;

	for (size_t i = 0; i < queues; i++)
		for (uint64_t n = 0; n < given->queue[i].jobs; n++)
			jobs[count++] = (struct fathom_pool_job){ i, 1 };
	return count;
}

TEST_EACH(what_is_divided_decides_who_goes_before_whom, dispatches)
{
	const struct dispatch *given = &dispatches[_i];
	const struct fathom_pool pool = { given->slots, FATHOM_NO_LIMIT, given->use_priority };
	struct fathom_pool_queue queues[5] = { 0 };
	struct fathom_pool_grant grants[5];
	struct fathom_pool_turns turns[5] = { 0 };
	struct fathom_pool_job jobs[MOST_JOBS];
	size_t order[MOST_JOBS], count = 0, job_count;
	char names[MOST_JOBS] = "";
	uint64_t left;

	for (; count < 5 && given->queue[count].name; count++)
		queues[count] = (struct fathom_pool_queue){
			.in_pool = given->queue[count].share > 0,
			.share = given->queue[count].share,
			.demand = given->queue[count].held + given->queue[count].demand,
			.limit = FATHOM_NO_LIMIT, .priority = 10 - (double)count,
		};
	ck_assert_int_eq(fathom_pool_allocate(&pool, queues, count, grants, &left, NULL), 0);
	for (size_t i = 0; i < count; i++)
		turns[i] = (struct fathom_pool_turns){ queues[i].in_pool ? &grants[i] : NULL,
						       given->queue[i].held, given->use_priority };
	job_count = list_jobs(given, count, jobs);
	ck_assert_int_eq(fathom_pool_dispatch(turns, jobs, job_count, order, NULL), 0);
	for (size_t i = 0; i < job_count; i++)
		names[i] = given->queue[jobs[order[i]].queue].name;
	ck_assert_msg(!strcmp(names, given->order), "%s: %s, not %s", given->what, names,
		      given->order);
}

/* Two pools, and a queue outside between their queues; jobs of one slot and of four. */
TEST(jobs_of_a_queue_keep_their_order)
{
	const struct fathom_pool pool = { .slots = 6, .max_slots = FATHOM_NO_LIMIT };
	const struct fathom_pool_queue queue = { true, 100, 9, FATHOM_NO_LIMIT, 1, 0 };
	const struct fathom_pool_job jobs[] = {
		{ 0, 4 }, { 0, 1 }, { 0, 4 }, { 0, 1 }, { 1, 4 }, { 1, 1 }, { 2, 4 }, { 2, 4 },
		{ 2, 1 },
	};
	/* 0 and 2 have 6: 4, 1 and 4, and 4 and 4, as 1 and 2 are left; then they are 3 and 2
	 * above */
	const size_t expected[] = { 0, 1, 2, 4, 5, 6, 7, 8, 3 };
	struct fathom_pool_grant grants[2];
	struct fathom_pool_turns turns[3] = { { &grants[0], 0, false }, { NULL, 0, false },
					      { &grants[1], 0, false } };
	size_t order[9];
	uint64_t left;

	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(fathom_pool_allocate(&pool, &queue, 1, &grants[i], &left, NULL),
				 0);
	ck_assert_int_eq(fathom_pool_dispatch(turns, jobs, 9, order, NULL), 0);
	for (size_t i = 0; i < 9; i++)
		ck_assert_uint_eq(order[i], expected[i]);
	ck_assert_uint_eq(turns[0].held, 10);
	ck_assert_uint_eq(turns[2].held, 9);
	ck_assert_int_eq(fathom_pool_dispatch(turns, NULL, 0, order, NULL), 0);
}
