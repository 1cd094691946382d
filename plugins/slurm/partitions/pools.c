/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pools.h"

#include <string.h>

/* Sets what a partition has used. Jobs that run at the start have run since the state was saved. */
static void renew_use(struct pool_seat *seat, const struct pool_seats *before, time_t now,
		      double half_life)
{
	const struct pool_seat *same = pool_seats_find(before, seat->name, seat->outside);
	struct pool_use use;

	if (!same)
		return;
	use = same->use;
	if (same->is_restored)
		use.in_use = seat->use.in_use;
	seat->use.seconds = pool_used_until(&use, (double)before->time, (double)now, half_life);
}

static struct fathom_pool_queue queue_of(const struct pool_seat *seat)
{
	return (struct fathom_pool_queue){
		.in_pool = !seat->outside,
		.share = seat->share,
		.demand = seat->use.in_use + seat->wanted,
		.limit = seat->limit,
		.priority = seat->priority,
		.used = seat->use.seconds,
	};
}

/* Makes queues of the seats of a pool, whose partitions have the same nodes. -1: out of memory. */
static int list_queues(struct pool_division *division, const struct pool_seats *seats,
		       size_t number)
{
	size_t count = 0;

	for (size_t i = 0; i < seats->count; i++)
		count += seats->list[i].pool == number;
	if (pool_division_create(division, count))
		return -1;
	count = 0;
	for (size_t i = 0; i < seats->count; i++) {
		const struct pool_seat *seat = &seats->list[i];

		if (seat->pool != number)
			continue;
		division->queue[count] = queue_of(seat);
		division->queue_name[count] = strdup(seat->name);
		if (!division->queue_name[count++])
			return -1;
		if (!seat->outside)
			division->slots = MAX(division->slots, seat->cpus);
	}
	return 0;
}

/* -1: out of memory. */
static int divide(struct pool_division *division, const struct conf_slot_share *conf,
		  const struct pool_seats *seats, size_t number)
{
	struct fathom_pool pool = { .use_priority = conf->use_priority,
				    .max_slots = FATHOM_NO_LIMIT };
	uint64_t left;

	if (list_queues(division, seats, number))
		return -1;
	division->name = strdup(conf->pool);
	division->use_priority = pool.use_priority;
	pool.slots = division->slots;
	if (conf->max_slots > 0)
		pool.max_slots = (uint64_t)conf->max_slots;
	return division->name ? fathom_pool_allocate(&pool, division->queue, division->count,
						     division->grant, &left, NULL) : -1;
}

int pools_divide(struct pool_division *division, const struct settings *settings,
		 struct pool_seats *seats, const struct pool_seats *before)
{
	if (!settings->pool_count)
		return 0;
	pool_seats_count(seats);
	for (size_t i = 0; i < seats->count; i++)
		renew_use(&seats->list[i], before, seats->time, settings->half_life);
	for (size_t i = 0; i < settings->pool_count; i++)
		if (divide(&division[i], settings->pool[i], seats, i + 1))
			return -1;
	return 0;
}
