/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * While a pass goes through the job list in slices, slurmctld moves a job from behind the slice to
 * a place before it, so that the walk does not meet the job; or the job's association goes and
 * comes back. Each second of the job is charged once all the same.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#define CPUS 8
#define OTHERS 600		/* jobs before it, some slices of the list */
#define RELEASES 40		/* more than a pass has before it writes priorities */

static job_record_t *job;

static void move_to_front(void *unused)
{
	const slurmctld_lock_t locks = { .job = WRITE_LOCK };
	compat_iterator iterator;

	lock_slurmctld(locks);
	iterator = list_iterator_create(job_list);
	while (list_next(iterator) != job)
		;
	list_remove(iterator);
	list_iterator_reset(iterator);
	list_insert(iterator, job);
	list_iterator_destroy(iterator);
	unlock_slurmctld(locks);
}

/* anna's job, which a pass has charged already, is the last one. */
static void open_cluster(const char *slurm_conf)
{
	two_users(slurm_conf, "");
	for (int i = 0; i < OTHERS; i++)
		wait_in(bert, cpu);
	job = run_in(anna, gpu, CPUS);
	host_pass();
	host_short_slices(true);
}

static void assert_charged(double seconds)
{
	ck_assert_double_eq_tol(usage_of(anna), CPUS * seconds, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), CPUS * seconds, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), CPUS * seconds, 1e-6);
}

/* ---- the job is moved ------------------------------------------------------------------- */

TEST_RANGE(job_that_is_moved_past_the_walk_goes_on, 1, RELEASES)
{
	open_cluster("");
	host_on_release(HOST_JOB, READ_LOCK, (uint64_t)_i, move_to_front, NULL);
	host_pass();
	assert_charged(2 * PERIOD);
	host_pass();
	assert_charged(3 * PERIOD);
	host_advance(100);
	end_run(job);
	assert_charged(3 * PERIOD + 100);
	host_pass();
	assert_charged(3 * PERIOD + 100);
}

/* As without limits slurmctld tells of no end. */
TEST_RANGE(job_that_has_ended_and_is_moved_past_the_walk_is_charged_to_its_end, 1, RELEASES)
{
	open_cluster("AccountingStorageEnforce=associations");
	host_advance(100);
	end_run(job);
	host_on_release(HOST_JOB, READ_LOCK, (uint64_t)_i, move_to_front, NULL);
	host_pass();
	assert_charged(PERIOD + 100);
	host_pass();
	assert_charged(PERIOD + 100);
}

/* It counts at the size that it has now. */
TEST_RANGE(job_that_was_resized_and_is_moved_past_the_walk_has_its_size, 1, RELEASES)
{
	open_cluster("AccountingStorageEnforce=associations");
	host_advance(100);
	host_job_resize(job, 2 * CPUS);
	host_on_release(HOST_JOB, READ_LOCK, (uint64_t)_i, move_to_front, NULL);
	host_pass();
	assert_charged(PERIOD + 100 + 2 * PERIOD);
	host_pass();
	assert_charged(PERIOD + 100 + 4 * PERIOD);
}

/* ---- it is requeued, runs again and ends ------------------------------------------------ */

/* The nodes of its second run are cleaned up. Until 24.05 slurmctld has asked for no priority
 * between the two runs; with limits it has told of both ends, and is killed. */
TEST_LOOP(job_that_is_requeued_and_ends_is_charged_for_each_run, 2)
{
	bool has_limits = _i;

	two_users(has_limits ? "" : "AccountingStorageEnforce=associations", "");
	job = run_in(anna, gpu, CPUS);
	host_pass();
	host_advance(10);
	host_job_requeue(job);
	host_job_cleaned(job);
	host_advance(100);
	host_job_begin(job, host_now());
	host_advance(20);
	host_job_end(job);
	if (has_limits)
		crash_and_restart();
	host_pass();
	assert_charged(PERIOD + 10 + 20);
	host_job_cleaned(job);
	host_pass();
	assert_charged(PERIOD + 10 + 20);
}

/* As under gang scheduling. To slurmctld it ends when it was suspended, which a pass has charged it
 * beyond. */
TEST(job_that_stands_from_its_first_second_is_charged_no_further_when_it_is_requeued)
{
	two_users("", "");
	job = run_in(anna, gpu, CPUS);
	host_job_suspend(job);
	host_pass();
	host_advance(100);
	host_job_requeue(job);
	host_job_cleaned(job);
	host_pass();
	assert_charged(PERIOD);
}

/* ---- its association goes and comes back ------------------------------------------------ */

static void goes(void *unused)
{
	if (anna->record)
		host_remove(anna);
}

static void comes_back(void *unused)
{
	if (anna->record)
		return;
	host_add_again(anna);
	job->assoc_id = anna->id;
	job->assoc_ptr = anna->record;
}

static void goes_and_comes_back(void *unused)
{
	goes(unused);
	comes_back(unused);
}

/* What anna has used until she went is the account's. */
static void assert_all_charged(double seconds)
{
	ck_assert_double_eq_tol(usage_of(physics), CPUS * seconds, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), CPUS * seconds, 1e-6);
}

/* later: after the pass; otherwise at once, also before the walk meets the job. */
static void let_go_and_come_back(uint64_t step, bool later)
{
	open_cluster("");
	host_beside_pass(step, later ? goes : goes_and_comes_back, NULL);
	host_pass();
	assert_all_charged(2 * PERIOD);
	host_advance(later ? PERIOD / 2 : 0);
	comes_back(NULL);
	host_pass();
	assert_all_charged((later ? 3.5 : 3) * PERIOD);
	host_advance(100);
	end_run(job);
	host_pass();
	assert_all_charged((later ? 3.5 : 3) * PERIOD + 100);
	ck_assert(host_close());
}

TEST_RANGE(job_whose_association_goes_and_comes_back_in_mid_pass_goes_on, 1, RELEASES)
{
	let_go_and_come_back((uint64_t)_i, false);
}

TEST_RANGE(job_whose_association_comes_back_after_the_pass_goes_on, 1, RELEASES)
{
	let_go_and_come_back((uint64_t)_i, true);
}

/* The second is suspended beyond its time limit. */
TEST_LOOP(job_over_its_time_limit_is_charged_until_its_association_is_missed, 2)
{
	two_users("", "");
	job = run_in(anna, gpu, CPUS);
	if (_i)
		host_job_suspend(job);
	host_advance(60 * (time_t)job->time_limit);
	host_pass();
	goes(NULL);
	host_pass();
	assert_all_charged(60. * job->time_limit + 2 * PERIOD);
}
