/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FairshareEntity=queue of policy pbs: jobs are charged to the partition that they run in, and all
 * jobs of a partition have its figures, whoever submits them.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#define PBS "Policy=pbs FairshareEntity=queue "
#define QUEUE PBS "FairshareDecayTime=1000000d "
#define BOTH QUEUE "ResourceGroup=\"gpu root 30\" ResourceGroup=\"cpu root 70\" "
#define NESTED QUEUE "ResourceGroup=\"large root 40\" ResourceGroup=\"gpu large 50\" " \
		     "ResourceGroup=\"batch large 50\" ResourceGroup=\"cpu root 60\" "

static double factor(double tree_usage, double share)
{
	return exp2(-tree_usage / share);
}

/* anna's job uses three quarters, in gpu; bert's one quarter, in cpu. */
static void use_both(const char *fathom_conf)
{
	two_users("", fathom_conf);
	use(anna, gpu, 30, 100);
	use(bert, cpu, 10, 100);
	host_pass();
}

TEST(jobs_have_the_figures_of_their_partition)
{
	use_both(BOTH);
	assert_factor(wait_in(anna, gpu), factor(.75, .3));
	assert_factor(wait_in(bert, gpu), factor(.75, .3));
	assert_factor(wait_in(anna, cpu), factor(.25, .7));
	assert_factor(wait_in(bert, cpu), factor(.25, .7));
}

TEST(partitions_are_in_groups)
{
	use_both(NESTED);
	/* batch has used nothing, but its group has */
	assert_factor(wait_in(anna, host_find_partition("batch")), factor(.375, .2));
	assert_factor(wait_in(anna, gpu), factor(.75, .2));
	assert_factor(wait_in(anna, cpu), factor(.25, .6));
}

TEST(running_jobs_are_charged_in_each_pass)
{
	two_users("", BOTH);
	run_in(anna, gpu, 30);
	run_in(anna, cpu, 10);
	host_pass();
	host_pass();
	assert_factor(wait_in(bert, gpu), factor(.75, .3));
}

TEST(job_that_ended_before_partitions_were_charged_is_not)
{
	job_record_t *running[2];

	two_users("", "Policy=pbs");
	running[0] = run_in(anna, gpu, 30);
	running[1] = run_in(anna, cpu, 10);
	host_pass();
	host_advance(50);
	end_run(running[0]);
	reconfigure(BOTH);
	host_pass();
	assert_factor(wait_in(bert, gpu), 1);
}

TEST(job_of_two_partitions_has_a_factor_in_each)
{
	job_record_t *job;

	use_both(BOTH);
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu } });
	assert_factor_in(job, gpu, factor(.75, .3));
	assert_factor_in(job, cpu, factor(.25, .7));
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), (uint32_t)(1000 * factor(.75, .3)));
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), (uint32_t)(1000 * factor(.25, .7)));
}

TEST(partitions_that_are_not_listed_share_the_group_unknown)
{
	part_record_t *batch;
	job_record_t *job;

	use_both(BOTH);
	batch = host_find_partition("batch");
	job = host_job(&(struct host_job){ .user = anna, .partition = { batch }, .nice = -500 });
	ck_assert_uint_eq(job->priority, 1);	/* without shares it never runs */
	reconfigure(BOTH "UnknownShares=100 InitialUsage=0");
	assert_factor(job, 1);	/* nobody has used it */
	assert_factor(wait_in(anna, gpu), factor(.75, .15));
}

TEST(new_partition_has_figures_after_the_next_pass)
{
	job_record_t *job;

	use_both(BOTH "UnknownShares=100");
	job = wait_in(anna, host_partition("new", 1, NULL));
	host_wake();
	assert_factor(job, 1);
}

TEST(usage_of_a_partition_that_is_gone_still_counts)
{
	use_both(NESTED);
	host_delete_partition("gpu");
	host_pass();
	assert_factor(wait_in(anna, host_find_partition("batch")), factor(.375, .2));
	assert_factor(wait_in(anna, cpu), factor(.25, .6));
}

/* It counts for the whole, and for no partition. */
TEST(usage_without_a_partition_is_nobodys)
{
	job_record_t *running;

	use_both(BOTH "UnknownShares=100 InitialUsage=0");
	use(anna, host_find_partition("batch"), 20, 100);
	running = run_in(anna, gpu, 40);
	running->part_ptr = NULL;
	host_advance(100);
	end_run(running);
	host_pass();
	assert_factor(wait_in(anna, gpu), factor(.3, .15));
	assert_factor(wait_in(anna, host_find_partition("batch")), factor(.2, .5));
}

TEST(partitions_are_ranked_by_path)
{
	use_both(NESTED "Order=path");
	/* cpu 1/4 of .6 before large 3/4 of .4; below that batch, which has used nothing. The
	 * group unknown has no member. */
	assert_factor(wait_in(anna, cpu), 1);
	assert_factor(wait_in(anna, host_find_partition("batch")), 2. / 3);
	assert_factor(wait_in(anna, gpu), 1. / 3);
}

TEST(usage_of_partitions_survives_a_crash)
{
	job_record_t *running, *waiting;

	two_users("", BOTH);
	use(bert, cpu, 10, 100);
	running = run_in(anna, gpu, 30);
	waiting = wait_in(anna, gpu);
	host_advance(50);
	host_pass();
	crash_and_restart();
	end_run(running);
	host_pass();
	/* a period of 300 s and 50 s; nothing is lost in the crash, and nothing charged twice */
	assert_factor(waiting, factor(30. * 350 / (30 * 350 + 1000), .3));
	ck_assert_uint_eq(logged("out of memory"), 0);
}

TEST(usage_of_partitions_stays_when_settings_change)
{
	use_both(BOTH);
	reconfigure(QUEUE "ResourceGroup=\"gpu root 60\" ResourceGroup=\"cpu root 40\"");
	assert_factor(wait_in(anna, gpu), factor(.75, .6));
	reconfigure("Policy=fair-tree ShadowPolicy=pbs FairshareEntity=queue "
		    "FairshareDecayTime=1000000d ResourceGroup=\"gpu root 60\"");
	write_conf(BOTH);
	crash_and_restart();
	host_pass();
	assert_factor(wait_in(anna, gpu), factor(.75, .3));
}

/* Of all usage of partitions only that from now on counts. */
static void assert_charged_from_now_on(void)
{
	reconfigure(BOTH);
	use(anna, cpu, 10, 100);
	host_pass();
	assert_factor(wait_in(anna, gpu), 1);
	assert_factor(wait_in(anna, cpu), factor(1, .7));
	ck_assert(host_close());
}

TEST(partitions_are_charged_from_when_they_are_entities)
{
	use_both("Policy=pbs FairshareDecayTime=1000000d ResourceGroup=\"anna root 1\"");
	assert_charged_from_now_on();
}

TEST(usage_of_partitions_is_forgotten_while_others_are_entities)
{
	use_both(BOTH);
	reconfigure("Policy=pbs FairshareDecayTime=1000000d ResourceGroup=\"anna root 1\"");
	use(anna, gpu, 10, 100);
	host_pass();
	assert_charged_from_now_on();
}

TEST(usage_under_a_name_that_is_too_long_is_not_saved)
{
	char name[140];

	two_users("", BOTH);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	use(anna, host_partition(name, 1, NULL), 10, 100);
	use(anna, gpu, 10, 100);
	host_pass();
	ck_assert_uint_eq(logged("nnn: the name is too long"), 1);
	assert_factor(wait_in(anna, gpu), factor(.5, .3));
	crash_and_restart();
	host_pass();
	assert_factor(wait_in(anna, gpu), factor(1, .3));
}

/* PBS asks its formula with what ran since the reset, so a square tells whether that is known. */
TEST_LOOP(reset_is_remembered_over_a_crash, HAS_FORMULAS)
{
	job_record_t *running;
	double since, square;

	two_users("PriorityUsageResetPeriod=DAILY",
		  BOTH "FairshareUsageRes=\"walltime * walltime\"");
	running = run_in(anna, gpu, 1);
	host_pass();
	host_advance(2 * 24 * 3600);
	host_pass();
	since = (double)(host_now() - host_now() % (24 * 3600));
	crash_and_restart();
	use(bert, cpu, 1, 1000);
	host_pass();
	square = pow((double)host_now() - since, 2);
	assert_factor(wait_in(anna, gpu), factor(square / (square + 1e6), .3));
	end_run(running);
}

/* gpu's job ends 300 seconds before an equal one of cpu. */
TEST(usage_of_partitions_decays)
{
	two_users("", PBS "FairshareDecayTime=300s ResourceGroup=\"gpu root 30\" "
		      "ResourceGroup=\"cpu root 70\"");
	use(anna, gpu, 10, 100);
	host_advance(200);
	use(anna, cpu, 10, 100);
	host_pass();
	assert_factor(wait_in(anna, gpu), factor(1. / 3, .3));
}

TEST(scope_charges_its_own_partitions)
{
	two_users("", "Policy=fair-tree FairshareDecayTime=1000000d "
		      "ResourceGroup=\"gpu root 30\" ResourceGroup=\"cpu root 70\"\n"
		      "Scope=both Partitions=gpu,cpu Policy=pbs FairshareEntity=queue");
	use(anna, gpu, 30, 100);
	use(bert, cpu, 10, 100);
	use(bert, host_find_partition("batch"), 1000, 100);
	host_pass();
	assert_factor(wait_in(anna, gpu), factor(.75, .3));
	assert_factor(wait_in(bert, cpu), factor(.25, .7));
}

TEST_LOOP(formula_sees_the_figures_of_the_partition, HAS_FORMULAS)
{
	use_both(BOTH "Formula=\"round(1000 * fairshare_perc + 100 * fairshare_tree_usage)\"");
	ck_assert_uint_eq(wait_in(anna, gpu)->priority, 375);
	ck_assert_uint_eq(wait_in(anna, cpu)->priority, 725);
}

TEST(reset_clears_the_usage_of_partitions)
{
	two_users("PriorityUsageResetPeriod=DAILY", BOTH);
	use(anna, gpu, 30, 100);
	use(bert, cpu, 10, 100);
	host_pass();
	host_advance(2 * 24 * 3600);
	host_pass();
	assert_factor(wait_in(anna, gpu), 1);
	use(bert, gpu, 1, 100);
	host_pass();
	assert_factor(wait_in(anna, gpu), factor(1, .3));
}

TEST(shares_of_users_do_not_count)
{
	setenv("HOST_LOG", "debug", 1);
	use_both(BOTH);
	host_set_shares(bert, 0);
	host_pass();
	assert_factor(wait_in(bert, cpu), factor(.25, .7));
	ck_assert_uint_eq(logged("without shares"), 0);
}

TEST(associations_have_no_figures)
{
	two_users("PriorityFlags=MAX_TRES", BOTH);
	use(anna, gpu, 30, 100);
	host_pass();
	ck_assert_double_eq(anna->record->usage->fs_factor, 0);
	ck_assert_double_gt((double)anna->record->usage->usage_raw, 2999);
}

TEST(queues_are_no_entities_without_a_resource_group)
{
	two_users("", QUEUE);
	ck_assert_uint_eq(logged("FairshareEntity has no effect in Slurm"), 1);
	reconfigure(BOTH);
	ck_assert_uint_eq(logged("FairshareEntity has no effect in Slurm"), 1);
}
