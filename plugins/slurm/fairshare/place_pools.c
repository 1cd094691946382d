/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/place_pools.h"

#include <stdlib.h>

#define NO_GRANT SIZE_MAX

/* A job of a pool, and the place that it had before. */
struct pooled_pair {
	size_t at;		/* in the list of all pairs */
	size_t place;
};

/* One pool while its jobs are placed. */
struct pooling {
	const struct pool_division *division;
	const struct pending *pending;
	size_t *grant_of;	/* by partition of `pending`: of its queue, or NO_GRANT */
	uint64_t *held;		/* by grant */
	struct pooled_pair *pooled;	/* in the order of places */
	struct fathom_pool_job *job;	/* the same */
	size_t *order;
	size_t count;
};

static void find_grants(struct pooling *pooling)
{
	const struct pool_division *division = pooling->division;
	const struct pending *pending = pooling->pending;
	uint32_t partition;

	for (size_t i = 0; i < pending->partition_count; i++)
		pooling->grant_of[i] = NO_GRANT;
	for (size_t i = 0; i < division->count; i++)
		if (division->grant[i].queue->in_pool &&
		    pending_find_partition(pending->partition, pending->partition_count,
					   pool_division_name(division, i), &partition))
			pooling->grant_of[partition] = i;
}

/* The CPUs that a run has on hosts of no scope: those of scopes take no part in pools. */
static uint64_t pooled_cpus(const struct pending *pending, const struct pending_run *run)
{
	uint64_t cpus = run->tres[TRES_ARRAY_CPU], scoped = 0;

	for (uint32_t i = 0; i < run->part_count; i++)
		scoped += pending->part[run->part + i].cpus;
	return cpus > scoped ? cpus - scoped : 0;
}

static void add_running(struct pooling *pooling)
{
	const struct pending *pending = pooling->pending;

	for (size_t i = 0; i < pooling->division->count; i++)
		pooling->held[i] = 0;
	for (size_t i = 0; i < pending->run_count; i++) {
		const struct pending_run *run = &pending->run[i];
		size_t grant = run->partition < pending->partition_count
				       ? pooling->grant_of[run->partition] : NO_GRANT;

		if (grant != NO_GRANT)
			pooling->held[grant] += pooled_cpus(pending, run);
	}
}

static int compare_places(const void *x, const void *y)
{
	const struct pooled_pair *a = x, *b = y;

	return (a->place > b->place) - (a->place < b->place);
}

static void list_pooled(struct pooling *pooling, const struct pending_pair *const *pair,
			size_t count, const size_t *place)
{
	pooling->count = 0;
	for (size_t i = 0; i < count; i++)
		if (pair[i]->can_start && pooling->grant_of[pair[i]->partition] != NO_GRANT)
			pooling->pooled[pooling->count++] = (struct pooled_pair){ i, place[i] };
	qsort(pooling->pooled, pooling->count, sizeof(*pooling->pooled), compare_places);
	for (size_t i = 0; i < pooling->count; i++) {
		const struct pending_pair *of = pair[pooling->pooled[i].at];

		pooling->job[i] = (struct fathom_pool_job){
			.grant = pooling->grant_of[of->partition],
			.slots = (uint64_t)of->slots,
		};
	}
}

static int place_pool(struct pooling *pooling, const struct pending_pair *const *pair,
		      size_t count, size_t *place)
{
	const struct pool_division *division = pooling->division;

	find_grants(pooling);
	add_running(pooling);
	list_pooled(pooling, pair, count, place);
	if (fathom_pool_dispatch(division->grant, division->count, pooling->held, pooling->job,
				 pooling->count, pooling->order, NULL))
		return -1;
	for (size_t i = 0; i < pooling->count; i++)
		place[pooling->pooled[pooling->order[i]].at] = pooling->pooled[i].place;
	return 0;
}

static size_t most_queues(const struct divided_pools *pools)
{
	size_t most = 0;

	for (size_t i = 0; i < pools->count; i++)
		most = MAX(most, pools->list[i].count);
	return most;
}

int place_pools(const struct divided_pools *pools, const struct pending *pending,
		const struct pending_pair *const *pair, size_t count, size_t *place)
{
	struct pooling pooling = {
		.pending = pending,
		.grant_of = calloc(pending->partition_count + 1, sizeof(*pooling.grant_of)),
		.held = calloc(most_queues(pools) + 1, sizeof(*pooling.held)),
		.pooled = calloc(count + 1, sizeof(*pooling.pooled)),
		.job = calloc(count + 1, sizeof(*pooling.job)),
		.order = calloc(count + 1, sizeof(*pooling.order)),
	};
	int status = pooling.grant_of && pooling.held && pooling.pooled && pooling.job &&
		     pooling.order ? 0 : -1;

	for (size_t i = 0; !status && i < pools->count; i++) {
		pooling.division = &pools->list[i];
		status = place_pool(&pooling, pair, count, place);
	}
	free(pooling.grant_of);
	free(pooling.held);
	free(pooling.pooled);
	free(pooling.job);
	free(pooling.order);
	return status;
}
