/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of associations that no pass has evaluated yet: they get a provisional
 * priority at once, and their own from the next pass, which comes soon.
 */
#include "scenario/two_users.h"

#define JOBS 700		/* of anna; some slices of them */
#define NEWCOMERS 200		/* the last of these jobs become theirs */
#define PAUSE_LEAST .6		/* seconds between two passes */
#define PATIENCE 10		/* seconds, for the thread to see a signal */

static struct host_association *carl;

static unsigned points(double factor)
{
	return (unsigned)(WEIGHT * factor);
}

/* anna has used two thirds, bert a third. */
static void open_two_users(const char *slurm_conf, const char *fathom_conf)
{
	two_users(slurm_conf, fathom_conf);
	use(anna, gpu, 1, 1000);
	use(bert, gpu, 1, 500);
	host_pass();
}

static void assert_woken(void)
{
	for (int i = 0; i < PATIENCE * 1000 && host_next_pass() > PAUSE_LEAST; i++)
		usleep(1000);
	ck_assert_double_le(host_next_pass(), PAUSE_LEAST);
}

/* ---- what a first job has ---------------------------------------------------------- */

TEST(first_job_has_the_best_factor_of_the_users_of_its_account)
{
	job_record_t *job;

	open_two_users("", "");
	carl = host_user(physics, "carl", 1);
	job = wait_in(carl, gpu);
	ck_assert_uint_eq(job->priority, points(classic(1 / 3.)));
	/* by its own in the next pass: of a third, with nothing used */
	host_wake();
	ck_assert_uint_eq(job->priority, points(classic(0)));
	assert_factor(job, classic(0));
}

/* A newcomer is mostly as one of them who has used nothing. */
TEST_LOOP(first_job_has_at_once_what_the_pass_gives_where_somebody_has_used_nothing, 2)
{
	job_record_t *job;
	uint32_t at_once;

	two_users(_i ? "PriorityFlags=FAIR_TREE" : "", "");
	use(anna, gpu, 1, 1000);
	host_pass();
	job = wait_in(host_user(physics, "carl", 1), gpu);
	at_once = job->priority;
	host_wake();
	ck_assert_uint_gt(at_once, 1);
	ck_assert_uint_eq(job->priority, at_once);
}

static const struct { const char *slurm_conf, *fathom_conf; double factor; } without_siblings[] = {
	{ "", "", 1 / 4. },		/* the account's own: all is used by half of the shares */
	{ "PriorityFlags=FAIR_TREE", "", .5 },	/* which accounts do not have there */
	{ "", "Policy=lsf RunJobFactor=0", .5 },
	{ "", "Policy=lsf", 1 },	/* nobody else waits */
};

TEST_EACH(first_job_in_an_account_without_users_has_the_accounts_factor, without_siblings)
{
	job_record_t *job;

	two_users_grow(without_siblings[_i].slurm_conf);
	host_account(host_root(), "chemistry", 1);
	carl = host_account(physics, "group", 1);
	host_passed_at(host_now());
	two_users_open();
	two_users_load(without_siblings[_i].fathom_conf);
	use(anna, gpu, 1, 1000);
	host_pass();
	/* the account is a newcomer too: the nearest one above it counts, without its users */
	host_remove(anna);
	host_remove(bert);
	host_pass();
	job = wait_in(host_user(host_account(physics, "lab", 1), "dora", 1), gpu);
	ck_assert_uint_eq(job->priority, points(without_siblings[_i].factor));
	host_wake();
	ck_assert_uint_gt(job->priority, 1);
}

TEST(first_job_has_a_half_under_flux)
{
	job_record_t *job;

	open_two_users("", "Policy=flux UrgencyWeight=0 QueueWeight=0");
	job = wait_in(host_user(physics, "carl", 1), gpu);
	ck_assert_uint_eq(job->priority, 50000);
	host_wake();
	ck_assert_uint_eq(job->priority, 100000);
}

/* Where one without shares starts no job. */
TEST(first_job_may_run_though_a_sibling_may_not)
{
	job_record_t *job;

	two_users("PriorityWeightPartition=1000", "Policy=pbs FairshareEnforceNoShares=yes");
	host_set_shares(anna, 0);
	host_set_shares(bert, 0);
	host_pass();
	job = wait_in(host_user(physics, "carl", 1), gpu);
	ck_assert_uint_gt(job->priority, 1);
	host_wake();
	ck_assert_uint_gt(job->priority, 1);
}

TEST(first_job_goes_by_the_formula_on_the_figures_of_a_sibling)
{
	job_record_t *job;

	open_two_users("", "Formula=\"2 ** -(effective_usage / norm_shares)\" FormulaScale=1000");
	job = wait_in(host_user(physics, "carl", 1), gpu);
	ck_assert_uint_eq(job->priority, points(classic(1 / 3.)));
	host_wake();
	ck_assert_uint_eq(job->priority, points(classic(0)));
}

TEST(first_job_has_the_best_factor_of_its_scope)
{
	job_record_t *job;

	two_users("", "Scope=g Partitions=gpu\nScope=c Partitions=cpu");
	use(anna, gpu, 1, 1000);
	use(bert, gpu, 1, 500);
	use(anna, cpu, 1, 500);
	use(bert, cpu, 1, 1500);
	host_pass();
	job = host_job(&(struct host_job){ .user = host_user(physics, "carl", 1),
					   .partition = { gpu, cpu } });
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), points(classic(1 / 3.)));
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), points(classic(1 / 4.)));
	host_wake();
	ck_assert_uint_eq(compat_pair_priority(job, 2, 0), points(classic(0)));
	ck_assert_uint_eq(compat_pair_priority(job, 2, 1), points(classic(0)));
}

/* ---- how it is replaced -------------------------------------------------------------- */

/* A newcomer with so few shares that the pass lowers the priority. */
static job_record_t *overrate_carl(bool in_two_partitions)
{
	open_two_users("PriorityFlags=INCR_ONLY,FAIR_TREE", "");
	host_set_shares(anna, 100);
	host_set_shares(bert, 100);
	host_pass();
	carl = host_user(physics, "carl", 0);
	return host_job(&(struct host_job){
		.user = carl, .partition = { gpu, in_two_partitions ? cpu : NULL } });
}

TEST(provisional_priority_is_lowered_even_under_incr_only)
{
	job_record_t *job = overrate_carl(false), *of_anna = wait_in(anna, gpu);
	uint32_t at_once = job->priority, before;

	host_wake();
	ck_assert_uint_lt(job->priority, at_once);
	before = of_anna->priority;
	/* no other one is, nor this one again */
	use(anna, gpu, 1, 5000);
	host_pass();
	ck_assert_uint_eq(of_anna->priority, before);
	at_once = job->priority;
	host_user(physics, "dora", 1);
	host_pass();
	ck_assert_uint_ge(job->priority, at_once);
}

TEST(provisional_priorities_of_two_partitions_are_lowered_under_incr_only)
{
	job_record_t *job = overrate_carl(true);
	uint32_t at_once = compat_pair_priority(job, 2, 1);

	host_wake();
	ck_assert_uint_lt(compat_pair_priority(job, 2, 1), at_once);
}

TEST(pass_comes_soon_after_the_first_job_and_not_again)
{
	open_two_users("", "");
	ck_assert_double_gt(host_next_pass(), 100);
	carl = host_user(physics, "carl", 1);
	wait_in(carl, gpu);
	assert_woken();
	host_wake();
	ck_assert_double_gt(host_next_pass(), 100);
	wait_in(carl, gpu);
	wait_in(anna, gpu);
	usleep(10000);
	ck_assert_double_gt(host_next_pass(), 100);
}

/* One of an association that hangs on nothing: it is in no tree. */
TEST(job_that_no_pass_can_evaluate_brings_one_more_pass_alone)
{
	job_record_t *job;

	open_two_users("", "");
	job = wait_in(anna, gpu);
	job->assoc_id = 999;
	host_pass();
	assert_woken();
	host_wake();
	ck_assert_double_gt(host_next_pass(), 100);
	host_pass();
	ck_assert_double_gt(host_next_pass(), 100);
	job->assoc_id = anna->id;
}

/* ---- what it costs ---------------------------------------------------------------------- */

static void submit(void *unused)
{
	wait_in(carl, gpu);
}

static uint64_t holds_of_a_submission(struct host_association *user)
{
	const struct host_pass *request = host_last_pass();
	uint64_t holds = 0;

	carl = user;
	host_request(submit, NULL);
	for (int lock = 0; lock < HOST_LOCKS; lock++)
		holds += request->hold[lock][READ_LOCK].count +
			 request->hold[lock][WRITE_LOCK].count;
	return holds;
}

TEST(first_job_takes_no_more_locks_than_another_and_evaluates_nobody)
{
	job_record_t *of_anna;
	uint32_t before;
	uint64_t usual;

	open_two_users("", "");
	of_anna = wait_in(anna, gpu);
	before = host_job_set_priority(of_anna);
	usual = holds_of_a_submission(anna);
	ck_assert_uint_eq(holds_of_a_submission(host_user(physics, "carl", 1)), usual);
	ck_assert_uint_eq(host_last_pass()->hold[HOST_ASSOC][WRITE_LOCK].count, 0);
	/* she has a third of the shares now, which an evaluation would tell */
	ck_assert_uint_eq(host_job_set_priority(of_anna), before);
	host_wake();
	ck_assert_uint_ne(host_job_set_priority(of_anna), before);
}

/* ---- in the midst of a pass --------------------------------------------------------------- */

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

	for (int i = 0; i < NEWCOMERS; i++) {
		snprintf(name, sizeof(name), "new%d", i);
		give_to(jobs[JOBS - NEWCOMERS + i], host_user(physics, name, 1));
	}
}

TEST(jobs_of_newcomers_get_provisional_priorities_in_the_same_pass)
{
	open_cluster();
	host_on_release(HOST_JOB, WRITE_LOCK, 1, newcomers_come, NULL);
	host_pass();
	ck_assert_uint_eq(jobs[0]->priority, points(classic(2 / 3.)));
	for (int i = JOBS - NEWCOMERS; i < JOBS; i++)
		ck_assert_uint_eq(jobs[i]->priority, points(classic(1 / 3.)));
	host_wake();
	for (int i = JOBS - NEWCOMERS; i < JOBS; i++)
		ck_assert_uint_eq(jobs[i]->priority, points(classic(0)));
}

/* Between the two passes. */
TEST(newcomers_job_that_is_gone_is_left_out)
{
	open_cluster();
	host_on_release(HOST_JOB, WRITE_LOCK, 1, newcomers_come, NULL);
	host_pass();
	host_job_purge(jobs[JOBS - 2]);
	host_wake();
	ck_assert_uint_gt(jobs[JOBS - 1]->priority, jobs[0]->priority);
	ck_assert_uint_eq(jobs[JOBS - 1]->priority, jobs[JOBS - 3]->priority);
}

/* slurmctld's backfill begins anew whenever it is told that jobs have changed. */
TEST(newcomers_priorities_are_told_as_a_change_of_jobs)
{
	open_cluster();
	host_on_release(HOST_JOB, WRITE_LOCK, 1, newcomers_come, NULL);
	host_pass();
	ck_assert(last_job_update == host_now());
	for (int i = 0; i < JOBS - NEWCOMERS; i++)
		jobs[i]->direct_set_prio = 1;	/* those who were there have other shares then */
	last_job_update = 0;
	host_wake();
	ck_assert(last_job_update == host_now());
	last_job_update = 0;
	host_pass();
	ck_assert(!last_job_update);
}

/* Without a weight it is provisional for nobody. */
TEST(first_run_of_a_newcomer_is_charged_to_the_newcomer)
{
	struct host_association *newcomer;

	two_users("PriorityWeightFairshare=0", "");
	host_pass();
	newcomer = host_user(physics, "new", 1);
	run_in(newcomer, gpu, 2);
	host_pass();
	ck_assert_double_eq_tol(usage_of(newcomer), 2 * PERIOD, 1e-6);
}
