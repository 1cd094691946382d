/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_order.h"

#include "base/log.h"
#include "partitions/pools.h"

#include <math.h>
#include <stdlib.h>

struct partition_order {
	struct settings *settings;	/* those that it was found by */
	struct partition_class *class;	/* one for each of settings->queue */
	struct slot_uses uses;		/* of pools */
	struct divided_pools *pools;	/* NULL: none */
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
	free(order->class);
	slot_uses_clear(&order->uses);
	divided_pools_release(order->pools);
	free(order);
}

/* ---- DispatchOrder=QUEUE ----------------------------------------------------------- */

/* Partitions of one scope. */
struct scope_partitions {
	size_t *at;		/* in settings->queue */
	double *priority;
	size_t *class_of;
	size_t count;
};

static void list_members(struct scope_partitions *members, const struct settings *settings,
			 size_t scheme)
{
	members->count = 0;
	for (size_t i = 0; i < settings->queue_count; i++) {
		const part_record_t *record;

		if (settings->queue[i].scheme != scheme ||
		    !(record = find_part_record(settings->queue[i].name)))
			continue;
		members->at[members->count] = i;
		members->priority[members->count++] = record->priority_job_factor;
	}
}

static void order_members(struct scope_partitions *members, const struct settings *settings,
			  struct partition_class *class)
{
	for (size_t scheme = 0; scheme < settings->scheme_count; scheme++) {
		size_t classes;

		if (!settings->scheme[scheme].queue_first)
			continue;
		list_members(members, settings, scheme);
		classes = fathom_queue_classes(members->priority, members->count,
					       members->class_of);
		for (size_t i = 0; i < members->count; i++)
			class[members->at[i]] =
				(struct partition_class){ members->class_of[i], classes };
	}
}

static int order_queues(const struct settings *settings, struct partition_class *class)
{
	slurmctld_lock_t locks = { .part = READ_LOCK };
	struct scope_partitions members = {
		.at = calloc(settings->queue_count, sizeof(*members.at)),
		.priority = calloc(settings->queue_count, sizeof(*members.priority)),
		.class_of = calloc(settings->queue_count, sizeof(*members.class_of)),
	};
	int status = members.at && members.priority && members.class_of ? 0 : -1;

	if (!status) {
		lock_slurmctld(locks);
		order_members(&members, settings, class);
		unlock_slurmctld(locks);
	}
	free(members.at);
	free(members.priority);
	free(members.class_of);
	return status;
}

/* ---- use --------------------------------------------------------------------------- */

static int find_classes(struct slot_uses *uses, const struct settings *settings, time_t now,
			struct partition_class *class, struct divided_pools **pools)
{
	*pools = NULL;
	if (settings->queue_count && order_queues(settings, class))
		return -1;
	if (!settings->pool_count) {
		slot_uses_clear(uses);
		return 0;
	}
	*pools = pools_divide(uses, settings, now);
	return *pools ? 0 : -1;
}

void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now)
{
	struct partition_class *class;
	struct divided_pools *pools;

	if (!settings->queue_count && !order->settings)
		return;
	class = calloc(settings->queue_count + 1, sizeof(*class));
	if (!class || find_classes(&order->uses, settings, now, class, &pools)) {
		error(LOG_PREFIX "out of memory; the order of partitions stays as it was");
		free(class);
		return;
	}
	settings_release(order->settings);
	free(order->class);
	divided_pools_release(order->pools);
	order->pools = pools;
	order->settings = settings->queue_count ? settings_reference(settings) : NULL;
	order->class = class;
}

const struct partition_class *partition_order_classes(const struct partition_order *order,
						      const struct settings *settings)
{
	return order->settings == settings ? order->class : NULL;
}

struct divided_pools *partition_order_pools(const struct partition_order *order,
					    const struct settings *settings)
{
	return order->settings == settings ? order->pools : NULL;
}

double partition_class_factor(const struct partition_class *class, double factor)
{
	if (!class || class->count <= 1 || isnan(factor))
		return factor;
	return fathom_queue_first_factor(factor, class->number, class->count);
}
