/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/events.h"

#include <string.h>

/* ---- the cluster ----------------------------------------------------------------- */

/* More of both than a slice takes at the least. */
#define PENDING 290
#define RUNNING 10
#define SHORT 3			/* seconds */
#define SHAPE { .levels = 2, .branches = 4, .users = 18 }

static struct {
	/* a user of the first account, of the last; and whose jobs alone are listed here */
	struct host_association *first, *last, *busy, *idle;
	struct host_association *outer, *inner, *other;	/* accounts; inner is in outer */
	job_record_t *runs, *stands, *short_run, *of_busy, *waits, *several, *held, *done;
} scene;

static struct host_association *add_user(struct host_association *account, const char *name,
					 double usage)
{
	struct host_association *user = host_user(account, name, 7);

	user->usage = usage;
	return user;
}

void events_grow(void)
{
	const struct host_shape shape = SHAPE;
	struct host_association *root = host_root();

	host_qos("spare", 500, 1, 0);
	host_grow(&shape);
	scene.outer = root->first->next;	/* after the user root */
	scene.inner = scene.outer->first;
	scene.other = root->last;
	scene.first = scene.inner->first;
	scene.last = scene.other->last->last;
	scene.inner->usage = 5e5;	/* of members it had once */
	host_root()->usage = 3e5;	/* likewise */
	scene.first->usage = 3e6;
	scene.last->usage = 2e6;
	scene.busy = add_user(scene.inner, "busy", 4e6);
	scene.idle = add_user(scene.other->last, "idle", 1e6);
}

static job_record_t *add_job(struct host_association *user, const char *qos, const char *partition,
			     uint32_t cpus)
{
	return host_job(&(struct host_job){ .user = user, .qos = qos, .cpus = cpus, .gpus = 2,
					    .memory = 1024, .minutes = 600, .age = 1000,
					    .partition = { host_find_partition(partition) } });
}

/* In front of all others where they wait, behind them where they run. */
void events_populate(void)
{
	scene.waits = add_job(scene.first, "high", "batch", 16);
	scene.held = add_job(scene.last, "normal", "batch", 4);
	scene.held->priority = 0;
	host_populate(PENDING, RUNNING, true);
	scene.runs = add_job(scene.first, "low", "gpu", 32);
	scene.stands = add_job(scene.last, "high", "gpu", 8);
	scene.short_run = add_job(scene.last, "spare", "batch", 2);
	scene.of_busy = add_job(scene.busy, "high", "gpu", 5);
	host_partition("spare", 100, NULL);
	scene.several = host_job(&(struct host_job){
		.user = scene.first, .qos = "spare",
		.partition = { host_find_partition("gpu"), host_find_partition("debug"),
			       host_find_partition("spare") } });
	host_job_begin(scene.runs, host_now() - 1000);
	host_job_begin(scene.stands, host_now() - 700);
	host_job_begin(scene.of_busy, host_now() - 500);
	host_job_begin(scene.short_run, host_now());
	host_advance(50);
	host_job_suspend(scene.stands);
}

/* ---- jobs ------------------------------------------------------------------------- */

static const slurmctld_lock_t request = { .job = WRITE_LOCK, .node = READ_LOCK,
					  .part = READ_LOCK };

static void begins(void)
{
	host_job_begin(scene.waits, host_now());
}

static void ends(void)
{
	host_job_end(scene.runs);
	host_job_cleaned(scene.runs);
}

static void completes_for_long(void)
{
	host_job_end(scene.runs);
}

static void ends_suspended(void)
{
	host_job_end(scene.stands);
	host_job_cleaned(scene.stands);
}

static void ends_and_is_forgotten(void)
{
	ends();
	host_job_purge(scene.runs);
}

static void begins_and_ends_in_no_time(void)
{
	host_job_begin(scene.waits, host_now());
	host_job_end(scene.waits);
	host_job_cleaned(scene.waits);
}

static void is_requeued(void)
{
	host_job_requeue(scene.runs);
	host_job_cleaned(scene.runs);
}

static void is_requeued_and_begins(void)
{
	is_requeued();
	host_job_begin(scene.runs, host_now());
}

static void is_suspended(void)
{
	host_job_suspend(scene.runs);
}

static void is_resumed(void)
{
	host_job_resume(scene.stands);
}

static void is_resized(void)
{
	host_job_resize(scene.runs, 6);
}

static void arrives(void)
{
	add_job(scene.last, "high", "debug", 3);
}

static void is_cancelled_and_forgotten(void)
{
	lock_slurmctld(request);
	scene.waits->job_state = JOB_CANCELLED;
	scene.waits->start_time = scene.waits->end_time = host_now();
	unlock_slurmctld(request);
	host_job_purge(scene.waits);
}

/* Wherever a walk through the jobs is, at the one that is next too. */
static void every_other_is_forgotten(void)
{
	size_t count = 0;
	job_record_t *gone[PENDING];
	compat_iterator iterator;
	job_record_t *job;

	lock_slurmctld(request);
	iterator = list_iterator_create(job_list);
	while ((job = list_next(iterator)) && count < PENDING) {
		if (!IS_JOB_PENDING(job) || job->job_id % 2 || job == scene.several)
			continue;
		job->job_state = JOB_CANCELLED;
		job->start_time = job->end_time = host_now();
		gone[count++] = job;
	}
	list_iterator_destroy(iterator);
	unlock_slurmctld(request);
	while (count)
		host_job_purge(gone[--count]);
}

static void is_held(void)
{
	lock_slurmctld(request);
	scene.waits->priority = 0;
	scene.waits->state_reason = WAIT_HELD;
	unlock_slurmctld(request);
}

static void is_released(void)
{
	lock_slurmctld(request);
	scene.held->direct_set_prio = 0;
	scene.held->state_reason = WAIT_NO_REASON;
	scene.held->priority = priority_g_set(NO_VAL, scene.held);
	unlock_slurmctld(request);
}

static void gets_a_priority_by_hand(void)
{
	lock_slurmctld(request);
	scene.waits->direct_set_prio = 1;
	scene.waits->priority = 4711;
	unlock_slurmctld(request);
}

/* The array of priorities goes with the list that it belongs to. */
static void moves_to_partitions(job_record_t *job, const char *first, const char *second)
{
	lock_slurmctld(request);
	host_forget_partitions(job);
	job->part_ptr = host_find_partition(first);
	if (second) {
		job->part_ptr_list = list_create(NULL);
		list_append(job->part_ptr_list, job->part_ptr);
		list_append(job->part_ptr_list, host_find_partition(second));
	}
	job->priority = priority_g_set(NO_VAL, job);
	unlock_slurmctld(request);
}

static void gets_more_partitions(void)
{
	moves_to_partitions(scene.waits, "long", "gpu");
}

static void gets_one_partition(void)
{
	moves_to_partitions(scene.several, "long", NULL);
}

static void gets_another_qos(void)
{
	lock_slurmctld(request);
	scene.waits->qos_ptr = host_find_qos("low");
	scene.waits->qos_id = scene.waits->qos_ptr->id;
	scene.waits->priority = priority_g_set(NO_VAL, scene.waits);
	unlock_slurmctld(request);
}

static void gets_another_account(void)
{
	lock_slurmctld(request);
	scene.waits->assoc_ptr = scene.last->record;
	scene.waits->assoc_id = scene.last->id;
	scene.waits->priority = priority_g_set(NO_VAL, scene.waits);
	unlock_slurmctld(request);
}

static void gets_another_nice(void)
{
	lock_slurmctld(request);
	scene.waits->details->nice = NICE_OFFSET + 300;
	scene.waits->priority = priority_g_set(NO_VAL, scene.waits);
	unlock_slurmctld(request);
}

/* ---- associations ----------------------------------------------------------------- */

static void user_comes(void)
{
	host_user(scene.inner, "newcomer", 5);
}

static void user_comes_with_a_job(void)
{
	add_job(host_user(scene.inner, "newcomer", 5), "high", "batch", 4);
}

static void user_comes_with_a_job_that_ends(void)
{
	job_record_t *job = add_job(host_user(scene.inner, "newcomer", 5), "high", "batch", 64);

	host_job_begin(job, host_now());
	host_advance(SHORT);
	host_job_end(job);
	host_job_cleaned(job);
}

static void account_comes_with_a_job_that_runs(void)
{
	struct host_association *account = host_account(scene.outer, "novel", 3);

	host_job_begin(add_job(host_user(account, "newcomer", 5), "high", "batch", 4), host_now());
}

static void idle_user_goes(void)
{
	host_remove(scene.idle);
}

static void busy_user_goes(void)
{
	host_remove(scene.busy);
}

static void user_goes_another_comes(void)
{
	host_remove(scene.idle);
	host_user(scene.inner, "newcomer", 5);
}

static void users_shares_change(void)
{
	host_set_shares(scene.first, 70);
}

static void accounts_shares_change(void)
{
	host_set_shares(scene.inner, 700);
}

static void accounts_shares_become_its_parents(void)
{
	host_set_shares(scene.inner, SLURMDB_FS_USE_PARENT);
}

static void associations_priority_changes(void)
{
	host_set_association_priority(scene.first, 1000);
}

static void account_moves(void)
{
	host_move(scene.inner, scene.other);
}

static void account_moves_and_a_job_of_it_ends(void)
{
	host_move(scene.inner, scene.other);
	ends();
}

static void list_is_sorted(void)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	host_sort_associations();
	assoc_mgr_unlock(&locks);
}

static void users_usage_is_reset(void)
{
	host_reset_usage(scene.first);
}

static void accounts_usage_is_reset(void)
{
	host_reset_usage(scene.outer);
}

static void all_usage_is_reset(void)
{
	host_reset_usage(host_root());
}

/* ---- partitions, QOS, TRES ------------------------------------------------------- */

static void partition_is_deleted(void)
{
	host_delete_partition("spare");
}

static void qos_is_removed(void)
{
	host_remove_qos("spare");
}

static void tres_comes(void)
{
	host_add_tres("license", "abaqus");
}

/* ---- the rest ------------------------------------------------------------------- */

static const slurmctld_lock_t configure = { .conf = WRITE_LOCK, .job = WRITE_LOCK,
					    .node = WRITE_LOCK, .part = WRITE_LOCK };

static void half_life_changes(void)
{
	lock_slurmctld(configure);
	slurm_conf.priority_decay_hl = 3600;
	unlock_slurmctld(configure);
	priority_g_reconfig(false);
}

static void weights_change(void)
{
	lock_slurmctld(configure);
	slurm_conf.priority_weight_fs = 77777;
	slurm_conf.priority_weight_age = 0;
	unlock_slurmctld(configure);
	priority_g_reconfig(false);
}

static void policy_changes(void)
{
	lock_slurmctld(configure);
	slurm_conf.priority_flags ^= PRIORITY_FLAGS_FAIR_TREE;
	unlock_slurmctld(configure);
	priority_g_reconfig(false);
}

static void debug_flags_are_set(void)
{
	lock_slurmctld(configure);
	priority_g_reconfig(false);
	unlock_slurmctld(configure);
}

static void run_seconds_are_recounted(void)
{
	host_recount_run_seconds();
	priority_g_reconfig(true);
}

static void lists_are_asked_for(void)
{
	list_destroy(host_factors_list());
	list_destroy(host_shares_list());
}

/* ---- the table ------------------------------------------------------------------ */

const struct event events[] = {
	{ "a job begins", begins, 0 },
	{ "a job ends", ends, 0 },
	{ "a job begins to complete", completes_for_long, 0 },
	{ "a suspended job ends", ends_suspended, EVENT_COMES_BETWEEN },
	{ "a job ends and is forgotten", ends_and_is_forgotten,
	  EVENT_IS_NOT_SAVED | EVENT_WANTS_LIMITS },
	{ "a job begins and ends in no time", begins_and_ends_in_no_time, 0 },
	{ "a job is requeued", is_requeued, 0 },
	{ "a job is requeued and begins", is_requeued_and_begins, 0 },
	{ "a job is suspended", is_suspended, 0 },
	{ "a job is resumed", is_resumed, 0 },
	{ "a job is resized", is_resized, 0 },
	{ "a job arrives", arrives, 0 },
	{ "a job is cancelled and forgotten", is_cancelled_and_forgotten, 0 },
	{ "every other job is forgotten", every_other_is_forgotten, 0 },
	{ "a job is held", is_held, 0 },
	{ "a job is released", is_released, 0 },
	{ "a job gets a priority by hand", gets_a_priority_by_hand, 0 },
	{ "a job gets more partitions", gets_more_partitions, 0 },
	{ "a job gets one partition", gets_one_partition, 0 },
	{ "a job gets another QOS", gets_another_qos, 0 },
	{ "a job gets another account", gets_another_account, 0 },
	{ "a job gets another nice value", gets_another_nice, 0 },
	{ "a user comes", user_comes, 0 },
	{ "a user comes with a job", user_comes_with_a_job, 0 },
	{ "a user comes with a job that ends", user_comes_with_a_job_that_ends,
	  EVENT_TAKES_TIME },
	{ "an account comes with a job that runs", account_comes_with_a_job_that_runs, 0 },
	{ "an idle user goes", idle_user_goes, 0 },
	{ "a busy user goes", busy_user_goes, EVENT_COMES_BETWEEN },
	{ "a user goes, another comes", user_goes_another_comes, 0 },
	{ "a user's shares change", users_shares_change, 0 },
	{ "an account's shares change", accounts_shares_change, 0 },
	{ "an account's shares become its parent's", accounts_shares_become_its_parents, 0 },
	{ "an association's priority changes", associations_priority_changes, 0 },
	{ "an account moves", account_moves, 0 },
	{ "an account moves, a job of it ends", account_moves_and_a_job_of_it_ends, 0 },
	{ "the list is sorted", list_is_sorted, 0 },
	{ "a user's usage is reset", users_usage_is_reset,
	  EVENT_COMES_BETWEEN | EVENT_IS_NOT_SAVED },
	{ "an account's usage is reset", accounts_usage_is_reset,
	  EVENT_COMES_BETWEEN | EVENT_IS_NOT_SAVED },
	{ "all usage is reset", all_usage_is_reset,
	  EVENT_COMES_BETWEEN | EVENT_IS_NOT_SAVED },
	{ "associations are read again", host_refresh_associations, EVENT_SPOILS_USAGE },
	{ "partitions are replaced", host_replace_partitions, 0 },
	{ "a partition is deleted", partition_is_deleted, 0 },
	{ "a QOS is removed", qos_is_removed, 0 },
	{ "a TRES comes", tres_comes, 0 },
	{ "the half-life changes", half_life_changes, EVENT_WAKES | EVENT_COMES_BETWEEN },
	{ "weights change", weights_change, EVENT_WAKES },
	{ "the policy changes", policy_changes, EVENT_WAKES },
	{ "debug flags are set", debug_flags_are_set, EVENT_WAKES },
	{ "running seconds are counted anew", run_seconds_are_recounted, EVENT_WAKES },
	{ "lists are asked for", lists_are_asked_for, 0 },
};
const size_t event_count = sizeof(events) / sizeof(*events);
