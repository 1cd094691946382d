/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the queues of slot pools as LSF's bqueues does: those that wait for slots beyond what they
 * got are pending; with -l the share and the pool of each. */
#include "cli/views.h"

#include "cli/view/bqueues.h"
#include "json/pool_division.h"

#include <stdlib.h>

/* A queue of a pool. */
struct pool_queue {
	const struct pool_division *pool;
	size_t grant;
};

/* What fathom pools --json prints has no demand. */
static struct queue queue_of(const struct pool_queue *of)
{
	const struct fathom_pool_grant *grant = &of->pool->grant[of->grant];
	const struct fathom_pool_queue *pooled = grant->queue;
	bool has_demand = pooled->demand >= grant->got;
	struct queue queue = queue_unknown(pool_division_name(of->pool, of->grant));

	if (of->pool->has_priorities)
		queue.priority = pooled->priority;
	if (of->pool->has_priorities && pooled->limit != FATHOM_NO_LIMIT)
		queue.limit[QUEUE_OF_ALL] = (double)pooled->limit;
	if (has_demand)
		queue.pending = (double)(pooled->demand - grant->got);
	queue.running = (double)grant->got;
	if (pooled->in_pool)
		queue.share = pooled->share;
	queue.pool = of->pool->name;
	return queue;
}

/* Sorts by priority, the highest first; equal ones in the order of service. */
static int compare(const void *a, const void *b)
{
	const struct pool_queue *one = a, *other = b;
	double value = one->pool->grant[one->grant].queue->priority;
	double against = other->pool->grant[other->grant].queue->priority;

	if (one->pool == other->pool && value != against)
		return value > against ? -1 : 1;
	if (one->pool != other->pool)
		return one->pool > other->pool ? 1 : -1;
	return (one->grant > other->grant) - (one->grant < other->grant);
}

static struct queue_list list_queues(const struct pool_division *pool, size_t count)
{
	struct pool_queue *of = NULL;
	struct queue_list list = { NULL, 0, 0 };
	size_t queues = 0, room = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < pool[i].count; j++) {
			of = need_room(of, &room, queues + 1, sizeof(*of));
			of[queues++] = (struct pool_queue){ &pool[i], j };
		}
	if (queues)
		qsort(of, queues, sizeof(*of), compare);
	list.queue = need_zeros(queues, sizeof(*list.queue));
	for (; list.count < queues; list.count++)
		list.queue[list.count] = queue_of(&of[list.count]);
	return list;
}

static void print(const void *given, const struct pool_division *pool, size_t count)
{
	const struct bqueues_options *options = given;
	const struct queue_list all = list_queues(pool, count);
	const struct queue_list list = bqueues_wanted(options, &all, "no pool has such a queue");

	if (!options->is_long)
		bqueues_print_list(options, &list);
	for (size_t i = 0; options->is_long && i < list.count; i++) {
		bqueues_print_parameters(&list.queue[i], !i);
		bqueues_print_users(&list.queue[i]);
	}
}

const struct view view_bqueues_of_pools = {
	.tool = "bqueues",
	.options = &bqueues_pools_table,
	.size = sizeof(struct bqueues_options),
	.print_pools = print,
};
