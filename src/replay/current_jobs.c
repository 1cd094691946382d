/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/current_jobs.h"

#include "memory/need_memory.h"

#include <math.h>

/* Returns a free slot, made if necessary. */
static uint32_t take_slot(struct current_jobs *jobs)
{
	uint32_t slot = jobs->free;

	if (slot--) {
		jobs->free = jobs->at[slot].next_free;
		return slot;
	}
	need_done(jobs->used == NO_SLOT);
	jobs->at = need_room(jobs->at, &jobs->room, (size_t)jobs->used + 1, sizeof(*jobs->at));
	jobs->taken = need_room(jobs->taken, &jobs->taken_room, (size_t)jobs->used + 1,
				jobs->groups * sizeof(*jobs->taken));
	return jobs->used++;
}

uint32_t current_jobs_add(struct current_jobs *jobs, const struct replay_job *job)
{
	uint32_t slot = take_slot(jobs);

	jobs->at[slot] = (struct current_job){
		.job = *job, .sequence = jobs->submitted++, .start = NAN, .reserved = NAN,
		.planned = SIZE_MAX,
	};
	return slot;
}

void current_jobs_remove(struct current_jobs *jobs, uint32_t slot)
{
	jobs->at[slot].next_free = jobs->free;
	jobs->free = slot + 1;
}
