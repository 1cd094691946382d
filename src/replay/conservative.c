/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conservative backfilling: each job gets a reservation when it is submitted, and no job may delay
 * the reservation of another. When a job ends, all reservations are moved to an earlier time as far
 * as the others allow, one by one in the order of priority. When the order of jobs has changed, all
 * reservations are made anew after the next pass. Each component of the nodes (node_sets.c) is
 * handled as a machine of its own. (Mu'alem and Feitelson, "Utilization, Predictability, Workloads,
 * and User Runtime Estimates in Scheduling the IBM SP2 with Backfilling", 2001)
 *
 * Example, 10 CPUs: a runs on 6 until 100. b wants 8 for 50 s, its reservation is 100 to 150. c
 * wants 4 for 80 s, and starts at once; with 120 s it would leave 6 to b at 100, so its reservation
 * would begin at 150. If a ends at 60, b's reservation moves to 80, when c ends.
 */
#include "replay/replay_private.h"

/* Returns the job at a place of the queue. */
static struct current_job *job_at(struct replay *replay, size_t place)
{
	return &replay->jobs.job[replay->queue.job[place].slot];
}

/* Returns the state of the component that a job's nodes belong to. */
static struct plan_state *plan_of(const struct replay *replay, const struct current_job *job)
{
	return &replay->plan[node_set_of(&replay->sets, job->given.partition)->component];
}

/* Notes that a job ends now: in the profile, its CPUs become free from now until the end of its
 * estimate. */
static void note_end(struct replay *replay, uint32_t slot)
{
	const struct current_job *job = &replay->jobs.job[slot];
	const struct profile_part part = { replay->now, job->start + job->given.estimate,
					   current_jobs_taken(&replay->jobs, slot) };

	plan_of(replay, job)->has_ended = true;
	profile_change(&replay->profile, &part, PROFILE_FREE);
}

/* Begins the profile anew, with the running jobs alone: each frees its CPUs at its expected end. */
static void plan_running(struct replay *replay)
{
	const struct machine *machine = &replay->machine;

	profile_begin(&replay->profile, replay->now, machine->group_free);
	for (size_t i = 0; i < machine->count; i++) {
		const struct occupant *running = &machine->expected[i];
		const uint32_t *taken = current_jobs_taken(&replay->jobs, running->slot);

		profile_append(&replay->profile, running->end, taken);
	}
}

/* Adds the CPUs of a job's reservation to those that are free in the profile, or takes them away. A
 * reservation that is overdue begins now. */
static void change_reserved(struct replay *replay, uint32_t slot, enum profile_sign sign)
{
	const struct current_job *job = &replay->jobs.job[slot];
	double begin = fmax(job->reserved, replay->now);
	const struct profile_part part = { begin, begin + job->given.estimate,
					   current_jobs_taken(&replay->jobs, slot) };

	profile_change(&replay->profile, &part, sign);
}

/* Makes the reservation of a job on a machine with one group of nodes, or moves it to an earlier
 * time. Quicker than plan_job(): it leaves the reservation in the profile while it searches, as
 * most cannot be moved. until: from this time on, nothing has become free since the job was
 * planned. */
static void plan_single_group(struct replay *replay, uint32_t slot, double until)
{
	struct current_job *job = &replay->jobs.job[slot];
	bool is_new = isnan(job->reserved);
	double before = is_new ? INFINITY : job->reserved;
	double begin = profile_find_earlier(&replay->profile, replay->now, job->given.estimate,
					    job->given.cpus, before, is_new ? INFINITY : until);

	if (begin == job->reserved)
		return;
	if (!is_new)
		change_reserved(replay, slot, PROFILE_FREE);
	job->reserved = begin;
	*current_jobs_taken(&replay->jobs, slot) = job->given.cpus;
	change_reserved(replay, slot, PROFILE_TAKE);
}

/* Makes the reservation of a job, or moves it to an earlier time, on any groups of nodes. */
static void plan_job(struct replay *replay, uint32_t slot)
{
	struct current_job *job = &replay->jobs.job[slot];
	const struct node_sets *sets = &replay->sets;
	const struct node_set *set = node_set_of(sets, job->given.partition);
	int64_t *available = replay->reservations.available;

	if (!isnan(job->reserved))	/* its own CPUs count as free while it is moved */
		change_reserved(replay, slot, PROFILE_FREE);
	job->reserved = profile_find(&replay->profile, replay->now, job->given.estimate,
				     job->given.cpus, set, available);
	node_set_take(set, job->given.cpus, available, current_jobs_taken(&replay->jobs, slot),
		      sets->groups);
	change_reserved(replay, slot, PROFILE_TAKE);
}

/* Notes which components have jobs that were overtaken since the last cycle: by a job that was
 * behind them, or by a new one, whose `planned` is SIZE_MAX. */
static void note_order(struct replay *replay)
{
	for (size_t i = 0; i < replay->sets.groups; i++)
		replay->plan[i].last_planned = 0;
	for (size_t i = 0; i < replay->queue.count; i++) {
		struct current_job *job = job_at(replay, i);
		struct plan_state *plan = plan_of(replay, job);

		plan->is_overtaken |= job->planned < plan->last_planned;
		plan->last_planned = job->planned;
		job->planned = i;
	}
}

/* Returns whether reservations have to be made anew in some component: jobs were overtaken, and a
 * pass has come. */
static bool must_plan_anew(const struct replay *replay)
{
	for (size_t i = 0; i < replay->sets.groups; i++)
		if (replay->plan[i].is_overtaken)
			return replay->has_passed;
	return false;
}

/* Puts the reservations of all jobs into a new profile. After a pass it drops those in components
 * where jobs were overtaken, and plan_waiting() makes them anew. */
static void keep_reservations(struct replay *replay)
{
	for (size_t i = 0; i < replay->queue.count; i++) {
		struct current_job *job = job_at(replay, i);

		if (replay->has_passed && plan_of(replay, job)->is_overtaken)
			job->reserved = NAN;
		else if (!isnan(job->reserved))
			change_reserved(replay, replay->queue.job[i].slot, PROFILE_TAKE);
	}
	for (size_t i = 0; i < replay->sets.groups; i++)
		replay->plan[i].is_overtaken &= !replay->has_passed;
}

/* Returns whether the CPUs that are reserved for a job are free. */
static bool is_free(const struct replay *replay, uint32_t slot)
{
	const uint32_t *taken = current_jobs_taken(&replay->jobs, slot);

	for (size_t group = 0; group < replay->sets.groups; group++)
		if (taken[group] > replay->machine.group_free[group])
			return false;
	return true;
}

/* Starts jobs whose reservations are due, and sets the time of the next reservation. The CPUs of a
 * reservation may still be in use: reservations are due within INSTANT of now, and the job that has
 * the CPUs may end a bit later. Its end brings the next cycle. */
static void start_reserved(struct replay *replay)
{
	for (size_t i = 0; i < replay->queue.count; i++) {
		double reserved = job_at(replay, i)->reserved;

		if (reserved > replay->now + INSTANT)
			replay->wake_up = fmin(replay->wake_up, reserved);
		else if (is_free(replay, replay->queue.job[i].slot))
			replay_start_at(replay, i);
	}
}

/* Makes reservations for jobs that have none, and moves those in components where jobs have ended:
 * one round over all jobs.  When a reservation moves, the jobs behind it try the CPUs that it frees
 * in this round, and the jobs before it in the next round. So on a single group each job searches
 * what became free since the last round began: until freed_before in that round, until
 * profile->freed in this one. With several groups each job searches all times. */
static void plan_waiting(struct replay *replay)
{
	struct profile *profile = &replay->profile;
	double freed_before = profile->freed;
	bool is_new_round = replay->plan[0].has_ended;	/* on a single group */

	if (is_new_round)
		profile->freed = -INFINITY;
	for (size_t i = 0; i < replay->queue.count; i++) {
		const struct current_job *job = job_at(replay, i);
		uint32_t slot = replay->queue.job[i].slot;
		bool has_reservation = !isnan(job->reserved);

		if (has_reservation && !plan_of(replay, job)->has_ended)
			continue;
		if (replay->sets.groups == 1)
			plan_single_group(replay, slot, fmax(freed_before, profile->freed));
		else
			plan_job(replay, slot);
	}
	for (size_t i = 0; i < replay->sets.groups; i++)
		replay->plan[i].has_ended = false;
}

/* Brings the profile up to date, plans all jobs that need it, and starts those that are due. */
static void cycle_conservative(struct replay *replay)
{
	replay->wake_up = INFINITY;
	note_order(replay);
	if (!replay->profile.count || must_plan_anew(replay)) {
		plan_running(replay);
		keep_reservations(replay);
	} else {
		profile_go_on(&replay->profile, replay->now);
	}
	replay->has_passed = false;
	plan_waiting(replay);
	start_reserved(replay);
}

const struct replay_scheduler replay_scheduler_conservative = {
	.name = "conservative",
	.reserves_all = true,
	.cycle = cycle_conservative,
	.note_end = note_end,
};
