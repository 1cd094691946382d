/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives slots to jobs and takes them back. Free slots are a list, linked by next_free. */
#include "replay/replay_state.h"

/* Returns a free slot, a new one if all are in use. */
static uint32_t take_slot(struct current_jobs *jobs)
{
	if (jobs->free) {
		uint32_t slot = jobs->free - 1;

		jobs->free = jobs->job[slot].next_free;
		return slot;
	}
	need_done(jobs->used == NO_SLOT);	/* all numbers are in use: as out of memory */
	jobs->job = need_room(jobs->job, &jobs->room, (size_t)jobs->used + 1, sizeof(*jobs->job));
	jobs->taken = need_room(jobs->taken, &jobs->taken_room, (size_t)jobs->used + 1,
				jobs->groups * sizeof(*jobs->taken));
	return jobs->used++;
}

uint32_t current_jobs_add(struct current_jobs *jobs, const struct replay_job *job)
{
	uint32_t slot = take_slot(jobs);

	jobs->job[slot] = (struct current_job){
		.given = *job, .sequence = jobs->submitted++, .start = NAN, .reserved = NAN,
		.planned = SIZE_MAX, .highest = -INFINITY,
	};
	return slot;
}

void current_jobs_remove(struct current_jobs *jobs, uint32_t slot)
{
	jobs->job[slot].next_free = jobs->free;
	jobs->free = slot + 1;
}
