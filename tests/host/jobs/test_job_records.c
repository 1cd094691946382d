/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a priority goes by, where a job's record does not have all that others have. */
#include "scenario/two_users.h"

/* ---- whose priority is computed ----------------------------------------------------- */

TEST(priority_that_is_set_by_hand_stays)
{
	job_record_t *job;

	two_users("PriorityWeightTRES=CPU=64000", "");
	job = wait_in(anna, gpu);
	ck_assert_ptr_nonnull(job->prio_factors->priority_tres);
	job->direct_set_prio = 1;
	job->priority = 77;
	host_pass();
	ck_assert_uint_eq(job->priority, 77);
	ck_assert_uint_eq(host_job_set_priority(job), 77);
	ck_assert_double_eq(job->prio_factors->priority_fs, 0);
	ck_assert_ptr_null(job->prio_factors->priority_tres);
	job->priority = 0;		/* held: a pass leaves it, a request does not */
	host_pass();
	ck_assert_uint_eq(job->priority, 0);
	ck_assert_uint_eq(host_job_set_priority(job), WEIGHT + 1);
}

/* From 24.11 on, scontrol changes no more than as many pairs as there are partitions, and none of a
 * job that has one partition and several QOS. */
TEST(priority_that_is_set_by_hand_counts_with_each_pair)
{
	job_record_t *job;

	two_users("", "");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu } });
	host_pass();
	job->direct_set_prio = 1;
	job->priority = 77;
	last_job_update = 0;
	host_pass();
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(compat_pair_priority(job, 2, i), 77);
	ck_assert_int_eq(last_job_update, host_now());	/* so that backfill starts over */
	last_job_update = 0;
	host_pass();
	ck_assert_int_eq(last_job_update, 0);
}

/* As of a job with one partition: only passes keep a priority from sinking. */
TEST(release_ends_a_priority_that_was_set_by_hand_for_each_pair)
{
	job_record_t *job;

	two_users("PriorityFlags=NO_FAIR_TREE,INCR_ONLY", "");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu } });
	host_pass();
	job->direct_set_prio = 1;
	job->priority = 1000000;
	host_pass();
	host_job_release(job);
	ck_assert_uint_eq(job->priority, WEIGHT);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(compat_pair_priority(job, 2, i), WEIGHT);
}

/* sprio's columns of TRES are 0 under flux, whose sum has none; they were not before. */
TEST(terms_of_tres_end_with_the_policy_that_has_them)
{
	job_record_t *job;

	two_users("PriorityWeightTRES=CPU=64000", "Policy=classic");
	job = wait_in(anna, gpu);
	ck_assert_double_gt(job->prio_factors->priority_tres[TRES_ARRAY_CPU], 0);
	write_conf("Policy=flux");
	reread();
	ck_assert_double_eq(job->prio_factors->priority_tres[TRES_ARRAY_CPU], 0);
}

TEST(job_without_details_gets_no_priority)
{
	job_record_t *job, whole;

	two_users("", "");
	job = wait_in(anna, gpu);
	whole = *job;
	job->details = NULL;
	ck_assert_uint_eq(priority_g_set(5, job), 0);
	ck_assert_uint_eq(logged("has no details, it gets no priority"), 1);
	job->details = whole.details;
	ck_assert_uint_eq(priority_g_set(5, job), WEIGHT);
	ck_assert_uint_eq(logged("has no details"), 1);
}

static const struct { const char *flags; bool computes; } flags[] = {
	{ "PriorityFlags=NO_FAIR_TREE", false },
	{ "PriorityFlags=NO_FAIR_TREE,CALCULATE_RUNNING", true },
};

TEST_EACH(priorities_of_running_jobs_are_computed_where_that_is_set, flags)
{
	job_record_t *running, *ending, *held;

	two_users(flags[_i].flags, "");
	running = run_in(anna, gpu, 1);
	ending = run_in(anna, gpu, 1);
	held = run_in(anna, gpu, 1);
	host_job_end(ending);
	running->priority = ending->priority = 5;
	held->priority = 0;
	host_pass();
	ck_assert_uint_eq(running->priority, flags[_i].computes ? WEIGHT * classic(1) : 5);
	ck_assert_uint_eq(ending->priority, 5);
	ck_assert_uint_eq(held->priority, 0);
}

TEST(job_waits_with_its_priority_for_nodes_that_are_powered_up)
{
	job_record_t *job;

	two_users("", "");
	job = wait_in(anna, gpu);
	job->priority = 5;
	job->job_state |= JOB_POWER_UP_NODE;
	host_pass();
	ck_assert_uint_eq(job->priority, 5);
}

/* ---- age --------------------------------------------------------------------------- */

TEST(age_counts_from_when_the_job_could_run)
{
	job_record_t *job;

	two_users("PriorityMaxAge=0-01:00\nPriorityWeightAge=36000", "");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .age = 600 });
	ck_assert_uint_eq(job->priority, WEIGHT + 6000);
	job->details->accrue_time = 0;
	ck_assert_uint_eq(host_job_set_priority(job), WEIGHT);
	job->details->accrue_time = host_now();
	ck_assert_uint_eq(host_job_set_priority(job), WEIGHT);
	job->details->accrue_time = host_now() + 10;
	ck_assert_uint_eq(host_job_set_priority(job), WEIGHT);
	job->details->accrue_time = host_now() - 1;
	ck_assert_uint_eq(host_job_set_priority(job), WEIGHT + 10);
	job->details->accrue_time = host_now() - 7200;
	ck_assert_uint_eq(host_job_set_priority(job), WEIGHT + 36000);
}

/* ---- size -------------------------------------------------------------------------- */

TEST_LOOP(size_is_what_the_job_has_or_wants, HAS_FORMULAS)
{
	job_record_t *job;

	two_users("", "Formula=\"100000 * ncpus + walltime\"");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 3,
					   .minutes = 10 });
	ck_assert_uint_eq(job->priority, 300600);
	job->details->min_cpus = 2;
	job->details->max_cpus = 8;
	job->total_cpus = 5;
	ck_assert_uint_eq(host_job_set_priority(job), 500600);
	job->total_cpus = 0;
	ck_assert_uint_eq(host_job_set_priority(job), 800600);
	job->details->max_cpus = NO_VAL;
	ck_assert_uint_eq(host_job_set_priority(job), 200600);
	/* without a limit of its own that of its partition counts */
	job->time_limit = NO_VAL;
	gpu->max_time = 7;
	ck_assert_uint_eq(host_job_set_priority(job), 200420);
}

TEST_LOOP(tres_that_the_job_has_count_before_those_it_wants, HAS_FORMULAS)
{
	job_record_t *job;
	uint64_t *wanted, has[HOST_TRES_LICENSE + 1] = { 0 };

	two_users("", "Formula=\"1000 * cpu + node\"");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .cpus = 3 });
	ck_assert_uint_eq(job->priority, 3001);
	has[TRES_ARRAY_CPU] = 7;
	has[TRES_ARRAY_NODE] = NO_CONSUME_VAL64;
	job->tres_alloc_cnt = has;
	ck_assert_uint_eq(host_job_set_priority(job), 7001);
	job->tres_alloc_cnt = NULL;
	wanted = job->tres_req_cnt;
	job->tres_req_cnt = NULL;
	ck_assert_uint_eq(host_job_set_priority(job), 1);
	job->tres_req_cnt = wanted;
}

/* ---- state ------------------------------------------------------------------------- */

TEST_LOOP(formula_knows_the_state_of_a_job, HAS_FORMULAS)
{
	job_record_t *job;

	two_users("PriorityFlags=NO_FAIR_TREE,CALCULATE_RUNNING",
		  "Formula=\"100 * accrue_type\"");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .age = 10 });
	ck_assert_uint_eq(job->priority, 200);
	job->details->accrue_time = 0;
	ck_assert_uint_eq(host_job_set_priority(job), 100);
	host_job_begin(job, host_now());
	ck_assert_uint_eq(host_job_set_priority(job), 300);
	host_job_end(job);
	ck_assert_uint_eq(host_job_set_priority(job), 400);
	host_job_cleaned(job);
	ck_assert_uint_eq(host_job_set_priority(job), 400);
}
