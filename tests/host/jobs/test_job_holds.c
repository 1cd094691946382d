/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds of fathom's own: it marks them, lifts them when their reason is gone, and touches no hold
 * of anybody else.
 */
#include "scenario/two_users.h"

#include <pwd.h>

#define HOLD "Policy=lsf WithoutShares=hold"
#define NO_SHARES "fathom: the user has no shares"
#define DELETED "fathom: the association was deleted"

static struct host_association *none;
static part_record_t *fast, *slow;
static uid_t uid_of_none;

/* assoc_mgr looks up the user of an association that is added. */
__attribute__((visibility("default")))
int getpwnam_r(const char *restrict name, struct passwd *restrict entry, char *restrict buffer,
	       size_t size, struct passwd **restrict found)
{
	bool is_root = !strcmp(name, "root");

	*entry = (struct passwd){ .pw_uid = is_root ? 0 : uid_of_none };
	*found = is_root || !strcmp(name, "none") ? entry : NULL;
	return 0;
}

/* none has no shares. */
static void open_cluster(const char *slurm_conf, const char *fathom_conf)
{
	setenv("HOST_LOG", "verbose", 1);
	two_users_grow(slurm_conf);
	host_passed_at(host_now());
	none = host_user(physics, "none", 0);
	host_open();
	uid_of_none = none->record->uid;
	slow = host_partition("slow", 5, NULL);
	fast = host_partition("fast", 20, NULL);
	two_users_load(fathom_conf);
}

static void assert_held(const job_record_t *job, const char *description)
{
	ck_assert_uint_eq(job->priority, 0);
	ck_assert_uint_eq(job->state_reason, WAIT_HELD_USER);
	ck_assert_str_eq(job->state_desc, description);
}

static void assert_free(const job_record_t *job)
{
	ck_assert_uint_gt(job->priority, 0);
	ck_assert_uint_eq(job->state_reason, WAIT_NO_REASON);
	ck_assert_ptr_null(job->state_desc);
}

/* Held by somebody else, for whom the reason stands. */
static void assert_left_alone(const job_record_t *job, uint32_t reason)
{
	ck_assert_uint_eq(job->priority, 0);
	ck_assert_uint_eq(job->state_reason, reason);
	ck_assert_ptr_null(job->state_desc);
}

static void give_shares(void)
{
	host_set_shares(none, 1);
	host_pass();
}

/* ---- from the first to the last moment ---------------------------------------------------- */

TEST(job_of_a_user_without_shares_is_held_until_shares_come)
{
	job_record_t *job, *other;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	other = host_job(&(struct host_job){ .user = anna });
	assert_held(job, NO_SHARES);
	host_pass();
	assert_held(job, NO_SHARES);
	assert_free(other);
	ck_assert_uint_eq(logged("is held: the user has no shares"), 1);
	give_shares();
	assert_free(job);
	ck_assert_uint_eq(logged("is no longer held"), 1);
	host_set_shares(none, 0);
	host_pass();
	assert_held(job, NO_SHARES);
}

TEST(administrators_are_held_too)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	job->user_id = 0;
	host_pass();
	assert_held(job, NO_SHARES);
}

static const char *const leaving[] = {
	"Policy=lsf", "Policy=lsf WithoutShares=last", "Policy=classic WithoutShares=hold",
	"Policy=pbs WithoutShares=hold FairshareEnforceNoShares=no",
};

TEST_EACH(settings_without_the_hold_lift_it, leaving)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	host_pass();
	assert_held(job, NO_SHARES);
	reconfigure(leaving[_i]);
	assert_free(job);
	reconfigure("Policy=pbs WithoutShares=hold");
	assert_held(job, NO_SHARES);
}

TEST(hold_counts_though_priorities_never_sink)
{
	job_record_t *job;

	open_cluster("PriorityFlags=INCR_ONLY,NO_FAIR_TREE", "Policy=lsf");
	job = host_job(&(struct host_job){ .user = none });
	host_pass();
	assert_free(job);
	reconfigure(HOLD);
	assert_held(job, NO_SHARES);
	give_shares();
	assert_free(job);
}

/* The mark is in the job's record, which slurmctld saves. */
TEST(mark_outlives_a_restart)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	ck_assert(host_close());
	host_load(FATHOM_PLUGIN);
	assert_held(job, NO_SHARES);
	ck_assert(host_close());
	host_set_shares(none, 1);
	host_load(FATHOM_PLUGIN);
	assert_free(job);
}

TEST(newcomer_is_held_when_the_pass_finds_no_shares)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = host_user(physics, "new", 0) });
	host_wake();
	assert_held(job, NO_SHARES);
}

TEST(job_stays_while_one_of_its_partitions_may_run_it)
{
	job_record_t *job;

	open_cluster("", HOLD "\nScope=s Partitions=slow Policy=fcfs");
	job = host_job(&(struct host_job){ .user = none, .partition = { fast, slow } });
	for (int i = 0; i < 2; i++) {
		assert_free(job);
		host_pass();
	}
	reconfigure(HOLD);
	assert_held(job, NO_SHARES);
}

TEST(only_pending_jobs_are_held)
{
	job_record_t *job;

	open_cluster("PriorityFlags=CALCULATE_RUNNING,NO_FAIR_TREE", "Policy=lsf");
	job = host_job(&(struct host_job){ .user = none });
	host_job_begin(job, host_now());
	reconfigure(HOLD);
	assert_free(job);
	ck_assert_uint_eq(host_job_set_priority(job), 1);
}

/* ---- urgency of flux ----------------------------------------------------------------------- */

#define URGENCY "fathom: urgency is 0"

/* As the owner does by scontrol update. */
static void set_comment(job_record_t *job, const char *comment)
{
	xfree(job->comment);
	job->comment = xstrdup(comment);
}

static const struct { int nice; const char *comment; } without_urgency[] = {
	{ 16, NULL }, { 1000000, "for ann" }, { 0, "urgency=0" }, { 6, "later urgency=5" },
};

TEST_EACH(urgency_0_holds_until_it_is_another, without_urgency)
{
	job_record_t *job;

	open_cluster("", "Policy=flux");
	job = host_job(&(struct host_job){ .user = none, .nice = without_urgency[_i].nice,
					   .comment = without_urgency[_i].comment });
	assert_held(job, URGENCY);
	host_pass();
	assert_held(job, URGENCY);
	job->details->nice = NICE_OFFSET;
	set_comment(job, "urgency=1");
	host_pass();
	assert_free(job);
	set_comment(job, "urgency=0");
	host_pass();
	assert_held(job, URGENCY);
	reconfigure("Policy=fair-tree");
	assert_free(job);
}

static const struct { const char *conf, *comment; uint32_t priority; } asked[] = {
	{ "", "urgency=12", 46000 }, { "", "urgency=24", 50000 },
	{ "UrgencyRaise=yes", "urgency=24", 58000 },
	{ "UrgencyRaise=yes", "urgency=31", UINT32_MAX },
	{ "UrgencyRaise=yes", "urgency=32", 50000 },
};

/* The user is the second of four. */
TEST_EACH(comment_is_read_in_each_pass, asked)
{
	char conf[128];
	job_record_t *job, *other;

	snprintf(conf, sizeof(conf), "Policy=flux QueueWeight=0 FairshareWeight=50000 %s",
		 asked[_i].conf);
	open_cluster("", conf);
	job = host_job(&(struct host_job){ .user = anna });
	other = host_job(&(struct host_job){ .user = anna, .comment = asked[_i].comment });
	ck_assert_uint_eq(other->priority, asked[_i].priority);
	set_comment(job, asked[_i].comment);
	host_pass();
	ck_assert_uint_eq(job->priority, asked[_i].priority);
	set_comment(job, NULL);
	host_pass();
	ck_assert_uint_eq(job->priority, 50000);
}

/* ---- what others do ---------------------------------------------------------------------- */

static const struct { bool for_user; uint32_t reason; } holds[] = {
	{ false, WAIT_HELD }, { true, WAIT_HELD_USER },
};

TEST_EACH(hold_of_somebody_else_is_left_alone, holds)
{
	job_record_t *job;

	open_cluster("", "Policy=lsf");
	job = host_job(&(struct host_job){ .user = none });
	host_job_hold(job, holds[_i].for_user);
	reconfigure(HOLD);
	assert_left_alone(job, holds[_i].reason);
	give_shares();
	assert_left_alone(job, holds[_i].reason);
	host_set_shares(none, 0);
	host_pass();
	host_job_release(job);
	host_wake();
	assert_held(job, NO_SHARES);
}

TEST(administrator_takes_a_hold_over)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	host_job_hold(job, false);
	host_pass();
	assert_left_alone(job, WAIT_HELD);
	give_shares();
	assert_left_alone(job, WAIT_HELD);
	host_job_release(job);
	assert_free(job);
}

/* slurmctld removes the mark behind the plugin's back, and the scheduler then finds no reason. */
TEST(release_changes_nothing_while_the_reason_stands)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	host_pass();
	host_job_release(job);
	ck_assert_uint_eq(job->priority, 0);
	job->state_reason = WAIT_HELD;
	host_wake();
	assert_held(job, NO_SHARES);
	give_shares();
	assert_free(job);
}

/* slurmctld holds it like this when it cannot start it. */
static void hold_by_slurmctld(job_record_t *job)
{
	job->priority = 0;
	job->state_reason = WAIT_HELD;
}

static void hold_by_administrator(job_record_t *job)
{
	host_job_hold(job, false);
}

static void hold_by_user(job_record_t *job)
{
	host_job_hold(job, true);
}

static const struct {
	void (*call)(job_record_t *job);
	uint32_t reason;
} others_hold[] = {
	{ hold_by_slurmctld, WAIT_HELD }, { hold_by_administrator, WAIT_HELD },
	{ hold_by_user, WAIT_HELD_USER },
};

/* between two passes */
TEST_EACH(hold_after_a_release_is_left_alone, others_hold)
{
	job_record_t *job;

	open_cluster("", "Policy=flux");
	job = host_job(&(struct host_job){ .user = anna, .nice = 16 });
	assert_held(job, URGENCY);
	job->details->nice = NICE_OFFSET;
	host_job_release(job);
	assert_free(job);
	others_hold[_i].call(job);
	host_pass();
	assert_left_alone(job, others_hold[_i].reason);
}

/* squeue -i asks only for what has changed. */
TEST(another_reason_for_a_hold_is_a_change)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none, .nice = 16 });
	host_pass();
	last_job_update = 0;
	host_pass();
	ck_assert_int_eq(last_job_update, 0);
	reconfigure("Policy=flux");
	assert_held(job, URGENCY);
	ck_assert_int_eq(last_job_update, host_now());
}

/* At a limit slurmctld removes the description, and gives a held job this reason again. The mark
 * comes back before an administrator or a restart may need it, in one turn of the thread. */
TEST(job_submitted_at_a_limit_is_marked_again)
{
	job_record_t *job;

	open_cluster("", "Policy=pbs WithoutShares=hold");
	host_pass();
	ck_assert_double_gt(host_next_pass(), 1);
	job = host_job(&(struct host_job){ .user = none });
	xfree(job->state_desc);
	for (int i = 0; i < 10000 && host_next_pass() > 1; i++)
		usleep(1000);
	ck_assert_double_le(host_next_pass(), 1);
	host_wake();
	assert_held(job, NO_SHARES);
	ck_assert_double_gt(host_next_pass(), 1);
	give_shares();
	assert_free(job);
}

/* As slurmctld does since 24.11 when the job may not run in its partition; then it gives the job
 * the reason again that it had been held for. */
TEST_LOOP(text_of_allowgroups_is_no_hold_of_somebody_else, 2)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	xfree(job->state_desc);
	job->state_desc = xstrdup("uid 7 not in group permitted to use this partition (gpu). "
				  "groups allowed: staff");
	if (_i) {
		host_pass();
		assert_held(job, NO_SHARES);
	}
	give_shares();
	assert_free(job);
}

static const uint32_t reasons_without_a_mark[] = { WAIT_HELD, WAIT_CLEANING, WAIT_RESOURCES };

/* slurmctld does that to the tasks of an array that it rejects, and to jobs that are requeued. */
TEST_EACH(mark_that_slurmctld_removes_comes_back, reasons_without_a_mark)
{
	job_record_t *job;

	open_cluster("", "Policy=lsf");
	job = host_job(&(struct host_job){ .user = none });
	reconfigure(HOLD);
	for (int i = 0; i < 2; i++) {
		xfree(job->state_desc);
		job->state_reason = reasons_without_a_mark[_i];
		host_pass();
		assert_held(job, NO_SHARES);
	}
	give_shares();
	assert_free(job);
	hold_by_slurmctld(job);
	host_pass();
	assert_left_alone(job, WAIT_HELD);
}

/* ---- jobs without association or QOS ------------------------------------------------------ */

/* Opens a cluster with a job that fathom holds, whose association is deleted. The scheduler
 * replaces slurmctld's reason, as the priority is 0, before the next pass or after it. */
static job_record_t *held_job_without_association(bool is_scheduled_first)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	host_pass();
	host_remove(none);
	if (is_scheduled_first)
		host_schedule();
	host_pass();
	host_schedule();
	return job;
}

TEST_LOOP(hold_stays_until_the_association_is_there_again, 2)
{
	job_record_t *job = held_job_without_association(_i);

	assert_held(job, DELETED);
	host_job_release(job);
	host_schedule();
	host_wake();
	assert_held(job, DELETED);
	host_add_again(none);
	host_schedule();
	host_pass();
	assert_held(job, NO_SHARES);
	ck_assert_ptr_eq(job->assoc_ptr, none->record);
	ck_assert_uint_eq(job->assoc_id, none->id);
	give_shares();
	assert_free(job);
}

TEST_LOOP(pass_after_the_association_has_come_back_with_shares_lifts_the_hold, 2)
{
	job_record_t *job = held_job_without_association(_i);

	none->shares = 1;
	host_add_again(none);
	host_schedule();
	host_pass();
	assert_free(job);
}

/* slurmctld starts jobs that have no association. */
TEST_LOOP(hold_ends_with_the_association_unless_associations_are_enforced, 2)
{
	job_record_t *job = held_job_without_association(_i);

	accounting_enforce = 0;
	host_pass();
	assert_free(job);
}

/* The shares are known. slurmctld looks the QOS up as long as its own reason is there, and the job
 * has a priority. */
TEST_LOOP(hold_is_lifted_though_the_qos_was_deleted, 2)
{
	job_record_t *job;

	host_qos("going", 1, 1, 0);
	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none, .qos = "going" });
	host_pass();
	host_remove_qos("going");
	if (_i)
		host_schedule();
	host_pass();
	host_schedule();
	assert_held(job, NO_SHARES);
	give_shares();
	host_schedule();
	ck_assert_uint_gt(job->priority, 0);
	ck_assert_uint_eq(job->state_reason, FAIL_QOS);
	ck_assert_ptr_null(job->state_desc);
}

TEST_LOOP(administrator_takes_over_a_hold_of_a_job_without_association, 2)
{
	job_record_t *job = held_job_without_association(_i);

	host_job_hold(job, false);
	host_pass();
	assert_left_alone(job, WAIT_HELD);
	host_add_again(none);
	give_shares();
	assert_left_alone(job, WAIT_HELD);
}

/* As that of a user without an account, while associations are not enforced. */
TEST(urgency_holds_a_job_that_never_had_an_association)
{
	job_record_t *job;

	open_cluster("", "Policy=flux");
	accounting_enforce = 0;
	job = host_job(&(struct host_job){ .user = none });
	job->assoc_ptr = NULL;
	job->assoc_id = 0;
	xfree(job->account);
	job->details->nice = NICE_OFFSET + 16;
	host_pass();
	assert_held(job, URGENCY);
	host_job_release(job);
	host_schedule();
	host_wake();
	assert_held(job, URGENCY);
	job->details->nice = NICE_OFFSET;
	host_pass();
	assert_free(job);
	job->details->nice = NICE_OFFSET + 16;
	host_pass();
	assert_held(job, URGENCY);
	job->details->nice = NICE_OFFSET;
	host_job_release(job);
	assert_free(job);
}

static void give_new_association(void *job)
{
	struct host_association *another = host_user(physics, "another", 0);

	((job_record_t *)job)->assoc_ptr = another->record;
	((job_record_t *)job)->assoc_id = another->id;
}

/* A pass has evaluated the policies when the job gets another association, which has no shares. */
TEST(hold_without_a_mark_stays_while_shares_are_not_known)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	host_pass();
	xfree(job->state_desc);
	job->state_reason = WAIT_HELD;
	host_on_release(HOST_JOB, READ_LOCK, 2, give_new_association, job);	/* placing */
	host_pass();
	assert_left_alone(job, WAIT_NO_REASON);
	host_pass();
	assert_held(job, NO_SHARES);
}

/* slurmctld adds its own description to that of fathom. */
TEST(job_of_an_invalid_reservation_is_left_alone)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	host_pass();
	job->state_reason = WAIT_RESV_DELETED;
	xstrcat(job->state_desc, "Reservation r is invalid");
	give_shares();
	ck_assert_uint_eq(job->priority, 0);
	ck_assert_uint_eq(job->state_reason, WAIT_RESV_DELETED);
}

/* A hold of one component counts for all of a heterogeneous job. */
TEST(component_that_its_user_holds_is_left_alone)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	job->direct_set_prio = 1;
	give_shares();
	assert_held(job, NO_SHARES);
}

TEST(priority_by_hand_is_not_held)
{
	job_record_t *job;

	open_cluster("", "Policy=lsf");
	job = host_job(&(struct host_job){ .user = none });
	job->direct_set_prio = 1;
	job->priority = 77;
	reconfigure(HOLD);
	ck_assert_uint_eq(job->priority, 77);
}

static const uint32_t other_reasons[] = { WAIT_RESV_DELETED, FAIL_BAD_CONSTRAINTS };

TEST_EACH(other_reason_with_a_description_is_left_alone, other_reasons)
{
	job_record_t *job;

	open_cluster("", HOLD);
	job = host_job(&(struct host_job){ .user = none });
	xfree(job->state_desc);
	job->state_desc = xstrdup("Reservation x was deleted");
	job->state_reason = other_reasons[_i];
	give_shares();
	ck_assert_uint_eq(job->priority, 0);
	ck_assert_str_eq(job->state_desc, "Reservation x was deleted");
}
