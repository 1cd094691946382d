/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/placed_jobs.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

static int make_room(struct placed_jobs *placed, size_t count)
{
	void *at = array_grow(placed->at, &placed->room, count, sizeof(*placed->at));
	void *order = array_grow(placed->order, &placed->order_room, count,
				 sizeof(*placed->order));
	void *pooled = array_grow(placed->pooled, &placed->pooled_room, count,
				  sizeof(*placed->pooled));

	placed->at = at ? at : placed->at;
	placed->order = order ? order : placed->order;
	placed->pooled = pooled ? pooled : placed->pooled;
	return at && order && pooled ? 0 : -1;
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
		      struct fathom_error *error)
{
	struct fathom_pool_turns *turns = slot_pools_turns(pools);

	if (placed->count)
		qsort(placed->at, placed->count, sizeof(*placed->at), compare);
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->at[i];

		placed->order[i] = i;
		placed->pooled[i] = (struct fathom_pool_job){
			job->may_start ? job->partition : pools->rules->partition_count,
			job->cpus };
	}
	return turns ? fathom_pool_dispatch(turns, placed->pooled, placed->count, placed->order,
					    error) : 0;
}

void placed_jobs_clear(struct placed_jobs *placed)
{
	free(placed->at);
	free(placed->order);
	free(placed->pooled);
	*placed = (struct placed_jobs){ NULL };
}
