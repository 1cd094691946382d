/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scheduler "trace": each job starts when it did in the trace, even if no CPU is free. So a
 * replay tells what usage and shares the same schedule gives under another policy. */
#include "replay/replay_private.h"

/* Sets the CPUs that a job takes: free ones of its partition as long as there are any, and the rest
 * from the last group of its nodes, whose number of free CPUs falls below 0. */
static void take_cpus(const struct replay *replay, const struct replay_job *job, uint32_t *taken)
{
	const struct node_sets *sets = &replay->sets;
	const struct node_set *set = node_set_of(sets, job->partition);
	int64_t wanted = job->cpus;

	memset(taken, 0, replay->jobs.groups * sizeof(*taken));
	for (size_t i = 0; i < set->count && wanted; i++) {
		int64_t free = replay->machine.group_free[set->group[i]];
		int64_t part = i + 1 == set->count || free > wanted ? wanted : free;

		if (part <= 0)
			continue;
		taken[set->group[i]] = (uint32_t)part;
		wanted -= part;
	}
}

/* Starts the job in a slot, which is the first one of the queue. */
static void start_job(struct replay *replay, uint32_t slot)
{
	take_cpus(replay, &replay->jobs.job[slot].given, current_jobs_taken(&replay->jobs, slot));
	replay_start_job(replay, slot);
	pending_queue_pop(&replay->queue);
}

/* Starts all jobs whose start in the trace has come, and sets the time of the next start. The queue
 * is a heap, the next start on top. */
static void cycle_trace(struct replay *replay)
{
	replay->wake_up = INFINITY;
	while (replay->queue.count && isinf(replay->wake_up)) {
		uint32_t slot = replay->queue.job->slot;
		double start = replay->jobs.job[slot].given.start;

		if (start > replay->now)
			replay->wake_up = start;
		else
			start_job(replay, slot);
	}
}

const struct replay_scheduler replay_scheduler_trace = {
	.name = "trace",
	.keeps_starts = true,
	.cycle = cycle_trace,
};
