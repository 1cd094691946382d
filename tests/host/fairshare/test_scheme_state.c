/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a scheme: the usage of a scope, and the sums of a policy that goes by
 * more than usage. It must be right for many users, after a crash, after resets, and
 * after associations were deleted.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <unistd.h>

#define GPU "Scope=gpu Partitions=gpu"
#define BOTH GPU "\nScope=cpu Partitions=cpu"
#define MANY 400

TEST(running_job_counts_in_its_scope_over_a_crash)
{
	job_record_t *running, *waiting;

	two_users("", GPU);
	use(bert, gpu, 1, 1000);
	running = run_in(anna, gpu, 3);
	waiting = wait_in(anna, gpu);
	host_advance(500);
	host_pass();
	crash_and_restart();
	host_advance(500);
	host_pass();
	end_run(running);
	host_pass();
	/* 500 seconds and a period, twice */
	assert_factor(waiting, classic(4800. / 5800));
	ck_assert_uint_eq(logged("out of memory"), 0);
}

TEST(scopes_that_wait_for_a_right_file_come_back_each_with_its_own)
{
	job_record_t *in_gpu, *in_cpu;

	two_users("", BOTH);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	use(anna, cpu, 1, 1000);
	use(bert, cpu, 4, 1000);
	host_pass();
	write_conf("Scope=without-partitions");
	crash_and_restart();
	host_pass();
	crash_and_restart();
	in_gpu = wait_in(anna, gpu);
	in_cpu = wait_in(anna, cpu);
	reconfigure(BOTH);
	assert_factor(in_gpu, classic(.75));
	assert_factor(in_cpu, classic(.2));
}

TEST(scope_that_waits_for_a_right_file_loses_what_was_before_a_reset)
{
	job_record_t *job;

	two_users("PriorityUsageResetPeriod=DAILY", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	write_conf("Scope=without-partitions");
	crash();
	ck_assert(!unlink(in_folder("fathom_conf")));
	host_load(FATHOM_PLUGIN);
	host_advance(3 * 3600);		/* past midnight */
	host_pass();
	job = wait_in(anna, gpu);
	reconfigure(GPU);
	assert_factor(job, 1);
}

/* anna's job runs since 22:13:20, bert's since midnight, when all usage is reset. The policy comes
 * at 00:30. */
static void follow_a_reset(void (*meanwhile)(void))
{
	const time_t midnight = host_now() - host_now() % 86400 + 86400;
	job_record_t *of_anna, *of_bert;

	two_users("PriorityUsageResetPeriod=DAILY", "Policy=classic");
	of_anna = run_in(anna, gpu, 10);
	while (host_now() + PERIOD <= midnight)
		host_pass();
	host_advance(midnight - host_now());
	of_bert = run_in(bert, gpu, 10);
	while (host_now() + PERIOD <= midnight + 1800)
		host_pass();
	if (meanwhile)
		meanwhile();
	reconfigure("Policy=flux");
	host_pass();
	end_run(of_anna);
	end_run(of_bert);
	host_pass();
	assert_factor(wait_in(bert, gpu), shown(wait_in(anna, gpu)));
}

TEST(policy_that_comes_after_a_reset_counts_from_the_reset_on)
{
	follow_a_reset(NULL);
}

TEST(policy_that_comes_after_a_restart_counts_from_the_reset_on)
{
	follow_a_reset(crash_and_restart);
}

/* Enough for any table of ids to grow, and for two of them to want one place. */
TEST(each_of_many_users_has_used_what_it_has)
{
	struct host_association *many[MANY];
	job_record_t *job, *of_last;
	char name[16];

	two_users_grow("");
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		many[i] = host_user(physics, name, 1);
	}
	host_passed_at(host_now());
	two_users_open();
	two_users_load(GPU);
	for (int i = 0; i < MANY; i++)
		use(many[i], gpu, 1, 10);
	use(anna, gpu, 2 * MANY, 10);
	use(many[MANY - 1], gpu, MANY - 1, 10);	/* MANY in all */
	job = wait_in(anna, gpu);
	of_last = wait_in(many[MANY - 1], gpu);
	for (int restarted = 0; restarted < 2; restarted++) {
		const double shares = 1. / (MANY + 2), all = 4 * MANY - 1;

		host_pass();
		assert_factor(job,
			      exp2(-(2 * MANY / all + (1 - 2 * MANY / all) * shares) / shares));
		assert_factor(of_last, exp2(-(MANY / all + (1 - MANY / all) * shares) / shares));
		crash_and_restart();
	}
}

static struct host_association *carl, *dora;

static void four_users(const char *slurm_conf)
{
	two_users_grow(slurm_conf);
	carl = host_user(physics, "carl", 1);
	dora = host_user(physics, "dora", 1);
	host_passed_at(host_now());
	two_users_open();
	two_users_load(GPU);
}

TEST(usage_from_before_a_reset_does_not_return)
{
	job_record_t *job;

	four_users("PriorityUsageResetPeriod=NOW");
	use(anna, gpu, 1, 1000);
	use(bert, gpu, 1, 1000);
	use(carl, gpu, 5, 1000);
	host_pass();
	priority_g_reconfig(true);
	host_await_pass();
	use(bert, gpu, 1, 1000);
	use(dora, gpu, 1, 1000);
	host_pass();
	job = wait_in(carl, gpu);
	host_remove(dora);
	host_pass();
	/* of a third, nothing used, in an account that has used all */
	assert_factor(job, .5);
}

TEST(what_several_that_are_gone_have_used_is_added_up)
{
	job_record_t *job;

	four_users("");
	use(carl, gpu, 2, 1000);
	use(bert, gpu, 1, 1000);
	use(dora, gpu, 5, 1000);
	host_pass();
	job = wait_in(bert, gpu);
	host_remove(carl);
	host_remove(dora);
	host_pass();
	assert_factor(job, classic(1. / 8));
	crash_and_restart();
	assert_factor(job, classic(1. / 8));
}

/* The next pass reads the tree anew, as it has a job of somebody new. */
TEST(usage_set_to_0_is_noticed_where_somebody_comes_as_well)
{
	job_record_t *job;

	two_users("", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	host_reset_usage(anna);
	carl = host_user(physics, "carl", 1);
	run_in(carl, gpu, 1);
	host_pass();
	job = wait_in(anna, gpu);
	/* of a third, nothing used, in an account that has used all */
	assert_factor(job, .5);
}

static bool has_ended;

static void end_late(void *job)
{
	has_ended = true;
	host_advance(100);
	end_run(job);
}

/* anna has used nothing when the tree is read anew for carl, and something when it is replaced. */
TEST_LOOP(end_of_a_first_job_counts_where_the_tree_is_read_anew, 40)
{
	const double of_anna = PERIOD + 100, all = 1000 + of_anna + 2 * PERIOD + 100;
	const double usage = of_anna / all, shares = 1. / 3;
	job_record_t *job;

	two_users("", GPU);
	use(bert, gpu, 1, 1000);
	host_pass();
	job = run_in(anna, gpu, 1);
	run_in(host_user(physics, "carl", 1), gpu, 1);
	host_short_slices(true);
	host_beside_pass((uint64_t)_i + 1, end_late, job);
	host_pass();
	host_short_slices(false);
	if (!has_ended)
		end_late(job);
	host_pass();
	assert_factor(wait_in(anna, gpu), exp2(-(usage + (1 - usage) * shares) / shares));
}

static void end_and_reset(void *job)
{
	end_late(job);
	host_reset_usage(anna);
}

/* In a pass, a charge that is late and then usage that is set to 0: the charge is gone, too. That
 * of the pass itself may stay, as after usage that is set to 0 right before the pass. */
TEST_LOOP(usage_set_to_0_takes_a_late_charge_along, 40)
{
	job_record_t *job;
	double usage;

	two_users("", GPU);
	use(anna, gpu, 1, 10);	/* a reset of nothing would change nothing */
	use(bert, gpu, 1, 1000);
	host_pass();
	job = run_in(anna, gpu, 1);
	host_short_slices(true);
	host_beside_pass((uint64_t)_i + 1, end_and_reset, job);
	host_pass();
	host_short_slices(false);
	if (!has_ended)
		end_and_reset(job);
	host_pass();
	usage = usage_of(anna);
	ck_assert_msg(fabs(usage) < 1e-6 || fabs(usage - PERIOD) < 1e-6, "anna has %g", usage);
	ck_assert_double_eq_tol(usage_of(physics), 1000 + usage, 1e-6);
}

/* An account has it of a member that is gone, and loses it as its own. */
TEST(usage_that_an_account_has_inherited_can_be_set_to_0)
{
	job_record_t *job;

	two_users_grow("");
	carl = host_user(physics, "carl", 1);
	physics->usage = 1000;	/* of members it had once */
	host_passed_at(host_now());
	two_users_open();
	two_users_load(GPU);
	use(carl, gpu, 3, 1000);
	host_pass();
	host_remove(carl);
	host_pass();
	host_reset_usage(physics);
	host_pass();
	use(bert, gpu, 1, 1000);
	job = wait_in(bert, gpu);
	host_pass();
	assert_factor(job, classic(1));
}

/* ---- deleted and added again ----------------------------------------------------------- */

static double of_everybody(double used, double all, double users)
{
	return exp2(-(used + (all - used) / users) / all * users);
}

static void add_anna_again(void *unused)
{
	host_remove(anna);
	host_add_again(anna);
}

/* anna has used 3000 of 4000. */
static void use_and_add_again(void)
{
	two_users("", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	add_anna_again(NULL);
}

/* slurmdbd gives anna the number that she had; assoc_mgr gave her usage to her account. */
TEST(what_somebody_used_who_is_deleted_and_added_again_is_the_accounts)
{
	use_and_add_again();
	host_pass();
	assert_factor(wait_in(bert, gpu), classic(.25));
	crash_and_restart();
	assert_factor(wait_in(bert, gpu), classic(.25));
}

TEST(so_it_is_where_a_job_of_the_added_one_ends_before_the_pass)
{
	use_and_add_again();
	use(anna, gpu, 1, 1000);
	host_pass();
	assert_factor(wait_in(bert, gpu), classic(1 / 5.));
	assert_factor(wait_in(anna, gpu), classic(1 / 5.));
}

TEST(so_it_is_where_somebody_comes_as_well)
{
	use_and_add_again();
	run_in(host_user(physics, "carl", 1), gpu, 1);
	host_pass();
	assert_factor(wait_in(bert, gpu), of_everybody(1000, 4000 + PERIOD, 3));
}

/* dave has used 3000 of 4000 in an account below physics; then both are deleted. own: what that
 * account has from members it had once. Returns dave. Call two_users_grow() first. */
static struct host_association *use_and_remove_with_account(double own)
{
	struct host_association *group = host_account(physics, "group", 1);
	struct host_association *dave = host_user(group, "dave", 1);

	group->usage = own;
	host_passed_at(host_now());
	two_users_open();
	two_users_load(GPU);
	use(dave, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	host_remove(dave);
	host_remove(group);
	return dave;
}

/* The account too; what both had is that of the account above. */
TEST(so_it_is_where_the_account_is_added_again_as_well)
{
	struct host_association *dave;

	two_users_grow("");
	dave = use_and_remove_with_account(0);
	host_add_again(dave->parent);
	host_add_again(dave);
	host_pass();
	assert_factor(wait_in(bert, gpu), of_everybody(1000, 4000, 3));
}

/* And has got usage of a member again, less than it had. */
TEST(so_it_is_where_the_account_that_is_added_again_has_got_usage)
{
	struct host_association *dave;

	two_users_grow("");
	dave = use_and_remove_with_account(500);
	host_add_again(dave->parent);
	host_add_again(dave);
	use(dave, gpu, 1, 100);
	host_remove(dave);
	host_pass();
	ck_assert_double_eq_tol(usage_of(physics), 4600, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), 4600, 1e-6);
}

/* The account is added again below another one; its user not before the next pass. What both had is
 * that of the account that it was in. */
TEST_LOOP(so_it_is_where_the_account_is_added_again_below_another_one, 2)
{
	bool has_own = _i;
	struct host_association *dave, *other;

	two_users_grow("");
	other = host_account(host_root(), "other", 1);
	dave = use_and_remove_with_account(has_own ? 500 : 0);
	dave->parent->parent = other;
	host_add_again(dave->parent);
	host_pass();
	host_add_again(dave);
	host_pass();
	ck_assert_double_eq(usage_of(dave->parent), 0);
	ck_assert_double_eq(usage_of(other), 0);
	ck_assert_double_eq(usage_of(physics), has_own ? 4500 : 4000);
	/* half of the shares of physics, which has half of all and has used all */
	assert_factor(wait_in(bert, gpu), exp2(-(.25 + .75 / 2) / .25));
}

static void ends(void *job)
{
	end_run(job);
}

static void goes(void *user)
{
	host_remove(user);
}

/* When the job ends, her account has her usage already, and is charged for the job. */
TEST(so_it_is_where_a_job_of_the_deleted_one_ends_meanwhile)
{
	job_record_t *job;

	two_users("", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	job = run_in(anna, gpu, 1);
	host_pass();
	host_advance(100);
	host_on_release(HOST_ASSOC, WRITE_LOCK, 1, ends, job);
	host_request(goes, anna);
	host_add_again(anna);
	host_pass();
	ck_assert_double_eq_tol(usage_of(physics), 4000 + PERIOD + 100, 1e-6);
	assert_factor(wait_in(bert, gpu), classic(1000. / (4000 + PERIOD + 100)));
}

/* With limits, or without; and if the job ends at once, or after the next pass. */
TEST_LOOP(job_that_goes_on_is_charged_to_the_one_who_is_added_again, 4)
{
	bool has_limits = _i & 1, ends_at_once = _i & 2;
	job_record_t *job;

	two_users(has_limits ? "" : "AccountingStorageEnforce=associations", GPU);
	job = run_in(anna, gpu, 1);
	host_pass();
	host_advance(100);
	add_anna_again(NULL);
	if (!ends_at_once)
		host_pass();
	end_run(job);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), ends_at_once ? 100 : PERIOD + 100, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), PERIOD + usage_of(anna), 1e-6);
}

TEST_RANGE(so_it_is_at_each_step_of_a_pass, 1, 50)
{
	two_users("", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	host_short_slices(true);
	host_beside_pass((uint64_t)_i, add_anna_again, NULL);
	host_pass();
	host_short_slices(false);
	host_pass();
	assert_factor(wait_in(bert, gpu), classic(.25));
}

/* Her account has got nothing meanwhile: this is no deletion. */
TEST(usage_set_to_0_does_not_become_the_accounts)
{
	two_users("", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	host_reset_usage(anna);
	host_pass();
	assert_factor(wait_in(bert, gpu), classic(1));
}

/* Nor where whoever had it is deleted, after a job of theirs has ended or before all usage of the
 * account is set to 0. */
TEST_LOOP(nor_does_that_of_somebody_who_is_deleted, 4)
{
	enum { RESET, RESET_AND_END, DELETE_FIRST, END_AND_DELETE_FIRST };
	static const double left[] = { 1000, 1100, 0, 0 };
	bool ends = _i == RESET_AND_END || _i == END_AND_DELETE_FIRST;
	job_record_t *job;

	two_users("", GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	job = ends ? run_in(anna, gpu, 1) : NULL;
	host_advance(100);
	if (_i < DELETE_FIRST)
		host_reset_usage(anna);
	if (ends)
		end_run(job);
	host_remove(anna);
	if (_i >= DELETE_FIRST)
		host_reset_usage(physics);
	host_pass();
	ck_assert_double_eq_tol(usage_of(physics), left[_i], 1e-6);
	job = wait_in(bert, gpu);
	/* of all shares, so that usage of the account is usage of bert */
	assert_factor(job, left[_i] > 0 ? .5 : 1);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(physics), left[_i], 1e-6);
	assert_factor(job, left[_i] > 0 ? .5 : 1);
}

static double wall_of(const struct host_association *association)
{
	return association->record->usage->grp_used_wall;
}

/* Where billing is free only wall time tells; and the root is an account, too. */
TEST_LOOP(nor_does_wall_time_of_somebody_who_is_deleted, 4)
{
	bool is_reset = _i & 1, is_in_root = _i & 2;
	part_record_t *unbilled;

	two_users_grow("");
	carl = host_user(is_in_root ? host_root() : physics, "carl", 1);
	host_passed_at(host_now());
	two_users_open();
	unbilled = host_partition("unbilled", 1, "CPU=0");
	two_users_load(GPU);
	use(carl, unbilled, 1, 1000);
	use(bert, gpu, 1, 100);
	host_pass();
	if (is_reset)
		host_reset_usage(carl);
	host_remove(carl);
	host_pass();
	ck_assert_double_eq_tol(wall_of(host_root()), is_reset ? 100 : 1100, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), 100, 1e-6);
}

/* Nor does it where the account gets the usage of another one who is deleted. */
static void reset_anna_and_delete(void *user)
{
	host_reset_usage(anna);
	host_remove(user);
}

static void delete_and_reset_anna(void *user)
{
	host_remove(user);
	host_reset_usage(anna);
}

static void reset_beside(void (*reset)(void *user), uint64_t step)
{
	two_users_grow("");
	carl = host_user(physics, "carl", 1);
	host_passed_at(host_now());
	two_users_open();
	two_users_load(GPU);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	use(carl, gpu, 3, 1000);
	host_pass();
	if (step) {
		host_short_slices(true);
		host_beside_pass(step, reset, carl);
	} else {
		reset(carl);
	}
	host_pass();
	host_short_slices(false);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 0, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), 4000, 1e-6);
	assert_factor(wait_in(bert, gpu), classic(.25));
}

TEST_RANGE(nor_where_somebody_else_is_deleted_at_any_step, 0, 60)
{
	reset_beside(_i & 1 ? reset_anna_and_delete : delete_and_reset_anna, (uint64_t)_i / 2);
}

/* ---- neither association nor account is there -------------------------------------- */

static struct host_association *group, *dave;

static void grow_group(void)
{
	two_users_grow("");
	group = host_account(host_root(), "group", 1);
	dave = host_user(group, "dave", 1);
	host_passed_at(host_now());
	two_users_open();
}

/* As somebody new comes. */
static void remove_group(void)
{
	host_remove(dave);
	host_remove(group);
	wait_in(host_user(physics, "carl", 1), gpu);
}

TEST(last_seconds_of_a_job_whose_account_is_gone_are_the_roots)
{
	job_record_t *job;
	double all = 2 * PERIOD;

	grow_group();
	two_users_load(GPU);
	run_in(bert, gpu, 1);
	run_in(dave, gpu, 8);
	job = wait_in(bert, gpu);
	host_pass();
	remove_group();
	host_pass();
	ck_assert_double_eq_tol(usage_of(bert), all, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), all, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), 9 * all, 1e-6);
	/* of a third of what its account has used: a ninth of all, as that has */
	assert_factor(job, exp2(-1 / 9. * 3));
}

TEST(slots_of_a_job_whose_account_is_gone_are_nobody_elses)
{
	job_record_t *of_anna, *of_bert;

	grow_group();
	two_users_load("Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 RunJobFactor=1");
	run_in(anna, gpu, 4);
	run_in(bert, gpu, 2);
	run_in(dave, gpu, 8);
	of_anna = wait_in(anna, gpu);
	of_bert = wait_in(bert, gpu);
	host_pass();
	ck_assert(shown(of_bert) > shown(of_anna));
	remove_group();
	ck_assert(shown(of_bert) > shown(of_anna));
	host_pass();
	ck_assert(shown(of_bert) > shown(of_anna));
}

/* ---- a pause ------------------------------------------------------------------------ */

/* Where a later second counts more than an earlier one, it matters which are which. */
TEST_LOOP(pause_between_two_passes_does_not_count_where_time_is_squared, HAS_FORMULAS)
{
	job_record_t *paused;

	two_users("", "Policy=pbs ChargeSuspended=no FairshareDecayFactor=.999999 "
		      "FairshareDecayTime=10000-0 FairshareUsageRes=\"walltime * walltime\"");
	paused = run_in(anna, gpu, 1);
	run_in(bert, gpu, 1);
	host_advance(1000);
	host_job_suspend(paused);
	host_advance(900);
	host_job_resume(paused);
	host_advance(300);
	host_wake();
	ck_assert_double_eq_tol((double)anna->record->usage->usage_norm,
				1300. * 1300 / (1300. * 1300 + 2200. * 2200), 1e-9);
}

/* ---- jobs without an association ------------------------------------------------------ */

/* Nor those that the root has there. */
TEST_LOOP(job_without_an_association_has_no_shares_in_a_scope, HAS_FORMULAS)
{
	job_record_t *job;

	two_users("", GPU "\nFormula=\"1 + 1000 * norm_shares\"");
	job = wait_in(anna, gpu);
	host_pass();
	ck_assert_uint_eq(job->priority, 501);
	host_remove(anna);
	host_pass();
	ck_assert_uint_eq(job->priority, 1);
	ck_assert_uint_eq(host_job_set_priority(job), 1);
}

/* Its record may have the number of one still. */
TEST(job_without_an_association_gets_a_priority)
{
	job_record_t *job;

	two_users("PriorityWeightAssoc=1000\nPriorityWeightPartition=1000", "");
	job = wait_in(anna, gpu);
	ck_assert_uint_eq(host_job_set_priority(job), 2000);
	job->assoc_ptr = NULL;
	ck_assert_uint_eq(host_job_set_priority(job), 1000);
	job->assoc_id = 0;
	ck_assert_uint_eq(host_job_set_priority(job), 1000);
}
