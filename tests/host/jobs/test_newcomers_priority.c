/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs whose associations are new while a pass writes priorities: they get their
 * priorities in the same pass.
 */
#include "scenario/two_users.h"

#define JOBS 700		/* of anna; some slices of them */
#define NEWCOMERS 200		/* the last of these jobs become theirs */

static job_record_t *jobs[JOBS];

static void open_cluster(void)
{
	two_users("PriorityFlags=NO_FAIR_TREE", "");
	use(anna, gpu, 1, 1000);
	use(bert, gpu, 1, 500);
	for (int i = 0; i < JOBS; i++)
		jobs[i] = wait_in(anna, gpu);
	host_short_slices(true);
	host_pass();
}

/* As after scontrol update, but for the priority. */
static void give_to(job_record_t *job, const struct host_association *user)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	lock_slurmctld(locks);
	job->assoc_ptr = user->record;
	job->assoc_id = user->id;
	unlock_slurmctld(locks);
}

static void newcomers_come(void *unused)
{
	char name[16];

	(void)unused;
	for (int i = 0; i < NEWCOMERS; i++) {
		snprintf(name, sizeof(name), "new%d", i);
		give_to(jobs[JOBS - NEWCOMERS + i], host_user(physics, name, 1));
	}
}

START_TEST(jobs_of_newcomers_get_their_priorities_in_the_same_pass)
{
	uint32_t priority[JOBS];

	open_cluster();
	host_on_release(HOST_JOB, WRITE_LOCK, 1, newcomers_come, NULL);
	host_pass();
	for (int i = 0; i < JOBS; i++)
		priority[i] = jobs[i]->priority;
	/* nothing used */
	ck_assert_uint_gt(priority[JOBS - 1], priority[0]);
	host_pass();
	for (int i = JOBS - NEWCOMERS; i < JOBS; i++)
		ck_assert_uint_eq(jobs[i]->priority, priority[i]);
	ck_assert(host_close());
}
END_TEST

static void is_forgotten(void *job)
{
	host_job_purge(job);
}

/* After the walk over all jobs. */
START_TEST(newcomers_job_that_is_gone_is_left_out)
{
	open_cluster();
	host_on_release(HOST_JOB, WRITE_LOCK, 1, newcomers_come, NULL);
	host_on_release(HOST_JOB, WRITE_LOCK, host_last_pass()->hold[HOST_JOB][WRITE_LOCK].count,
			is_forgotten, jobs[JOBS - 2]);
	host_pass();
	ck_assert_uint_gt(jobs[JOBS - 1]->priority, jobs[0]->priority);
	ck_assert_uint_eq(jobs[JOBS - 1]->priority, jobs[JOBS - 3]->priority);
	ck_assert(host_close());
}
END_TEST

static void nothing_is_told(void *unused)
{
	(void)unused;
	last_job_update = 0;
}

/* slurmctld's backfill begins anew whenever it is told that jobs have changed. */
START_TEST(newcomers_priorities_are_told_as_a_change_of_jobs)
{
	uint64_t last;

	open_cluster();
	last = host_last_pass()->hold[HOST_JOB][WRITE_LOCK].count;
	host_on_release(HOST_JOB, WRITE_LOCK, 1, newcomers_come, NULL);
	host_on_release(HOST_JOB, WRITE_LOCK, last, nothing_is_told, NULL);
	host_pass();
	ck_assert(last_job_update == host_now());
	/* those who were there have other shares in the next pass, and then no more */
	host_pass();
	nothing_is_told(NULL);
	host_pass();
	ck_assert(!last_job_update);
	ck_assert(host_close());
}
END_TEST

/* Without a weight nobody evaluates the newcomer when the job is submitted. */
START_TEST(first_run_of_a_newcomer_is_charged_to_the_newcomer)
{
	struct host_association *newcomer;

	two_users("PriorityWeightFairshare=0", "");
	host_pass();
	newcomer = host_user(physics, "new", 1);
	run_in(newcomer, gpu, 2);
	host_pass();
	ck_assert_double_eq_tol(usage_of(newcomer), 2 * PERIOD, 1e-6);
	ck_assert(host_close());
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_test(tests, jobs_of_newcomers_get_their_priorities_in_the_same_pass);
	tcase_add_test(tests, newcomers_job_that_is_gone_is_left_out);
	tcase_add_test(tests, newcomers_priorities_are_told_as_a_change_of_jobs);
	tcase_add_test(tests, first_run_of_a_newcomer_is_charged_to_the_newcomer);
}

int main(void)
{
	return host_run("newcomers", add_tests);
}
