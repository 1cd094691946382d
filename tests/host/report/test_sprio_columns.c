/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio gets each column of a job, and a sum that is too large for any column. */
#include "controller/host_internal.h"
#include "scenario/two_users.h"

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */

static const char weights[] =
	"PriorityMaxAge=1-0\nPriorityWeightAge=1000\nPriorityWeightAssoc=2000\n"
	"PriorityWeightJobSize=64000\nPriorityWeightPartition=3000\nPriorityWeightQOS=4000\n"
	"PriorityWeightTRES=CPU=8000,Mem=16000\nPriorityWeightFairshare=1000";

static priority_factors_object_t *object_of(compat_list list, const job_record_t *job)
{
	compat_iterator iterator = list_iterator_create(list);
	priority_factors_object_t *object, *found = NULL;

	while ((object = list_next(iterator)))
		if (host_job_of_object(object) == job->job_id)
			found = object;
	list_iterator_destroy(iterator);
	ck_assert(found);
	return found;
}

static job_record_t *open_with_job(const char *slurm_conf)
{
	two_users_grow(slurm_conf);
	host_qos("high", 20, 1, 0);
	host_passed_at(host_now());
	two_users_open();
	gpu->tres_cnt[TRES_ARRAY_CPU] = 16;
	gpu->tres_cnt[TRES_ARRAY_MEM] = 64;
	two_users_load("");
	host_set_association_priority(anna, 10);
	host_set_association_priority(bert, 20);
	return host_job(&(struct host_job){ .user = anna, .partition = { cpu, gpu }, .cpus = 4,
					    .memory = 16, .age = 21600 - PERIOD, .nice = 7 });
}

/* Of the record, and of the list that sprio gets. */
static void assert_columns(const compat_factors *factors)
{
	ck_assert_double_eq_tol(factors->priority_age, 1000 / 4., 1e-9);
	ck_assert_double_eq_tol(factors->priority_assoc, 1000, 1e-9);
	ck_assert_double_eq_tol(factors->priority_fs, 1000, 1e-9);
	/* half of it for 4 of 64,000 CPUs, half for one of 1000 nodes */
	ck_assert_double_eq_tol(factors->priority_js, 2 + 32, 1e-9);
	ck_assert_double_eq_tol(factors->priority_qos, 2000, 1e-9);
	ck_assert_uint_eq(factors->nice, NICE_OFFSET + 7);
	ck_assert_uint_eq(factors->priority_site, NICE_OFFSET);
	ck_assert_uint_gt(factors->tres_cnt, TRES_ARRAY_MEM);
	ck_assert_double_eq(factors->tres_weights[TRES_ARRAY_CPU], 8000);
	ck_assert_double_eq(factors->tres_weights[TRES_ARRAY_MEM], 16000);
}

TEST(sprio_shows_each_factor_with_its_weight)
{
	job_record_t *job = open_with_job(weights);
	compat_list list;

	job->part_ptr = gpu;
	host_pass();
	assert_columns(compat_factors_of(job));
	ck_assert_double_eq_tol(job->prio_factors->priority_part, 3000, 1e-9);
	ck_assert_double_eq_tol(job->prio_factors->priority_tres[TRES_ARRAY_CPU], 2000, 1e-9);
	ck_assert_double_eq_tol(job->prio_factors->priority_tres[TRES_ARRAY_MEM], 4000, 1e-9);
	list = host_factors_list();
	assert_columns(compat_factors_of_object(object_of(list, job)));
	FREE_NULL_LIST(list);
}

static compat_factors *factors_in(compat_list list, const part_record_t *partition)
{
	compat_iterator iterator = list_iterator_create(list);
	priority_factors_object_t *object, *found = NULL;

	while ((object = list_next(iterator)))
		if (!strcmp(object->partition, partition->name))
			found = object;
	list_iterator_destroy(iterator);
	ck_assert(found);
	return compat_factors_of_object(found);
}

static double sum_in(compat_list list, const part_record_t *partition)
{
	const compat_factors *factors = factors_in(list, partition);

	return factors->priority_age + factors->priority_assoc + factors->priority_fs +
	       factors->priority_js + factors->priority_part + factors->priority_qos +
	       factors->priority_tres[TRES_ARRAY_CPU] + factors->priority_tres[TRES_ARRAY_MEM] +
	       ((double)factors->priority_site - NICE_OFFSET) -
	       ((double)factors->nice - NICE_OFFSET);
}

/* The user has shares in one of two partitions; the job may be in either. */
TEST_LOOP(terms_are_0_only_in_the_partition_without_shares, 2)
{
	struct host_association *none;
	job_record_t *job;
	compat_list list;

	two_users_grow(weights);
	none = host_user(physics, "none", 0);
	host_passed_at(host_now());
	two_users_open();
	gpu->tres_cnt[TRES_ARRAY_CPU] = cpu->tres_cnt[TRES_ARRAY_CPU] = 16;
	two_users_load("Policy=lsf\nScope=s Partitions=gpu Policy=fcfs");
	job = host_job(&(struct host_job){ .user = none, .partition = { cpu, gpu }, .cpus = 4,
					   .age = 21600 - PERIOD, .nice = 7 });
	job->part_ptr = _i ? gpu : cpu;
	host_pass();
	list = host_factors_list();
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), 1);
	ck_assert_double_eq(sum_in(list, cpu), 0);
	ck_assert_double_eq_tol(factors_in(list, gpu)->priority_age, 1000 / 4., 1e-9);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), (uint32_t)sum_in(list, gpu));
	FREE_NULL_LIST(list);
}

/* 4294967295 is the largest priority; the sum of these two is beyond it. */
TEST(priority_beyond_32_bits_is_cut_and_told)
{
	job_record_t *job;

	two_users("PriorityWeightFairshare=4294967295\nPriorityWeightPartition=1000", "");
	job = wait_in(anna, gpu);
	ck_assert_uint_eq(job->priority, UINT32_MAX);
	ck_assert_uint_eq(logged("beyond 32 bits"), 1);
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu } });
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), UINT32_MAX);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), UINT32_MAX);
	ck_assert_uint_eq(logged("beyond 32 bits"), 4);
	host_job(&(struct host_job){ .user = anna, .partition = { gpu }, .nice = 1000 });
	ck_assert_uint_eq(logged("beyond 32 bits"), 4);
}

/* ---- which jobs are listed ---------------------------------------------------------- */

static int rows_of(const struct host_choice *choice, const job_record_t *job)
{
	compat_list list = host_factors_list_of(choice);
	compat_iterator iterator;
	priority_factors_object_t *object;
	int count = 0;

	if (!list)
		return 0;
	iterator = list_iterator_create(list);
	while ((object = list_next(iterator)))
		count += host_job_of_object(object) == job->job_id;
	list_iterator_destroy(iterator);
	FREE_NULL_LIST(list);
	return count;
}

static int rows(const job_record_t *job)
{
	return rows_of(&(struct host_choice){ NULL }, job);
}

static compat_list list_of(uint32_t *first, uint32_t *second)
{
	compat_list list = list_create(NULL);

	list_append(list, first);
	if (second)
		list_append(list, second);
	return list;
}

/* Both jobs are in both partitions. */
TEST(sprio_gets_the_jobs_users_and_partitions_that_it_asks_for)
{
	uint32_t nobody = 4711;
	job_record_t *first, *second;

	if (!HOST_FILTERS_LIST)
		return;
	two_users("", "");
	first = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu } });
	second = host_job(&(struct host_job){ .user = bert, .partition = { gpu, cpu } });
	ck_assert_int_eq(rows(first), 2);
	for (int i = 0; i < 3; i++) {
		struct host_choice jobs = {
			.jobs = list_of(i ? &nobody : &first->job_id,
					i == 1 ? &first->job_id : NULL)
		};
		struct host_choice users = {
			.users = list_of(i ? &nobody : &first->user_id,
					 i == 1 ? &first->user_id : NULL)
		};

		ck_assert_int_eq(rows_of(&jobs, first), i < 2 ? 2 : 0);
		ck_assert_int_eq(rows_of(&jobs, second), 0);
		ck_assert_int_eq(rows_of(&users, first), i < 2 ? 2 : 0);
		ck_assert_int_eq(rows_of(&users, second), 0);
		FREE_NULL_LIST(jobs.jobs);
		FREE_NULL_LIST(users.users);
	}
	ck_assert_int_eq(rows_of(&(struct host_choice){ .partitions = "gpu" }, first), 1);
	ck_assert_int_eq(rows_of(&(struct host_choice){ .partitions = "cpu" }, first), 1);
	ck_assert_int_eq(rows_of(&(struct host_choice){ .partitions = "gone,cpu,x" }, first), 1);
	ck_assert_int_eq(rows_of(&(struct host_choice){ .partitions = "x,gpu,cpu" }, first), 2);
	ck_assert_int_eq(rows_of(&(struct host_choice){ .partitions = "gp,cpus,gpx" }, first), 0);
}

static unsigned long steps;	/* along lists */

SHOWN void *list_next(compat_iterator iterator)
{
	static void *(*next)(compat_iterator iterator);

	if (!next)
		next = host_next_symbol("list_next");
	steps++;
	return next(iterator);
}

SHOWN int list_for_each(compat_list list, ListForF function, void *argument)
{
	static int (*next)(compat_list list, ListForF function, void *argument);

	if (!next)
		next = host_next_symbol("list_for_each");
	steps += (unsigned long)list_count(list);
	return next(list, function, argument);
}

/* Or slurmctld would be locked for as long as it takes to compare all with all. */
TEST(jobs_are_not_compared_with_each_id_that_is_asked_for)
{
	enum { IDS = 1000 };
	static uint32_t id[IDS];
	compat_list ids;
	job_record_t *job = NULL;

	if (!HOST_FILTERS_LIST)
		return;
	two_users("", "");
	ids = list_create(NULL);
	for (uint32_t i = 0; i < IDS; i++) {
		job = wait_in(anna, gpu);
		id[i] = i + 1 < IDS ? job->job_id + IDS : job->job_id;
		list_append(ids, &id[i]);
	}
	steps = 0;
	ck_assert_int_eq(rows_of(&(struct host_choice){ .jobs = ids }, job), 1);
	ck_assert(steps >= IDS && steps < 3 * IDS);
	id[IDS - 1] = bert->record->uid;
	steps = 0;
	ck_assert_int_eq(rows_of(&(struct host_choice){ .users = ids }, job), 0);
	ck_assert(steps >= IDS && steps < 3 * IDS);
	FREE_NULL_LIST(ids);
}

TEST(sprio_lists_jobs_that_could_begin_by_now)
{
	job_record_t *job;

	two_users("", "");
	job = wait_in(anna, gpu);
	ck_assert_int_eq(rows(job), 1);
	job->details->begin_time = host_now() + 1;
	ck_assert_int_eq(rows(job), 0);
	job->details->begin_time = 0;
	ck_assert_int_eq(rows(job), 0);
	job->details->begin_time = host_now();
	ck_assert_int_eq(rows(job), 1);
	job->job_state |= JOB_REVOKED;
	ck_assert_int_eq(rows(job), 0);
	job->job_state &= ~JOB_REVOKED;
	job->priority = 0;
	ck_assert_int_eq(rows(job), 0);
	job->priority = 1;
	ck_assert_int_eq(rows(job), 1);
	host_job_begin(job, host_now());
	ck_assert_int_eq(rows(job), 0);
}

/* ACCRUE_ALWAYS: as age counts from there, too. */
TEST(sprio_lists_jobs_from_their_submission_where_age_counts_from_there)
{
	job_record_t *job;

	two_users("PriorityFlags=NO_FAIR_TREE,ACCRUE_ALWAYS", "");
	job = wait_in(anna, gpu);
	job->details->begin_time = host_now() + 1000;
	job->details->submit_time = host_now();
	ck_assert_int_eq(rows(job), 1);
	job->details->submit_time = host_now() + 1;
	ck_assert_int_eq(rows(job), 0);
}

TEST(sprio_lists_running_jobs_where_their_priorities_are_computed)
{
	job_record_t *job;

	two_users("PriorityFlags=NO_FAIR_TREE,CALCULATE_RUNNING", "");
	job = run_in(anna, gpu, 1);
	ck_assert_int_eq(rows(job), 1);
}

TEST(sprio_shows_a_priority_that_was_set_by_hand)
{
	compat_list list;
	job_record_t *job;

	two_users("", "");
	job = wait_in(anna, gpu);
	list = host_factors_list();
	ck_assert_uint_eq(object_of(list, job)->direct_prio, 0);
	FREE_NULL_LIST(list);
	job->direct_set_prio = 1;
	job->priority = 77;
	list = host_factors_list();
	ck_assert_uint_eq(object_of(list, job)->direct_prio, 77);
	FREE_NULL_LIST(list);
}
