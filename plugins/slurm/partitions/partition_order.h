/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How partitions stand against each other, as of the last pass: in a scope with
 * DispatchOrder=QUEUE by their PriorityJobFactor, in a slot pool by the CPUs
 * that they still deserve. It goes before what users' fair share says.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "settings/settings.h"

struct partition_order;

/* NULL: out of memory. */
struct partition_order *partition_order_create(void);
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
