/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pools.h"

#include "partitions/pool_seats.h"
#include "policy/pool_service.h"

#include <stdlib.h>
#include <string.h>

/* A partition of a pool, or another partition with nodes of a pool. The latter is there once for
 * each of these pools. */
struct pool_partition {
	char *name;
	size_t outside;		/* number of the pool whose nodes it has; 0: it has a share */
	struct pool_use use;	/* CPUs, as of pool_partitions.time */
	bool is_restored;	/* use.in_use is not known */
};

void pool_partitions_clear(struct pool_partitions *partitions)
{
	for (size_t i = 0; i < partitions->count; i++)
		free(partitions->list[i].name);
	free(partitions->list);
	*partitions = (struct pool_partitions){ 0 };
}

/* ---- what partitions have used --------------------------------------------------- */

static int compare_partitions(const void *x, const void *y)
{
	const struct pool_partition *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->outside > b->outside) - (a->outside < b->outside);
}

/* NULL: the last pass did not know the partition. */
static struct pool_partition *find_before(const struct pool_partitions *partitions,
					  const struct pool_partition *wanted)
{
	if (!partitions->count)
		return NULL;
	return bsearch(wanted, partitions->list, partitions->count, sizeof(*wanted),
		       compare_partitions);
}

/* Jobs that run at the start have run since the state was saved. */
static double used_until(const struct pool_partition *before, double begin, double end,
			 double half_life, uint64_t in_use)
{
	struct pool_use use = before->use;

	if (before->is_restored)
		use.in_use = in_use;
	return pool_used_until(&use, begin, end, half_life);
}

/* Replaces the partitions of the last pass by those of `seats`, in the same order. -1: out of
 * memory, they stay as they were. */
static int renew_partitions(struct pool_partitions *partitions, const struct pool_seats *seats,
			    double half_life, time_t now)
{
	struct pool_partitions fresh = { .time = MAX(now, partitions->time),
					 .list = calloc(seats->count + 1, sizeof(*fresh.list)) };

	if (!fresh.list)
		return -1;
	for (size_t i = 0; i < seats->count; i++) {
		const struct pool_seat *seat = &seats->list[i];
		struct pool_partition *partition = &fresh.list[i];
		const struct pool_partition *before;

		partition->name = strdup(seat->name);
		if (!partition->name) {
			pool_partitions_clear(&fresh);
			return -1;
		}
		fresh.count++;
		partition->outside = seat->queue ? 0 : seat->pool;
		partition->use.in_use = seat->in_use;
		before = find_before(partitions, partition);
		if (before)
			partition->use.seconds = used_until(before, (double)partitions->time,
							    (double)fresh.time, half_life,
							    seat->in_use);
	}
	pool_partitions_clear(partitions);
	*partitions = fresh;
	return 0;
}

/* ---- saving -------------------------------------------------------------------------- */

bool pool_partitions_use(const struct pool_partitions *partitions, size_t at,
			 struct saved_pool_use *use)
{
	const struct pool_partition *partition = partitions->list + at;

	if (at >= partitions->count)
		return false;
	*use = (struct saved_pool_use){ partition->name, (uint32_t)partition->outside,
					partition->use.seconds, partitions->time };
	return true;
}

/* -1: out of memory. */
static int add_restored(struct pool_partitions *partitions, struct pool_partition partition)
{
	size_t size = (partitions->count + 1) * sizeof(*partitions->list);
	struct pool_partition *list = realloc(partitions->list, size);

	if (list)
		partitions->list = list;
	partition.name = list ? strdup(partition.name) : NULL;
	if (!partition.name)
		return -1;
	list[partitions->count++] = partition;
	qsort(list, partitions->count, sizeof(*list), compare_partitions);
	return 0;
}

int pool_partitions_restore(struct pool_partitions *partitions, const struct saved_pool_use *use)
{
	const struct pool_partition restored = {
		.name = (char *)use->partition, .outside = use->outside,
		.use.seconds = use->seconds, .is_restored = true,
	};
	struct pool_partition *same = find_before(partitions, &restored);

	partitions->time = use->time;
	if (!same)
		return add_restored(partitions, restored);
	same->use = restored.use;
	return 0;
}

/* ---- divide a pool --------------------------------------------------------------- */

/* The partitions on the nodes of one pool. */
struct pool_members {
	const struct pool_seat **seat;
	struct fathom_pool_queue *queue;	/* one for each seat */
	struct fathom_pool_grant *grant;	/* the same, in the order of service */
	size_t count;
};

/* Sorts by line of slurm.conf, which has partitions with a share and without. */
static int compare_order(const void *x, const void *y)
{
	const struct pool_seat *a = *(const struct pool_seat *const *)x;
	const struct pool_seat *b = *(const struct pool_seat *const *)y;

	return (a->order > b->order) - (a->order < b->order);
}

/* partitions: one for each of `seats`. */
static void list_members(struct pool_members *members, const struct pool_seats *seats,
			 const struct pool_partitions *partitions, size_t pool)
{
	members->count = 0;
	for (size_t i = 0; i < seats->count; i++)
		if (seats->list[i].pool == pool)
			members->seat[members->count++] = &seats->list[i];
	qsort(members->seat, members->count, sizeof(*members->seat), compare_order);
	for (size_t i = 0; i < members->count; i++) {
		const struct pool_seat *seat = members->seat[i];

		members->queue[i] = (struct fathom_pool_queue){
			.in_pool = seat->queue,
			.share = seat->queue ? seat->queue->share->share : 0,
			.demand = seat->in_use + seat->wanted,
			.limit = seat->limit,
			.priority = seat->priority,
			.used = partitions->list[seat - seats->list].use.seconds,
		};
	}
}

/* Returns the number of CPUs in the pool. Its partitions have the same nodes. */
static uint64_t count_slots(const struct pool_members *members)
{
	uint64_t slots = 0;

	for (size_t i = 0; i < members->count; i++)
		if (members->seat[i]->queue)
			slots = MAX(slots, members->seat[i]->cpus);
	return slots;
}

/* -1: out of memory. */
static int copy_division(const struct pool_members *members, const struct conf_slot_share *pool,
			 uint64_t slots, struct pool_division *division)
{
	if (pool_division_create(division, members->count))
		return -1;
	division->slots = slots;
	division->use_priority = pool->use_priority;
	division->name = strdup(pool->pool);
	for (size_t i = 0; i < members->count; i++) {
		division->queue[i] = members->queue[i];
		division->queue_name[i] = strdup(members->seat[i]->name);
		division->grant[i] = members->grant[i];
		division->grant[i].queue =
			division->queue + (members->grant[i].queue - members->queue);
		if (!division->queue_name[i])
			return -1;
	}
	return division->name ? 0 : -1;
}

static int divide_all(struct pool_members *members, const struct pool_seats *seats,
		      const struct pool_partitions *partitions, const struct settings *settings,
		      struct divided_pools *pools)
{
	for (size_t i = 0; i < settings->pool_count; i++) {
		const struct conf_slot_share *first = settings->pool[i];
		struct fathom_pool pool = { .use_priority = first->use_priority,
					    .max_slots = FATHOM_NO_LIMIT };
		uint64_t left;

		if (first->max_slots > 0)
			pool.max_slots = (uint64_t)first->max_slots;

		list_members(members, seats, partitions, i + 1);
		pool.slots = count_slots(members);
		if (fathom_pool_allocate(&pool, members->queue, members->count, members->grant,
					 &left, NULL) ||
		    copy_division(members, first, pool.slots, &pools->list[i]))
			return -1;
	}
	return 0;
}

/* ---- divide all pools ------------------------------------------------------------ */

/* -1: out of memory. */
static int divide_counted(const struct pool_seats *seats,
			  const struct pool_partitions *partitions,
			  const struct settings *settings, struct divided_pools *pools)
{
	size_t room = seats->count + 1;
	struct pool_members members = {
		.seat = calloc(room, sizeof(*members.seat)),
		.queue = calloc(room, sizeof(*members.queue)),
		.grant = calloc(room, sizeof(*members.grant)),
	};
	int status = -1;

	if (members.seat && members.queue && members.grant)
		status = divide_all(&members, seats, partitions, settings, pools);
	free(members.seat);
	free(members.queue);
	free(members.grant);
	return status;
}

struct divided_pools *pools_divide(struct pool_partitions *partitions,
				   const struct settings *settings, time_t now)
{
	struct divided_pools *pools = divided_pools_create(settings->pool_count);
	struct pool_seats seats;

	if (!pools)
		return NULL;
	if (pool_seats_count(&seats, settings) ||
	    renew_partitions(partitions, &seats, settings->half_life, now) ||
	    divide_counted(&seats, partitions, settings, pools)) {
		divided_pools_release(pools);
		pools = NULL;
	}
	pool_seats_clear(&seats);
	return pools;
}
