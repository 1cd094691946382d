/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedulers that start what fits, in the order of priority:
 *
 *	none	each job that fits starts; no CPU is kept free for one that does not
 *	easy	the first job that does not fit gets a reservation: the instant at which it can
 *		start if all that runs ends as estimated. Jobs behind it start if they fit now, and
 *		either end before that instant, or leave it the CPUs that it needs. (EASY: D. Lifka,
 *		"The ANL/IBM SP Scheduling System", 1995) Partitions with other nodes are machines
 *		of their own, whose first job gets a reservation, too.
 *	strict	no job starts on nodes for which one before it waits (Slurm, sched/builtin; OpenPBS,
 *		strict_ordering)
 */
#include "replay/replay_private.h"

#define NO_PLACE SIZE_MAX	/* before the first place: NO_PLACE + 1 is 0 */

/* Returns the nodes that a job may use. */
static const struct node_set *set_of(const struct replay *replay, const struct pending *pending)
{
	const struct node_sets *sets = &replay->sets;

	if (sets->count == 1)
		return sets->set;
	return node_set_of(sets, replay->jobs.job[pending->slot].given.partition);
}

/* Starts the job at a place of the queue if it fits and delays no reservation. wish: what the job
 * asks for. Returns whether it has started. */
static bool try_start(struct replay *replay, size_t place, const struct reservation_wish *wish)
{
	struct reservations *reservations = &replay->reservations;
	uint32_t *taken;

	if (reservations_available(reservations, &replay->machine, replay->now, wish) < wish->cpus)
		return false;
	taken = current_jobs_taken(&replay->jobs, replay->queue.job[place].slot);
	node_set_take(wish->set, wish->cpus, reservations->available, taken, reservations->groups);
	reservations_note_start(reservations, replay->now + wish->estimate, taken);
	replay_start_at(replay, place);
	return true;
}

/* Returns limits for pending_queue_find(): each job that may start, or get one of `most`
 * reservations, is within them. Most other jobs are beyond, but not all. */
static struct pending_limits limits_of(const struct replay *replay, size_t most)
{
	const struct reservations *reservations = &replay->reservations;
	const struct reservation *only = reservations->made;
	struct pending_limits limits = { .cpus = (double)replay->machine.cpus, .spare = INFINITY };

	if (reservations->count == most)	/* no more reservations: it starts, or nothing */
		limits.cpus = (double)replay->machine.free;
	if (most == 1 && reservations->count == most && reservations->groups == 1) {
		limits.spare = (double)only->spare[0];
		limits.estimate = only->time - replay->now + 1;	/* 1 s: more than any rounding */
	}
	return limits;
}

/* Returns the place of the next job that may start or get one of `most` reservations: behind
 * `last`, the place of the job before, or NO_PLACE; or the job whose turn is next, if jobs take
 * turns. queue->count: no such job is left. */
static size_t find_next(struct replay *replay, size_t most, size_t last)
{
	struct pending_queue *queue = &replay->queue;
	struct dispatched_jobs *dispatched = &replay->scopes.scope[NO_SCOPE].order.dispatched;
	const struct pending_limits limits = limits_of(replay, most);

	if (queue->turns_left == NO_TURNS)
		return pending_queue_find(queue, last + 1, &limits);
	return dispatched_jobs_next(dispatched, &replay->jobs, queue, &limits);
}

/* Returns what the job at a place of the queue asks for. */
static struct reservation_wish wish_of(const struct replay *replay, size_t place)
{
	const struct pending *pending = &replay->queue.job[place];

	return (struct reservation_wish){ set_of(replay, pending), pending->estimate,
					  pending->cpus };
}

/* The cycle of none and easy: starts each job that fits and delays no reservation. Under easy, the
 * first job of each node set that does not fit gets a reservation. */
static void cycle(struct replay *replay)
{
	struct reservations *reservations = &replay->reservations;
	const struct machine *machine = &replay->machine;
	size_t most = replay->rules.scheduler->reserves_first ? replay->sets.count : 0;
	size_t place = NO_PLACE;

	reservations->count = 0;
	while (machine->free && (place = find_next(replay, most, place)) < replay->queue.count) {
		const struct reservation_wish wish = wish_of(replay, place);

		if (wish.cpus <= machine->free && try_start(replay, place, &wish))
			continue;
		if (reservations->count < most && !reservations_has(reservations, wish.set))
			reservations_add(reservations, machine, &replay->jobs, replay->now, &wish);
	}
}

/* Returns whether a job of this cycle waits for one of the groups of a set. */
static bool is_awaited(const struct replay *replay, const struct node_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (replay->is_awaited[set->group[i]])
			return true;
	return false;
}

/* Notes that a job waits for all groups of a set. */
static void await(struct replay *replay, const struct node_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		replay->is_awaited[set->group[i]] = true;
}

/* As `most` of find_next(): so many reservations are never made, so that no job is skipped. */
#define LOOK_AT_ALL SIZE_MAX

/* The cycle of strict: starts each job that fits, unless a job before it waits for the same
 * nodes. */
static void cycle_strict(struct replay *replay)
{
	size_t place = NO_PLACE;

	replay->reservations.count = 0;
	memset(replay->is_awaited, 0, replay->sets.groups * sizeof(*replay->is_awaited));
	while (replay->machine.free &&
	       (place = find_next(replay, LOOK_AT_ALL, place)) < replay->queue.count) {
		const struct reservation_wish wish = wish_of(replay, place);

		if (is_awaited(replay, wish.set) || !try_start(replay, place, &wish))
			await(replay, wish.set);
		if (replay->sets.count == 1 && *replay->is_awaited)
			return;	/* all jobs behind wait, too */
	}
}

const struct replay_scheduler replay_scheduler_easy = {
	.name = "easy",
	.reserves_first = true,
	.cycle = cycle,
};

const struct replay_scheduler replay_scheduler_none = {
	.name = "none",
	.cycle = cycle,
};

const struct replay_scheduler replay_scheduler_strict = {
	.name = "strict",
	.cycle = cycle_strict,
};

const struct replay_scheduler *const replay_schedulers[] = {
	&replay_scheduler_easy, &replay_scheduler_conservative, &replay_scheduler_none,
	&replay_scheduler_strict, &replay_scheduler_trace, NULL,
};
