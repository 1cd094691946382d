/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of "Differences from multifactor" in priority_fathom(5) that need a
 * large table of jobs, a moment in a pass, or a clock that goes back; a test
 * begins with the name of its row. The others are shown by tests/live.
 */
#include "scenario/host_suite.h"

#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */
#define CPUS 8

static struct host_association *anna;

/* Usage that does not decay is a whole number. */
static void open_cluster(const char *conf)
{
	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\nPriorityWeightFairshare=1000\n"
		       "AccountingStorageEnforce=associations,limits\n%s\n", conf);
	host_passed_at(host_now());
	anna = host_user(host_account(host_root(), "physics", 1), "anna", 1);
	host_user(anna->parent, "bert", 1);
}

static double usage_of(const struct host_association *association)
{
	return (double)association->record->usage->usage_raw;
}

static uint64_t run_seconds_of(const struct host_association *association)
{
	return association->record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU];
}

TEST(lock_on_the_job_table_is_let_go_many_times_in_a_pass)
{
	open_cluster("PriorityWeightAge=1000");
	host_grow(&(struct host_shape){ 2, 4, 20 });
	host_open();
	host_populate(50000, 0, true);
	host_load(FATHOM_PLUGIN);
	host_pass();
	/* how long one lasts a busy machine decides; multifactor has three at most */
	ck_assert_uint_ge(host_last_pass()->hold[HOST_JOB][WRITE_LOCK].count, 10);
}

static void end_job(void *job)
{
	host_job_end(job);
}

/* What a pass gives back on its way: jobs have been looked at, priorities are
 * being written, records are being written. */
static const struct { enum host_lock lock; lock_level_t level; } moments[] = {
	{ HOST_JOB, READ_LOCK }, { HOST_JOB, WRITE_LOCK }, { HOST_ASSOC, WRITE_LOCK },
};

TEST_EACH(end_during_a_pass_charges_each_second_once, moments)
{
	job_record_t *job;

	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	host_job_begin(job, host_now());
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * PERIOD, 1e-6);
	host_on_release(moments[_i].lock, moments[_i].level, 1, end_job, job);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * 2 * PERIOD, 1e-6);
	ck_assert(!IS_JOB_RUNNING(job));
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * 2 * PERIOD, 1e-6);
	ck_assert_uint_eq(run_seconds_of(anna), 0);
	ck_assert_uint_eq(run_seconds_of(host_root()), 0);
}

/* More than the thread takes out of the book at once; every other job goes on with another size. */
TEST(many_ends_between_two_passes_charge_each_second_once)
{
	enum { JOBS = 700 };
	job_record_t *job[JOBS];

	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	for (size_t i = 0; i < JOBS; i++) {
		job[i] = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
		host_job_begin(job[i], host_now());
	}
	host_advance(100);
	for (size_t i = 0; i < JOBS; i++) {
		if (i % 2)
			host_job_resize(job[i], 2 * CPUS);
		else
			host_job_end(job[i]);
	}
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), JOBS * CPUS * (100 + PERIOD), 1e-3);
	for (size_t i = 1; i < JOBS; i += 2)
		host_job_end(job[i]);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), JOBS * CPUS * (100 + PERIOD), 1e-3);
	ck_assert_uint_eq(run_seconds_of(anna), 0);
}

static void end_as_slurm(job_record_t *job)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };

	lock_slurmctld(locks);
	priority_g_job_end(job);
	unlock_slurmctld(locks);
}

TEST(expected_start_of_a_waiting_job_charges_nothing)
{
	job_record_t *job;

	open_cluster("PriorityFlags=CALCULATE_RUNNING");
	host_open();
	host_load(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	job->start_time = host_now() - 60;	/* backfill's guess, in vain */
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 0, 1e-6);
	ck_assert_double_eq_tol(anna->record->usage->grp_used_wall, 0, 1e-6);
}

/* No job of slurmctld's lacks either for long. */
TEST_LOOP(run_without_a_start_or_without_TRES_charges_nothing, 2)
{
	uint64_t *tres;
	job_record_t *job;

	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	host_job_begin(job, host_now());
	tres = job->tres_alloc_cnt;
	if (_i)
		job->tres_alloc_cnt = NULL;
	else
		job->start_time = 0;
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 0, 1e-6);
	job->tres_alloc_cnt = tres;
}

/* Slurm 26.05 begins and ends the waiting components of a heterogeneous job in counts of their own
 * at its submission. */
TEST(waiting_heterogeneous_job_takes_nothing_from_what_runs)
{
	job_record_t *runs, *waits;
	uint64_t reserved;
	time_t expected;

	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	runs = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	waits = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	host_job_begin(runs, host_now());
	host_advance(100);
	reserved = run_seconds_of(anna);
	ck_assert_uint_gt(reserved, 0);
	expected = waits->end_time_exp;
	waits->tres_alloc_cnt = waits->tres_req_cnt;
	end_as_slurm(waits);
	waits->tres_alloc_cnt = NULL;
	ck_assert_uint_eq(run_seconds_of(anna), reserved);
	ck_assert_uint_eq(run_seconds_of(host_root()), reserved);
	/* else its end would count as charged */
	ck_assert_int_eq(waits->end_time_exp, expected);
	host_job_begin(waits, host_now());
	host_advance(100);
	host_job_end(waits);
	host_job_end(runs);
	ck_assert_double_eq_tol(usage_of(anna), CPUS * (100 + 200), 1e-6);
}

/* Backfill begins a component to see whether limits allow it, and ends it at its start. */
TEST(trial_of_a_heterogeneous_job_releases_what_it_reserved)
{
	job_record_t *job;

	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	host_job_begin(job, host_now());
	ck_assert_uint_gt(run_seconds_of(anna), 0);
	job->job_state = JOB_COMPLETE | JOB_COMPLETING;
	job->end_time = job->start_time;
	end_as_slurm(job);
	ck_assert_uint_eq(run_seconds_of(anna), 0);
	ck_assert_uint_eq(run_seconds_of(host_root()), 0);
	ck_assert_double_eq_tol(usage_of(anna), 0, 1e-6);
}

TEST(unconsumed_GRES_is_neither_charged_nor_taken_down)
{
	const slurmdb_assoc_usage_t *usage;
	job_record_t *job;

	open_cluster("");
	host_open();
	/* it runs while slurmctld starts */
	job = host_job(&(struct host_job){ .user = anna, .cpus = CPUS });
	host_job_begin(job, host_now() - 100);
	job->tres_alloc_cnt[HOST_TRES_GPU] = NO_CONSUME_VAL64;
	host_load(FATHOM_PLUGIN);
	host_pass();
	usage = anna->record->usage;
	ck_assert_uint_eq(usage->grp_used_tres_run_secs[HOST_TRES_GPU], 0);
	ck_assert_uint_eq(usage->grp_used_tres_run_secs[TRES_ARRAY_CPU],
			  CPUS * (3600 - 100 - PERIOD));
	ck_assert(usage->usage_tres_raw[HOST_TRES_GPU] == 0);
	ck_assert_double_eq_tol((double)usage->usage_tres_raw[TRES_ARRAY_CPU], CPUS * PERIOD, 1e-6);
}

TEST(clock_set_back_charges_nothing_until_it_is_where_it_was)
{
	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	host_job_begin(host_job(&(struct host_job){ .user = anna, .cpus = CPUS }), host_now());
	host_pass();
	host_advance(-2 * PERIOD);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * PERIOD, 1e-6);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * PERIOD, 1e-6);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), CPUS * 2 * PERIOD, 1e-6);
}

TEST(order_of_the_job_list_makes_no_difference)
{
	job_record_t *before, *after;

	open_cluster("PriorityFlags=NO_FAIR_TREE");
	host_open();
	host_load(FATHOM_PLUGIN);
	before = host_job(&(struct host_job){ .user = anna });
	host_job_begin(host_job(&(struct host_job){ .user = anna, .cpus = CPUS }), host_now());
	after = host_job(&(struct host_job){ .user = anna });
	ck_assert_uint_eq(before->priority, 1000);
	host_pass();
	/* all usage is hers, half the shares are: 1000 * 2^-2 */
	ck_assert_uint_eq(before->priority, 250);
	ck_assert_uint_eq(after->priority, 250);
}

TEST(unchanged_priorities_leave_the_job_table_as_it_is)
{
	time_t before;

	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	host_job(&(struct host_job){ .user = anna });
	host_pass();
	before = last_job_update;
	host_pass();
	ck_assert_int_eq(last_job_update, before);
	host_set_shares(anna, 0);
	host_pass();
	ck_assert_int_eq(last_job_update, host_now());
}

static void forget_job_update(void *argument)
{
	(void)argument;
	last_job_update = 0;
}

/* Backfill begins anew each time: only a slice in which a priority changes may say so. */
TEST(slices_after_the_last_change_leave_the_job_table_as_it_is)
{
	open_cluster("");
	host_open();
	host_load(FATHOM_PLUGIN);
	for (int i = 0; i < 600; i++)
		host_job(&(struct host_job){ .user = anna })->direct_set_prio = i > 0;
	host_pass();
	host_set_shares(anna, 0);
	host_short_slices(true);
	host_on_release(HOST_JOB, WRITE_LOCK, 2, forget_job_update, NULL);
	last_job_update = 1;
	host_pass();
	host_short_slices(false);
	ck_assert_int_eq(last_job_update, 0);
}
