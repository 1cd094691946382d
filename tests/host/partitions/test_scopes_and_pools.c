/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes and slot pools of fathom.conf: partitions with usage of their own, the
 * order among partitions, and what they do not allow.
 */
#include "scenario/crash.h"
#include "scenario/sixteen_nodes.h"
#include "scenario/two_users.h"

static part_record_t *gpu_long;

static void open_cluster(const char *conf)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	gpu_long = host_partition("gpu-long", 50, NULL);
	two_users_load(conf);
}

static job_record_t *wait_in_both(struct host_association *user, part_record_t *first,
				  part_record_t *second)
{
	return host_job(&(struct host_job){ .user = user, .partition = { first, second } });
}

#define GPU "Scope=gpu Partitions=gpu,gpu-long"

TEST(use_in_one_scope_changes_nothing_in_another)
{
	job_record_t *in_gpu, *in_cpu, *in_both;

	open_cluster(GPU "\nScope=cpu Partitions=cpu");
	in_gpu = wait_in(anna, gpu);
	in_cpu = wait_in(anna, cpu);
	use(anna, cpu, 10, 1000);
	use(bert, cpu, 1, 1000);
	host_pass();
	/* nobody has used anything there */
	assert_factor_in(in_gpu, gpu, 1);
	assert_factor_in(in_cpu, cpu, classic(10 / 11.));

	use(anna, gpu_long, 1, 300);
	use(bert, gpu, 2, 300);
	in_both = wait_in_both(anna, gpu, cpu);
	host_pass();
	assert_factor_in(in_gpu, gpu, classic(1 / 3.));
	assert_factor_in(in_cpu, cpu, classic(10 / 11.));
	/* a priority for each */
	assert_factor_in(in_both, gpu, classic(1 / 3.));
	assert_factor_in(in_both, cpu, classic(10 / 11.));
	ck_assert_uint_eq(in_both->priority, (uint32_t)(WEIGHT * classic(1 / 3.)));
	ck_assert_uint_eq(compat_pair_priority(in_both, 2, 0),
			  (uint32_t)(WEIGHT * classic(1 / 3.)));
	ck_assert_uint_eq(compat_pair_priority(in_both, 2, 1),
			  (uint32_t)(WEIGHT * classic(10 / 11.)));
}

TEST(partition_in_no_scope_goes_by_all_usage)
{
	job_record_t *job;

	open_cluster(GPU);
	job = wait_in(anna, cpu);
	use(anna, gpu, 3, 1000);
	use(bert, cpu, 1, 1000);
	host_pass();
	assert_factor_in(job, cpu, classic(.75));
	assert_factor_in(wait_in(anna, gpu), gpu, classic(1));
	job = wait_in_both(anna, gpu, cpu);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), (uint32_t)(WEIGHT * classic(1)));
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), (uint32_t)(WEIGHT * classic(.75)));
	assert_factor_in(wait_in(bert, gpu), gpu, classic(0));
}

TEST(job_without_a_partition_goes_by_all_usage)
{
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 3, 1000);
	use(bert, cpu, 1, 1000);
	host_pass();
	job = wait_in(anna, gpu);
	ck_assert_uint_eq(job->priority, (uint32_t)(WEIGHT * classic(1)));
	job->part_ptr = NULL;
	ck_assert_uint_eq(host_job_set_priority(job), (uint32_t)(WEIGHT * classic(.75)));
	host_pass();
	ck_assert_uint_eq(job->priority, (uint32_t)(WEIGHT * classic(.75)));
}

TEST(running_jobs_count_in_their_scope)
{
	job_record_t *running, *waiting;

	open_cluster(GPU " Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 RunJobFactor=1\n"
			 "Scope=cpu Partitions=cpu Policy=lsf");
	running = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 8 });
	waiting = wait_in_both(anna, gpu, cpu);
	wait_in(bert, gpu);
	host_job_begin(running, host_now());
	host_pass();
	/* after bert, who holds nothing; then comes the partition of lower priority */
	assert_factor_in(waiting, gpu, 2 / 3.);
	assert_factor_in(waiting, cpu, 1 / 3.);
}

TEST(scope_survives_a_crash_a_reconfigure_and_another_policy)
{
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	use(bert, cpu, 50, 1000);
	host_pass();
	job = wait_in(anna, gpu);
	assert_factor_in(job, gpu, classic(.75));
	reconfigure(GPU " DampeningFactor=2");
	assert_factor_in(job, gpu, sqrt(classic(.75)));
	reconfigure(GPU " Policy=fair-tree");
	assert_factor_in(job, gpu, .5);
	/* what it has gathered goes on */
	reconfigure("Scope=other Partitions=cpu\n" GPU);
	assert_factor_in(job, gpu, classic(.75));
	assert_factor_in(wait_in(bert, cpu), cpu, 1);	/* begins with nothing */
	host_pass();
	crash_and_restart();
	assert_factor_in(job, gpu, classic(.75));
}

/* Where PBS enforces it, who has no shares never runs, whatever else speaks for it. */
TEST(scope_tells_who_may_run_there)
{
	job_record_t *job;

	open_cluster(GPU " Policy=pbs\nScope=cpu Partitions=cpu Policy=pbs "
			 "FairshareEnforceNoShares=no");
	host_set_shares(anna, 0);
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu }, .nice = -500 });
	host_pass();
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), 1);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), 500);
	assert_factor_in(job, gpu, 0);
	assert_factor_in(job, cpu, 0);
	use(bert, cpu, 1, 1000);
	job = wait_in_both(bert, gpu, cpu);
	host_pass();
	ck_assert_uint_gt(compat_pair_priority(job, 2, 0), compat_pair_priority(job, 2, 1));
}

/* Under each rule that makes a priority of it. */
static const struct { const char *conf; double weight; } scoped_rules[] = {
	{ "Policy=flux UrgencyWeight=0 QueueWeight=0", 100000 },
	{ "Formula=fairshare_factor FormulaScale=100000", 100000 },
	{ "Formula=\"2 ** -(effective_usage / norm_shares)\" FormulaScale=100000", 100000 },
};

TEST_LOOP(factor_of_the_scope_counts_under_each_rule, COUNT(scoped_rules) - 2 * !HAS_FORMULAS)
{
	char conf[256];
	job_record_t *job;

	snprintf(conf, sizeof(conf), "%s\n%s Policy=classic", scoped_rules[_i].conf, GPU);
	open_cluster(conf);
	use(anna, gpu, 3, 1000);
	use(bert, gpu_long, 1, 1000);
	use(anna, cpu, 100, 1000);
	job = wait_in_both(anna, cpu, gpu);
	host_pass();
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1),
			  (uint32_t)(scoped_rules[_i].weight * classic(.75) + (_i ? 0 : .5)));
	ck_assert_uint_ne(compat_pair_priority(job, 2, 0), compat_pair_priority(job, 2, 1));
}

TEST(first_job_of_a_new_user_is_evaluated_in_its_scope)
{
	struct host_association *carl;
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 1, 1000);
	host_pass();
	carl = host_user(anna->parent, "carl", 1);
	job = wait_in(carl, gpu);
	/* as bert, who has used nothing either, of a half */
	ck_assert_uint_eq(job->priority, (uint32_t)(WEIGHT * exp2(-(1 / 2.) / (1 / 2.))));
	host_pass();
	/* its account has used all, itself nothing, of a third */
	ck_assert_uint_eq(job->priority, (uint32_t)(WEIGHT * exp2(-(1 / 3.) / (1 / 3.))));
}

TEST(usage_set_to_0_is_so_in_scopes)
{
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	job = wait_in(anna, gpu);
	assert_factor_in(job, gpu, classic(.75));
	host_reset_usage(anna);
	host_pass();
	assert_factor_in(job, gpu, classic(0));
}

/* bert goes before anna; queues before both. */
TEST(queue_goes_before_the_user_where_the_scope_says_so)
{
	job_record_t *first, *second, *third;

	open_cluster(GPU " MasterQueue=gpu");
	use(anna, gpu, 3, 1000);
	use(bert, gpu_long, 1, 1000);
	first = wait_in(anna, gpu_long);
	second = wait_in(bert, gpu);
	third = wait_in(anna, gpu);
	host_pass();
	ck_assert_uint_lt(first->priority, second->priority);
	ck_assert_uint_eq(first->priority, third->priority);
	reconfigure(GPU " MasterQueue=gpu DispatchOrder=QUEUE");
	ck_assert_uint_gt(first->priority, second->priority);
	ck_assert_uint_gt(second->priority, third->priority);
	/* of two classes the higher one, with a gap between them */
	assert_factor_in(first, gpu_long, (1 + 1 / 128. + classic(.75)) / (2 + 1 / 128.));
	assert_factor_in(third, gpu, classic(.75) / (2 + 1 / 128.));
}

/* ---- slot pools -------------------------------------------------------------------- */

/* FiguresFile from its pools on. */
static const char *pools_of_file(void)
{
	const char *pools = strstr(file_text("fathom.json"), ",\n\"pools\": [");

	return pools ? pools : "none";
}

/* What the last pass gave a partition of a pool. */
static void assert_got(const part_record_t *partition, unsigned expected)
{
	const char *pools = pools_of_file(), *at;
	char name[64];
	unsigned got;

	snprintf(name, sizeof(name), "{\"name\": \"%s\", ", partition->name);
	at = strstr(pools, name);
	ck_assert_msg(at && sscanf(strstr(at, "\"got\""), "\"got\": %u", &got) == 1, "no %s in %s",
		      name, pools);
	ck_assert_msg(got == expected, "%s got %u, not %u", partition->name, got, expected);
}

static void open_pool(const char *conf)
{
	char text[512];

	open_cluster("");
	put_on_nodes(gpu, 0, 2);
	put_on_nodes(gpu_long, 0, 2);
	put_on_nodes(cpu, 0, 2);
	put_on_nodes(host_find_partition("batch"), 4, 5);
	snprintf(text, sizeof(text), "%s\nFiguresFile=fathom.json", conf);
	reconfigure(text);
}

#define POOL "SlotPool=all Partition=gpu SlotShare=50\n" \
	     "SlotPool=all Partition=gpu-long SlotShare=30\n" \
	     "SlotPool=all Partition=cpu SlotShare=20\n"

TEST(pool_gives_partitions_what_they_deserve)
{
	job_record_t *running;

	open_pool(POOL);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 10 });
	host_job(&(struct host_job){ .user = anna, .partition = { gpu_long }, .cpus = 10 });
	host_job(&(struct host_job){ .user = anna, .partition = { cpu, gpu }, .cpus = 10 });
	host_pass();
	/* of 12; gpu-long has the highest priority */
	assert_got(gpu, 6);
	assert_got(gpu_long, 4);
	assert_got(cpu, 2);
	running = run_in(bert, gpu, 4);
	host_pass();
	assert_got(gpu, 6);
	assert_got(gpu_long, 4);
	end_run(running);
	run_in(bert, gpu, 9);
	host_pass();
	assert_got(gpu, 5);	/* served last, as it has used most; cpu gets 3 */
}

TEST(pool_lends_what_a_partition_does_not_want)
{
	job_record_t *held;

	open_pool(POOL);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 12);
	held = host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 100 });
	held->priority = 0;
	host_pass();
	assert_got(gpu, 12);
	/* tasks of an array that are not split off */
	host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 1, .tasks = 4 });
	host_pass();
	assert_got(cpu, 4);
	assert_got(gpu, 8);
}

/* What runs and what waits, both less than it deserves. */
TEST(pool_gives_a_partition_what_it_uses_and_wants)
{
	open_pool(POOL);
	run_in(bert, gpu, 2);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 1 });
	host_job(&(struct host_job){ .user = anna, .partition = { gpu_long }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 3);
	assert_got(gpu_long, 12 - 3);
}

TEST(job_wants_slots_in_each_of_its_partitions)
{
	open_pool(POOL);
	wait_in_both(anna, cpu, gpu);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu_long }, .cpus = 100 });
	host_pass();
	assert_got(cpu, 1);
	assert_got(gpu, 1);
	assert_got(gpu_long, 12 - 2);
}

TEST(suspended_job_holds_no_slots)
{
	job_record_t *running;

	open_pool(POOL);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 3 });
	running = run_in(bert, gpu, 5);
	host_pass();
	assert_got(gpu, 3 + 5);
	host_job_suspend(running);
	host_pass();
	assert_got(gpu, 3);
}

TEST(pool_has_no_more_slots_than_it_may_have)
{
	open_pool("SlotPool=all Partition=gpu SlotShare=50 MaxSlotsInPool=4\n"
		  "SlotPool=all Partition=cpu SlotShare=50");
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 2);
	assert_got(cpu, 2);
}

/* Of equal shares, cpu used more, but long ago. */
TEST(what_partitions_have_used_decays)
{
	job_record_t *first, *second, *running;

	open_pool("HalfLife=300\n"
		  "SlotPool=all Partition=gpu SlotShare=100\n"
		  "SlotPool=all Partition=cpu SlotShare=100");
	running = run_in(bert, cpu, 12);
	host_pass();
	host_pass();
	end_run(running);
	for (int i = 0; i < 6; i++)
		host_pass();
	running = run_in(bert, gpu, 4);
	host_pass();
	host_pass();
	end_run(running);
	first = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	second = host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 0);
	assert_got(cpu, 12);
	ck_assert_uint_lt(first->priority, second->priority);
}

/* gpu has had one long job, over so many passes, and cpu three short ones, of one pass each. */
static const struct { int passes; uint32_t gpu_gets, cpu_gets; } lengths[] = {
	{ 4, 0, 12 }, { 2, 12, 0 },
};

TEST_EACH(slot_seconds_count_whatever_the_length_of_jobs, lengths)
{
	job_record_t *running;

	open_pool("SlotPool=all Partition=gpu SlotShare=100\n"
		  "SlotPool=all Partition=cpu SlotShare=100");
	running = run_in(bert, gpu, 4);
	for (int i = 0; i < lengths[_i].passes; i++)
		host_pass();
	end_run(running);
	for (int i = 0; i < 3; i++) {
		running = run_in(bert, cpu, 4);
		host_pass();
		end_run(running);
	}
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, lengths[_i].gpu_gets);
	assert_got(cpu, lengths[_i].cpu_gets);
}

TEST(user_counts_among_jobs_of_a_pooled_partition)
{
	job_record_t *mine, *others;

	open_pool(POOL "Scope=g Partitions=gpu");
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	use(bert, cpu, 100, 1000);
	mine = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	others = host_job(&(struct host_job){ .user = bert, .partition = { gpu }, .cpus = 100 });
	host_pass();
	assert_factor_in(mine, gpu, .5);	/* places 2 and 1 */
	assert_factor_in(others, gpu, 1);
}

/* Of equal shares the one that has used the least has first choice. */
TEST(partition_that_got_nothing_comes_next)
{
	job_record_t *first, *second, *running;

	open_pool("SlotPool=all Partition=gpu SlotShare=100\n"
		  "SlotPool=all Partition=cpu SlotShare=100");
	first = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	second = host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 12);	/* PriorityJobFactor 30 and 20 */
	assert_got(cpu, 0);
	ck_assert_uint_gt(first->priority, second->priority);
	running = run_in(bert, gpu, 12);
	host_pass();
	host_pass();
	end_run(running);
	host_pass();
	ck_assert_uint_lt(first->priority, second->priority);
}

TEST(partition_outside_a_pool_takes_its_nodes)
{
	open_pool("SlotPool=all Partition=gpu SlotShare=50\n"
		  "SlotPool=all Partition=gpu-long SlotShare=50");
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { gpu_long }, .cpus = 100 });
	run_in(bert, host_find_partition("batch"), 8);	/* elsewhere */
	host_pass();
	assert_got(gpu, 6);
	cpu->priority_job_factor = 100;
	run_in(bert, cpu, 4);
	host_pass();
	assert_got(gpu, 4);
}

/* LSF's table of two queues outside a pool. All but Pisa have the same priority, so that the
 * order of slurm.conf decides. */
TEST(partitions_outside_a_pool_are_served_in_their_turn)
{
	static const struct { const char *name; uint16_t factor; uint32_t cpus, got; } table[] = {
		{ "Pisa", 44, 995, 5 }, { "Milano", 43, 3, 3 }, { "Parma", 43, 3, 3 },
		{ "Venezia", 43, 995, 2 }, { "Bologna", 43, 995, 2 },
	};
	const char *at;
	char row[128];

	open_cluster("");
	for (size_t i = 0; i < 5; i++) {
		part_record_t *partition = host_partition(table[i].name, table[i].factor, NULL);

		put_on_nodes(partition, 0, 2);
		partition->total_cpus = 15;
		host_job(&(struct host_job){ .user = anna, .partition = { partition },
					     .cpus = table[i].cpus });
	}
	reconfigure("FiguresFile=fathom.json\nSlotPool=B Partition=Bologna SlotShare=30\n"
		    "SlotPool=B Partition=Venezia SlotShare=30\n"
		    "SlotPool=B Partition=Pisa SlotShare=30");
	at = pools_of_file();
	for (size_t i = 0; i < 5; i++) {
		snprintf(row, sizeof(row), "{\"name\": \"%s\", \"deserved\": %d, \"got\": %u,",
			 table[i].name, table[i].cpus == 3 ? 0 : 5, table[i].got);
		at = strstr(at, row);
		ck_assert_msg(at, "no %s in %s", row, pools_of_file());
	}
}

/* What a partition's own limit leaves it of 12 CPUs, where it deserves 6 and wants 100. */
static const struct {
	const char *what;
	uint32_t cpus_per_node, jobs;
	uint64_t cpus, nodes;
	uint32_t cpus_of_job, running, got;
} limits[] = {
	{ "no limit: others want nothing", INFINITE, INFINITE, INFINITE64, INFINITE64, 100, 0, 12 },
	{ "MaxCPUsPerNode, of 3 nodes", 3, INFINITE, INFINITE64, INFINITE64, 100, 0, 9 },
	{ "GrpTRES=cpu", INFINITE, INFINITE, 7, INFINITE64, 100, 0, 7 },
	{ "GrpTRES=cpu, with some in use", INFINITE, INFINITE, 7, INFINITE64, 100, 2, 7 },
	{ "GrpTRES=node, of 4 CPUs each", INFINITE, INFINITE, INFINITE64, 2, 100, 0, 8 },
	{ "GrpTRES=node and MaxCPUsPerNode", 3, INFINITE, INFINITE64, 2, 100, 0, 6 },
	{ "GrpTRES=node beyond all nodes", INFINITE, INFINITE, INFINITE64, 9, 100, 0, 12 },
	{ "GrpJobs: one of two jobs of 5", INFINITE, 1, INFINITE64, INFINITE64, 5, 0, 5 },
	{ "GrpJobs: one runs", INFINITE, 2, INFINITE64, INFINITE64, 5, 2, 7 },
	{ "GrpJobs: none may start", INFINITE, 1, INFINITE64, INFINITE64, 5, 2, 2 },
};

TEST_EACH(partition_takes_no_more_than_its_own_limit, limits)
{
	slurmdb_qos_rec_t *qos;

	open_pool(POOL);
	gpu->qos_ptr = qos = host_find_qos("normal");
	gpu->max_cpus_per_node = limits[_i].cpus_per_node;
	gpu->total_nodes = 3;
	qos->grp_tres_ctld[TRES_ARRAY_CPU] = limits[_i].cpus;
	qos->grp_tres_ctld[TRES_ARRAY_NODE] = limits[_i].nodes;
	qos->grp_jobs = limits[_i].jobs;
	host_job(&(struct host_job){ .user = anna, .partition = { gpu },
				     .cpus = limits[_i].cpus_of_job });
	host_job(&(struct host_job){ .user = anna, .partition = { gpu },
				     .cpus = limits[_i].cpus_of_job });
	if (limits[_i].running)
		run_in(anna, gpu, limits[_i].running);
	host_pass();
	assert_got(gpu, limits[_i].got);
	gpu->qos_ptr = NULL;
}

/* The job has so many CPUs on each of two nodes. */
static void allocate_on(job_record_t *job, int first, int second, uint16_t cpus,
			uint16_t cpus_of_second)
{
	job_resources_t *resources = job->job_resrcs = xcalloc(1, sizeof(*resources));

	resources->node_bitmap = bit_alloc(16);
	bit_set(resources->node_bitmap, first);
	bit_set(resources->node_bitmap, second);
	resources->nhosts = 2;
	resources->cpus = xcalloc(2, sizeof(*resources->cpus));
	resources->cpus[0] = cpus;
	resources->cpus[1] = cpus_of_second;
}

/* cpu has node 2 of the pool's 0 to 2, and nodes 3 and 4. */
TEST(partition_outside_counts_on_the_nodes_that_it_shares)
{
	job_record_t *running;

	make_nodes();
	open_pool("SlotPool=all Partition=gpu SlotShare=50\n"
		  "SlotPool=all Partition=gpu-long SlotShare=50");
	put_on_nodes(cpu, 2, 4);
	cpu->priority_job_factor = 100;
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 12);
	running = run_in(bert, cpu, 5);
	allocate_on(running, 2, 3, 3, 2);
	host_pass();
	assert_got(gpu, 9);
	/* what waits there may take the whole of node 2 */
	host_job(&(struct host_job){ .user = bert, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 8);
	ck_assert_ptr_nonnull(strstr(pools_of_file(), "{\"name\": \"cpu\", \"deserved\": 0, "
				     "\"got\": 4, \"lent\": 0, \"share\": null, "
				     "\"demand\": 103, "));
	free_job_resources(&running->job_resrcs);
}

/* Of nodes 0 to 2 and 4 to 5 cpu has 1 to 4. */
TEST(partition_outside_takes_part_in_each_pool_that_it_shares_nodes_with)
{
	part_record_t *batch;

	make_nodes();
	open_pool("SlotPool=a Partition=gpu SlotShare=100\n"
		  "SlotPool=b Partition=batch SlotShare=100");
	put_on_nodes(cpu, 1, 4);
	put_on_nodes(gpu_long, 7, 8);
	cpu->priority_job_factor = 100;
	batch = host_find_partition("batch");
	batch->priority_job_factor = 1;
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { batch }, .cpus = 100 });
	host_job(&(struct host_job){ .user = bert, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(gpu, 4);
	assert_got(batch, 4);	/* of 8, as node 4 is cpu's */
}

/* A job of 5 CPUs has some of its nodes in pool a, on nodes 0 to 2, and some in b, on nodes 3 to 5.
 * It counts whole in each if nobody knows which CPUs are where: slurmctld has other nodes now than
 * when the job started, or the record has lost them. */
static const struct {
	int first, second;
	bitoff_t nodes;
	enum { NOTHING, CPUS, NODES } lost;
	unsigned in_a, in_b;
} hosts[] = {
	{ 2, 3, 16, NOTHING, 3, 2 }, { 0, 1, 16, NOTHING, 5, 0 }, { 3, 4, 16, NOTHING, 0, 5 },
	{ 1, 4, 16, NOTHING, 3, 2 },
	{ 2, 3, 8, NOTHING, 5, 5 }, { 2, 3, 16, CPUS, 5, 5 }, { 2, 3, 16, NODES, 5, 5 },
};

static void assert_used(const char *pool, unsigned cpus)
{
	const char *at = strstr(pools_of_file(), pool);
	unsigned demand, used;

	at = at ? strstr(at, "{\"name\": \"cpu\"") : NULL;
	at = at ? strstr(at, "\"demand\"") : NULL;
	ck_assert_msg(at && sscanf(at, "\"demand\": %u, \"used\": %u", &demand, &used) == 2 &&
			      demand == cpus && used == cpus * PERIOD,
		      "not %u CPUs in %s: %s", cpus, pool, pools_of_file());
}

static void assert_used_in_each_pool(int row)
{
	assert_used("\"pool\": \"a\"", hosts[row].in_a);
	assert_used("\"pool\": \"b\"", hosts[row].in_b);
}

TEST_EACH(partition_outside_has_used_something_of_each_pool, hosts)
{
	job_record_t *running;

	make_nodes();
	open_pool("SlotPool=a Partition=gpu SlotShare=100\n"
		  "SlotPool=b Partition=batch SlotShare=100");
	put_on_nodes(host_find_partition("batch"), 3, 5);
	put_on_nodes(cpu, 0, 4);
	running = run_in(bert, cpu, 5);
	allocate_on(running, hosts[_i].first, hosts[_i].second, 3, 2);
	bit_realloc(running->job_resrcs->node_bitmap, hosts[_i].nodes);
	if (hosts[_i].lost == CPUS)
		xfree(running->job_resrcs->cpus);
	if (hosts[_i].lost == NODES)
		FREE_NULL_BITMAP(running->job_resrcs->node_bitmap);
	host_pass();
	host_pass();	/* 300 s later, without decay */
	assert_used_in_each_pool(_i);
	crash_and_restart();
	assert_used_in_each_pool(_i);
	free_job_resources(&running->job_resrcs);
}

TEST(file_tells_how_pools_are_divided)
{
	job_record_t *running;

	open_pool("SlotPool=all Partition=gpu SlotShare=50\n"
		  "SlotPool=all Partition=gpu-long SlotShare=30");
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 10 });
	host_job(&(struct host_job){ .user = anna, .partition = { gpu_long }, .cpus = 1 });
	running = run_in(bert, cpu, 2);
	host_pass();
	/* cpu is outside, of a lower priority; it takes its 2 in the first round */
	ck_assert_str_eq(pools_of_file(),
		",\n\"pools\": [\n {\"pool\": \"all\", \"slots\": 12,\n \"queues\": ["
		"\n  {\"name\": \"gpu-long\", \"deserved\": 4, \"got\": 1, \"lent\": 0, "
		"\"share\": 30, \"demand\": 1, \"used\": 0},"
		"\n  {\"name\": \"gpu\", \"deserved\": 6, \"got\": 9, \"lent\": 3, "
		"\"share\": 50, \"demand\": 10, \"used\": 0},"
		"\n  {\"name\": \"cpu\", \"deserved\": 0, \"got\": 2, \"lent\": 0, "
		"\"share\": null, \"demand\": 2, \"used\": 0}]}]}\n");
	host_pass();	/* 300 s later, without decay */
	ck_assert_ptr_nonnull(strstr(pools_of_file(), "\"demand\": 2, \"used\": 600}"));
	end_run(running);
	reconfigure("FiguresFile=fathom.json");
	ck_assert_str_eq(pools_of_file(), "none");
}

/* Another of its partitions has got one more, which one outside the pool has too. */
static const char *const lines_of_pools[] = {
	"SlotPool=a Partition=gpu SlotShare=50\nSlotPool=a Partition=gpu-long SlotShare=50\n"
	"SlotPool=b Partition=batch SlotShare=100",
	"SlotPool=a Partition=gpu-long SlotShare=50\nSlotPool=a Partition=gpu SlotShare=50\n"
	"SlotPool=b Partition=batch SlotShare=100",
	"SlotPool=b Partition=batch SlotShare=100\n"
	"SlotPool=a Partition=gpu SlotShare=50\nSlotPool=a Partition=gpu-long SlotShare=50",
};

TEST_EACH(pool_has_the_nodes_of_its_first_line, lines_of_pools)
{
	part_record_t *first, *second;

	make_nodes();
	open_pool(lines_of_pools[_i]);
	first = _i == 1 ? gpu_long : gpu;
	second = _i == 1 ? gpu : gpu_long;
	host_job(&(struct host_job){ .user = anna, .partition = { first }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { second }, .cpus = 100 });
	put_on_nodes(second, 0, 3);
	put_on_nodes(cpu, 0, 3);
	cpu->priority_job_factor = 100;
	host_job(&(struct host_job){ .user = bert, .partition = { cpu }, .cpus = 100 });
	host_pass();
	assert_got(cpu, 12);	/* of nodes 0 to 2 */
}

static const struct { const char *conf, *says; } wrong_pools[] = {
	{ POOL, NULL },
	{ "SlotPool=all Partition=gpu SlotShare=50\nSlotPool=all Partition=gone SlotShare=50",
	  "fathom.conf:2: Partition: 'gone' is not a partition of slurm.conf; " },
	{ "SlotPool=all Partition=gpu SlotShare=50\n\nSlotPool=all Partition=batch SlotShare=50",
	  "fathom.conf:3: Partition: 'batch' has other nodes than 'gpu'; in a pool they must have "
	  "the same; " },
	{ "SlotPool=a Partition=gpu SlotShare=50\nSlotPool=b Partition=batch SlotShare=50", NULL },
};

TEST_EACH(wrong_pool_is_told_and_leaves_all_as_it_was, wrong_pools)
{
	open_pool(wrong_pools[_i].conf);
	ck_assert_uint_eq(logged("the last good settings"), wrong_pools[_i].says ? 1 : 0);
	if (wrong_pools[_i].says)
		ck_assert_uint_eq(logged(wrong_pools[_i].says), 1);
}

#define TIER "gpu-long' has PriorityTier 2 and 'gpu' 1; slurmctld serves the higher tier first"
#define PREEMPTS "error: priority/fathom: %s/fathom.conf:1: Partition: pool 'all' is void, as " \
		 "jobs of '%s' preempt those of 'gpu'; give both the same PriorityTier, or 'gpu' " \
		 "PreemptMode=OFF; all else in the file is in force"
#define QOS "SlotPool: jobs of QOS 'high' preempt those of QOS 'normal' in pool 'all'"

static const struct {
	uint16_t tier, outside, mode;	/* of gpu-long, and of cpu, which is outside */
	const char *type;
	bool high_is_denied;
	unsigned tiers, qos;
	const char *preemptor;		/* NULL: the pool is in force */
} preemptions[] = {
	{ 1, 1, NO_VAL16, "preempt/none", false, 0, 0, NULL },
	{ 1, 1, NO_VAL16, "preempt/partition_prio", false, 0, 0, NULL },
	{ 2, 1, NO_VAL16, "preempt/none", false, 1, 0, NULL },
	{ 2, 1, NO_VAL16, "preempt/partition_prio", false, 1, 0, "gpu-long" },
	{ 1, 2, NO_VAL16, "preempt/none", false, 0, 0, NULL },
	{ 1, 2, NO_VAL16, "preempt/partition_prio", false, 0, 0, "cpu" },
	{ 2, 1, PREEMPT_MODE_OFF, "preempt/partition_prio", false, 1, 0, NULL },
	{ 1, 1, NO_VAL16, "preempt/qos", false, 0, 1, NULL },
	{ 1, 1, NO_VAL16, "preempt/qos", true, 0, 0, NULL },
};

TEST_EACH(what_goes_before_the_shares_of_a_pool_is_told, preemptions)
{
	bitstr_t *high;
	part_record_t *of_pool[3];
	char says[256];

	host_qos("high", 20, 1, 0);
	open_pool("");
	of_pool[0] = gpu;
	of_pool[1] = gpu_long;
	of_pool[2] = cpu;
	gpu_long->priority_tier = preemptions[_i].tier;
	cpu->priority_tier = preemptions[_i].outside;
	gpu->preempt_mode = cpu->preempt_mode = preemptions[_i].mode;
	xfree(slurm_conf.preempt_type);
	slurm_conf.preempt_type = xstrdup(preemptions[_i].type);
	slurm_conf.preempt_mode = PREEMPT_MODE_REQUEUE;
	high = bit_alloc(16);
	bit_set(high, host_find_qos("high")->id);
	for (size_t i = 0; preemptions[_i].high_is_denied && i < 3; i++)
		of_pool[i]->deny_qos_bitstr = bit_copy(high);
	host_find_qos("high")->preempt_bitstr = bit_alloc(16);
	bit_set(host_find_qos("high")->preempt_bitstr, host_find_qos("normal")->id);
	reconfigure("SlotPool=all Partition=gpu SlotShare=50\n"
		    "SlotPool=all Partition=gpu-long SlotShare=30\n");
	host_pass();	/* told once */
	snprintf(says, sizeof(says), PREEMPTS, host_folder(), preemptions[_i].preemptor);
	ck_assert_uint_eq(logged(TIER), preemptions[_i].tiers);
	ck_assert_uint_eq(logged(says), preemptions[_i].preemptor ? 1 : 0);
	ck_assert_uint_eq(logged(QOS), preemptions[_i].qos);
	ck_assert_uint_eq(logged("the last good settings"), 0);
	FREE_NULL_BITMAP(high);
}

/* A partition of each pool waits for as many CPUs as both pools have. */
TEST(void_pool_leaves_others_in_force)
{
	part_record_t *batch;

	make_nodes();
	open_pool("SlotPool=other Partition=batch SlotShare=50\n"
		  "SlotPool=all Partition=gpu SlotShare=50\n"
		  "SlotPool=all Partition=gpu-long SlotShare=50");
	batch = host_find_partition("batch");
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { batch }, .cpus = 100 });
	gpu->preempt_mode = NO_VAL16;
	xfree(slurm_conf.preempt_type);
	slurm_conf.preempt_type = xstrdup("preempt/partition_prio");
	slurm_conf.preempt_mode = PREEMPT_MODE_REQUEUE;
	host_pass();
	assert_got(gpu, 12);
	for (unsigned time = 1; time <= 2; time++) {	/* as by scontrol update */
		gpu_long->priority_tier = 2;
		host_pass();
		host_pass();
		ck_assert_uint_eq(logged("pool 'all' is void"), time);
		ck_assert_uint_eq(logged("all else in the file is in force"), time);
		ck_assert_ptr_nonnull(strstr(pools_of_file(), "{\"pool\": \"all\", \"slots\": 0,\n"
							      " \"queues\": []}"));
		assert_got(batch, 8);
		gpu_long->priority_tier = 1;
		host_pass();
		assert_got(gpu, 12);
	}
}

/* ---- what partitions do not allow ---------------------------------------------------- */

static const struct { const char *conf, *says; } wrong[] = {
	{ "Scope=a Partitions=gpu\nScope=b Partitions=cpu,gone",
	  "fathom.conf:2: Partitions: 'gone' is not a partition of slurm.conf; " },
	{ "Scope=a Partitions=gpu,cpu MasterQueue=gpu\nCalcPeriod=5\nScope=b Partitions=batch",
	  NULL },
	{ "\nScope=a Partitions=cpu,gpu-long MasterQueue=cpu",
	  "fathom.conf:2: Scope: partition 'gpu' "
	  "has PriorityJobFactor 30, which is within those of scope 'a'; it must be outside, or "
	  "the scope have DispatchOrder=QUEUE; " },
	{ "Scope=a Partitions=cpu,gpu-long MasterQueue=cpu DispatchOrder=QUEUE", NULL },
	{ "Scope=a Partitions=gpu\nScope=b Partitions=gpu",
	  "fathom.conf:2: Partitions: 'gpu' is in scope 'a' (line 1) already, must be named "
	  "once; " },
	{ "Scope=a Partitions=gpu Kind=host-partition\nScope=b Partitions=cpu",
	  "fathom.conf:2: Scope: 'b' is of kind queue" },
	{ "HalfLife=0", NULL },
	{ "Scope=a Partitions=gpu RunJobFactor=3", "fathom.conf:1: RunJobFactor: policy classic of "
	  "scope 'a' has no such setting; " },
	{ "Scope=a Partitions=gpu Policy=lsf RunJobFactor=3", NULL },
};

TEST_EACH(wrong_scope_is_told_and_leaves_all_as_it_was, wrong)
{
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 1, 1000);
	host_pass();
	job = wait_in(anna, gpu);
	assert_factor_in(job, gpu, classic(1));
	reconfigure(wrong[_i].conf);
	host_pass();
	if (!wrong[_i].says) {
		ck_assert_uint_eq(logged("the last good settings"), 0);
	} else {
		ck_assert_msg(logged(wrong[_i].says) == 1, "%s", wrong[_i].conf);
		ck_assert_uint_eq(logged("the last good settings"), 1);
		assert_factor_in(job, gpu, classic(1));
		assert_factor_in(wait_in(anna, cpu), cpu, classic(1));
	}
}

/* LSF's rule for a cross-queue set of priorities 30 to 50. */
static const struct { uint16_t priority; const char *queue_first; bool wrong; } others[] = {
	{ 29, "", false }, { 30, "", true }, { 40, "", true }, { 50, "", true },
	{ 51, "", false }, { 40, " DispatchOrder=QUEUE", false },
};

TEST_EACH(no_other_partition_is_within_the_priorities_of_a_set, others)
{
	char conf[128], told[128];

	open_cluster(GPU);	/* 30 and 50 */
	host_partition("other", others[_i].priority, NULL);
	snprintf(conf, sizeof(conf), GPU " MasterQueue=gpu%s", others[_i].queue_first);
	snprintf(told, sizeof(told), "fathom.conf:1: Scope: partition 'other' has "
		 "PriorityJobFactor %u, which is within those of scope 'gpu'", others[_i].priority);
	reconfigure(conf);
	ck_assert_uint_eq(logged(told), others[_i].wrong);
	ck_assert_uint_eq(logged("the last good settings"), others[_i].wrong);
}

TEST(wrong_scope_at_the_start_leaves_the_defaults)
{
	job_record_t *job;

	open_cluster("Scope=a Partitions=gone Policy=lsf");
	ck_assert_uint_eq(logged("fathom.conf:1: Partitions: 'gone' is not a partition"), 1);
	ck_assert_uint_eq(logged("the defaults apply"), 1);
	use(anna, gpu, 1, 1000);
	host_pass();
	job = wait_in(anna, gpu);
	assert_factor_in(job, gpu, classic(1));
	reconfigure(GPU);
	assert_factor_in(job, gpu, 1);	/* nothing used in it yet */
}

/* Read, but not looked at by a pass yet. */
static void submit_under_wrong_conf(void *carl)
{
	write_conf("Scope=gpus Partitions=gone");
	priority_g_reconfig(false);
	wait_in(carl, gpu);
}

TEST(job_under_a_wrong_scope_costs_no_other_its_usage)
{
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	job = wait_in(anna, gpu);
	host_pass();
	assert_factor_in(job, gpu, classic(.75));
	host_beside_pass(1, submit_under_wrong_conf, host_user(anna->parent, "carl", 1));
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("the last good settings"), 1);
	/* of a third */
	assert_factor_in(job, gpu, exp2(-(.75 + .25 / 3) * 3));
}

/* An error that a parser finds, and one that partitions tell. */
static const char *const wrong_at_the_start[] = { "Scope=a", "Scope=a Partitions=gone" };

TEST_EACH(start_with_a_wrong_file_costs_no_scope_its_usage, wrong_at_the_start)
{
	job_record_t *job;

	open_cluster(GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	write_conf(wrong_at_the_start[_i]);
	ck_assert(!unlink(in_folder("fathom_conf")));	/* the last good settings */
	crash_and_restart();
	ck_assert_uint_eq(logged("the defaults apply"), 1);
	host_pass();
	crash_and_restart();
	job = wait_in(anna, gpu);
	reconfigure(GPU);
	assert_factor_in(job, gpu, classic(.75));
	reconfigure("Scope=other Partitions=cpu");
	reconfigure(GPU);	/* taken out: forgotten */
	assert_factor_in(job, gpu, 1);
}

TEST(half_life_of_0_needs_a_reset)
{
	two_users("PriorityDecayHalfLife=1-0\nPriorityUsageResetPeriod=NONE",
		  "CalcPeriod=7\nHalfLife=0");
	ck_assert_uint_eq(logged("fathom.conf:2: HalfLife: 0 needs a PriorityUsageResetPeriod"), 1);
	ck_assert_uint_eq(logged("half-life 86400 s, a pass every 300 s"), 1);
}
