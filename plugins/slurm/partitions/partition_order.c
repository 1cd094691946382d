/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_order.h"

#include "base/log.h"
#include "partitions/partition_scopes.h"
#include "partitions/pools.h"

#include <math.h>
#include <stdlib.h>

struct partition_order {
	struct settings *settings;	/* of the last update; NULL: they named no partition */
	struct ordered_partitions now;
	struct pool_partitions pool_partitions;
	struct divided_pools *pools;	/* of the last update; NULL: there are none */
};

struct partition_order *partition_order_create(void)
{
	return calloc(1, sizeof(struct partition_order));
}

void partition_order_destroy(struct partition_order *order)
{
	if (!order)
		return;
	settings_release(order->settings);
	free(order->now.class);
	partition_scopes_release(order->now.scopes);
	pool_partitions_clear(&order->pool_partitions);
	divided_pools_release(order->pools);
	free(order);
}

/* ---- slurmctld's partitions ------------------------------------------------------------ */

bool partitions_exist(void)
{
	/* Slurm's own tests lack the variable */
	return &part_list && part_list && list_count(part_list);
}

const part_record_t **partition_records(size_t *count)
{
	size_t room = partitions_exist() ? (size_t)list_count(part_list) : 0;
	const part_record_t **records = calloc(room + 1, sizeof(*records));
	compat_iterator iterator;

	*count = 0;
	if (!records || !room)
		return records;
	iterator = list_iterator_create(part_list);
	while (*count < room && (records[*count] = list_next(iterator)))
		++*count;
	list_iterator_destroy(iterator);
	return records;
}

/* ---- DispatchOrder=QUEUE --------------------------------------------------------- */

/* The partitions of one scope, in three arrays of the same length. */
struct scope_partitions {
	size_t *queue;		/* index in settings->queue */
	double *priority;	/* PriorityJobFactor */
	size_t *class_number;	/* see struct partition_class */
	size_t count;
};

static void list_partitions(struct scope_partitions *partitions, const struct settings *settings,
			    size_t scheme)
{
	partitions->count = 0;
	for (size_t i = 0; i < settings->queue_count; i++) {
		const part_record_t *record;

		if (settings->queue[i].scheme != scheme ||
		    !(record = find_part_record((char *)settings->queue[i].name)))
			continue;
		partitions->queue[partitions->count] = i;
		partitions->priority[partitions->count++] = record->priority_job_factor;
	}
}

/* Partitions of equal PriorityJobFactor are one class. */
static void set_classes(struct scope_partitions *partitions, const struct settings *settings,
			struct partition_class *class)
{
	for (size_t scheme = 0; scheme < settings->scheme_count; scheme++) {
		size_t class_count;

		if (!settings->scheme[scheme].scope->queue_first)
			continue;
		list_partitions(partitions, settings, scheme);
		class_count = fathom_queue_classes(partitions->priority, partitions->count,
						   partitions->class_number);
		for (size_t i = 0; i < partitions->count; i++)
			class[partitions->queue[i]] = (struct partition_class){
				.number = partitions->class_number[i], .count = class_count };
	}
}

/* -1: out of memory. */
static int order_scopes(const struct settings *settings, struct partition_class *class)
{
	slurmctld_lock_t locks = { .part = READ_LOCK };
	size_t room = settings->queue_count;
	struct scope_partitions partitions = {
		.queue = calloc(room, sizeof(*partitions.queue)),
		.priority = calloc(room, sizeof(*partitions.priority)),
		.class_number = calloc(room, sizeof(*partitions.class_number)),
	};
	int status = partitions.queue && partitions.priority && partitions.class_number ? 0 : -1;

	if (!status) {
		lock_slurmctld(locks);
		set_classes(&partitions, settings, class);
		unlock_slurmctld(locks);
	}
	free(partitions.queue);
	free(partitions.priority);
	free(partitions.class_number);
	return status;
}

/* ---- all partitions -------------------------------------------------------------- */

/* -1: out of memory. */
static int find_scopes(const struct settings *settings, struct partition_scopes **scopes)
{
	slurmctld_lock_t locks = { .node = READ_LOCK, .part = READ_LOCK };

	if (!settings->has_hosts)
		return 0;
	lock_slurmctld(locks);
	*scopes = partition_scopes_create(settings);
	unlock_slurmctld(locks);
	return *scopes ? 0 : -1;
}

/* *pools: NULL without pools. -1: out of memory. */
static int find_order(struct partition_order *order, const struct settings *settings, time_t now,
		      struct ordered_partitions *found, struct divided_pools **pools)
{
	*pools = NULL;
	if (find_scopes(settings, &found->scopes) ||
	    (settings->queue_count && order_scopes(settings, found->class)))
		return -1;
	if (!settings->pool_count) {
		pool_partitions_clear(&order->pool_partitions);
		return 0;
	}
	*pools = pools_divide(&order->pool_partitions, settings, now);
	return *pools ? 0 : -1;
}

static bool names_partitions(const struct settings *settings)
{
	return settings->queue_count || settings->has_hosts;
}

void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now)
{
	struct ordered_partitions found = { NULL };
	struct divided_pools *pools;

	if (!names_partitions(settings) && !order->settings)
		return;		/* as before, fathom.conf names no partition */
	found.class = calloc(settings->queue_count + 1, sizeof(*found.class));
	if (!found.class || find_order(order, settings, now, &found, &pools)) {
		error(LOG_PREFIX "out of memory; the order of partitions stays as it was");
		free(found.class);
		partition_scopes_release(found.scopes);
		return;
	}
	settings_release(order->settings);
	free(order->now.class);
	partition_scopes_release(order->now.scopes);
	divided_pools_release(order->pools);
	order->pools = pools;
	order->settings = names_partitions(settings) ? settings_reference(settings) : NULL;
	order->now = found;
}

const struct ordered_partitions *partition_order_now(const struct partition_order *order,
						     const struct settings *settings)
{
	return order->settings == settings ? &order->now : NULL;
}

struct divided_pools *partition_order_pools(const struct partition_order *order,
					    const struct settings *settings)
{
	return order->settings == settings ? order->pools : NULL;
}

struct pool_partitions *partition_order_use(struct partition_order *order)
{
	return &order->pool_partitions;
}

double partition_class_factor(const struct partition_class *class, double factor)
{
	if (!class || class->count <= 1 || isnan(factor))
		return factor;
	return fathom_queue_first_factor(factor, class->number, class->count);
}
