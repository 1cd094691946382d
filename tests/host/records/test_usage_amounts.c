/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All amounts that a record keeps, not only its usage: each TRES, the wall time, and
 * what running jobs may still use, of users, accounts and QOS.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#define CPUS 3
#define MEMORY 100		/* MB */

/* Of a job of CPUS on one node that has run for that long. */
static void assert_amounts(const char *whose, double billing, double wall,
			   const long double *tres, double seconds)
{
	ck_assert_msg(fabs(billing - CPUS * seconds) < 1e-6, "%s: billing %g of %g", whose, billing,
		      seconds);
	ck_assert_msg(fabs(wall - seconds) < 1e-6, "%s: wall %g of %g", whose, wall, seconds);
	ck_assert_double_eq_tol((double)tres[TRES_ARRAY_CPU], CPUS * seconds, 1e-6);
	ck_assert_double_eq_tol((double)tres[TRES_ARRAY_MEM], MEMORY * seconds, 1e-6);
	ck_assert_double_eq_tol((double)tres[TRES_ARRAY_NODE], seconds, 1e-6);
	ck_assert_double_eq_tol((double)tres[TRES_ARRAY_BILLING], CPUS * seconds, 1e-6);
}

static void assert_association(const struct host_association *who, double seconds)
{
	const slurmdb_assoc_usage_t *usage = who->record->usage;

	assert_amounts(who->account, (double)usage->usage_raw, usage->grp_used_wall,
		       usage->usage_tres_raw, seconds);
}

static void assert_qos(const char *name, double seconds)
{
	const slurmdb_qos_usage_t *usage = host_find_qos(name)->usage;

	assert_amounts(name, (double)usage->usage_raw, usage->grp_used_wall, usage->usage_tres_raw,
		       seconds);
}

static void assert_all(double seconds)
{
	assert_association(anna, seconds);
	assert_association(physics, seconds);
	assert_association(host_root(), seconds);
	assert_qos("normal", seconds);
}

static job_record_t *begin(void)
{
	job_record_t *job = host_job(&(struct host_job){ .user = anna, .partition = { gpu },
							 .cpus = CPUS, .memory = MEMORY,
							 .minutes = 100 });

	host_job_begin(job, host_now());
	return job;
}

TEST(all_amounts_are_charged_and_decay)
{
	job_record_t *job;

	two_users("PriorityDecayHalfLife=0-00:05", "");
	job = begin();
	host_advance(100);
	end_run(job);
	host_pass();
	/* from 400 to 300 seconds ago */
	assert_all(PERIOD / M_LN2 * (exp2(-1) - exp2(-(PERIOD + 100.) / PERIOD)));
	host_pass();
	assert_all(PERIOD / M_LN2 * (exp2(-2) - exp2(-1 - (PERIOD + 100.) / PERIOD)));
}

static double scratch_of_qos(void)
{
	return (double)host_find_qos("normal")->usage->usage_tres_raw[TRES_ARRAY_FS_DISK];
}

/* As after the usage of all associations has been reset, which keeps that of the QOS. */
TEST(what_only_a_qos_has_used_survives_a_crash)
{
	two_users_grow("PriorityDecayHalfLife=0-00:05");
	host_passed_at(host_now());
	two_users_open();
	host_find_qos("normal")->usage->usage_tres_raw[TRES_ARRAY_FS_DISK] = 1000;
	two_users_load("");
	host_pass();
	ck_assert_double_eq_tol(scratch_of_qos(), 500, 1e-6);
	crash_and_restart();
	ck_assert_double_eq_tol(scratch_of_qos(), 500, 1e-6);
}

/* A partition's QOS is charged, too; once, if it is that of the job. */
TEST(qos_of_the_partition_is_charged)
{
	job_record_t *job;

	two_users_grow("");
	host_qos("of_gpu", 1, 1, 0);
	host_passed_at(host_now());
	two_users_open();
	two_users_load("");
	gpu->qos_ptr = host_find_qos("of_gpu");
	job = begin();
	host_pass();
	assert_qos("normal", PERIOD);
	assert_qos("of_gpu", PERIOD);
	end_run(job);
	gpu->qos_ptr = host_find_qos("normal");
	job = begin();
	host_pass();
	assert_qos("normal", 2 * PERIOD);
	assert_qos("of_gpu", PERIOD);
}

/* A job of the partition whose QOS is another one meanwhile is charged to the one before. */
TEST(qos_that_the_partition_had_is_charged)
{
	job_record_t *job;
	uint64_t *reserved;

	two_users_grow("AccountingStorageEnforce=limits");
	host_qos("of_gpu", 1, 1, 0);
	host_passed_at(host_now());
	two_users_open();
	two_users_load("");
	gpu->qos_ptr = host_find_qos("of_gpu");
	job = begin();
	host_pass();
	reserved = &host_find_qos("of_gpu")->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU];
	gpu->qos_ptr = NULL;
	*reserved = CPUS * (60 * job->time_limit - PERIOD);	/* slurmctld's, less the pass */
	host_advance(100);
	end_run(job);
	ck_assert_uint_eq(*reserved, 0);
	host_pass();
	assert_qos("of_gpu", PERIOD + 100);
	assert_qos("normal", PERIOD + 100);
}

TEST(reset_leaves_no_amount)
{
	two_users("PriorityUsageResetPeriod=NOW", "");
	use(bert, gpu, 1, 100);
	end_run(begin());
	use(anna, gpu, 2, 100);
	host_pass();
	priority_g_reconfig(true);
	host_await_pass();
	assert_all(0);
	assert_association(bert, 0);
}

/* ---- what running jobs may still use --------------------------------------------------- */

static void assert_left(double seconds)
{
	const slurmdb_assoc_usage_t *of_anna = anna->record->usage;
	const slurmdb_assoc_usage_t *of_root = host_root()->record->usage;
	const slurmdb_qos_usage_t *of_qos = host_find_qos("normal")->usage;
	const uint64_t *const left[] = { of_anna->grp_used_tres_run_secs,
					 physics->record->usage->grp_used_tres_run_secs,
					 of_root->grp_used_tres_run_secs,
					 of_qos->grp_used_tres_run_secs };

	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(left[i][TRES_ARRAY_CPU], (uint64_t)(CPUS * seconds));
		ck_assert_uint_eq(left[i][TRES_ARRAY_MEM], (uint64_t)(MEMORY * seconds));
		ck_assert_uint_eq(left[i][TRES_ARRAY_NODE], (uint64_t)seconds);
	}
}

TEST(running_seconds_are_given_back_as_they_pass)
{
	job_record_t *job;

	two_users("", "");
	job = begin();
	assert_left(6000);
	host_pass();
	assert_left(6000 - PERIOD);
	end_run(job);
	host_pass();
	assert_left(0);
}

/* As where somebody else has taken some away: they don't go below 0. */
TEST(running_seconds_do_not_go_below_0)
{
	job_record_t *job;
	uint64_t *left;

	setenv("HOST_LOG", "debug", 1);
	two_users("", "");
	job = begin();
	left = anna->record->usage->grp_used_tres_run_secs;
	left[TRES_ARRAY_CPU] = 5;
	left[TRES_ARRAY_NODE] = PERIOD;
	host_pass();
	ck_assert_uint_eq(left[TRES_ARRAY_CPU], 0);
	ck_assert_uint_eq(left[TRES_ARRAY_NODE], 0);
	ck_assert_uint_eq(left[TRES_ARRAY_MEM], MEMORY * (6000 - PERIOD));
	ck_assert_uint_eq(logged("physics has 5 running seconds of TRES cpu left; setting them to "
				 "0, as 900 have run"), 1);
	ck_assert_uint_eq(logged("physics has 300 running seconds of TRES node left"), 0);
	end_run(job);
}

/* ---- usage that is no amount -------------------------------------------------------------- */

static void set_usage(double usage)
{
	for (slurmdb_assoc_rec_t *record = anna->record; record;
	     record = record->usage->parent_assoc_ptr)
		record->usage->usage_raw = usage;
}

/* With a job of each, and usage of bert's. of_anna: what slurmctld has read of her usage. */
static void open_with_jobs(const char *conf, double of_anna, job_record_t *job[2])
{
	two_users_grow("PriorityDecayHalfLife=7-0");
	host_passed_at(host_now());
	two_users_open();
	set_usage(of_anna);
	two_users_load(conf);
	use(bert, gpu, 1, 100);
	job[0] = wait_in(anna, gpu);
	job[1] = wait_in(bert, gpu);
}

static const char *const policies[] = { "", "Policy=fair-tree", "Policy=depth-oblivious",
					"Policy=flux", "Policy=pbs" };

TEST_LOOP(infinite_usage_is_the_worst, 3)
{
	job_record_t *job[2];

	open_with_jobs(policies[_i], INFINITY, job);
	for (int i = 0; i < 3; i++) {
		host_pass();
		ck_assert_double_lt(shown(job[0]), shown(job[1]));
	}
	ck_assert_uint_eq(logged("usage of physics/anna is infinite; it counts as 1e+18"), 1);
	crash_and_restart();
	host_pass();
	ck_assert_double_lt(shown(job[0]), shown(job[1]));
	ck_assert(usage_of(host_root()) > 9e17 && usage_of(host_root()) <= 1e18);
	ck_assert_uint_eq(logged("it counts as"), 1);
	host_reset_usage(anna);
	host_pass();
	host_pass();
	ck_assert_double_eq(usage_of(anna), 0);
	ck_assert_double_eq(usage_of(host_root()), usage_of(bert));
	ck_assert_double_gt(shown(job[0]), shown(job[1]));
}

/* By TRESBillingWeights of the partition. */
TEST_LOOP(infinite_charge_is_the_worst, 5)
{
	job_record_t *job[2];
	part_record_t *costly;

	open_with_jobs(policies[_i], 0, job);
	costly = host_partition("costly", 1, "CPU=1e308");
	use(anna, costly, 16, 100);
	host_pass();
	ck_assert_double_lt(shown(job[0]), shown(job[1]));
	run_in(anna, costly, 16);
	for (int i = 0; i < 3; i++) {
		host_pass();
		ck_assert_double_lt(shown(job[0]), shown(job[1]));
	}
	ck_assert_uint_eq(logged("usage of physics/anna is infinite"), 1);
	crash_and_restart();
	ck_assert_double_lt(shown(job[0]), shown(job[1]));
}

/* Nobody knows how much it was. */
TEST(usage_that_is_not_a_number_counts_as_0)
{
	job_record_t *job[2];

	open_with_jobs("", NAN, job);
	for (int i = 0; i < 3; i++)
		host_pass();
	ck_assert_double_gt(shown(job[0]), shown(job[1]));
	ck_assert_double_eq(usage_of(anna), 0);
	ck_assert_double_eq(usage_of(host_root()), usage_of(bert));
	ck_assert_uint_eq(logged("usage of physics/anna is not a number; it counts as 0"), 1);
}

/* slurmctld says that this should never happen. */
TEST(association_without_an_account_counts_below_the_root)
{
	two_users_grow("");
	two_users_open();
	anna->record->parent_id = 4711;
	anna->record->usage->parent_assoc_ptr = anna->record->usage->fs_assoc_ptr = NULL;
	two_users_load("");
	use(anna, gpu, 1, 100);
	use(bert, gpu, 1, 100);
	for (int i = 0; i < 2; i++)
		host_pass();
	ck_assert_double_eq(usage_of(anna), 100);
	ck_assert_double_eq(usage_of(physics), 100);
	ck_assert_double_eq(usage_of(host_root()), 200);
	ck_assert_uint_eq(logged("slurmctld has no accounts of 1 associations"), 1);
}

/* Where billing is free, wall time and TRES tell that usage has been set to 0. */
TEST_LOOP(usage_set_to_0_leaves_no_amount_where_billing_is_free, 2)
{
	part_record_t *free_of_charge;

	two_users("", "");
	free_of_charge = host_partition("free", 1, "CPU=0");
	use(anna, free_of_charge, 4, 100);
	host_pass();
	ck_assert_double_eq(usage_of(anna), 0);
	ck_assert_double_eq(anna->record->usage->grp_used_wall, 100);
	host_reset_usage(_i ? physics : anna);
	host_pass();
	ck_assert_double_eq(anna->record->usage->grp_used_wall, 0);
	ck_assert_double_eq(physics->record->usage->grp_used_wall, 0);
	ck_assert_double_eq((double)anna->record->usage->usage_tres_raw[TRES_ARRAY_CPU], 0);
}

/* As everywhere, what has run since counts, for the sums of policies too. */
TEST(what_runs_after_usage_set_to_0_counts_where_billing_is_free)
{
	two_users("", "Policy=pbs FairshareDecayTime=10000-0 FairshareDecayFactor=.999999999");
	run_in(anna, host_partition("free", 1, "CPU=0"), 1);
	run_in(bert, gpu, 1);
	host_pass();
	host_reset_usage(anna);
	host_pass();
	ck_assert_double_eq(anna->record->usage->grp_used_wall, PERIOD);
	ck_assert_double_eq_tol((double)anna->record->usage->usage_norm, 1 / 3., 1e-6);
}

/* As in slurmctld: an account without usage of its own has no record of it. */
TEST(reset_leaves_an_account_nothing_of_its_own)
{
	two_users_grow("PriorityUsageResetPeriod=NOW");
	physics->usage = 1000;
	host_passed_at(host_now());
	two_users_open();
	two_users_load("");
	ck_assert_ptr_null(physics->record->leaf_usage);
	use(anna, gpu, 1, 100);
	host_pass();
	ck_assert_ptr_null(physics->record->leaf_usage);
}

/* Nothing is charged then; but what was restored is saved. */
TEST(usage_of_qos_survives_a_clock_that_is_behind)
{
	two_users("", "");
	use(anna, gpu, 1, 100);
	host_pass();
	crash();
	host_advance(-1000);
	host_load(FATHOM_PLUGIN);
	crash_and_restart();
	ck_assert_double_eq((double)host_find_qos("normal")->usage->usage_raw, 100);
	ck_assert_double_eq(usage_of(anna), 100);
}
