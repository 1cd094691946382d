/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fathom alone knows, beside usage that is slurmctld's own: sums of policies and scopes, and
 * which files have been imported. multifactor runs between two runs of fathom, or the newest state
 * file is damaged, or both.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <endian.h>

#define HOUR 3600
#define GPU "Scope=gpu Partitions=gpu"

/* ---- multifactor between two runs of fathom ------------------------------------------------ */

/* Adds to usage in the records, as multifactor does. */
static void charge(struct host_association *user, double seconds)
{
	for (; user; user = user->parent)
		user->record->usage->usage_raw += seconds;
}

static void decay(double factor)
{
	struct host_association *all[] = { anna, bert, physics, host_root() };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		all[i]->record->usage->usage_raw *= factor;
}

/* Its last pass is now. */
static void write_times(time_t last_reset)
{
	const uint64_t times[] = { htobe64((uint64_t)host_now()), htobe64((uint64_t)last_reset) };
	FILE *file = fopen(in_folder("priority_last_decay_ran"), "w");

	ck_assert(file && fwrite(times, sizeof(times), 1, file) == 1 && !fclose(file));
}

/* It resets nothing. */
static void write_stock_times(void)
{
	write_times(0);
}

static void load_after_multifactor(void)
{
	write_stock_times();
	host_load(FATHOM_PLUGIN);
}

/* anna's part of what both have used, for the policy in force. */
static double part_of_anna(void)
{
	return (double)anna->record->usage->usage_norm;
}

static void assert_part(double of_anna, double of_bert)
{
	ck_assert_double_eq_tol(part_of_anna(), of_anna / (of_anna + of_bert), 1e-9);
}

#define PBS "Policy=pbs FairshareDecayTime=10000-0 FairshareDecayFactor=.999999999"
#define LSF "Policy=lsf RunTimeFactor=0 RunJobFactor=0 CpuTimeFactor=1"
#define LSF_RUN_TIME "Policy=lsf EnableHistRunTime=yes RunTimeFactor=1 RunJobFactor=0 " \
		     "CpuTimeFactor=0"

static const char *const policies[] = {
	PBS, "Policy=flux CoreWeight=1 NodeWeight=0", GPU, LSF, LSF_RUN_TIME,
};
#define POLICIES ((int)(sizeof(policies) / sizeof(*policies)))

/* Two figures that tell the sums of anna and bert: factors, as sprio shows them. */
struct figures_of_two {
	double anna, bert;
};

static struct figures_of_two figures(void)
{
	static job_record_t *of_anna, *of_bert;

	if (!of_anna) {
		of_anna = wait_in(anna, gpu);
		of_bert = wait_in(bert, gpu);
		host_wake();
	}
	return (struct figures_of_two){ shown(of_anna), shown(of_bert) };
}

static void assert_same(struct figures_of_two before)
{
	struct figures_of_two now;

	host_wake();
	now = figures();
	ck_assert(before.anna != before.bert);
	ck_assert_double_eq_tol(now.anna, before.anna, 1e-9);
	ck_assert_double_eq_tol(now.bert, before.bert, 1e-9);
}

/* All decays alike, so that proportions stay. */
TEST_LOOP(sums_are_kept_over_an_hour_of_multifactor, POLICIES)
{
	struct figures_of_two before;

	two_users("", policies[_i]);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 2000);
	host_pass();
	before = figures();
	ck_assert(host_close());
	host_advance(HOUR);
	load_after_multifactor();
	ck_assert_uint_eq(logged("going on with the usage in Slurm's records, as of"), 2);
	ck_assert_uint_eq(logged("taking the sums of policies and scopes from "), 1);
	assert_same(before);
	ck_assert_double_eq_tol(usage_of(anna), 3000, 1e-6);
	crash_and_restart();
	assert_same(before);
	ck_assert_uint_eq(logged("out of memory"), 0);
}

TEST(sums_decay_meanwhile)
{
	two_users("PriorityDecayHalfLife=0-1", "Policy=pbs FairshareDecayTime=1:00:00 "
					       "FairshareDecayFactor=.5");
	use(anna, gpu, 3, 1000);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	decay(pow(1 - .693 / HOUR, HOUR));
	load_after_multifactor();
	use(bert, gpu, 1, 1000);
	host_wake();
	/* a second as it counts at the end of the 1000 in which it passed */
	assert_part(3 * exp2(-(PERIOD + HOUR + 1000.) / HOUR), 1);
}

/* What runs all the while counts all the while, and a second after it once. */
TEST_LOOP(job_that_runs_all_the_while_is_charged, 2)
{
	job_record_t *job;
	double seconds;

	two_users("", _i ? GPU : PBS);
	use(bert, gpu, 1, 1000);
	job = run_in(anna, gpu, 2);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	charge(anna, 2 * HOUR);
	load_after_multifactor();
	host_pass();
	host_advance(100);
	end_run(job);
	host_pass();
	seconds = 2. * (2 * PERIOD + HOUR + 100);
	ck_assert_double_eq_tol(usage_of(anna), seconds, 1e-6);
	if (_i)
		assert_factor(wait_in(anna, gpu), classic(seconds / (seconds + 1000)));
	else
		assert_part(seconds, 1000);
}

/* It is complete, and charged; fathom is not called. */
static void end_under_multifactor(job_record_t *job)
{
	job->end_time = host_now();
	job->end_time_exp = (time_t)NO_VAL;
	job->job_state = JOB_COMPLETE;
}

/* slurmctld still has the job's record. */
TEST_LOOP(job_that_ended_meanwhile_is_charged, 2)
{
	job_record_t *before, *during;

	two_users("", _i ? GPU : PBS);
	use(bert, gpu, 1, 1000);
	before = run_in(anna, gpu, 2);
	during = wait_in(anna, gpu);
	host_pass();
	ck_assert(host_close());
	host_advance(500);
	host_job_begin(during, host_now());
	host_advance(100);
	end_under_multifactor(before);
	end_under_multifactor(during);
	charge(anna, 2 * 600 + 100);
	host_advance(100);
	load_after_multifactor();
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 2. * PERIOD + 1300, 1e-6);
	if (_i)
		assert_factor(wait_in(anna, gpu), classic(1900. / 2900));
	else
		assert_part(1900, 1000);
}

/* Of a job that slurmctld has forgotten the growth of usage tells. It counts as an import does; a
 * scope does not see it, as nobody knows in which partition the job ran. */
TEST_LOOP(growth_of_usage_tells_of_forgotten_jobs, 2)
{
	job_record_t *job;

	two_users("", _i ? GPU : PBS);
	use(bert, gpu, 1, 1000);
	use(anna, gpu, 1, 500);
	job = run_in(anna, gpu, 2);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	end_under_multifactor(job);
	host_job_purge(job);
	charge(anna, 2 * HOUR);
	load_after_multifactor();
	host_pass();
	if (_i)
		assert_factor(wait_in(anna, gpu), classic((500 + 2. * PERIOD) /
							  (1500 + 2. * PERIOD)));
	else
		assert_part(500 + 2. * PERIOD + 2 * HOUR, 1000);
}

TEST(part_of_a_second_is_added_to_sums)
{
	two_users("", PBS);
	use(bert, gpu, 1, 1000);
	use(anna, gpu, 1, 500);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	charge(anna, .5);
	load_after_multifactor();
	host_pass();
	assert_part(500.5, 1000);
}

TEST_LOOP(usage_that_was_set_to_0_is_0_in_sums_too, 2)
{
	two_users("", _i ? GPU : PBS);
	use(bert, gpu, 1, 1000);
	use(anna, gpu, 1, 500);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	host_reset_usage(anna);
	load_after_multifactor();
	host_pass();
	if (_i)
		assert_factor(wait_in(anna, gpu), classic(0));
	else
		assert_part(0, 1000);
}

/* multifactor's file tells when it reset all usage. What runs counts from there. */
TEST_LOOP(reset_of_all_usage_is_one_of_sums_too, 2)
{
	job_record_t *job;

	two_users("", _i ? GPU : PBS);
	use(bert, gpu, 1, 1000);
	use(anna, gpu, 3, 1000);
	job = run_in(anna, gpu, 1);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	host_reset_usage(anna);
	host_reset_usage(bert);
	host_passed_at(host_now());
	host_load(FATHOM_PLUGIN);
	use(bert, gpu, 1, 100);
	end_run(job);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 100, 1e-6);
	if (_i)
		assert_factor(wait_in(anna, gpu), classic(.5));
	else
		assert_part(100, 100);
}

/* anna's job runs since 22:13:20, bert's since midnight, when multifactor resets all usage. fathom
 * is back at 00:30. A policy counts what both have run when they end. */
TEST_LOOP(policy_that_comes_after_multifactors_reset_counts_from_the_reset_on, 2)
{
	const time_t midnight = host_now() - host_now() % 86400 + 86400;
	bool ran_before = _i;
	job_record_t *of_anna, *of_bert;

	two_users_grow("PriorityUsageResetPeriod=DAILY");
	host_passed_at(host_now());
	two_users_open();
	if (ran_before)
		two_users_load("Policy=classic");
	of_anna = run_in(anna, gpu, 10);
	of_bert = host_job(&(struct host_job){ .user = bert, .cpus = 10, .minutes = 6000 });
	if (ran_before)
		ck_assert(host_close());
	host_advance(midnight - host_now());
	host_job_begin(of_bert, host_now());
	host_advance(1800);
	charge(anna, 18000);
	charge(bert, 18000);
	write_times(midnight);
	two_users_load(ran_before ? "Policy=classic" : "Policy=flux");
	host_pass();
	reconfigure("Policy=flux");
	host_pass();
	end_run(of_anna);
	end_run(of_bert);
	host_pass();
	assert_part(1, 1);
}

/* Its account has it all: what it used before, and what jobs used that nobody knows any more. */
TEST(sums_of_a_deleted_user_are_the_accounts)
{
	two_users("", PBS);
	use(bert, gpu, 1, 1000);
	use(anna, gpu, 3, 1000);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	charge(anna, 1000);
	host_remove(anna);
	load_after_multifactor();
	host_pass();
	ck_assert_double_eq_tol(usage_of(physics), 5000, 1e-6);
	ck_assert_double_eq_tol((double)bert->record->usage->usage_norm, .2, 1e-9);
}

static void ends(void *job)
{
	host_advance(50);
	end_run(job);
}

/* slurmctld announces the end before the plugin has compared usage with what it saved: the charge
 * must not be taken for one of multifactor's. */
TEST(job_that_ends_before_the_first_pass_is_charged_once)
{
	job_record_t *job;
	double seconds = 2. * (PERIOD + HOUR + 50);

	two_users("AccountingStorageEnforce=associations,limits", PBS "\n" GPU);
	use(bert, gpu, 1, 1000);
	job = run_in(anna, gpu, 2);
	host_pass();
	ck_assert(host_close());
	host_advance(HOUR);
	charge(anna, 2 * HOUR);
	write_stock_times();
	host_on_release(HOST_PART, READ_LOCK, 1, ends, job);
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert_uint_eq(job->end_time, host_now() - PERIOD);
	ck_assert_double_eq_tol(usage_of(anna), seconds, 1e-6);
	assert_part(seconds, 1000);
}

/* ---- a damaged newest state file ----------------------------------------------------------- */

static void damage_newest(const char *by)
{
	FILE *file = fopen(in_folder("fathom_usage"), "r+");

	ck_assert(file && fputs(by, file) >= 0 && !fclose(file));
}

static time_t stock_time(void)
{
	FILE *file = fopen(in_folder("priority_last_decay_ran"), "r");
	uint64_t time;

	ck_assert(file && fread(&time, sizeof(time), 1, file) == 1 && !fclose(file));
	return (time_t)be64toh(time);
}

/* A thread of the plugin's writes it when it notices a dump. */
static void await_stock_time(time_t time)
{
	for (int tries = 0; stock_time() != time && tries < 5000; tries++)
		usleep(1000);
	ck_assert_int_eq(stock_time(), time);
}

/* The import is in the newest file alone, and in slurmctld's dump. */
static struct figures_of_two import_and_dump(const char *policy)
{
	char conf[512];
	struct figures_of_two before;
	FILE *file;

	two_users("", policy);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 2000);
	host_pass();
	figures();
	file = fopen(in_folder("usage.json"), "w");
	ck_assert(file);
	fprintf(file, "{\"format\": \"fathom-usage\", \"version\": 1, \"usage\": "
		      "[{\"account\": \"physics\", \"user\": \"bert\", \"usage\": 500}]}\n");
	fclose(file);
	snprintf(conf, sizeof(conf), "%s\nImportUsage=%s", policy, in_folder("usage.json"));
	host_advance(100);
	reconfigure(conf);
	before = figures();
	ck_assert_int_eq(dump_assoc_mgr_state(), SLURM_SUCCESS);
	await_stock_time(host_now());
	return before;
}

/* A file of the plugin's next version is as good as damaged. */
static const char *const damages[] = { "fathom usage 8", "fathom usage A\n" };

static void restart_with_damaged_newest(const char *damage)
{
	long double usage[] = { anna->record->usage->usage_raw, bert->record->usage->usage_raw };

	crash();
	damage_newest(damage);
	charge(anna, (double)usage[0]);		/* slurmctld has read its dump */
	charge(bert, (double)usage[1]);
}

static void assert_imported_once(struct figures_of_two before)
{
	ck_assert_double_eq_tol(usage_of(anna), 3000, 1e-6);
	ck_assert_double_eq_tol(usage_of(bert), 2500, 1e-6);
	assert_same(before);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(bert), 2500, 1e-6);
	assert_same(before);
}

/* fathom wrote the time of the dump, so the file before is the newest state that there is. It lacks
 * the import, which is added again. */
TEST_LOOP(file_before_a_damaged_one_is_a_state_as_a_whole, 2 * POLICIES)
{
	struct figures_of_two before = import_and_dump(policies[_i % POLICIES]);

	restart_with_damaged_newest(damages[_i / POLICIES]);
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("fathom_usage: "), 1);
	ck_assert_uint_eq(logged("reading usage from the previous state file"), 1);
	ck_assert_uint_eq(logged("going on with the usage that the last pass saved"), 1);
	ck_assert_uint_eq(logged("usage of 1 associations is added"), 2);
	assert_imported_once(before);
}

/* multifactor has run since: usage is its own, and has the import, which the file before does not
 * know of. */
TEST_LOOP(file_before_a_damaged_one_tells_sums_if_multifactor_ran_last, POLICIES)
{
	struct figures_of_two before = import_and_dump(policies[_i]);

	restart_with_damaged_newest(damages[0]);
	host_advance(HOUR);
	load_after_multifactor();
	ck_assert_uint_eq(logged("reading usage from the previous state file"), 0);
	ck_assert_uint_eq(logged("going on with the usage in Slurm's records, as of"), 2);
	ck_assert_uint_eq(logged("taking the sums of policies and scopes from "), 1);
	ck_assert_uint_eq(logged("usage of 1 associations is added"), 1);
	ck_assert_uint_eq(logged("it is not known whether"), 1);
	assert_imported_once(before);
}
