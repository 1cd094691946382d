/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedulers that start what fits, in the order of priority:
 *
 *	none	each job that fits starts; no CPU is kept free for one that does not
 *	easy	the first job that does not fit gets a reservation: the instant at which it can
 *		start if all that runs ends as estimated. Jobs behind it start if they fit now, and
 *		either end before that instant, or leave it the CPUs that it needs. (EASY: D. Lifka,
 *		"The ANL/IBM SP Scheduling System", 1995)
 */
#include "replay/replay_private.h"

#include <math.h>

/* The reservation of the first job that does not fit. */
struct reservation {
	double time;
	uint64_t spare;		/* CPUs that it leaves free at that time */
};

static struct reservation reserve(const struct replay *replay, uint32_t cpus)
{
	const struct machine *machine = &replay->machine;
	uint64_t free = machine->free;
	double time = replay->now;

	for (size_t i = 0; i < machine->count && (free < cpus ||
	     machine->expected[i].end <= time + INSTANT); i++) {
		free += machine->expected[i].cpus;
		time = free < cpus ? time : fmax(machine->expected[i].end, time);
	}
	return (struct reservation){ time, free - cpus };
}

/* Starts jobs from place `first` on if they do not delay the reservation. */
static int fill(struct replay *replay, size_t first, struct reservation reservation,
		struct fathom_error *error)
{
	for (size_t i = first; i < replay->queue.count && replay->machine.free; i++) {
		const struct pending *pending = &replay->queue.at[i];
		uint32_t cpus = pending->cpus;
		bool ends_before = replay->now + pending->estimate <= reservation.time + INSTANT;

		if (cpus > replay->machine.free || (!ends_before && cpus > reservation.spare))
			continue;
		if (!ends_before)
			reservation.spare -= cpus;
		if (replay_start_job(replay, i, error))
			return -1;
	}
	return 0;
}

static int cycle_easy(struct replay *replay, struct fathom_error *error)
{
	size_t i = 0;

	for (; i < replay->queue.count && replay->queue.at[i].cpus <= replay->machine.free; i++)
		if (replay_start_job(replay, i, error))
			return -1;
	if (i == replay->queue.count || !replay->machine.free)
		return 0;
	return fill(replay, i + 1, reserve(replay, replay->queue.at[i].cpus), error);
}

static int cycle_none(struct replay *replay, struct fathom_error *error)
{
	const struct reservation never = { INFINITY, 0 };

	return fill(replay, 0, never, error);
}

const struct replay_scheduler replay_scheduler_easy = {
	.name = "easy",
	.summary = "EASY backfilling: the first job that does not fit has a reservation",
	.cycle = cycle_easy,
};

const struct replay_scheduler replay_scheduler_none = {
	.name = "none",
	.summary = "each job that fits starts, in the order of priority; there are no "
		   "reservations",
	.cycle = cycle_none,
};
