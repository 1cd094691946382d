/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio gets each column of a job, and a sum that is too large for any column. */
#include "scenario/two_users.h"

#include <string.h>

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

START_TEST(sprio_shows_each_factor_with_its_weight)
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
	ck_assert(host_close());
}
END_TEST

/* 4294967295 is the largest priority; the sum of these two is beyond it. */
START_TEST(priority_beyond_32_bits_is_cut_and_told)
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
	ck_assert(host_close());
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_test(tests, sprio_shows_each_factor_with_its_weight);
	tcase_add_test(tests, priority_beyond_32_bits_is_cut_and_told);
}

int main(void)
{
	return host_run("sprio_columns", add_tests);
}
