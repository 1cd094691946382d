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

int pool_exchange_places(const struct fathom_pool_grant *grants, size_t grant_count,
			 uint64_t *held, struct pooled_job *jobs, size_t count, size_t *place,
			 struct fathom_error *error)
{
	struct fathom_pool_job *wanted = malloc((count + 1) * sizeof(*wanted));
	size_t *order = malloc((count + 1) * sizeof(*order));
	int status = wanted && order ? 0 : fathom_error_no_memory(error);

	qsort(jobs, count, sizeof(*jobs), compare_places);
	for (size_t i = 0; !status && i < count; i++)
		wanted[i] = jobs[i].job;
	if (!status)
		status = fathom_pool_dispatch(grants, grant_count, held, wanted, count, order,
					      error);
	for (size_t i = 0; !status && i < count; i++)
		place[jobs[order[i]].at] = jobs[i].place;
	free(wanted);
	free(order);
	return status;
}
