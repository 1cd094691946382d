/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Without slurmdbd there are no associations and no usage: no thread, no state, no
 * weights of age and fair share. Priorities are computed at the start and as jobs come.
 */
#include "scenario/two_users.h"

#include <malloc.h>

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */

SHOWN bool slurm_with_slurmdbd(void)
{
	return false;
}

static void open_cluster(const char *slurm_conf)
{
	two_users_grow(slurm_conf);
	two_users_open();
	write_conf("ShadowPolicy=lsf\nScope=gpu Partitions=gpu\nFiguresFile=fathom.json");
}

TEST(priorities_are_computed_without_usage)
{
	job_record_t *before, *after;

	open_cluster("PriorityWeightPartition=3000\nPriorityWeightAge=50");
	before = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .age = 5000 });
	host_load_without_thread(FATHOM_PLUGIN);
	after = host_job(&(struct host_job){ .user = anna, .partition = { cpu }, .age = 5000 });
	ck_assert_uint_eq(before->priority, 3000);
	ck_assert_uint_eq(after->priority, 2000);
	after->priority = 7;
	priority_g_reconfig(false);
	ck_assert_uint_eq(host_job_set_priority(after), 2000);
	ck_assert_uint_eq(logged("PriorityWeightAge has no effect without slurmdbd"), 2);
	ck_assert_uint_eq(logged("PriorityWeightFairshare has no effect without slurmdbd"), 2);
	ck_assert(host_close());
	ck_assert(!exists("fathom_usage") && !exists("fathom.json"));
	ck_assert_uint_eq(logged("going on with"), 0);
}

/* As under multifactor. */
TEST(figures_of_records_stay)
{
	slurmdb_assoc_usage_t *usage;

	open_cluster("");
	usage = anna->record->usage;
	usage->fs_factor = 7;
	usage->usage_efctv = 7;
	host_root()->record->usage->usage_efctv = 7;
	host_load_without_thread(FATHOM_PLUGIN);
	ck_assert_double_eq(usage->fs_factor, 7);
	ck_assert_double_eq((double)usage->usage_efctv, 7);
	ck_assert_double_eq((double)host_root()->record->usage->usage_efctv, 7);
}

/* There is no thread that could do it. */
TEST(settings_that_are_replaced_are_freed)
{
	enum { TIMES = 100 };
	size_t before = 0;

	open_cluster("");
	host_load_without_thread(FATHOM_PLUGIN);
	for (int i = 0; i < 2 * TIMES; i++) {
		priority_g_reconfig(false);
		before = i == TIMES ? mallinfo2().uordblks : before;
	}
	ck_assert_uint_lt(mallinfo2().uordblks, before + TIMES * 100);
}

TEST(weights_of_0_are_not_told_of)
{
	open_cluster("PriorityWeightFairshare=0");
	host_load_without_thread(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("has no effect without slurmdbd"), 0);
}

/* There is no pass that could lift it, and no association whose figures are not known. */
TEST(release_lifts_a_hold_whose_reason_is_gone)
{
	job_record_t *job;

	two_users_grow("");
	two_users_open();
	write_conf("Policy=flux");
	host_load_without_thread(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = anna });
	job->assoc_ptr = NULL;
	job->assoc_id = 0;
	accounting_enforce = 0;		/* as slurmctld has it */
	job->details->nice = NICE_OFFSET + 16;
	ck_assert_uint_eq(host_job_set_priority(job), 0);
	job->details->nice = NICE_OFFSET;
	host_job_release(job);
	ck_assert_uint_gt(job->priority, 0);
}
