/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/site_pools.h"

#include "cli/complain.h"

#include <stdlib.h>

/* Groups are in ascending order. */
bool site_pools_same_nodes(const void *context, size_t a, size_t b)
{
	const struct site_partitions *partitions = context;
	const struct replay_partition *of_a = &partitions->of_replay[a];
	const struct replay_partition *of_b = &partitions->of_replay[b];

	for (size_t i = 0; i < of_a->group_count && i < of_b->group_count; i++)
		if (of_a->group[i] != of_b->group[i])
			return false;
	return of_a->group_count == of_b->group_count;
}

/* Returns the number of the pool, from 1. */
static uint32_t add_pool(struct site_partitions *partitions, const struct conf_slot_share *first)
{
	partitions->pool[partitions->pool_count++] = (struct replay_pool){
		.max_slots = first->max_slots > 0 ? (uint64_t)first->max_slots : FATHOM_NO_LIMIT,
		.use_priority = first->use_priority,
	};
	return (uint32_t)partitions->pool_count;
}

/* Hosts of scopes take no part in pools, so a pool must have others. */
static int check_hosts(const struct site_partitions *partitions, const struct replay_site *site,
		       const struct conf_queue *queue)
{
	const struct replay_partition *partition = &partitions->of_replay[queue->partition];
	size_t scoped = 0;

	if (!partitions->scope_of_group)
		return 0;
	for (size_t i = 0; i < partition->group_count; i++)
		scoped += partitions->scope_of_group[partition->group[i]] > 0;
	if (!scoped || scoped < partition->group_count)
		return 0;
	return complain("%s:%u: Partition: all nodes of '%s' are hosts of scopes, which take no "
			"part in slot pools", site->conf_name, queue->pool_line, queue->name);
}

int site_pools_set(struct site_partitions *partitions, const struct replay_site *site,
		   const struct conf_queue *queue)
{
	const struct fathom_conf *conf = &site->conf;

	partitions->pool = calloc(conf->slot_share_count + 1, sizeof(*partitions->pool));
	if (!partitions->pool)
		return complain("out of memory");
	for (size_t i = 0; i < conf->slot_share_count; i++) {
		const struct conf_slot_share *share = &conf->slot_share[i];
		struct replay_partition *partition = &partitions->of_replay[queue[i].partition];
		size_t first = queue[share->first].partition;

		if (check_hosts(partitions, site, &queue[i]))
			return EXIT_WRONG;
		partition->slot_share = share->share;
		if (share->first == i)
			partition->pool = add_pool(partitions, share);
		else
			partition->pool = partitions->of_replay[first].pool;
	}
	return 0;
}
