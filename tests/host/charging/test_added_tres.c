/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A TRES is added while slurmctld runs. */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#define NEW (HOST_TRES_LICENSE + 1)
#define ADDED 3			/* of the new one, that a job has */

static void add_tres(void *unused)
{
	host_add_tres("gres", "fpga");
}

static job_record_t *run_with_tres(void)
{
	job_record_t *job = wait_in(anna, gpu);

	job->tres_req_cnt[NEW] = ADDED;
	host_job_begin(job, host_now());
	return job;
}

static double used(const struct host_association *association)
{
	return (double)association->record->usage->usage_tres_raw[NEW];
}

static void assert_used(double seconds)
{
	ck_assert_double_eq_tol(used(anna), ADDED * seconds, 1e-6);
	ck_assert_double_eq_tol(used(physics), ADDED * seconds, 1e-6);
	ck_assert_double_eq_tol(used(host_root()), ADDED * seconds, 1e-6);
}

TEST(new_tres_is_charged_and_saved)
{
	job_record_t *job;

	two_users("", "");
	use(bert, gpu, 1, 100);
	host_pass();
	add_tres(NULL);
	job = run_with_tres();
	host_pass();
	assert_used(PERIOD);
	crash_and_restart();
	assert_used(PERIOD);
	host_advance(100);
	end_run(job);
	assert_used(PERIOD + 100);
	host_pass();
	assert_used(PERIOD + 100);
	ck_assert_double_eq_tol(usage_of(bert), 100, 1e-6);
}

/* Without limits slurmctld does not tell of a job's end; the pass finds it. */
TEST(new_tres_of_a_run_between_two_passes_is_charged_and_saved)
{
	job_record_t *job;

	two_users("AccountingStorageEnforce=associations", "");
	use(bert, gpu, 1, 100);
	host_pass();
	add_tres(NULL);
	job = run_with_tres();
	host_advance(100);
	end_run(job);
	host_pass();
	assert_used(100);
	crash_and_restart();
	assert_used(100);
}

/* No pass has met the run, and no QOS has its usage. */
TEST(new_tres_of_a_run_that_has_ended_is_charged_and_saved)
{
	job_record_t *job;

	two_users("", "");
	use(bert, gpu, 1, 100);
	host_pass();
	add_tres(NULL);
	job = run_with_tres();
	job->qos_ptr = NULL;
	host_advance(100);
	end_run(job);
	host_pass();
	assert_used(100);
	crash_and_restart();
	assert_used(100);
}

/* The state file knows nothing of it. */
TEST(tres_that_is_new_after_a_restart_is_unused)
{
	job_record_t *job;

	two_users("", "");
	use(bert, gpu, 1, 100);
	use(anna, gpu, 1, 100);
	job = run_in(anna, gpu, 1);
	host_pass();
	crash();
	add_tres(NULL);
	host_load(FATHOM_PLUGIN);
	assert_used(0);
	ck_assert_double_eq_tol(used(bert), 0, 1e-9);
	end_run(job);
	host_pass();
	assert_used(0);
	ck_assert_double_eq_tol(usage_of(anna), 100 + PERIOD, 1e-6);
}

/* As without limits slurmctld tells of no end: the first run from its begin to the requeue. The
 * nodes are clean, and the job is submitted again, 20 seconds later. 1: it starts again before the
 * pass; slurmctld asks for a priority once it has been submitted, or when its start is changed. 2:
 * it has not asked; then the job is charged up to its submission. */
TEST_LOOP(requeued_run_is_charged_up_to_the_requeue, 3)
{
	job_record_t *job;

	two_users("AccountingStorageEnforce=associations", "");
	job = run_in(anna, gpu, 2);
	host_pass();
	host_advance(100);
	host_job_requeue(job);
	host_advance(20);
	host_job_cleaned(job);
	host_advance(30);
	if (_i == 1)
		host_job_set_priority(job);
	if (_i)
		host_job_begin(job, host_now());
	host_advance(50);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna),
				2 * (PERIOD + (_i == 2 ? 120 : 100) + (_i ? 50 + PERIOD : 0)),
				1e-6);
}

/* Weights are by slurmctld's numbers of TRES. */
TEST(factors_go_by_as_many_tres_as_there_are)
{
	job_record_t *before, *job;

	two_users("PriorityWeightTRES=CPU=64000", "");
	before = wait_in(anna, gpu);
	ck_assert_uint_eq(before->prio_factors->tres_cnt, g_tres_count);
	add_tres(NULL);
	host_pass();
	ck_assert_uint_eq(before->prio_factors->tres_cnt, NEW + 1);
	/* one of 64,000 CPUs; nobody has used anything */
	ck_assert_double_eq_tol(before->prio_factors->priority_tres[TRES_ARRAY_CPU], 1, 1e-9);
	ck_assert_double_eq_tol(before->prio_factors->priority_tres[NEW], 0, 1e-9);
	ck_assert_uint_eq(before->priority, WEIGHT + 1);
	job = wait_in(bert, gpu);
	ck_assert_uint_eq(job->prio_factors->tres_cnt, NEW + 1);
}

/* The name of a new TRES is known before slurmctld counts it. They are sorted by name: the weight
 * of the last one is then behind those that count; AddressSanitizer sees where it is written. */
TEST(tres_that_is_not_counted_yet_has_room_for_its_weight)
{
	job_record_t *job;

	two_users("PriorityWeightTRES=CPU=64000,license/matlab=5", "");
	job = wait_in(anna, gpu);
	ck_assert_double_eq_tol(job->prio_factors->tres_weights[HOST_TRES_LICENSE], 5, 1e-9);
	add_tres(NULL);
	slurmctld_tres_cnt = NEW;
	reread();
	host_pass();
	slurmctld_tres_cnt = NEW + 1;
	reread();
	host_pass();
	ck_assert_double_eq_tol(job->prio_factors->tres_weights[NEW], 5, 1e-9);
}

/* At any step: what a job uses is what it would have been. */
TEST_RANGE(tres_that_comes_in_mid_pass_costs_nothing, 1, 50)
{
	two_users("PriorityWeightTRES=CPU=64000", "");
	run_in(bert, gpu, 4);
	wait_in(anna, gpu);
	host_beside_pass((uint64_t)_i, add_tres, NULL);
	host_pass();
	ck_assert_double_eq_tol(usage_of(bert), 4 * PERIOD, 1e-6);
	if (slurmctld_tres_cnt == NEW)
		return;
	run_with_tres();
	host_pass();
	ck_assert_double_eq_tol(usage_of(bert), 4 * 2 * PERIOD, 1e-6);
	assert_used(PERIOD);
	crash_and_restart();
	assert_used(PERIOD);
}
