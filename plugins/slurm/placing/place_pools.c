/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placing/place_pools.h"

/* The queue of a partition's own scope has the number of the partition. */
static void set_grants(const struct pool_division *division, const struct pending *pending,
		       struct fathom_pool_turns *turns)
{
	for (size_t i = 0; i < division->count; i++) {
		size_t partition = numbered_names_find(&pending->partitions,
						       pool_division_name(division, i));

		if (division->grant[i].queue->in_pool && partition != NAME_INDEX_NONE)
			turns[partition] = (struct fathom_pool_turns){
				.grant = &division->grant[i],
				.use_priority = division->use_priority };
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

void place_pools(const struct partition_order *order, const struct pending *pending,
		 struct fathom_pool_turns *turns)
{
	for (size_t i = 0; i < order->settings->pool_count; i++)
		set_grants(&order->pool[i], pending, turns);
	for (size_t i = 0; i < pending->run_count; i++) {
		const struct pending_run *run = &pending->run[i];

		if (run->partition < pending->partitions.count && turns[run->partition].grant)
			turns[run->partition].held += pooled_cpus(pending, run);
	}
}
