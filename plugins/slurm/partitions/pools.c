/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pools.h"

#include "partitions/pool_places.h"

#include <stdlib.h>
#include <string.h>

void slot_uses_clear(struct slot_uses *uses)
{
	for (size_t i = 0; i < uses->count; i++)
		free(uses->list[i].name);
	free(uses->list);
	*uses = (struct slot_uses){ 0 };
}

/* ---- what was used ---------------------------------------------------------------------- */

static int compare_uses(const void *x, const void *y)
{
	const struct slot_use *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->outside > b->outside) - (a->outside < b->outside);
}

/* What the partition has used by `now`: `use`, decayed, and the CPUs held since. */
static double used_by(const struct slot_uses *uses, const struct slot_use *use, double half_life,
		      time_t now)
{
	double begin = (double)uses->time, end = (double)MAX(now, uses->time);

	return use->used * fathom_decay(end - begin, half_life) +
	       (double)use->in_use * fathom_decayed_seconds(begin, end, end, half_life);
}

/* Replaces `uses` by the partitions in `places`, in the same order. */
static int renew_uses(struct slot_uses *uses, const struct pool_places *places, double half_life,
		      time_t now)
{
	struct slot_uses fresh = { .time = MAX(now, uses->time),
				   .list = calloc(places->count + 1, sizeof(*fresh.list)) };

	if (!fresh.list)
		return -1;
	for (size_t i = 0; i < places->count; i++) {
		struct slot_use *use = &fresh.list[fresh.count];
		const struct slot_use *before;

		use->name = strdup(places->list[i].name);
		if (!use->name) {
			slot_uses_clear(&fresh);
			return -1;
		}
		use->outside = places->list[i].queue ? 0 : places->list[i].pool;
		use->in_use = places->list[i].in_use;
		before = uses->count ? bsearch(use, uses->list, uses->count, sizeof(*use),
					       compare_uses) : NULL;
		if (before)
			use->used = used_by(uses, before, half_life, now);
		fresh.count++;
	}
	slot_uses_clear(uses);
	*uses = fresh;
	return 0;
}

/* ---- one pool ----------------------------------------------------------------------------- */

/* The partitions of a pool, and those outside it on its nodes. */
struct pool_members {
	struct fathom_pool_queue *queue;
	struct fathom_pool_grant *grant;
	const struct pool_place **place;
	size_t count;
};

/* In the order of slurm.conf, which has partitions in pools and outside. */
static int compare_order(const void *x, const void *y)
{
	const struct pool_place *a = *(const struct pool_place *const *)x;
	const struct pool_place *b = *(const struct pool_place *const *)y;

	return (a->order > b->order) - (a->order < b->order);
}

static void list_members(struct pool_members *members, const struct pool_places *places,
			 const struct slot_uses *uses, size_t pool)
{
	members->count = 0;
	for (size_t i = 0; i < places->count; i++)
		if (places->list[i].pool == pool)
			members->place[members->count++] = &places->list[i];
	qsort(members->place, members->count, sizeof(*members->place), compare_order);
	for (size_t i = 0; i < members->count; i++) {
		const struct pool_place *place = members->place[i];

		members->queue[i] = (struct fathom_pool_queue){
			.in_pool = place->queue,
			.share = place->queue ? place->queue->share : 0,
			.demand = place->in_use + place->wanted,
			.limit = place->limit,
			.priority = place->priority,
			.used = uses->list[place - places->list].used,
		};
	}
}

static uint64_t slots_of(const struct pool_members *members)
{
	uint64_t slots = 0;

	for (size_t i = 0; i < members->count; i++)
		if (members->place[i]->queue)
			slots = MAX(slots, members->place[i]->cpus);
	return slots;
}

static int copy_division(const struct pool_members *members, const struct pool *pool,
			 uint64_t slots, struct pool_division *division)
{
	size_t size = members->count * sizeof(*division->queue);

	if (pool_division_create(division, members->count))
		return -1;
	division->slots = slots;
	division->name = strdup(pool->name);
	memcpy(division->queue, members->queue, size);
	for (size_t i = 0; i < members->count; i++) {
		division->queue_name[i] = strdup(members->place[i]->name);
		division->grant[i] = members->grant[i];
		division->grant[i].queue =
			division->queue + (members->grant[i].queue - members->queue);
		if (!division->queue_name[i])
			return -1;
	}
	return division->name ? 0 : -1;
}

static int divide_all(const struct settings *settings, struct pool_members *members,
		      const struct pool_places *places, const struct slot_uses *uses,
		      struct divided_pools *pools)
{
	for (size_t pool = 1; pool <= settings->pool_count; pool++) {
		const struct pool *of = &settings->pool[pool - 1];
		struct fathom_pool sizes = { .use_priority = of->use_priority,
					     .max_slots = of->max_slots };
		uint64_t left;

		list_members(members, places, uses, pool);
		sizes.slots = slots_of(members);
		if (fathom_pool_allocate(&sizes, members->queue, members->count, members->grant,
					 &left, NULL) ||
		    copy_division(members, of, sizes.slots, &pools->list[pool - 1]))
			return -1;
	}
	return 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* -1: out of memory. */
static int divide_counted(const struct settings *settings, const struct pool_places *places,
			  const struct slot_uses *uses, struct divided_pools *pools)
{
	struct pool_members members = {
		.queue = calloc(places->count + 1, sizeof(*members.queue)),
		.grant = calloc(places->count + 1, sizeof(*members.grant)),
		.place = calloc(places->count + 1, sizeof(*members.place)),
	};
	int status = -1;

	if (members.queue && members.grant && members.place)
		status = divide_all(settings, &members, places, uses, pools);
	free(members.queue);
	free(members.grant);
	free(members.place);
	return status;
}

struct divided_pools *pools_divide(struct slot_uses *uses, const struct settings *settings,
				   time_t now)
{
	struct divided_pools *pools = divided_pools_create(settings->pool_count);
	struct pool_places places;

	if (!pools)
		return NULL;
	if (pool_places_count(&places, settings) ||
	    renew_uses(uses, &places, settings->half_life, now) ||
	    divide_counted(settings, &places, uses, pools)) {
		divided_pools_release(pools);
		pools = NULL;
	}
	pool_places_clear(&places);
	return pools;
}
