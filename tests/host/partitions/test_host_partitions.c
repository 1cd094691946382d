/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes that have hosts, LSF's host partitions: what is used on these hosts counts, by whatever
 * partition of Slurm's the job came, and a job on hosts of several scopes counts in parts.
 */
#include "scenario/crash.h"
#include "scenario/sixteen_nodes.h"
#include "scenario/two_users.h"

/* gpu is on n0 to n3, cpu on n4 to n7, wide on both, rest on n8 and n9. */
static part_record_t *wide, *rest;

static void open_cluster(const char *conf)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	wide = host_partition("wide", 10, NULL);
	rest = host_partition("rest", 5, NULL);
	make_nodes();
	put_on_nodes(gpu, 0, 3);
	put_on_nodes(cpu, 4, 7);
	put_on_nodes(wide, 0, 7);
	put_on_nodes(rest, 8, 9);
	two_users_load(conf);
}

static job_record_t *run_on(struct host_association *user, part_record_t *partition, int first,
			    int last, uint16_t cpus)
{
	job_record_t *job = run_in(user, partition, (uint32_t)cpus * (uint32_t)(last - first + 1));

	allocate_nodes(job, first, last, cpus);
	return job;
}

static void use_on(struct host_association *user, part_record_t *partition, int first, int last,
		   uint16_t cpus, time_t seconds)
{
	job_record_t *job = run_on(user, partition, first, last, cpus);

	host_advance(seconds);
	end_run(job);
}

#define H1 "Scope=h1 Hosts=n[0-3] "
#define H2 "Scope=h2 Hosts=n[4-7] "

/* ---- sums ------------------------------------------------------------------------------ */

TEST(jobs_of_two_partitions_on_the_same_hosts_are_one_sum)
{
	job_record_t *in_gpu, *in_wide;

	open_cluster("Scope=h1 Hosts=\"n[0-7] ~n6\" OtherHosts=policy");
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(anna, rest, 8, 9, 4, 1000);
	use_on(bert, wide, 1, 1, 1, 1000);
	use_on(bert, cpu, 6, 6, 4, 1000);	/* excluded */
	in_gpu = wait_in(anna, gpu);
	in_wide = wait_in(anna, wide);
	host_pass();
	assert_factor_in(in_gpu, gpu, classic(.75));
	assert_factor_in(in_wide, wide, classic(.75));
	assert_factor_in(wait_in(bert, cpu), cpu, classic(.25));
	/* by the policy in force, on all usage */
	assert_factor_in(wait_in(anna, rest), rest, classic(11 / 16.));
}

TEST(all_hosts_are_one_sum)
{
	open_cluster("Scope=global Hosts=\"all ~n9\"");
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, rest, 8, 8, 1, 1000);
	use_on(bert, rest, 9, 9, 4, 1000);	/* excluded */
	host_pass();
	assert_factor_in(wait_in(anna, cpu), cpu, classic(.75));
}

TEST(node_that_is_gone_is_of_no_scope)
{
	node_record_t *gone;

	open_cluster("Scope=global Hosts=\"all ~n8\"");
	gone = node_record_table_ptr[9];
	node_record_table_ptr[9] = NULL;
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, rest, 9, 9, 4, 1000);
	host_pass();
	assert_factor_in(wait_in(anna, cpu), cpu, classic(1));
	node_record_table_ptr[9] = gone;
}

TEST(job_counts_in_parts_by_its_cpus_on_the_hosts)
{
	job_record_t *job;

	open_cluster(H1 "\n" H2);
	job = run_in(anna, wide, 4);
	allocate_nodes(job, 3, 3, 3);
	allocate_node(job, 4, 1);
	use_on(bert, gpu, 0, 0, 1, 1000);
	use_on(bert, cpu, 5, 5, 1, 500);
	end_run(job);	/* 3 * 1500 and 1 * 1500 of its CPU seconds */
	host_pass();
	assert_factor_in(wait_in(anna, gpu), gpu, classic(4500 / 5500.));
	assert_factor_in(wait_in(anna, cpu), cpu, classic(1500 / 2000.));
}

/* A job takes as long as it has nodes. */
TEST(few_jobs_are_read_between_two_looks_at_the_clock)
{
	uint64_t holds;

	open_cluster(H1 "\n" H2);
	for (int i = 0; i < 200; i++)
		run_on(anna, wide, 0, 7, 1);
	host_short_slices(true);
	host_pass();
	holds = host_last_pass()->hold[HOST_JOB][READ_LOCK].count;
	reconfigure("");
	host_pass();
	ck_assert_uint_ge(holds, host_last_pass()->hold[HOST_JOB][READ_LOCK].count + 200 / 16 - 1);
}

/* A resize changes the parts from then on; a requeue ends them. */
TEST(parts_follow_a_resize_and_a_requeue)
{
	job_record_t *job;

	open_cluster(H1 "\n" H2);
	job = run_on(anna, wide, 3, 4, 1);
	host_advance(100);
	host_job_resize(job, 1);
	allocate_nodes(job, 4, 4, 1);
	host_advance(200);
	host_pass();	/* 300 s later */
	host_job_requeue(job);
	host_job_cleaned(job);
	free_job_resources(&job->job_resrcs);
	host_advance(1000);
	use_on(bert, gpu, 0, 0, 1, 100);
	use_on(bert, cpu, 4, 4, 1, 200);
	host_pass();
	assert_factor_in(wait_in(anna, gpu), gpu, classic(100 / 200.));
	assert_factor_in(wait_in(anna, cpu), cpu, classic(600 / 800.));
}

/* The number behind a key, in an object of FiguresFile that begins somewhere behind `head`. */
static double figure_behind(const char *head, const char *begin, const char *key)
{
	const char *text = file_text("fathom.json"), *at = strstr(text, head);
	char wanted[64];
	double value;

	snprintf(wanted, sizeof(wanted), "\"%s\": ", key);
	at = at ? strstr(at, begin) : NULL;
	at = at ? strstr(at, wanted) : NULL;
	ck_assert_msg(at && sscanf(at + strlen(wanted), "%lf", &value) == 1, "%s in %s", key, text);
	return value;
}

/* A figure of anna's in a scope. */
static double figure(const char *scope, const char *key)
{
	char head[64];

	snprintf(head, sizeof(head), "{\"name\": \"%s\", \"partitions\"", scope);
	return figure_behind(head, "\"user\": \"anna\"", key);
}

#define LSF "Policy=lsf HistHours=0 "

TEST(all_sums_of_lsf_are_those_parts)
{
	job_record_t *job;

	open_cluster("FiguresFile=fathom.json\n" H1 LSF "\n" H2 LSF);
	job = run_on(anna, wide, 1, 4, 2);	/* 6 CPUs and 2 */
	job->time_limit = 30;
	host_pass();
	ck_assert_double_eq(figure("h1", "job_slots"), 6);
	ck_assert_double_eq(figure("h2", "job_slots"), 2);
	ck_assert_double_eq(figure("h1", "cpu_time"), 6 * PERIOD);
	ck_assert_double_eq(figure("h2", "cpu_time"), 2 * PERIOD);
	ck_assert_double_eq(figure("h1", "run_time"), .75 * PERIOD);
	ck_assert_double_eq(figure("h2", "run_time"), .25 * PERIOD);
	ck_assert_double_eq(figure("h1", "committed_run_time"), .75 * 1800);
	end_run(job);
	host_pass();
	ck_assert_double_eq(figure("h1", "job_slots"), 0);
	ck_assert_double_eq(figure("h1", "hist_run_time"), .75 * PERIOD);
	ck_assert_double_eq(figure("h2", "hist_run_time"), .25 * PERIOD);
	ck_assert_double_eq(figure("h2", "cpu_time"), 2 * PERIOD);
}

TEST(figures_file_has_the_hosts)
{
	open_cluster("FiguresFile=fathom.json\nScope=h1 Hosts=\"n[0-3] ~n2\"");
	host_pass();
	ck_assert_ptr_nonnull(strstr(file_text("fathom.json"),
				     "{\"name\": \"h1\", \"partitions\": [], "
				     "\"kind\": \"host-partition\", \"hosts\": \"n[0-3] ~n2\", "));
}

/* A job that ends while slurmctld is down: what is saved tells its parts, not its record. */
TEST(parts_survive_a_crash)
{
	job_record_t *running, *ended;

	open_cluster("FiguresFile=fathom.json\n" H1 LSF "\n" H2 LSF);
	ended = run_on(anna, wide, 1, 4, 2);
	host_pass();
	crash();
	host_advance(100);
	ended->job_state = JOB_COMPLETE;
	ended->end_time = host_now();
	free_job_resources(&ended->job_resrcs);
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq(figure("h1", "hist_run_time"), .75 * (PERIOD + 100));
	ck_assert_double_eq(figure("h2", "hist_run_time"), .25 * (PERIOD + 100));
	ck_assert_double_eq(figure("h1", "cpu_time"), 6 * (PERIOD + 100));
	running = run_on(anna, wide, 3, 4, 1);
	host_pass();
	crash_and_restart();
	ck_assert_double_eq(figure("h1", "job_slots"), 1);
	end_run(running);
	host_pass();
	ck_assert_double_eq(figure("h2", "job_slots"), 0);
}

TEST(job_whose_record_has_lost_its_hosts_is_where_it_was)
{
	job_record_t *job;

	open_cluster("FiguresFile=fathom.json\n" H1 LSF);
	job = run_on(anna, gpu, 3, 3, 2);
	host_pass();
	free_job_resources(&job->job_resrcs);
	host_pass();
	ck_assert_double_eq(figure("h1", "cpu_time"), 4 * PERIOD);
}

/* From the next pass on a job counts where its hosts are by then. */
TEST(hosts_may_go_to_another_scope)
{
	open_cluster("FiguresFile=fathom.json\n" H1 LSF "\n" H2 LSF);
	run_on(anna, gpu, 3, 3, 2);
	host_pass();
	ck_assert_double_eq(figure("h1", "cpu_time"), 2 * PERIOD);
	reconfigure("FiguresFile=fathom.json\nScope=h1 Hosts=n[0-2] " LSF "\n"
		    "Scope=h2 Hosts=n[3-7] " LSF);
	host_pass();
	ck_assert_double_eq(figure("h1", "cpu_time"), 2 * PERIOD);
	ck_assert_double_eq(figure("h1", "job_slots"), 0);
	ck_assert_double_eq(figure("h2", "cpu_time"), 2 * PERIOD);
	ck_assert_double_eq(figure("h2", "job_slots"), 2);
}

/* ---- pending jobs ------------------------------------------------------------------------ */

TEST(required_nodes_choose_the_scope)
{
	job_record_t *first, *second, *free_one, *mixed;

	open_cluster(H1 "HostRule=first\n" H2);
	put_on_nodes(wide, 0, 9);
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, gpu, 0, 0, 1, 1000);
	use_on(bert, cpu, 4, 4, 1, 1000);
	first = wait_in(anna, wide);
	second = wait_in(anna, wide);
	require_nodes(second, 5, 6);
	free_one = wait_in(anna, wide);
	require_nodes(free_one, 8, 8);
	mixed = wait_in(anna, cpu);
	require_nodes(mixed, 3, 4);
	host_pass();
	assert_factor_in(first, wide, classic(.75));
	assert_factor_in(second, wide, classic(0));
	assert_factor_in(free_one, wide, 1);	/* first come, first served */
	assert_factor_in(mixed, cpu, classic(0));	/* as its partition */
	/* the priority of a job that comes between passes too */
	ck_assert_uint_eq(host_job_set_priority(second), (uint32_t)(WEIGHT * classic(0)));
}

TEST(partition_that_meets_several_is_told)
{
	open_cluster("\n" H1 "\n" H2);
	put_on_nodes(rest, 7, 9);
	reconfigure("\n" H1 "\n" H2);
	ck_assert_uint_eq(logged("fathom.conf:2: Hosts: partition 'wide' has nodes of scope 'h1' "
				 "and of scope 'h2' (line 3); each job goes by one, "
				 "HostRule=worst"), 2);
	ck_assert_uint_eq(logged("fathom.conf:3: Hosts: partition 'rest' has nodes of scope 'h2' "
				 "and nodes of no scope, which do not count"), 1);
	ck_assert_uint_eq(logged("Hosts: partition"), 3);
}

/* anna has used three quarters of h1 and all of h2. */
static const struct { const char *rule; double anna, bert; } host_rules[] = {
	{ "", 1, .25 },
	{ "HostRule=worst", 1, .25 },
	{ "HostRule=first", .75, .25 },
	{ "HostRule=best", .75, 0 },
};

TEST_EACH(host_rule_chooses_the_scope_of_each_job, host_rules)
{
	char conf[128];

	snprintf(conf, sizeof(conf), H1 "%s\n" H2, host_rules[_i].rule);
	open_cluster(conf);
	put_on_nodes(rest, 7, 9);
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, gpu, 0, 0, 1, 1000);
	use_on(anna, cpu, 4, 4, 1, 1000);
	host_pass();
	assert_factor_in(wait_in(anna, wide), wide, classic(host_rules[_i].anna));
	assert_factor_in(wait_in(bert, wide), wide, classic(host_rules[_i].bert));
	assert_factor_in(wait_in(bert, rest), rest, classic(0));
}

TEST(partition_follows_its_nodes)
{
	job_record_t *job;

	open_cluster(H1 "\n" H2);
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, gpu, 0, 0, 1, 1000);
	job = wait_in(anna, cpu);
	host_pass();
	assert_factor_in(job, cpu, 1);	/* nobody has used anything there */
	put_on_nodes(cpu, 2, 3);
	host_pass();
	assert_factor_in(job, cpu, classic(.75));
}

/* ---- places -------------------------------------------------------------------------------- */

static void assert_order(job_record_t *const *job, int count)
{
	for (int i = 1; i < count; i++)
		ck_assert_msg(job[i - 1]->priority > job[i]->priority, "%u. and %u.: %u, %u", i,
			      i + 1, job[i - 1]->priority, job[i]->priority);
}

/* Users take turns in the scope, through whatever partition; what is on its hosts counts. */
TEST(dispatch_goes_by_the_host_partition)
{
	job_record_t *job[6];

	open_cluster("Policy=fcfs\n" H1 LSF "HostRule=first\n" H2 LSF);
	run_on(anna, rest, 0, 0, 1);	/* on hosts of h1: 1/6 and less, bert 1/3 */
	run_on(bert, wide, 5, 5, 4);	/* not on those of h1 */
	job[5] = wait_in(anna, rest);	/* no scope: first come; its priority is the lowest */
	job[4] = wait_in(anna, cpu);	/* h2; its priority is lower than that of gpu */
	job[2] = wait_in(anna, gpu);
	job[3] = wait_in(anna, wide);
	job[1] = wait_in(bert, wide);	/* 1/6, still before anna */
	job[0] = wait_in(bert, gpu);
	host_pass();
	assert_order(job, COUNT(job));
}

/* Whoever has used more, and whatever shares the user has. */
TEST(jobs_on_hosts_of_no_scope_go_first_come_first_served)
{
	job_record_t *of_anna, *of_bert;

	open_cluster("Policy=classic\n" H1);
	use_on(anna, rest, 8, 8, 3, 1000);
	run_on(anna, rest, 8, 8, 3);
	of_anna = wait_in(anna, rest);
	host_advance(10);
	of_bert = wait_in(bert, rest);
	host_pass();
	assert_factor_in(of_anna, rest, 1);
	assert_factor_in(of_bert, rest, 1);
	reconfigure("Policy=classic\n" H1 "OtherHosts=policy");
	assert_order((job_record_t *[]){ of_bert, of_anna }, 2);
	reconfigure("Policy=lsf\n" H1);	/* no place by dispatch, but by submission */
	assert_order((job_record_t *[]){ of_anna, of_bert }, 2);
	reconfigure("Policy=lsf\n" H1 "OtherHosts=policy");
	assert_order((job_record_t *[]){ of_bert, of_anna }, 2);
}

/* In h1 bert is first, in h2 anna; each also has a job for these hosts alone, if there is a fourth.
 * Numbers of the jobs for both: 2 and 3, or of anna's 1 in h2. */
static const struct { const char *rule; bool has_fourth; const char *order; } merged[] = {
	{ "HostRule=best", false, "gpu anna bert" },
	{ "HostRule=first", false, "gpu bert anna" },
	{ "HostRule=worst", false, "gpu bert anna" },
	{ "HostRule=best", true, "gpu cpu bert anna" },
	{ "HostRule=first", true, "gpu bert anna cpu" },
	{ "HostRule=worst", true, "gpu cpu anna bert" },
};

TEST_EACH(orders_of_two_host_partitions_become_one, merged)
{
	struct { job_record_t *job; const char *name; } all[4];
	char conf[160], order[64] = "";
	size_t count = merged[_i].has_fourth ? 4 : 3;

	snprintf(conf, sizeof(conf), "Policy=fcfs\n" H1 LSF "%s\n" H2 LSF, merged[_i].rule);
	open_cluster(conf);
	run_on(anna, gpu, 0, 0, 3);
	run_on(bert, cpu, 4, 4, 3);
	all[0].job = wait_in(anna, wide), all[0].name = "anna";
	all[1].job = wait_in(bert, wide), all[1].name = "bert";
	all[2].job = wait_in(bert, gpu), all[2].name = "gpu";
	if (count == 4)
		all[3].job = wait_in(anna, cpu), all[3].name = "cpu";
	host_pass();
	for (size_t place = 0; place < count; place++)
		for (size_t i = 0; i < count; i++) {
			size_t before = 0;

			for (size_t j = 0; j < count; j++)
				before += all[j].job->priority > all[i].job->priority;
			if (before == place)
				sprintf(order + strlen(order), "%s%s", place ? " " : "",
					all[i].name);
		}
	ck_assert_str_eq(order, merged[_i].order);
}

/* In h1 the first; in h2 those of the partition with the higher priority come first. */
TEST(job_that_requires_nodes_is_placed_in_their_scope)
{
	job_record_t *job[3];

	open_cluster("Policy=fcfs\n" H1 LSF "HostRule=first\n" H2 LSF);
	job[2] = wait_in(anna, cpu);
	job[1] = wait_in(anna, gpu);
	require_nodes(job[1], 6, 6);	/* of h2 */
	job[0] = wait_in(anna, wide);
	host_pass();
	assert_order(job, COUNT(job));
}

/* ---- errors and pools ------------------------------------------------------------------------ */

/* Each host partition has a tree of its own, and charges its leaves with its own part of a job. */
TEST(host_partitions_have_user_shares)
{
	job_record_t *of_anna, *of_bert, *in_h2;

	open_cluster("Policy=fcfs\n"
		     H1 "Policy=lsf RunJobFactor=0 UserShares=\"[anna, 1] [bert, 3]\"\n"
		     H2 "Policy=lsf RunJobFactor=0 UserShares=\"[anna, 1]\"");
	of_anna = wait_in(anna, gpu);
	of_bert = wait_in(bert, gpu);
	in_h2 = host_job(&(struct host_job){ .user = bert, .partition = { cpu }, .nice = -500 });
	host_pass();
	assert_factor(of_anna, .5);
	assert_factor(of_bert, 1);
	ck_assert_uint_eq(in_h2->priority, 1);
	use_on(anna, cpu, 4, 5, 1, 36000);	/* nothing of h1 */
	host_pass();
	assert_factor(of_bert, 1);
	use_on(bert, wide, 3, 5, 1, 36000);
	host_pass();
	assert_factor(of_anna, 1);
	assert_factor(of_bert, .5);
	ck_assert_uint_eq(in_h2->priority, 1);
}

TEST(host_that_does_not_exist_is_an_error)
{
	job_record_t *job;

	open_cluster(H1);
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, gpu, 0, 0, 1, 1000);
	job = wait_in(anna, gpu);
	host_pass();
	assert_factor_in(job, gpu, classic(.75));
	reconfigure("Policy=lsf\n\nScope=h1 Hosts=n[14-16]");
	ck_assert_uint_eq(logged("fathom.conf:3: Hosts: 'n16' is not a node of slurm.conf; the "
				 "last good settings"), 1);
	assert_factor_in(job, gpu, classic(.75));
	reconfigure("Scope=h1 Hosts=\"all ~login\"");
	ck_assert_uint_eq(logged("fathom.conf:1: Hosts: 'login' is not a node of slurm.conf"), 1);
	rename_node(15, "login");
	reconfigure("Scope=h1 Hosts=\"all ~login\"");
	ck_assert_uint_eq(logged("'login' is not a node"), 1);
}

TEST(host_that_is_excluded_but_not_in_the_list_is_only_told)
{
	job_record_t *in_h1, *in_h2;

	open_cluster("Policy=classic\nScope=h1 Hosts=\"n[0-3] ~n9\"\n"
		     "Scope=h2 Hosts=\"n[4-7] ~login\"");
	ck_assert_uint_eq(logged("fathom.conf:2: Hosts: '~n9' excludes a host that is not in the "
				 "list; it changes nothing"), 1);
	ck_assert_uint_eq(logged("fathom.conf:3: Hosts: '~login' excludes"), 1);
	use_on(anna, gpu, 0, 0, 3, 1000);
	use_on(bert, gpu, 0, 0, 1, 1000);
	in_h1 = wait_in(anna, gpu);
	in_h2 = wait_in(anna, cpu);
	host_pass();
	assert_factor_in(in_h1, gpu, classic(.75));
	assert_factor_in(in_h2, cpu, 1);
}

/* What a partition gets of a pool. */
static unsigned pool_figure(const char *partition, const char *key)
{
	char begin[64];

	snprintf(begin, sizeof(begin), "{\"name\": \"%s\", ", partition);
	return (unsigned)figure_behind(",\n\"pools\": [", begin, key);
}

static unsigned got(const char *partition)
{
	return pool_figure(partition, "got");
}

#define POOL "FiguresFile=fathom.json\nSlotPool=all Partition=gpu SlotShare=50\n" \
	     "SlotPool=all Partition=cpu SlotShare=50\n"

TEST(pool_has_no_hosts_of_scopes)
{
	open_cluster("");
	put_on_nodes(cpu, 0, 3);
	reconfigure(POOL);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 100 });
	host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .cpus = 100 });
	host_pass();
	ck_assert_uint_eq(got("gpu"), 8);
	ck_assert_uint_eq(got("cpu"), 8);
	reconfigure(POOL "Scope=h1 Hosts=n[2,9]");
	host_pass();
	ck_assert_uint_eq(got("gpu"), 6);
	ck_assert_uint_eq(got("cpu"), 6);
	/* what runs there is not of the pool: 8 CPUs are left of 12, and 4 are used */
	run_on(bert, gpu, 1, 2, 4);
	host_pass();
	ck_assert_uint_eq(got("gpu") + got("cpu"), 12);
	ck_assert_uint_eq(got("gpu"), 6);
	/* jobs ask for 100 of the pool's CPUs, and these hold 4 and 3 of them */
	run_on(bert, gpu, 0, 0, 3);
	host_pass();
	ck_assert_uint_eq(pool_figure("gpu", "demand"), 107);
}

/* gpu has used none of the pool, and goes first as its priority is higher. */
TEST(jobs_on_hosts_of_scopes_hold_nothing_of_a_pool)
{
	job_record_t *job[2];

	open_cluster("");
	put_on_nodes(cpu, 0, 3);
	reconfigure(POOL "Scope=h1 Hosts=n2");
	run_on(bert, gpu, 2, 2, 4);
	job[1] = wait_in(anna, cpu);
	job[0] = wait_in(anna, gpu);
	host_pass();
	assert_order(job, COUNT(job));
}

TEST(pool_of_hosts_of_scopes_alone_is_an_error)
{
	open_cluster("");
	put_on_nodes(cpu, 0, 3);
	reconfigure(POOL "Scope=h1 Hosts=n[0-4]");
	ck_assert_uint_eq(logged("fathom.conf:3: Partition: all nodes of 'cpu' are hosts of "
				 "scopes, which take no part in slot pools; the last good"), 1);
}
