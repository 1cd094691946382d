/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stand-in for slurmctld does what slurmctld does, with the plugin in it. */
#include "scenario/crash.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#define HALF_LIFE 86400		/* PriorityDecayHalfLife=1-0 */
#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */

static struct host_association *account, *anna, *bert;

/* Two users with equal shares: anna has used something, bert has not. */
static void grow_cluster(const char *conf)
{
	host_configure("PriorityDecayHalfLife=1-0\nPriorityCalcPeriod=5\n"
		       "PriorityWeightFairshare=1000\nPriorityFlags=NO_FAIR_TREE\n%s\n", conf);
	host_passed_at(host_now() - PERIOD);
	account = host_account(host_root(), "physics", 1);
	anna = host_user(account, "anna", 1);
	bert = host_user(account, "bert", 1);
	anna->usage = 1e6;
}

static void open_cluster(const char *conf)
{
	grow_cluster(conf);
	host_open();
}

static double usage_of(const struct host_association *association)
{
	return (double)association->record->usage->usage_raw;
}

TEST(a_pass_decays_usage_and_sets_priorities)
{
	job_record_t *job;

	open_cluster("");
	job = host_job(&(struct host_job){ .user = anna });
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq_tol(usage_of(anna), 1e6 * exp2(-(double)PERIOD / HALF_LIFE), 1e-3);
	/* all usage is hers, half the shares are: 1000 * 2^-2 */
	ck_assert_uint_eq(job->priority, 250);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 1e6 * exp2(-2. * PERIOD / HALF_LIFE), 1e-3);
	ck_assert_double_eq_tol(usage_of(host_root()), usage_of(anna), 1e-3);
}

/* slurmctld -c with an empty database: nobody has ever passed or used anything. */
TEST(the_first_pass_of_a_cluster_sets_priorities)
{
	job_record_t *job;

	host_configure("PriorityDecayHalfLife=7-0\nPriorityCalcPeriod=1\n"
		       "PriorityWeightFairshare=50000\n");
	account = host_account(host_root(), "physics", 1);
	anna = host_user(account, "anna", 1);
	host_open();
	job = host_job(&(struct host_job){ .user = anna });
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(job->priority, 50000);
	ck_assert(usage_of(anna) == 0);
}

TEST(a_job_is_charged_from_its_begin_to_its_end)
{
	job_record_t *job;

	open_cluster("PriorityFlags=NO_FAIR_TREE\nAccountingStorageEnforce=associations,limits");
	host_load(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = bert, .cpus = 8 });
	/* as idle as the account is not: 1000 * 2^-1 */
	ck_assert_uint_eq(job->priority, 500);
	host_job_begin(job, host_now());
	ck_assert_uint_eq(anna->parent->record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU],
			  8 * 3600);
	host_advance(10);
	host_job_end(job);
	host_job_cleaned(job);
	ck_assert_double_eq_tol(usage_of(bert), 80, 0.1);
	ck_assert_uint_eq(bert->record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0);
	host_job_purge(job);
	host_pass();
	ck_assert_double_eq_tol(usage_of(bert), 80 * exp2(-(double)PERIOD / HALF_LIFE), 0.1);
}

static unsigned calls;

static void count_call(void *lock)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	/* it is free, or this would hang */
	if (lock)
		lock_slurmctld(locks), unlock_slurmctld(locks);
	calls++;
}

TEST(locks_are_counted_and_their_releases_hooked)
{
	unsigned before;

	open_cluster("");
	host_job(&(struct host_job){ .user = anna });
	host_load(FATHOM_PLUGIN);
	host_on_release(HOST_JOB, WRITE_LOCK, 1, count_call, &calls);
	host_on_release(HOST_ASSOC, READ_LOCK, 0, count_call, NULL);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 1000, count_call, NULL);
	host_pass();
	ck_assert_uint_ge(host_last_pass()->hold[HOST_JOB][WRITE_LOCK].count, 1);
	ck_assert(host_last_pass()->hold[HOST_JOB][WRITE_LOCK].longest > 0);
	ck_assert_uint_eq(calls, 1 + host_last_pass()->hold[HOST_ASSOC][READ_LOCK].count);
	before = calls;
	host_pass();
	ck_assert_uint_eq(calls, before);
}

static void serve(void *argument)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };

	for (int i = 0; i < 3; i++)
		lock_slurmctld(locks), unlock_slurmctld(locks);
	++*(unsigned *)argument;
}

static void see_between(void *argument)
{
	ck_assert_uint_eq(*(unsigned *)argument, 0);	/* it is still under way */
	calls++;
}

TEST(a_request_is_counted_and_disturbed_like_a_pass)
{
	unsigned served = 0;

	open_cluster("");
	host_load(FATHOM_PLUGIN);
	host_beside_pass(4, see_between, &served);
	host_request(serve, &served);
	ck_assert_uint_eq(served, 1);
	ck_assert_uint_eq(calls, 1);
	ck_assert_uint_eq(host_last_pass()->steps, 6);
	ck_assert_uint_eq(host_last_pass()->hold[HOST_JOB][READ_LOCK].count, 3);
	host_pass();
	ck_assert_uint_ge(host_last_pass()->hold[HOST_JOB][WRITE_LOCK].count, 1);
}

TEST_EXIT(assoc_mgrs_locks_inside_each_other_end_the_process, 2)
{
	assoc_mgr_lock_t qos = { .qos = READ_LOCK }, association = { .assoc = READ_LOCK };

	open_cluster("");
	assoc_mgr_lock(&qos);
	assoc_mgr_lock(&association);
}

TEST_EXIT(slurmctlds_locks_inside_assoc_mgrs_end_the_process, 2)
{
	assoc_mgr_lock_t qos = { .qos = READ_LOCK };
	slurmctld_lock_t jobs = { .job = READ_LOCK };

	open_cluster("");
	assoc_mgr_lock(&qos);
	lock_slurmctld(jobs);
}

TEST(associations_come_and_go)
{
	struct host_association *carl;
	job_record_t *job;

	open_cluster("");
	host_load(FATHOM_PLUGIN);
	carl = host_user(account, "carl", 2);
	host_remove(bert);
	job = host_job(&(struct host_job){ .user = carl });
	ck_assert_uint_eq(job->priority, 500);
	host_pass();
	ck_assert_double_eq_tol(anna->record->usage->shares_norm, 1. / 3, 1e-9);
	host_set_shares(anna, 8);
	host_pass();
	ck_assert_double_eq_tol(anna->record->usage->shares_norm, 0.8, 1e-9);
}

/* Of the account's own usage slurmctld has not made room for the last TRES. */
TEST(own_usage_of_fewer_tres_is_left_as_long_as_it_is)
{
	slurmdb_assoc_usage_t *own;

	grow_cluster("");
	account->usage = 5e5;
	host_open();
	own = account->record->leaf_usage;
	own->tres_cnt = g_tres_count - 1;
	own->usage_tres_raw[own->tres_cnt] = 7;
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert_double_lt((double)own->usage_raw, 5e5);
	ck_assert_double_eq((double)own->usage_tres_raw[own->tres_cnt], 7);
}

/* ---- what is saved --------------------------------------------------------------- */

static struct host_association *lab, *carl;

/* carl works in a lab, which has usage of members it had once. */
static void open_saving_cluster(void)
{
	grow_cluster("AccountingStorageEnforce=associations,limits");
	lab = host_account(account, "lab", 1);
	lab->usage = 5e5;
	carl = host_user(lab, "carl", 1);
	host_open();
	host_load(FATHOM_PLUGIN);
	ck_assert(exists("fathom_usage"));
}

static void run_a_job(void)
{
	job_record_t *job = host_job(&(struct host_job){ .user = carl, .cpus = 8 });

	host_job_begin(job, host_now());
	host_advance(10);
	host_job_end(job);
	host_job_cleaned(job);
}

TEST(what_a_pass_has_come_to_survives_a_crash)
{
	double of_anna, of_carl;

	open_saving_cluster();
	run_a_job();
	host_pass();
	of_anna = usage_of(anna), of_carl = usage_of(carl);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), of_anna, 1e-6);
	ck_assert_double_eq_tol(usage_of(carl), of_carl, 1e-6);
}

/* The lab's own usage has gone by another's hand, and the end of a job below it hides that. */
TEST(an_account_that_was_reset_gets_nothing_back)
{
	open_saving_cluster();
	host_reset_usage(lab);
	run_a_job();
	host_pass();
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(lab), usage_of(carl), 1e-6);
}

/* multifactor's file, were it there, would tell that slurmctld's own usage is newer. */
TEST(the_file_before_a_damaged_one_is_used)
{
	double of_anna, of_carl;

	open_saving_cluster();
	host_pass();
	of_anna = usage_of(anna);
	run_a_job();
	of_carl = usage_of(carl);
	host_pass();
	crash();
	ck_assert(truncate(in_folder("fathom_usage"), 200) == 0);
	ck_assert(unlink(in_folder("priority_last_decay_ran")) == 0);
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq_tol(usage_of(anna), of_anna, 1e-2 * of_anna);
	/* the job that has ended since is charged from its record */
	ck_assert_double_eq_tol(usage_of(carl), of_carl, 1e-2 * of_carl);
	ck_assert(exists("fathom_usage.damaged"));
}

TEST(where_both_files_are_damaged_slurmctlds_usage_is_used)
{
	open_saving_cluster();
	host_pass();
	crash();
	ck_assert(truncate(in_folder("fathom_usage"), 200) == 0);
	ck_assert(truncate(in_folder("fathom_usage.old"), 200) == 0);
	ck_assert(unlink(in_folder("priority_last_decay_ran")) == 0);
	host_load(FATHOM_PLUGIN);
	/* in the host there is none after a crash */
	ck_assert(usage_of(anna) == 0);
}

TEST(a_file_that_has_gone_is_written_again)
{
	double of_anna;

	open_saving_cluster();
	run_a_job();
	host_pass();
	ck_assert(unlink(in_folder("fathom_usage")) == 0);
	host_pass();
	ck_assert(exists("fathom_usage"));
	of_anna = usage_of(anna);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), of_anna, 1e-6);
}
