/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools in one scheduling cycle: slurmctld starts jobs by their priorities until no CPU
 * is free, and partitions get what LSF gives to the queues of a pool.
 */
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#define CPUS 15
#define QUEUES 3
#define MOST_JOBS 64
#define POOL "SlotPool=all Partition=Roma SlotShare=50\n" \
	     "SlotPool=all Partition=Verona SlotShare=30\n" \
	     "SlotPool=all Partition=Genova SlotShare=20\n"

static const char *const names[QUEUES] = { "Roma", "Verona", "Genova" };
static part_record_t *queue[QUEUES];
static struct host_association *anna, *bert;
static job_record_t *job[MOST_JOBS];
static size_t job_count;

static void open_with_pool(const char *conf, const char *pool)
{
	char text[1024];

	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\nPriorityWeightFairshare=100000\n"
		       "PriorityFlags=NO_FAIR_TREE\n");
	host_passed_at(host_now());
	snprintf(text, sizeof(text), "%s\n%s", conf, pool);
	write_conf(text);
	anna = host_user(host_root(), "anna", 1);
	bert = host_user(host_root(), "bert", 1);
	host_open();
	for (size_t i = 0; i < QUEUES; i++) {
		queue[i] = host_partition(names[i], 1, NULL);
		queue[i]->node_bitmap = bit_alloc(16);
		bit_nset(queue[i]->node_bitmap, 0, 4);
		queue[i]->total_nodes = 5;
		queue[i]->total_cpus = CPUS;
	}
	host_load(FATHOM_PLUGIN);
}

static void open_cluster(const char *conf)
{
	open_with_pool(conf, POOL);
}

static void submit(struct host_association *user, size_t at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		job[job_count++] = host_job(&(struct host_job){ .user = user, .minutes = 6000,
								.partition = { queue[at] } });
}

static bool is_in(const job_record_t *of, size_t at)
{
	return of->part_ptr == queue[at];
}

/* The pending job with the highest priority, of equal ones the first submitted. */
static job_record_t *next_job(void)
{
	job_record_t *best = NULL;

	for (size_t i = 0; i < job_count; i++)
		if (IS_JOB_PENDING(job[i]) && (!best || job[i]->priority > best->priority))
			best = job[i];
	return best;
}

/* Starts jobs on so many free CPUs, as in one cycle of slurmctld. */
static void run_cycle(size_t free, size_t started[QUEUES])
{
	job_record_t *next;

	memset(started, 0, QUEUES * sizeof(*started));
	for (; free && (next = next_job()); free--) {
		host_job_begin(next, host_now());
		for (size_t i = 0; i < QUEUES; i++)
			started[i] += is_in(next, i);
	}
}

static void end_jobs(size_t at, size_t count)
{
	for (size_t i = 0; count && i < job_count; i++)
		if (IS_JOB_RUNNING(job[i]) && is_in(job[i], at)) {
			host_job_end(job[i]);
			host_job_cleaned(job[i]);
			count--;
		}
}

static void assert_started(const size_t started[QUEUES], size_t roma, size_t verona, size_t genova)
{
	ck_assert_msg(started[0] == roma && started[1] == verona && started[2] == genova,
		      "%zu %zu %zu, not %zu %zu %zu", started[0], started[1], started[2], roma,
		      verona, genova);
}

static const char *const policies[] = {
	"Policy=fcfs\nScope=r Partitions=Roma Policy=lsf\nScope=g Partitions=Genova Policy=lsf",
	"Policy=lsf",
	"Policy=fcfs",
	"Policy=classic",
	"Policy=fair-tree\nScope=r Partitions=Roma Policy=classic",
	"Policy=flux",
	"Formula=fairshare FormulaScale=100000",
};
#define POLICIES (COUNT(policies) - !HAS_FORMULAS)

TEST_LOOP(shares_hold_in_one_cycle, POLICIES)
{
	size_t started[QUEUES];

	open_cluster(policies[_i]);
	for (size_t i = 0; i < QUEUES; i++)
		submit(anna, i, 20);
	host_pass();
	run_cycle(CPUS, started);
	assert_started(started, 8, 5, 2);
	/* what ends is replaced by the same */
	end_jobs(0, 3);
	end_jobs(1, 1);
	host_pass();
	run_cycle(4, started);
	assert_started(started, 3, 1, 0);
}

/* Verona is idle: 8 0 3 by the shares, and the 4 slots left go to Genova's jobs, the first ones.
 * The first policy serves queue by queue. */
TEST_RANGE(slots_left_go_by_priority_of_jobs, 1, POLICIES)
{
	size_t started[QUEUES];

	open_with_pool(policies[_i], "SlotPool=all Partition=Roma SlotShare=50 "
				     "UsePriorityInPool=yes\n"
				     "SlotPool=all Partition=Verona SlotShare=30\n"
				     "SlotPool=all Partition=Genova SlotShare=20\n");
	submit(anna, 2, 20);
	submit(anna, 0, 20);
	host_pass();
	run_cycle(CPUS, started);
	assert_started(started, 8, 0, 7);
}

TEST_LOOP(slots_of_an_idle_queue_are_lent_and_come_back, POLICIES)
{
	size_t started[QUEUES];

	open_cluster(policies[_i]);
	submit(anna, 0, 20);
	submit(anna, 2, 20);
	host_pass();
	run_cycle(CPUS, started);
	assert_started(started, 11, 0, 4);
	submit(anna, 1, 20);
	end_jobs(0, 3);
	end_jobs(2, 2);
	host_pass();
	run_cycle(5, started);
	assert_started(started, 0, 5, 0);
}

/* Within each queue users take turns, as in LSF's order of dispatch. */
TEST(users_share_what_their_queue_gets)
{
	size_t of_anna = 0, of_bert = 0, started[QUEUES];

	open_cluster("Scope=r Partitions=Roma Policy=lsf\nScope=v Partitions=Verona Policy=lsf\n"
		     "Scope=g Partitions=Genova Policy=lsf");
	submit(anna, 0, 10);
	submit(bert, 0, 10);
	submit(anna, 1, 10);
	submit(anna, 2, 10);
	host_pass();
	run_cycle(CPUS, started);
	assert_started(started, 8, 5, 2);
	for (size_t i = 0; i < job_count; i++) {
		bool counts = IS_JOB_RUNNING(job[i]) && is_in(job[i], 0);

		of_anna += counts && job[i]->assoc_id == anna->id;
		of_bert += counts && job[i]->assoc_id == bert->id;
	}
	ck_assert_uint_eq(of_anna, 4);
	ck_assert_uint_eq(of_bert, 4);
}

/* Under a policy without places the better factor goes first within each partition. */
TEST(factor_of_the_user_decides_within_a_partition)
{
	size_t started[QUEUES];

	open_cluster("Policy=classic");
	submit(anna, 0, 10);
	submit(anna, 1, 5);
	submit(anna, 2, 2);
	host_pass();
	run_cycle(2, started);	/* anna's usage */
	submit(bert, 0, 10);
	host_pass();
	run_cycle(CPUS - 2, started);
	for (size_t i = 0; i < job_count; i++)
		if (IS_JOB_PENDING(job[i]) && is_in(job[i], 0) && job[i]->assoc_id == bert->id)
			ck_assert(i >= job_count - 4);
}

/* A job has all its CPUs at once. */
TEST(job_of_many_slots_counts_them_all)
{
	job_record_t *wide, *narrow;

	open_cluster("Policy=lsf");
	wide = host_job(&(struct host_job){ .user = anna, .partition = { queue[0] }, .cpus = 8 });
	submit(anna, 0, 1);
	submit(anna, 1, 5);
	submit(anna, 2, 2);
	narrow = job[0];	/* of Roma, behind */
	host_pass();
	for (size_t i = 1; i < job_count; i++)
		ck_assert_uint_gt(job[i]->priority, narrow->priority);
	ck_assert_uint_gt(wide->priority, narrow->priority);
}
