/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools and partitions outside, in one scheduling cycle: slurmctld starts jobs by their
 * priorities until no CPU is free. The examples are LSF's, see "Managing pools of queues" and
 * "Typical slot allocation scenarios".
 */
#include "scenario/host_files.h"
#include "scenario/host_suite.h"
#include "scenario/sixteen_nodes.h"

#define QUEUES 8
#define NODES 2
#define MOST_JOBS 256

/* Each node has so many CPUs; the letter of a pool is its name, -: outside; jobs of one CPU. */
static const struct example {
	const char *what;
	uint16_t cpus;
	struct {
		const char *name;
		char pool;
		unsigned share;
		uint16_t priority;
		int first, last;	/* nodes */
		size_t jobs, started;
	} queue[QUEUES];
} examples[] = {
	{ "two queues outside, of the priority of two in the pool", 15, {
		{ "Pisa", 'B', 30, 44, 0, 0, 20, 5 }, { "Milano", '-', 0, 43, 0, 0, 3, 3 },
		{ "Parma", '-', 0, 43, 0, 0, 3, 3 }, { "Venezia", 'B', 30, 43, 0, 0, 20, 2 },
		{ "Bologna", 'B', 30, 43, 0, 0, 20, 2 } } },
	{ "with the other pool", 15, {
		{ "Roma", 'A', 50, 50, 1, 1, 20, 8 }, { "Verona", 'A', 30, 48, 1, 1, 20, 5 },
		{ "Genova", 'A', 20, 48, 1, 1, 20, 2 }, { "Pisa", 'B', 30, 44, 0, 0, 20, 5 },
		{ "Milano", '-', 0, 43, 0, 0, 3, 3 }, { "Parma", '-', 0, 43, 0, 0, 3, 3 },
		{ "Venezia", 'B', 30, 43, 0, 0, 20, 2 },
		{ "Bologna", 'B', 30, 43, 0, 0, 20, 2 } } },
	{ "the share of the first is kept, and the last waits", 10, {
		{ "high", 'p', 50, 50, 0, 0, 20, 5 }, { "outside", '-', 0, 30, 0, 0, 20, 5 },
		{ "low", 'p', 50, 10, 0, 0, 20, 0 } } },
	{ "as long as the one between wants slots", 10, {
		{ "high", 'p', 50, 50, 0, 0, 20, 6 }, { "outside", '-', 0, 30, 0, 0, 1, 1 },
		{ "low", 'p', 50, 10, 0, 0, 20, 3 } } },
	{ "queue4 is the last", 12, {
		{ "queue1", 'p', 50, 50, 0, 0, 20, 6 }, { "queue2", 'p', 30, 48, 0, 0, 20, 4 },
		{ "queue3", 'p', 20, 46, 0, 0, 20, 2 }, { "queue4", '-', 0, 44, 0, 0, 20, 0 } } },
	{ "the pool divides what queue4 leaves", 12, {
		{ "queue1", 'p', 50, 50, 0, 0, 20, 5 }, { "queue2", 'p', 30, 48, 0, 0, 20, 3 },
		{ "queue3", 'p', 20, 46, 0, 0, 20, 1 }, { "queue4", '-', 0, 60, 0, 0, 3, 3 } } },
	{ "which may be nothing", 12, {
		{ "queue1", 'p', 50, 50, 0, 0, 20, 0 }, { "queue2", 'p', 30, 48, 0, 0, 20, 0 },
		{ "queue3", 'p', 20, 46, 0, 0, 20, 0 }, { "queue4", '-', 0, 60, 0, 0, 20, 12 } } },
	{ "two pools, and two queues between them on the hosts of both", 15, {
		{ "queue1", 'A', 50, 50, 0, 0, 20, 8 }, { "queue2", 'A', 30, 48, 0, 0, 20, 5 },
		{ "queue3", 'A', 20, 46, 0, 0, 20, 2 }, { "queue4", '-', 0, 45, 0, 1, 2, 2 },
		{ "queue5", '-', 0, 44, 0, 1, 3, 3 }, { "queue6", 'B', 30, 43, 1, 1, 20, 4 },
		{ "queue7", 'B', 30, 42, 1, 1, 20, 3 }, { "queue8", 'B', 30, 41, 1, 1, 20, 3 } } },
};

static const char *const policies[] = { "Policy=fcfs", "Policy=lsf", "Policy=fair-tree" };

static part_record_t *partition[QUEUES];
static job_record_t *job[MOST_JOBS];
static size_t job_count;

static void add_partitions(const struct example *given, FILE *conf)
{
	for (size_t i = 0; i < QUEUES && given->queue[i].name; i++) {
		partition[i] = host_partition(given->queue[i].name, given->queue[i].priority, NULL);
		put_on_nodes(partition[i], given->queue[i].first, given->queue[i].last);
		partition[i]->total_cpus = given->cpus *
			(uint32_t)(given->queue[i].last - given->queue[i].first + 1);
		if (given->queue[i].share)
			fprintf(conf, "SlotPool=%c Partition=%s SlotShare=%u\n",
				given->queue[i].pool, given->queue[i].name, given->queue[i].share);
	}
}

/* The last queue submits first. */
static void submit_all(const struct example *given)
{
	struct host_association *user = host_user(host_root(), "anna", 1);

	for (size_t i = QUEUES; i-- > 0;)
		for (size_t n = 0; n < given->queue[i].jobs; n++)
			job[job_count++] = host_job(&(struct host_job){
				.user = user, .minutes = 6000, .partition = { partition[i] } });
}

static void open_cluster(const struct example *given, const char *policy)
{
	FILE *file;

	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\nPriorityWeightFairshare=100000\n");
	host_passed_at(host_now());
	make_nodes();
	for (int i = 0; i < NODES; i++)
		node_record_table_ptr[i]->cpus = given->cpus;
	host_open();
	file = fopen(in_folder("fathom.conf"), "w");
	fprintf(file, "%s\n", policy);
	add_partitions(given, file);
	fclose(file);
	host_load(FATHOM_PLUGIN);
}

static int free_node(const part_record_t *record, const unsigned *free)
{
	for (int i = 0; i < NODES; i++)
		if (free[i] && bit_test(record->node_bitmap, i))
			return i;
	return -1;
}

/* The pending job with the highest priority, of equal ones the first submitted, that has a free CPU
 * on the nodes of its partition. */
static job_record_t *next_job(const unsigned *free)
{
	job_record_t *best = NULL;

	for (size_t i = 0; i < job_count; i++)
		if (IS_JOB_PENDING(job[i]) && free_node(job[i]->part_ptr, free) >= 0 &&
		    (!best || job[i]->priority > best->priority))
			best = job[i];
	return best;
}

/* Policies in the outer loop of the number, examples in the inner one. */
TEST_LOOP(one_cycle_starts_what_the_document_says, COUNT(examples) * COUNT(policies))
{
	const struct example *given = &examples[_i % COUNT(examples)];
	unsigned free[NODES] = { given->cpus, given->cpus };
	size_t started[QUEUES] = { 0 };
	job_record_t *next;

	open_cluster(given, policies[_i / COUNT(examples)]);
	submit_all(given);
	host_pass();
	while ((next = next_job(free))) {
		free[free_node(next->part_ptr, free)]--;
		host_job_begin(next, host_now());
		for (size_t i = 0; i < QUEUES; i++)
			started[i] += next->part_ptr == partition[i];
	}
	for (size_t i = 0; i < QUEUES && given->queue[i].name; i++)
		ck_assert_msg(started[i] == given->queue[i].started, "%s, %s: %s has %zu, not %zu",
			      policies[_i / COUNT(examples)], given->what, given->queue[i].name,
			      started[i], given->queue[i].started);
}
