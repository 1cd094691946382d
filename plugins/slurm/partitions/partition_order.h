/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which partitions go before which, as of the last pass: in a scope with DispatchOrder=QUEUE those
 * with a higher PriorityJobFactor, which go before the fair share of users; and how slot pools are
 * divided.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "settings/settings.h"

struct divided_pools;
struct partition_order;

/* Partitions of a higher class go first. With a count of 0 or 1 there is no order. */
struct partition_class {
	size_t number, count;	/* from 0; of all classes */
};

/* Used by the decay thread alone; others read the copy that an evaluation has. NULL: out of
 * memory. */
struct partition_order *partition_order_create(void);
void partition_order_destroy(struct partition_order *order);
/* Finds the order as it is now. Takes part read, and job read in slices if there are pools; the
 * caller holds no lock of slurmctld's. */
void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now);
/* Returns the class of each of settings->queue, valid until the next update. NULL: the order was
 * found by other settings, or these name no partition. */
const struct partition_class *partition_order_classes(const struct partition_order *order,
						      const struct settings *settings);
/* Returns the slot pools as they were divided, valid until the next update; take a reference to
 * keep them. NULL: the order was found by other settings, or these have no pools. */
struct divided_pools *partition_order_pools(const struct partition_order *order,
					    const struct settings *settings);
/* Puts an association's factor into the range of the partition's class; without a class, or with
 * NULL, the factor stays as it is. */
double partition_class_factor(const struct partition_class *class, double factor);

#endif
