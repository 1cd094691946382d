/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/pool_service.h"

#include "core/error.h"

#include <stdlib.h>

double pool_used_until(const struct pool_use *use, double begin, double end, double half_life)
{
	return use->seconds * fathom_decay(end - begin, half_life) +
	       (double)use->in_use * fathom_decayed_seconds(begin, end, end, half_life);
}

static int compare_places(const void *x, const void *y)
{
	const struct pooled_job *a = x, *b = y;

	return (a->place > b->place) - (a->place < b->place);
}

static int compare_numbers(const void *x, const void *y)
{
	size_t a = *(const size_t *)x, b = *(const size_t *)y;

	return (a > b) - (a < b);
}

/* Returns how many jobs of the order go to queues that are below what they got. held: by grant,
 * as it was before any of them. */
static size_t count_below(const struct pool_placing *placing, const struct pooled_job *jobs,
			  const size_t *order, size_t count, uint64_t *held)
{
	size_t below = 0;

	for (; below < count; below++) {
		const struct fathom_pool_job *job = &jobs[order[below]].job;

		if (held[job->grant] >= placing->grants[job->grant].got)
			break;
		held[job->grant] += job->slots;
	}
	return below;
}

/* The room of a placing. */
struct room {
	struct fathom_pool_job *wanted;
	size_t *order;
	uint64_t *held;		/* by grant, before any job */
};

static int dispatch(const struct pool_placing *placing, const struct pooled_job *jobs,
		    size_t count, const struct room *room, struct fathom_error *error)
{
	size_t below = count;

	for (size_t i = 0; i < count; i++)
		room->wanted[i] = jobs[i].job;
	for (size_t i = 0; i < placing->grant_count; i++)
		room->held[i] = placing->held[i];
	if (fathom_pool_dispatch(placing->grants, placing->grant_count, placing->held,
				 room->wanted, count, room->order, error))
		return -1;
	if (placing->use_priority)
		below = count_below(placing, jobs, room->order, count, room->held);
	qsort(room->order + below, count - below, sizeof(*room->order), compare_numbers);
	return 0;
}

int pool_exchange_places(const struct pool_placing *placing, struct pooled_job *jobs,
			 size_t count, size_t *place, struct fathom_error *error)
{
	struct room room = {
		.wanted = malloc((count + 1) * sizeof(*room.wanted)),
		.order = malloc((count + 1) * sizeof(*room.order)),
		.held = malloc((placing->grant_count + 1) * sizeof(*room.held)),
	};
	int status = room.wanted && room.order && room.held ? 0 : fathom_error_no_memory(error);

	qsort(jobs, count, sizeof(*jobs), compare_places);
	if (!status)
		status = dispatch(placing, jobs, count, &room, error);
	for (size_t i = 0; !status && i < count; i++)
		place[jobs[room.order[i]].at] = jobs[i].place;
	free(room.wanted);
	free(room.order);
	free(room.held);
	return status;
}
