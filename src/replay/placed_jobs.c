/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/placed_jobs.h"

#include "memory/need_memory.h"

#include <stdlib.h>

void placed_jobs_add(struct placed_jobs *placed, const struct placed_job *job)
{
	placed->at = need_room(placed->at, &placed->room, placed->count + 1, sizeof(*job));
	placed->at[placed->count++] = *job;
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

void placed_jobs_place(struct placed_jobs *placed, struct slot_pools *pools)
{
	struct fathom_pool_turns *turns = slot_pools_turns(pools);

	placed->order = need_room(placed->order, &placed->order_room, placed->count,
				  sizeof(*placed->order));
	placed->pooled = need_room(placed->pooled, &placed->pooled_room, placed->count,
				   sizeof(*placed->pooled));
	if (placed->count)
		qsort(placed->at, placed->count, sizeof(*placed->at), compare);
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->at[i];

		placed->order[i] = i;
		placed->pooled[i] = (struct fathom_pool_job){
			job->may_start ? job->partition : pools->rules->partition_count,
			job->cpus };
	}
	if (turns)
		need_done(fathom_pool_dispatch(turns, placed->pooled, placed->count,
					       placed->order, NULL));
}
