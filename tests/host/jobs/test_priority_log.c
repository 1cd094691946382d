/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With DebugFlags=Priority the log tells what each priority and each charge is made of;
 * at debug2, how long each step of a pass took.
 */
#include "scenario/two_users.h"

static const char weights[] =
	"PriorityMaxAge=1-0\nPriorityWeightAge=1000\nPriorityWeightAssoc=2000\n"
	"PriorityWeightPartition=3000\nPriorityWeightQOS=4000\nPriorityWeightTRES=CPU=64000";

static job_record_t *open_with_job(bool flag)
{
	two_users_grow(weights);
	host_qos("high", 20, 1, 0);
	host_passed_at(host_now());
	two_users_open();
	if (flag)
		slurm_conf.debug_flags |= DEBUG_FLAG_PRIO;
	two_users_load("");
	host_set_association_priority(anna, 10);
	host_set_association_priority(bert, 20);
	return host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu }, .cpus = 4,
					    .age = 21600 - PERIOD, .nice = 7 });
}

static unsigned logged_of(const job_record_t *job, const char *what)
{
	char text[512];

	snprintf(text, sizeof(text), "JobId=%u%s", job->job_id, what);
	return logged(text);
}

TEST(log_tells_the_terms_of_a_priority)
{
	job_record_t *job = open_with_job(true);

	host_pass();
	ck_assert_uint_eq(job->priority, 250 + 1000 + 1000 + 3000 + 2000 + 4 - 7);
	ck_assert_uint_eq(logged_of(job, ": age 250.00 + assoc 1000.00 + fairshare 1000.00 + job "
					 "size 0.00 + partition 3000.00 + QOS 2000.00 + TRES 4.00 "
					 "+ site 0 - nice 7 = 7247"), 1);
	ck_assert_uint_eq(logged_of(job, " in partition gpu: 7247"), 1);
	ck_assert_uint_eq(logged_of(job, " in partition cpu: 6247"), 1);
}

TEST(log_tells_each_charge)
{
	job_record_t *job = open_with_job(true);

	host_job_begin(job, host_now());
	host_pass();
	ck_assert_uint_eq(logged_of(job, " ran 300 s at billing 4.00, usage factor 1.00"), 1);
	host_advance(100);
	host_job_end(job);
	ck_assert_uint_eq(logged_of(job, " ran 100 s at billing 4.00, usage factor 1.00"), 1);
	host_pass();
	ck_assert_uint_eq(logged_of(job, " ran"), 2);
}

TEST(log_tells_none_of_it_without_the_flag)
{
	job_record_t *job = open_with_job(false);

	host_pass();
	host_job_begin(job, host_now());
	host_pass();
	host_job_end(job);
	host_pass();
	ck_assert_uint_eq(logged_of(job, ""), 0);
}

static const char *const steps[] = {
	"beginning with associations", "gathering running jobs", "writing usage and figures",
	"saving", "publishing priorities", "copying for FiguresFile",
};

TEST_LOOP(log_tells_how_long_each_step_took, 2)
{
	unsigned before;
	char text[64];

	setenv("HOST_LOG", _i ? "debug2" : "debug", 1);
	two_users("", "FiguresFile=fathom.json");
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		snprintf(text, sizeof(text), "%s took ", steps[i]);
		before = logged(text);
		host_pass();
		ck_assert_msg(logged(text) == before + (unsigned)_i, "%s", text);
	}
}

/* ---- priorities that only go up ------------------------------------------------------ */

TEST(priorities_only_go_up_in_all_partitions_where_that_is_set)
{
	job_record_t *job;
	uint32_t in_cpu;

	two_users("PriorityFlags=NO_FAIR_TREE,INCR_ONLY\nPriorityWeightPartition=3000", "");
	job = host_job(&(struct host_job){ .user = anna, .partition = { gpu, cpu } });
	host_pass();
	ck_assert_uint_eq(job->priority, 4000);
	in_cpu = compat_pair_priority(job, 2, 1);
	ck_assert_uint_eq(in_cpu, 3000);
	use(anna, gpu, 1, 1000);
	host_pass();
	ck_assert_uint_eq(job->priority, 4000);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), 4000);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), 3000);
	job->details->nice -= 500;
	host_pass();
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), 3000);
	job->details->nice -= 500;
	host_pass();
	ck_assert_uint_eq(job->priority, 4250);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), 4250);
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), 3250);
}
