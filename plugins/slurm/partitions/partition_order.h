/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How partitions stand against each other, as of the last pass: in a scope with
 * DispatchOrder=QUEUE by their PriorityJobFactor, in a slot pool by the CPUs
 * that they still deserve. It goes before what users' fair share says.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "partitions/pools.h"
#include "settings/settings.h"

/* Partitions of a higher class go first. With a count of 0 or 1 there is no order. */
struct partition_class {
	size_t number, count;	/* from 0; of all classes */
};

struct partition_order {
	pthread_mutex_t lock;		/* of what follows; innermost */
	struct settings *settings;	/* that it is of */
	struct partition_class *class;	/* one for each of settings->queue */
	struct slot_uses uses;		/* of pools; of who updates alone */
};

void partition_order_create(struct partition_order *order);
void partition_order_destroy(struct partition_order *order);
/* Takes part read, and job read in slices if there are pools; the caller holds
 * no lock of slurmctld's. */
void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now);
/* The factor that counts in a partition, of an association's: as it is where the
 * partition has no class. Takes no lock but its own. */
double partition_order_factor(struct partition_order *order, const struct settings *settings,
			      const struct queue *queue, double factor);

#endif
