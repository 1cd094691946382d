/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the thread wakes up by itself: for the next pass, or before it to charge ended jobs. */
#include "scenario/two_users.h"

#define SLACK 20		/* seconds that a pass may take on a busy machine */

static const struct {
	const char *slurm_conf, *fathom_conf;
	uint32_t min_job_age;
	double seconds;
} times[] = {
	{ "", "", 300, 300 },
	{ "PriorityCalcPeriod=10", "", 300, 600 },
	{ "", "CalcPeriod=90", 300, 90 },
	{ "AccountingStorageEnforce=associations", "", 300, 150 },
	{ "AccountingStorageEnforce=associations", "", 100, 50 },
	{ "AccountingStorageEnforce=associations", "", 1000, 300 },
	{ "AccountingStorageEnforce=associations", "", 0, 300 },
	{ "AccountingStorageEnforce=associations", "CalcPeriod=90", 300, 90 },
};

TEST_EACH(thread_wakes_up_in_time, times)
{
	two_users_grow(times[_i].slurm_conf);
	host_passed_at(host_now());
	two_users_open();
	slurm_conf.min_job_age = times[_i].min_job_age;
	two_users_load(times[_i].fathom_conf);
	for (int i = 0; i < 2; i++) {
		double next = host_next_pass();

		ck_assert_msg(next <= times[_i].seconds && next > times[_i].seconds - SLACK,
			      "in %g, not %g seconds", next, times[_i].seconds);
		host_pass();
	}
}

TEST(new_period_counts_from_the_reconfigure_on)
{
	two_users("", "CalcPeriod=1000");
	ck_assert(host_next_pass() > 900);
	reconfigure("CalcPeriod=200");
	ck_assert(host_next_pass() > 200 - SLACK && host_next_pass() <= 200);
}

/* slurmctld tells of no end; the job's record says enough. */
TEST(ended_job_is_charged_between_passes)
{
	job_record_t *job, *waiting;
	uint32_t before;

	two_users("AccountingStorageEnforce=associations", "");
	job = run_in(anna, gpu, 3);
	waiting = wait_in(anna, gpu);
	before = waiting->priority;
	host_advance(100);
	end_run(job);
	host_advance(50);
	host_wake();
	ck_assert_double_eq_tol(usage_of(anna), 300, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), 300, 1e-6);
	host_pass();
	ck_assert_uint_ne(waiting->priority, before);
	ck_assert_double_eq_tol(usage_of(anna), 300, 1e-6);
}

TEST(clock_that_is_set_back_is_told_of_once)
{
	two_users("", "");
	use(anna, gpu, 3, 100);
	host_pass();
	run_in(bert, gpu, 1);
	host_advance(-1000);
	for (int i = 0; i < 3; i++)
		host_pass();	/* 100 seconds are missing yet */
	ck_assert_uint_eq(logged("the clock is 700 s behind the last pass; nothing is charged"), 1);
	ck_assert_uint_eq(logged("behind the last pass"), 1);
	ck_assert_double_eq_tol(usage_of(bert), 0, 1e-6);
	host_advance(-200);
	host_pass();
	host_pass();	/* 300 seconds later than before */
	ck_assert_double_eq_tol(usage_of(bert), 300, 1e-6);
	host_advance(-400);
	host_pass();
	ck_assert_uint_eq(logged("the clock is 100 s behind the last pass"), 1);
	ck_assert_uint_eq(logged("behind the last pass"), 2);
}
