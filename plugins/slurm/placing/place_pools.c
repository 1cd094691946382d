/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placing/place_pools.h"

#include "policy/pool_service.h"

#include <stdlib.h>

#define NO_GRANT SIZE_MAX

/* One pool while its jobs are placed. */
struct pooling {
	const struct pool_division *division;
	const struct pending *pending;
	size_t *grant_of;	/* by partition of `pending`: of its partition, or NO_GRANT */
	uint64_t *held;		/* by grant */
	struct pooled_job *job;
	size_t count;
};

static void find_grants(struct pooling *pooling)
{
	const struct pool_division *division = pooling->division;
	const struct pending *pending = pooling->pending;

	for (size_t i = 0; i < pending->partitions.count; i++)
		pooling->grant_of[i] = NO_GRANT;
	for (size_t i = 0; i < division->count; i++) {
		size_t partition = numbered_names_find(&pending->partitions,
						       pool_division_name(division, i));

		if (division->grant[i].queue->in_pool && partition != NAME_INDEX_NONE)
			pooling->grant_of[partition] = i;
	}
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
		size_t grant = run->partition < pending->partitions.count
				       ? pooling->grant_of[run->partition] : NO_GRANT;

		if (grant != NO_GRANT)
			pooling->held[grant] += pooled_cpus(pending, run);
	}
}

static void list_pooled(struct pooling *pooling, const struct queued_pair *queued, size_t count,
			const size_t *place)
{
	const struct pending *pending = pooling->pending;

	pooling->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct pending_pair *pair = &pending->pair[queued[i].row];
		size_t grant = pooling->grant_of[pending->queue[pair->queue].partition];

		if (pair->can_start && grant != NO_GRANT)
			pooling->job[pooling->count++] = (struct pooled_job){
				i, place[i], { grant, (uint64_t)pair->slots } };
	}
}

static int place_pool(struct pooling *pooling, const struct queued_pair *queued, size_t count,
		      size_t *place)
{
	const struct pool_division *division = pooling->division;
	const struct pool_placing placing = { division->grant, division->count, pooling->held,
					      division->use_priority };

	find_grants(pooling);
	add_running(pooling);
	list_pooled(pooling, queued, count, place);
	return pool_exchange_places(&placing, pooling->job, pooling->count, place, NULL);
}

int place_pools(const struct partition_order *order, const struct pending *pending,
		const struct queued_pair *queued, size_t count, size_t *place)
{
	struct pooling pooling = {
		.pending = pending,
		.grant_of = calloc(pending->partitions.count + 1, sizeof(*pooling.grant_of)),
		.held = calloc(order->count + 1, sizeof(*pooling.held)),
		.job = calloc(count + 1, sizeof(*pooling.job)),
	};
	int status = pooling.grant_of && pooling.held && pooling.job ? 0 : -1;

	for (size_t i = 0; !status && i < order->settings->pool_count; i++) {
		pooling.division = &order->pool[i];
		status = place_pool(&pooling, queued, count, place);
	}
	free(pooling.grant_of);
	free(pooling.held);
	free(pooling.job);
	return status;
}
