/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conservative backfilling: each job has a reservation when it is submitted, and no job may delay
 * that of another. When a job ends, each reservation in turn, in the order of priority, is moved
 * forward as far as the others allow. When jobs have been overtaken, the next pass makes all
 * reservations anew in the new order. Each component of the nodes is a machine of its own, whose
 * reservations no job of another moves. (Mu'alem and Feitelson, "Utilization, Predictability,
 * Workloads, and User Runtime Estimates in Scheduling the IBM SP2 with Backfilling", 2001)
 */
#include "replay/replay_private.h"

#include <math.h>

/* Returns the job at a place of the queue. */
static struct current_job *job_at(struct replay *replay, size_t at)
{
	return &replay->jobs.at[replay->queue.at[at].slot];
}

/* Returns what has happened on the nodes that a job may use. */
static struct plan_state *plan_of(const struct replay *replay, const struct current_job *job)
{
	return &replay->plan[node_set_of(&replay->sets, job->job.partition)->component];
}

/* A job ends now: what it was expected to hold until its estimate becomes free in the profile. */
static void note_end(struct replay *replay, uint32_t slot)
{
	const struct current_job *job = &replay->jobs.at[slot];
	const struct profile_part part = { replay->now, job->start + job->job.estimate,
					   current_jobs_taken(&replay->jobs, slot) };

	plan_of(replay, job)->has_ended = true;
	profile_add(&replay->profile, &part, 1);
}

/* Puts what runs into an empty profile. */
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

/* Adds the CPUs of a reservation to what is free (sign 1), or takes them (-1). A reservation that
 * is overdue begins now. */
static void add_reservation(struct replay *replay, uint32_t slot, int sign)
{
	const struct current_job *job = &replay->jobs.at[slot];
	double begin = fmax(job->reserved, replay->now);
	const struct profile_part part = { begin, begin + job->job.estimate,
					   current_jobs_taken(&replay->jobs, slot) };

	profile_add(&replay->profile, &part, sign);
}

/* Like plan_job(), on a single group of nodes, but quicker: most reservations cannot be moved, and
 * stay in the profile while an earlier instant is searched. until: from this time on nothing has
 * become free since the job was planned. */
static void plan_simply(struct replay *replay, uint32_t slot, double until)
{
	struct current_job *job = &replay->jobs.at[slot];
	bool is_new = isnan(job->reserved);
	double begin = profile_find_earlier(&replay->profile, replay->now, job->job.estimate,
					    job->job.cpus, is_new ? INFINITY : job->reserved,
					    is_new ? INFINITY : until);

	if (begin == job->reserved)
		return;
	if (!is_new)
		add_reservation(replay, slot, 1);
	job->reserved = begin;
	*current_jobs_taken(&replay->jobs, slot) = job->job.cpus;
	add_reservation(replay, slot, -1);
}

/* Moves the reservation of a job forward, or makes it if the job has none. */
static void plan_job(struct replay *replay, uint32_t slot)
{
	struct current_job *job = &replay->jobs.at[slot];
	const struct node_sets *sets = &replay->sets;
	const struct node_set *set = node_set_of(sets, job->job.partition);
	int64_t *available = replay->reservations.available;

	if (!isnan(job->reserved))
		add_reservation(replay, slot, 1);
	job->reserved = profile_find(&replay->profile, replay->now, job->job.estimate,
				     job->job.cpus, set, available);
	node_set_take(set, job->job.cpus, available, current_jobs_taken(&replay->jobs, slot),
		      sets->groups);
	add_reservation(replay, slot, -1);
}

/* Notes which components have jobs that were overtaken since the last cycle: their places are not
 * in the same order as then, or behind a job that was not there, whose last place is SIZE_MAX. */
static void note_order(struct replay *replay)
{
	for (size_t i = 0; i < replay->sets.groups; i++)
		replay->plan[i].last = 0;
	for (size_t i = 0; i < replay->queue.count; i++) {
		struct current_job *job = job_at(replay, i);
		struct plan_state *plan = plan_of(replay, job);

		plan->is_overtaken |= job->planned < plan->last;
		plan->last = job->planned;
		job->planned = i;
	}
}

/* Returns whether reservations have to be made anew: a pass has put jobs that have one into
 * another order. */
static bool must_plan_anew(const struct replay *replay)
{
	bool is_overtaken = false;

	for (size_t i = 0; i < replay->sets.groups; i++)
		is_overtaken |= replay->plan[i].is_overtaken;
	return is_overtaken && replay->has_passed;
}

/* Puts reservations into the profile; where jobs were overtaken, drops them after a pass
 * instead. */
static void keep_reservations(struct replay *replay)
{
	for (size_t i = 0; i < replay->queue.count; i++) {
		struct current_job *job = job_at(replay, i);

		if (replay->has_passed && plan_of(replay, job)->is_overtaken)
			job->reserved = NAN;
		else if (!isnan(job->reserved))
			add_reservation(replay, replay->queue.at[i].slot, -1);
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

/* Starts jobs whose reservations are due. A job that ends at this very instant may still hold CPUs:
 * the next cycle is at the same instant then. */
static void start_reserved(struct replay *replay)
{
	for (size_t i = 0; i < replay->queue.count; i++) {
		double reserved = job_at(replay, i)->reserved;

		if (reserved > replay->now + INSTANT)
			replay->wake_up = fmin(replay->wake_up, reserved);
		else if (is_free(replay, replay->queue.at[i].slot))
			replay_start_at(replay, i);
	}
}

/* Makes reservations of jobs that have none, and moves those on nodes where jobs have ended.
 *
 * A move frees CPUs for the jobs behind, and for those before only in the next round of moves. So
 * on a single group, a job looks at what became free since the last round began, in this round,
 * too. (profile->freed is of no use on several groups, nor has plan_job() need of it.) */
static void plan_waiting(struct replay *replay)
{
	struct profile *profile = &replay->profile;
	double freed_before = profile->freed;
	bool is_new_round = replay->plan[0].has_ended;	/* on a single group */

	if (is_new_round)
		profile->freed = -INFINITY;
	for (size_t i = 0; i < replay->queue.count; i++) {
		const struct current_job *job = job_at(replay, i);
		uint32_t slot = replay->queue.at[i].slot;
		bool has_reservation = !isnan(job->reserved);

		if (has_reservation && !plan_of(replay, job)->has_ended)
			continue;
		if (replay->sets.groups == 1)
			plan_simply(replay, slot, fmax(freed_before, profile->freed));
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
	.summary = "conservative backfilling: each job has a reservation that no other delays",
	.reserves_all = true,
	.cycle = cycle_conservative,
	.note_end = note_end,
};
