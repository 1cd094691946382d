/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clocks that are set forward or back, summer time, the end of 32 bits, half-lives from a second to
 * ten years, and the greatest numbers: usage follows from its formula, and no figure is NAN.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <stdlib.h>
#include <time.h>

#define CPUS 3
#define DAY 86400
#define YEAR (365 * DAY)
#define FOR_EVER "PriorityUsageResetPeriod=NONE"

/* What a run has used of CPUs since then. half_life: 0: nothing decays. */
static double used_since(time_t begin, time_t end, double half_life)
{
	double seconds = difftime(end, begin);

	if (half_life > 0)
		seconds = -expm1(-seconds / half_life * M_LN2) * half_life / M_LN2;
	return CPUS * seconds;
}

static void assert_used(double wanted)
{
	ck_assert_msg(fabs(usage_of(anna) - wanted) <= 1e-9 * wanted, "%.17g of %.17g",
		      usage_of(anna), wanted);
}

/* ---- clocks ---------------------------------------------------------------------------- */

static const time_t jumps[] = { 1, 3600, DAY, YEAR };

#define JUMPS (sizeof(jumps) / sizeof(*jumps))

/* slurmctld, too, takes it that the job has run meanwhile. */
TEST_EACH(clock_that_is_set_forward_charges_what_it_says, jumps)
{
	time_t begin;

	two_users(FOR_EVER, "");
	begin = host_now();
	run_in(anna, gpu, CPUS);
	host_pass();
	host_advance(jumps[_i]);
	host_pass();
	assert_used(used_since(begin, host_now(), 0));
	crash_and_restart();
	assert_used(used_since(begin, host_now(), 0));
}

TEST_EACH(clock_that_is_set_back_charges_no_second_twice, jumps)
{
	time_t begin, latest;

	two_users(FOR_EVER, "");
	begin = host_now();
	run_in(anna, gpu, CPUS);
	host_advance(YEAR);
	host_pass();
	latest = host_now();
	host_advance(-jumps[_i]);
	host_wake();
	assert_used(used_since(begin, latest, 0));
	crash_and_restart();
	assert_used(used_since(begin, latest, 0));
	host_advance(jumps[_i]);
	host_pass();
	assert_used(used_since(begin, host_now(), 0));
}

/* As where the clock of a machine stood at 1970; it runs, or has ended before a pass saw it. */
TEST_LOOP(job_that_began_in_the_first_second_of_1970_is_charged, 2)
{
	job_record_t *job;

	two_users(FOR_EVER "\nAccountingStorageEnforce=associations", "");
	job = run_in(anna, gpu, CPUS);
	job->start_time = 1;
	if (_i) {
		host_advance(100);
		end_run(job);
	}
	host_pass();
	assert_used(CPUS * (_i ? 100 : PERIOD));
}

TEST(time_goes_on_after_2038)
{
	time_t begin;

	two_users("PriorityDecayHalfLife=7-0\n" FOR_EVER, "");
	host_advance(INT32_MAX - host_now() - PERIOD);
	host_pass();
	begin = host_now();
	run_in(anna, gpu, CPUS);
	for (int i = 0; i < 4; i++) {
		host_pass();
		assert_used(used_since(begin, host_now(), 7 * DAY));
	}
	crash_and_restart();
	assert_used(used_since(begin, host_now(), 7 * DAY));
}

/* A year in which a day has 23 hours, and one has 25. */
TEST(usage_is_reset_at_each_midnight)
{
	const time_t hour = 3600;
	double before = 0;
	struct tm local;
	unsigned resets = 0;

	two_users("PriorityUsageResetPeriod=DAILY", "");
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	host_advance(hour - host_now() % hour);
	run_in(anna, gpu, CPUS);
	host_wake();
	for (int i = 0; i < 366 * 24; i++) {
		time_t now;

		host_advance(hour - PERIOD);
		host_pass();
		now = host_now();
		localtime_r(&now, &local);
		ck_assert_msg((usage_of(anna) < before) == !local.tm_hour, "%d-%d %d:00: %g -> %g",
			      local.tm_mon + 1, local.tm_mday, local.tm_hour, before,
			      usage_of(anna));
		resets += usage_of(anna) < before;
		before = usage_of(anna);
	}
	ck_assert_uint_eq(resets, 366);
}

TEST(midnight_while_slurmctld_was_away_is_not_missed)
{
	two_users("PriorityUsageResetPeriod=DAILY", "");
	use(anna, gpu, CPUS, 100);
	host_pass();
	ck_assert_double_gt(usage_of(anna), 0);
	crash();
	host_advance(DAY);
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq(usage_of(anna), 0);
}

static const struct { uint32_t half_life; const char *conf, *next_conf; } daily_resets[] = {
	{ 0, "", NULL }, { 3600, "", NULL }, { 0, "Policy=lsf", NULL },
	{ 3600, "Policy=lsf", NULL }, { 3600, "", "Policy=lsf" },
};

static void open_before_midnight(int i)
{
	two_users_grow("PriorityUsageResetPeriod=DAILY\nAccountingStorageEnforce=limits");
	host_passed_at(host_now());
	two_users_open();
	slurm_conf.priority_decay_hl = daily_resets[i].half_life;
	two_users_load(daily_resets[i].conf);
	run_in(bert, gpu, CPUS);
	host_advance(DAY - host_now() % DAY - 100);
}

static void assert_qos_is_the_sum(void)
{
	double sum = usage_of(anna) + usage_of(bert);

	ck_assert_double_eq_tol(usage_of(host_root()), sum, 1e-9 * sum);
	ck_assert_double_eq_tol((double)host_find_qos("normal")->usage->usage_raw, sum, 1e-9 * sum);
}

/* Whether slurmctld is at work at midnight, or has been away for two of them. */
TEST_EACH(what_runs_across_a_reset_counts_from_midnight_on, daily_resets)
{
	open_before_midnight(_i);
	end_run(run_in(bert, gpu, CPUS));
	run_in(anna, gpu, CPUS);
	host_wake();
	host_pass();
	assert_used(used_since(host_now() - 200, host_now(), daily_resets[_i].half_life));
	assert_qos_is_the_sum();
	crash();
	host_advance(2 * DAY);
	host_load(FATHOM_PLUGIN);
	assert_used(used_since(host_now() - 200, host_now(), daily_resets[_i].half_life));
	assert_qos_is_the_sum();
}

/* The job's end is charged at once. Then the thread takes a turn that is no pass: it charges, or
 * under lsf finds a place; or settings change. */
TEST_EACH(what_ends_after_midnight_counts_from_midnight_on, daily_resets)
{
	uint32_t half_life = daily_resets[_i].half_life;
	job_record_t *job;
	time_t now;

	open_before_midnight(_i);
	job = run_in(anna, gpu, CPUS);
	host_wake();
	host_advance(150);
	end_run(job);
	wait_in(bert, gpu);
	if (daily_resets[_i].next_conf)
		reconfigure(daily_resets[_i].next_conf);
	else
		host_wake();
	host_pass();
	now = host_now();
	assert_used(used_since(now - PERIOD - 50, now, half_life) -
		    used_since(now - PERIOD, now, half_life));
	assert_qos_is_the_sum();
}

/* Passes have gone over the midnight of a period that is set later. */
TEST(reset_that_was_not_due_before_counts_from_its_pass_on)
{
	two_users(FOR_EVER, "");
	run_in(anna, gpu, CPUS);
	host_advance(2 * DAY);
	host_pass();
	slurm_conf.priority_reset_period = PRIORITY_RESET_DAILY;
	host_advance(100);
	reconfigure("");
	ck_assert_double_eq(usage_of(anna), 0);
	host_pass();
	assert_used(used_since(0, PERIOD, 0));
}

/* ---- sizes ----------------------------------------------------------------------------- */

static const uint32_t half_lives[] = { 1, 60, 7 * DAY, 10 * (uint32_t)YEAR, 0 };

TEST_EACH(usage_follows_from_any_half_life, half_lives)
{
	time_t begin;

	two_users_grow(FOR_EVER);
	host_passed_at(host_now());
	two_users_open();
	slurm_conf.priority_decay_hl = half_lives[_i];
	two_users_load("");
	begin = host_now();
	run_in(anna, gpu, CPUS);
	for (int i = 0; i < 3; i++) {
		host_pass();
		assert_used(used_since(begin, host_now(), half_lives[_i]));
	}
	host_advance(YEAR);
	host_pass();
	assert_used(used_since(begin, host_now(), half_lives[_i]));
	crash_and_restart();
	assert_used(used_since(begin, host_now(), half_lives[_i]));
}

/* Until the pass, its charge is 2^100 times what is left of it then. Under lsf, a turn that places
 * jobs takes the charge before the pass. */
TEST_LOOP(job_that_ends_many_half_lives_before_the_pass_counts, 2)
{
	const double half_life = 3;
	bool is_placed_first = _i;
	job_record_t *job;

	two_users_grow(FOR_EVER);
	host_passed_at(host_now());
	two_users_open();
	slurm_conf.priority_decay_hl = (uint32_t)half_life;
	two_users_load(is_placed_first ? "Policy=lsf" : "");
	job = run_in(anna, gpu, CPUS);
	host_advance(PERIOD - 10);
	end_run(job);
	if (is_placed_first) {
		wait_in(bert, gpu);
		host_wake();
	}
	host_advance(10);
	host_wake();
	assert_used(used_since(0, PERIOD - 10, half_life) * exp2(-10 / half_life));
	ck_assert_uint_eq(logged("is infinite"), 0);
}

/* lsf and flux keep sums of their own, in which nobody has used anything. */
static const struct { const char *conf; double most; bool by_usage; } policies[] = {
	{ "", 1, true }, { "Policy=depth-oblivious", 1, true }, { "Policy=fair-tree", 1, true },
	{ "Policy=pbs", 1, true }, { "Policy=lsf", 1, false }, { "Policy=flux", 100, false },
};
static const double amounts[] = { 1e-300, 1, 1e18 };

/* The shares of a level add up to more than 32 bits hold. */
TEST_LOOP(factors_are_numbers, 18)
{
	job_record_t *job[2];

	two_users_grow("");
	anna->usage = amounts[_i / 6];
	anna->shares = bert->shares = INT32_MAX;
	host_passed_at(host_now());
	two_users_open();
	two_users_load(policies[_i % 6].conf);
	job[0] = wait_in(anna, gpu);
	job[1] = wait_in(bert, gpu);
	for (int i = 0; i < 3; i++) {
		host_pass();
		for (int j = 0; j < 2; j++) {
			ck_assert_double_ge(shown(job[j]), 0);
			ck_assert_double_le(shown(job[j]), policies[_i % 6].most);
			ck_assert_uint_ge(job[j]->priority, 1);
		}
		ck_assert(!policies[_i % 6].by_usage || shown(job[0]) <= shown(job[1]));
	}
}
