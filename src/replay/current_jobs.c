/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/current_jobs.h"

#include "core/array.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>

/* Returns a free slot, or NO_SLOT if memory ran out. */
static uint32_t take_slot(struct current_jobs *jobs)
{
	struct current_job *grown;
	uint32_t *taken;
	uint32_t slot = jobs->free;

	if (slot--) {
		jobs->free = jobs->at[slot].next_free;
		return slot;
	}
	if (jobs->used == NO_SLOT)
		return NO_SLOT;
	grown = array_grow(jobs->at, &jobs->room, (size_t)jobs->used + 1, sizeof(*grown));
	if (!grown)
		return NO_SLOT;
	jobs->at = grown;
	taken = array_grow(jobs->taken, &jobs->taken_room, (size_t)jobs->used + 1,
			   jobs->groups * sizeof(*taken));
	if (!taken)
		return NO_SLOT;
	jobs->taken = taken;
	return jobs->used++;
}

int current_jobs_add(struct current_jobs *jobs, const struct replay_job *job, uint32_t *slot,
		  struct fathom_error *error)
{
	*slot = take_slot(jobs);
	if (*slot == NO_SLOT)
		return fathom_error_no_memory(error);
	jobs->at[*slot] = (struct current_job){
		.job = *job, .sequence = jobs->submitted++, .start = NAN, .reserved = NAN,
		.planned = SIZE_MAX,
	};
	return 0;
}

void current_jobs_remove(struct current_jobs *jobs, uint32_t slot)
{
	jobs->at[slot].next_free = jobs->free;
	jobs->free = slot + 1;
}

void current_jobs_clear(struct current_jobs *jobs)
{
	free(jobs->at);
	free(jobs->taken);
	*jobs = (struct current_jobs){ NULL };
}
