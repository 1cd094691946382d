/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/placed_jobs.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

static int make_room(struct placed_jobs *placed, size_t count)
{
	void *at = array_grow(placed->at, &placed->room, count, sizeof(*placed->at)), *slot, *place;

	if (at)
		placed->at = at;
	slot = array_grow(placed->slot, &placed->slot_room, count, sizeof(*placed->slot));
	if (slot)
		placed->slot = slot;
	place = array_grow(placed->place, &placed->place_room, count, sizeof(*placed->place));
	if (place)
		placed->place = place;
	return at && slot && place ? 0 : -1;
}

int placed_jobs_add(struct placed_jobs *placed, const struct placed_job *job,
		    struct fathom_error *error)
{
	if (make_room(placed, placed->count + 1))
		return fathom_error_no_memory(error);
	placed->at[placed->count++] = *job;
	return 0;
}

static int compare(const void *x, const void *y)
{
	const struct placed_job *a = x, *b = y;

	if (a->served != b->served)
		return a->served < b->served ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

int placed_jobs_place(struct placed_jobs *placed, struct slot_pools *pools,
		      const struct current_jobs *jobs, struct fathom_error *error)
{
	if (placed->count)
		qsort(placed->at, placed->count, sizeof(*placed->at), compare);
	for (size_t i = 0; i < placed->count; i++) {
		placed->slot[i] = placed->at[i].slot;
		placed->place[i] = i + 1;
	}
	return slot_pools_exchange(pools, jobs, placed->slot, placed->place, placed->count, error);
}

void placed_jobs_clear(struct placed_jobs *placed)
{
	free(placed->at);
	free(placed->slot);
	free(placed->place);
	*placed = (struct placed_jobs){ NULL };
}
