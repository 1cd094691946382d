/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the queues of slot pools as LSF's bqueues does: those that wait for slots beyond what they
 * got are pending; with -l the share and the pool of each. */
#include "cli/views.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "cli/view/bqueues.h"
#include "json/pool_division.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A queue of a pool. */
struct pool_queue {
	const struct pool_division *pool;
	size_t grant;
};

static const char *name_of(const struct pool_queue *queue)
{
	return pool_division_name(queue->pool, queue->grant);
}

/* A pool of a file, which has no name, has priorities and limits; a pass does not record them, and
 * fathom pools --json has not even the demand. */
static struct bqueues_row row_of(const struct pool_queue *queue)
{
	const struct fathom_pool_grant *grant = &queue->pool->grant[queue->grant];
	const struct fathom_pool_queue *of = grant->queue;
	const double unknown = (double)NAN;
	bool has_demand = of->demand >= grant->got, is_file = has_demand && !queue->pool->name;

	return (struct bqueues_row){
		.name = name_of(queue),
		.priority = is_file ? of->priority : unknown,
		.limit = is_file && of->limit != FATHOM_NO_LIMIT ? (double)of->limit : unknown,
		.jobs = has_demand ? (double)of->demand : unknown,
		.pending = has_demand ? (double)(of->demand - grant->got) : unknown,
		.running = (double)grant->got, .reserved = unknown,
	};
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

/* All queues of the pools. */
struct pool_queues {
	struct pool_queue *queue;
	size_t count;
};

static const char *name_at(const void *context, size_t i)
{
	const struct pool_queues *queues = context;

	return i < queues->count ? name_of(&queues->queue[i]) : NULL;
}

static void check_name(const struct pool_queues *queues, const char *wanted)
{
	struct suggestion near = { .word = wanted, .length = strlen(wanted) };

	if (!names_have((struct name_list){ name_at, queues }, false, &near))
		refuse_unknown(&near, "%s: no pool has such a queue", wanted);
}

static void print_long(const struct pool_queue *queue, bool is_first)
{
	const struct fathom_pool_queue *of = queue->pool->grant[queue->grant].queue;
	const struct bqueues_row row = row_of(queue);

	bqueues_print_parameters(&row, is_first);
	printf("\nUSERS: %s\nHOSTS: %s\n", LSF_UNKNOWN, LSF_UNKNOWN);
	if (!of->in_pool)
		return;
	printf("SLOT_SHARE: %g%%\n", of->share);
	print_labelled("SLOT_POOL: ", queue->pool->name ? queue->pool->name : LSF_UNKNOWN);
}

static void print_wanted(const struct bqueues_options *options, const struct pool_queues *queues)
{
	bool is_first = true;

	if (!options->is_long)
		bqueues_print_heading();
	for (size_t i = 0; i < queues->count; i++) {
		const struct bqueues_row row = row_of(&queues->queue[i]);

		if (!lsf_is_wanted(options->name, row.name))
			continue;
		if (options->is_long)
			print_long(&queues->queue[i], is_first);
		else
			bqueues_print_row(&row, options->is_wide);
		is_first = false;
	}
}

static void print(const void *given, const struct pool_division *pool, size_t count)
{
	const struct bqueues_options *options = given;
	struct pool_queues queues = { .count = 0 };
	size_t room = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < pool[i].count; j++) {
			queues.queue = need_room(queues.queue, &room, queues.count + 1,
						 sizeof(*queues.queue));
			queues.queue[queues.count++] = (struct pool_queue){ &pool[i], j };
		}
	if (queues.count)
		qsort(queues.queue, queues.count, sizeof(*queues.queue), compare);
	for (size_t i = 0; i < LSF_MOST_NAMES && options->name[i]; i++)
		check_name(&queues, options->name[i]);
	print_wanted(options, &queues);
}

const struct view view_bqueues_of_pools = {
	.tool = "bqueues",
	.options = &bqueues_pools_table,
	.size = sizeof(struct bqueues_options),
	.print_pools = print,
};
