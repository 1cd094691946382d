/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which partitions go before which, as of the last pass: in a scope with DispatchOrder=QUEUE those
 * with a higher PriorityJobFactor, in a slot pool those that may still take more CPUs. This order
 * goes before the fair share of users.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "settings/settings.h"

struct partition_order;

/* NULL: out of memory. */
struct partition_order *partition_order_create(void);
void partition_order_destroy(struct partition_order *order);
/* Finds the order as it is now. Takes part read, and job read in slices if there are pools; the
 * caller holds no lock of slurmctld's. */
void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now);
/* Puts an association's factor into the range of the partition's class; a partition without a
 * class leaves the factor as it is. Takes no lock but its own. */
double partition_order_factor(struct partition_order *order, const struct settings *settings,
			      const struct queue *queue, double factor);

#endif
