/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the slot pools of a site. fathom.conf has a line for each queue of a pool; lines of one
 * pool have the same `first`, the index of the pool's first line:
 *
 *	SlotPool=p Partition=a SlotShare=50	first 0
 *	SlotPool=q Partition=c SlotShare=100	first 1
 *	SlotPool=p Partition=b SlotShare=50	first 0
 */
#include "format/site/configured_pools.h"

#include "format/site/site_conf.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns how many slots the jobs of a queue may have. */
static uint64_t limit_of(const struct queue *queue)
{
	double limit = queue->limit[QUEUE_OF_ALL];

	/* NAN, if it has none, is not at least 0 */
	return limit >= 0 && limit < (double)FATHOM_MAX_SLOTS ? (uint64_t)limit : FATHOM_NO_LIMIT;
}

/* Fills in the queues of a pool. queues: what is known of them; first: the index of the pool's
 * first line. */
static void list_queues(struct pool_division *pool, struct queue_list *queues,
			const struct fathom_conf *conf, size_t first)
{
	size_t count = 0;

	for (size_t i = first; i < conf->slot_share_count; i++) {
		const struct conf_slot_share *share = &conf->slot_share[i];
		const struct queue *known;

		if (share->first != first)
			continue;
		known = queue_list_find(queues, share->partition);
		pool->queue_name[count] = need_made(strdup(share->partition));
		pool->queue[count++] = (struct fathom_pool_queue){
			.in_pool = true, .share = share->share, .demand = pool->slots,
			.limit = limit_of(known),
			.priority = isnan(known->priority) ? 1 : known->priority };
	}
}

/* Makes the division of a pool of `slots` slots. first: the index of its first line. */
static void divide(struct pool_division *pool, struct queue_list *queues,
		   const struct fathom_conf *conf, size_t first, uint64_t slots)
{
	const struct conf_slot_share *share = &conf->slot_share[first];
	const struct fathom_pool rule = {
		.slots = slots, .use_priority = share->use_priority,
		.max_slots = share->max_slots > 0 ? (uint64_t)share->max_slots : FATHOM_NO_LIMIT };
	size_t count = 0;
	uint64_t left;		/* slots that no queue gets; not needed */

	for (size_t i = first; i < conf->slot_share_count; i++)
		count += conf->slot_share[i].first == first;
	need_done(pool_division_create(pool, count));
	pool->name = need_made(strdup(share->pool));
	pool->slots = slots;
	pool->has_priorities = true;
	list_queues(pool, queues, conf, first);
	need_done(fathom_pool_allocate(&rule, pool->queue, count, pool->grant, &left, NULL));
}

struct pool_divisions configured_pools_divide(const struct fathom_conf *conf,
					      struct queue_list *queues, uint64_t slots)
{
	size_t count = conf->slot_share_count;
	struct pool_divisions pools = { .list = need_made(calloc(count + 1, sizeof(*pools.list))) };

	for (size_t i = 0; i < count; i++)
		if (conf->slot_share[i].first == i)
			divide(&pools.list[pools.count++], queues, conf, i, slots);
	return pools;
}

/* Returns the SlotPool lines alone. The others may need files that are not given: a scope's
 * UserShares may name a group that lsb.users describes. */
static struct site_settings slot_pool_lines(const struct site_settings *settings)
{
	const struct site_lines *all = &settings->of[SITE_FATHOM_CONF];
	struct site_settings pools = { 0 };
	struct site_lines *lines = &pools.of[SITE_FATHOM_CONF];

	lines->line = need_zeros(all->count, sizeof(*lines->line));
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->line[i].pair->key, "SlotPool"))
			lines->line[lines->count++] = all->line[i];
	return pools;
}

struct pool_divisions configured_pools_divide_settings(const struct site_settings *settings,
						       struct queue_list *queues, uint64_t slots)
{
	const struct site_settings only = slot_pool_lines(settings);
	struct site_conf conf = site_conf_of(&only);

	return configured_pools_divide(&conf.fathom, queues, slots);
}
