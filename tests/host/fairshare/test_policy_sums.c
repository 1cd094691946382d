/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums that lsf, pbs and flux go by instead of usage. Random histories of jobs are
 * compared with each job's share of a sum in closed form, also after crashes, requeues
 * and pauses, and after associations were deleted.
 */
#include "scenario/crash.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#define TOLERANCE 1e-9		/* relative; roundings of some hundred sums */
#define HOUR 3600.
#define HALF_LIFE (2 * HOUR)	/* PriorityDecayHalfLife */
#define RUNS 512
#define USERS 3
#define JOBS 6
#define STEPS 120

/* ---- what has run --------------------------------------------------------------- */

struct run {
	const struct host_association *user;
	double begin, end;	/* end 0: it runs */
	double cpus, nodes, minutes;
};

static struct run runs[RUNS];
static size_t run_count;
static struct host_association *account, *user[USERS];

static double decayed(double seconds, double half_life)
{
	return half_life > 0 ? exp2(-seconds / half_life) : 1;
}

/* Of a second from `begin` to `end` each, as seen now. */
static double integral(double begin, double end, double half_life)
{
	double now = (double)host_now();

	if (!(half_life > 0))
		return end - begin;
	return half_life / M_LN2 *
	       (decayed(now - end, half_life) - decayed(now - begin, half_life));
}

static double hist_half_life(void)
{
	return 5 * HOUR * log10(2);
}

static double cpu_time(const struct run *run)
{
	double end = run->end > 0 ? run->end : (double)host_now();

	return run->cpus * integral(run->begin, end, hist_half_life());
}

static double run_time(const struct run *run)
{
	return run->end > 0 ? 0 : (double)host_now() - run->begin;
}

static double run_and_hist_time(const struct run *run)
{
	double ended = run->end > 0 ? (run->end - run->begin) *
		decayed((double)host_now() - run->end, hist_half_life()) : 0;

	return ended + run_time(run);
}

static double decaying_run_time(const struct run *run)
{
	double end = run->end > 0 ? run->end : (double)host_now();

	return integral(run->begin, end, hist_half_life());
}

static double uncommitted(const struct run *run)
{
	return run->end > 0 ? 0 : run->minutes * 60 - run_time(run);
}

static double slots(const struct run *run)
{
	return run->end > 0 ? 0 : run->cpus;
}

static double pbs_cput(const struct run *run)
{
	double end = run->end > 0 ? run->end : (double)host_now();

	return run->cpus * integral(run->begin, end, 24 * HOUR);
}

/* Of nodect * walltime. */
static double pbs_node_time(const struct run *run)
{
	return pbs_cput(run) / run->cpus * run->nodes;
}

static double flux_usage(const struct run *run)
{
	if (!(run->end > 0))
		return 0;
	return run->nodes * (run->end - run->begin) *
	       decayed((double)host_now() - run->end, HALF_LIFE);
}

/* ---- what is seen of it ------------------------------------------------------------ */

#define LSF "Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 RunJobFactor=0 "

/* lsf: its dynamic priority is shares over one of its inputs. */
static const struct {
	const char *name, *conf;
	double (*of_run)(const struct run *run);
	double more, unit;	/* what the policy adds, and divides by; 0: parts of the whole */
} policies[] = {
	{ "CPU time", LSF "CpuTimeFactor=1", cpu_time, 0, HOUR },
	{ "run time", LSF "RunTimeFactor=1", run_time, 0, HOUR },
	{ "historical run time", LSF "RunTimeFactor=1 EnableHistRunTime=yes", run_and_hist_time, 0,
	  HOUR },
	{ "run time that decays", LSF "RunTimeFactor=1 EnableHistRunTime=yes RunTimeDecay=yes",
	  decaying_run_time, 0, HOUR },
	{ "committed run time", LSF "CommittedRunTimeFactor=1", uncommitted, 0, HOUR },
	{ "slots", LSF "RunJobFactor=1", slots, 1, 1 },
	{ "cput", "Policy=pbs", pbs_cput, 0, 0 },
	{ "finished jobs", "Policy=flux", flux_usage, 0, 0 },
	{ "cput by a formula", "Policy=pbs FairshareUsageRes=ncpus*walltime", pbs_cput, 0, 0 },
	{ "node time", "Policy=pbs FairshareUsageRes=\"nodect * walltime\"", pbs_node_time, 0, 0 },
};
#define POLICIES ((int)COUNT(policies) - 2 * !HAS_FORMULAS)
enum { CPU_TIME, RUN_TIME, HIST_RUN_TIME, DECAYING_RUN_TIME, COMMITTED, SLOTS, CPUT, FLUX,
       CPUT_BY_FORMULA, NODE_TIME };

static double sum_of(int policy, const struct host_association *who)
{
	double sum = 0;

	for (size_t i = 0; i < run_count; i++)
		if (!who || runs[i].user == who)
			sum += policies[policy].of_run(&runs[i]);
	return sum;
}

static double level_fs_of(const struct host_association *who)
{
	return (double)who->record->usage->level_fs;
}

static double part_of(const struct host_association *who)
{
	return (double)who->record->usage->usage_norm;
}

static void assert_seen(int policy, const struct host_association *who, double used, double all)
{
	double unit = policies[policy].unit, expected, is;

	if (unit > 0) {
		expected = 1 / fmax(used / unit + policies[policy].more, .01);
		is = level_fs_of(who);
	} else {
		expected = all > 0 ? used / all : 0;
		is = part_of(who);
	}
	ck_assert_msg(fabs(is - expected) <= TOLERANCE * fmax(expected, 1),
		      "%s of %s at %ld: %.15g, not %.15g", policies[policy].name,
		      who->user ? who->user : who->account, (long)host_now(), is, expected);
}

static void assert_all_seen(int policy)
{
	for (int i = 0; i < USERS; i++)
		if (user[i]->record)
			assert_seen(policy, user[i], sum_of(policy, user[i]), sum_of(policy, NULL));
	assert_seen(policy, account, sum_of(policy, NULL), sum_of(policy, NULL));
}

/* ---- the cluster -------------------------------------------------------------------- */

static void open_cluster(const char *conf, const char *more)
{
	host_configure("PriorityDecayHalfLife=2:00:00\nPriorityCalcPeriod=5\n"
		       "PriorityWeightFairshare=100000\n%s\n", more);
	write_conf(conf);
	host_passed_at(host_now());
	account = host_account(host_root(), "physics", 1);
	for (int i = 0; i < USERS; i++)
		user[i] = host_user(account, (const char *[]){ "anna", "bert", "carl" }[i], 1);
	host_open();
	host_load(FATHOM_PLUGIN);
}

static const char with_limits[] = "AccountingStorageEnforce=associations,limits";

/* ---- jobs --------------------------------------------------------------------------- */

static struct job {
	job_record_t *record;
	struct run *run;	/* NULL: it does not run */
} jobs[JOBS];

static void begin(struct job *job)
{
	if (run_count == RUNS)
		return;
	host_job_begin(job->record, host_now());
	job->run = &runs[run_count++];
	*job->run = (struct run){
		.user = user[0], .begin = (double)host_now(),
		.cpus = (double)job->record->total_cpus,
		.nodes = (double)job->record->details->min_nodes,
		.minutes = job->record->time_limit,
	};
	for (int i = 0; i < USERS; i++)
		if (user[i]->id == job->record->assoc_id)
			job->run->user = user[i];
}

static void submit_of(struct job *job, struct host_association *who, uint32_t cpus, uint32_t nodes)
{
	job->record = host_job(&(struct host_job){ .user = who, .cpus = cpus, .nodes = nodes,
						   .minutes = 1 + host_random_below(200) });
	job->run = NULL;
}

static void begin_two(void)
{
	submit_of(&jobs[0], user[0], 4, 2);
	submit_of(&jobs[1], user[1], 1, 1);
	begin(&jobs[0]);
	begin(&jobs[1]);
}

static void finish(struct job *job)
{
	job->run->end = (double)host_now();
	host_job_end(job->record);
	host_job_cleaned(job->record);
	job->record = NULL;
}

static void requeue(struct job *job)
{
	job->run->end = (double)host_now();
	job->run = NULL;
	host_job_requeue(job->record);
	host_job_cleaned(job->record);
	/* after a crash its record would not tell of this run; the first wake may only place
	 * jobs */
	host_wake();
	host_wake();
}

static void change(struct job *job)
{
	uint32_t cpus = 1 + host_random_below(16);

	if (!job->record)
		submit_of(job, user[host_random_below(USERS)], cpus,
			  1 + host_random_below(MIN(cpus, 4)));
	else if (!job->run)
		begin(job);
	else if (host_random_below(4))
		finish(job);
	else
		requeue(job);
}

/* ---- sizes ------------------------------------------------------------------------- */

/* lsf, slots alone: shares over 1 + slots. */
TEST(resized_job_counts_at_its_present_size)
{
	open_cluster(policies[SLOTS].conf, with_limits);
	begin_two();
	host_pass();
	ck_assert_double_eq_tol(level_fs_of(user[0]), 1 / 5., TOLERANCE);
	host_job_resize(jobs[0].record, 9);
	host_pass();
	ck_assert_double_eq_tol(level_fs_of(user[0]), 1 / 10., TOLERANCE);
	host_job_resize(jobs[0].record, 1);
	host_pass();
	ck_assert_double_eq_tol(level_fs_of(user[0]), 1 / 2., TOLERANCE);
	ck_assert_double_eq_tol(level_fs_of(user[1]), 1 / 2., TOLERANCE);
}

/* ---- any history ------------------------------------------------------------------- */

/* Passes come when they come; a crash loses none of what had been saved. */
static void go_through_history(int policy)
{
	for (int step = 0; step < STEPS; step++) {
		change(&jobs[host_random_below(JOBS)]);
		host_advance((time_t)host_random_below(400));
		if (!host_random_below(3)) {
			host_pass();
			assert_all_seen(policy);
		}
		if (!host_random_below(12)) {
			crash_and_restart();
			assert_all_seen(policy);
		}
	}
}

TEST_LOOP(each_second_counts_once, POLICIES)
{
	host_random_seed((uint64_t)_i + 1);
	open_cluster(policies[_i].conf, with_limits);
	go_through_history(_i);
}

TEST_LOOP(each_second_counts_once_without_limits, POLICIES)
{
	host_random_seed((uint64_t)_i + 100);
	open_cluster(policies[_i].conf, "MinJobAge=300");
	go_through_history(_i);
}

/* ---- single events ------------------------------------------------------------------ */

TEST_LOOP(own_usage_is_not_usage_raw, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	submit_of(&jobs[0], user[0], 4, 1);
	begin(&jobs[0]);
	host_advance(3600);
	finish(&jobs[0]);
	host_pass();
	/* decayed by the site's half-life, whatever the policy's is */
	ck_assert_double_eq_tol((double)user[0]->record->usage->usage_raw,
				4 * integral((double)host_now() - 3900, (double)host_now() - 300,
					     HALF_LIFE), 1e-6);
}

TEST(half_life_of_fathom_conf_wins)
{
	double now;

	open_cluster("HalfLife=1h", with_limits);
	submit_of(&jobs[0], user[0], 4, 1);
	begin(&jobs[0]);
	host_advance(1000);
	host_pass();
	now = (double)host_now();
	ck_assert_double_eq_tol((double)user[0]->record->usage->usage_raw,
				4 * integral(now - 1300, now, HOUR), 1e-6);
}

TEST_LOOP(reconfigure_keeps_what_the_policy_has, POLICIES)
{
	char conf[128];

	open_cluster(policies[_i].conf, with_limits);
	begin_two();
	host_advance(1000);
	finish(&jobs[0]);
	host_pass();
	snprintf(conf, sizeof(conf), "%s CalcPeriod=60", policies[_i].conf);
	reconfigure(conf);
	assert_all_seen(_i);
	host_advance(100);
	host_pass();
	assert_all_seen(_i);
}

TEST(reconfigure_goes_through_all_policies)
{
	static const char *const slurms[] = { "classic", "depth-oblivious", "fair-tree" };
	char conf[128];

	open_cluster("", with_limits);
	for (int i = 0; i < 3 * POLICIES; i++) {
		int policy = i % POLICIES;

		snprintf(conf, sizeof(conf), "Policy=%s", slurms[i % 3]);
		reconfigure(conf);
		reconfigure(policies[policy].conf);
		run_count = 0;		/* a policy that is new has seen nothing */
		submit_of(&jobs[0], user[i % USERS], 3, 1);
		begin(&jobs[0]);
		host_advance(777);
		host_pass();
		assert_all_seen(policy);
		finish(&jobs[0]);
		host_advance(10);
		host_pass();
		assert_all_seen(policy);
	}
}

/* Without Fair Tree in the flags sshare (up to 25.05) works the factor out itself; later it is sent
 * the factor. */
TEST_LOOP(sshare_comes_to_the_factor, 3)
{
	static const char *const names[] = { "lsf", "pbs", "flux" };
	job_record_t *waiting[USERS];
	char conf[64];

	snprintf(conf, sizeof(conf), "Policy=%s", names[_i]);
	open_cluster(conf, "AccountingStorageEnforce=associations,limits\n"
			   "PriorityFlags=NO_FAIR_TREE\nFairShareDampeningFactor=3");
	for (int i = 0; i < USERS; i++) {
		submit_of(&jobs[i], user[i], 1 + (uint32_t)i, 1 + (uint32_t)i);
		waiting[i] = host_job(&(struct host_job){ .user = user[i] });
		begin(&jobs[i]);
		host_advance(1000);
		finish(&jobs[i]);
	}
	host_pass();
	for (int i = 0; i < USERS; i++) {
		const slurmdb_assoc_usage_t *usage = user[i]->record->usage;
		double shown = SLURM_SENDS_FS_FACTOR
			? usage->fs_factor
			: exp2((double)(-usage->usage_efctv / usage->shares_norm) / 3);

		ck_assert_double_eq_tol(1e5 * shown, waiting[i]->prio_factors->priority_fs, 1e-6);
	}
	ck_assert(waiting[0]->priority != waiting[1]->priority);
}

/* What a shadow has gathered counts when it is put in force, also by a restart. */
TEST_LOOP(shadow_knows_all_when_it_is_put_in_force, POLICIES)
{
	static const char *const names[POLICIES] = { [CPU_TIME] = "lsf", [CPUT] = "pbs",
						     [FLUX] = "flux" };
	char conf[128];

	if (!names[_i])
		return;
	snprintf(conf, sizeof(conf), "Policy=classic ShadowPolicy=%s", names[_i]);
	open_cluster(conf, with_limits);
	begin_two();
	host_advance(1000);
	finish(&jobs[0]);
	host_pass();
	reconfigure(policies[_i].conf);
	assert_all_seen(_i);
	snprintf(conf, sizeof(conf), "ShadowPolicy=%s", names[_i]);
	reconfigure(conf);
	ck_assert(host_close());
	host_advance(100);
	write_conf(policies[_i].conf);
	host_load(FATHOM_PLUGIN);
	assert_all_seen(_i);
}

TEST_LOOP(restart_goes_on, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	begin_two();
	host_advance(1000);
	finish(&jobs[0]);
	ck_assert(host_close());
	host_advance(500);
	host_load(FATHOM_PLUGIN);
	assert_all_seen(_i);
}

TEST_LOOP(what_the_gone_have_used_is_their_accounts, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	begin_two();
	host_advance(1000);
	finish(&jobs[0]);
	host_pass();
	host_remove(user[0]);
	host_pass();
	assert_all_seen(_i);		/* of the account as before */
	crash_and_restart();
	assert_all_seen(_i);
}

/* Several at once, of which the account above the removed one has to be found. */
static void remove_with_account(int policy, bool while_down)
{
	struct host_association *group = host_account(account, "group", 1);
	struct host_association *dave = host_user(group, "dave", 1);

	submit_of(&jobs[0], dave, 4, 2);
	submit_of(&jobs[1], user[1], 1, 1);
	begin(&jobs[0]);
	begin(&jobs[1]);
	runs[0].user = dave;
	host_advance(1000);
	finish(&jobs[0]);
	host_pass();
	assert_all_seen(policy);
	if (while_down)
		crash();
	host_remove(dave);
	host_remove(group);
	if (while_down)
		host_load(FATHOM_PLUGIN);
	host_pass();
	assert_all_seen(policy);
}

TEST_LOOP(what_whole_accounts_have_used_goes_up, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	remove_with_account(_i, false);
}

TEST_LOOP(so_it_does_where_they_went_meanwhile, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	remove_with_account(_i, true);
}

/* Removed while its job runs: what that has used until then stays. */
TEST_LOOP(jobs_of_the_gone_end, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	begin_two();
	host_advance(1000);
	host_pass();
	host_remove(user[0]);
	host_pass();
	jobs[0].run->end = (double)host_now();
	assert_all_seen(_i);
}

TEST_RANGE(pauses_do_not_count_if_they_are_not_charged, CPU_TIME, HIST_RUN_TIME + 1)
{
	char conf[256];
	double ran = 1300, now;

	snprintf(conf, sizeof(conf), "%s ChargeSuspended=no", policies[_i].conf);
	open_cluster(conf, with_limits);
	submit_of(&jobs[0], user[0], 4, 2);
	begin(&jobs[0]);
	host_advance(1000);
	host_job_suspend(jobs[0].record);
	host_advance(700);
	host_pass();
	host_advance(200);
	host_job_resume(jobs[0].record);
	host_advance(300);
	host_wake();
	now = (double)host_now();
	ck_assert(_i == RUN_TIME || _i == HIST_RUN_TIME || _i == CPU_TIME);
	if (_i == CPU_TIME)
		ck_assert_double_eq_tol(HOUR / level_fs_of(user[0]),
					4 * (integral(now - 300, now, hist_half_life()) +
					     integral(now - 2500, now - 1500, hist_half_life())),
					1e-6);
	else
		ck_assert_double_eq_tol(HOUR / level_fs_of(user[0]), ran, 1e-6);
	finish(&jobs[0]);
	host_wake();
	if (_i == HIST_RUN_TIME)
		ck_assert_double_eq_tol(HOUR / level_fs_of(user[0]), ran, 1e-6);
}

TEST(pauses_do_not_count_for_pbs_either)
{
	double now, paused, whole;

	open_cluster("Policy=pbs ChargeSuspended=no", with_limits);
	submit_of(&jobs[0], user[0], 4, 1);
	submit_of(&jobs[1], user[1], 1, 1);
	begin(&jobs[0]);
	begin(&jobs[1]);
	host_advance(1000);
	host_job_suspend(jobs[0].record);
	host_advance(900);
	host_job_resume(jobs[0].record);
	host_advance(300);
	host_wake();
	now = (double)host_now();
	paused = 4 * (integral(now - 300, now, 24 * HOUR) +
		      integral(now - 2200, now - 1200, 24 * HOUR));
	whole = integral(now - 2200, now, 24 * HOUR);
	ck_assert_double_eq_tol(part_of(user[0]), paused / (paused + whole), TOLERANCE);
}

TEST_LOOP(cleared_usage_is_cleared_for_the_policy, POLICIES)
{
	open_cluster(policies[_i].conf, with_limits);
	begin_two();
	host_advance(1000);
	finish(&jobs[0]);
	finish(&jobs[1]);
	host_pass();
	host_reset_usage(user[0]);
	runs[0].begin = runs[0].end;
	host_pass();
	assert_all_seen(_i);
}

/* Policies that count what a job uses while it runs. */
static const int of_running[] = { CPU_TIME, CPUT, CPUT_BY_FORMULA, NODE_TIME };
#define OF_RUNNING ((int)COUNT(of_running) - 2 * !HAS_FORMULAS)

static void clear_and_run_on(int policy, const char *conf, void (*then)(void))
{
	open_cluster(conf, with_limits);
	begin_two();
	submit_of(&jobs[2], user[1], 1, 1);
	host_pass();
	host_reset_usage(user[0]);
	runs[0].begin = (double)host_now();
	if (then)
		then();
	host_advance(200);
	host_pass();
	assert_all_seen(policy);
}

TEST_LOOP(cleared_usage_leaves_what_runs_after_it, OF_RUNNING)
{
	clear_and_run_on(of_running[_i], policies[of_running[_i]].conf, NULL);
}

/* Under lsf, in a turn between two passes, which charges nothing. */
static void place_another_job(void)
{
	host_advance(60);
	submit_of(&jobs[3], user[1], 1, 1);
	host_wake();
	ck_assert(user[0]->record->usage->usage_raw == 0);
}

TEST(so_it_does_where_a_job_is_placed_before_the_pass)
{
	/* jobs are placed where slots count */
	clear_and_run_on(CPU_TIME, "Policy=lsf CpuTimeFactor=1 RunTimeFactor=0 RunJobFactor=1e-12",
			 place_another_job);
}

TEST_LOOP(reset_leaves_nothing, POLICIES)
{
	open_cluster(policies[_i].conf,
		     "AccountingStorageEnforce=associations,limits\nPriorityUsageResetPeriod=NOW");
	begin_two();
	host_advance(1000);
	finish(&jobs[0]);
	host_pass();
	priority_g_reconfig(true);	/* as where the period is NOW */
	host_await_pass();
	runs[0].user = NULL;
	runs[0].begin = runs[0].end;
	runs[1].begin = (double)host_now();	/* from here on */
	runs[1].minutes = 0;
	host_advance(300);
	finish(&jobs[1]);
	host_pass();
	assert_all_seen(_i);
}

/* A run that goes on counts from midnight on, whatever comes between. */
TEST_LOOP(reset_is_remembered_over_a_crash, POLICIES)
{
	open_cluster(policies[_i].conf, "AccountingStorageEnforce=associations,limits\n"
					"PriorityUsageResetPeriod=DAILY");
	begin_two();
	host_advance(86400);
	host_pass();
	runs[0].begin = runs[1].begin = (double)(host_now() - host_now() % 86400);
	host_advance(100);
	crash_and_restart();
	host_advance(1000);
	finish(&jobs[0]);
	host_pass();
	if (policies[_i].of_run != uncommitted)	/* what was asked for stays */
		assert_all_seen(_i);
}
