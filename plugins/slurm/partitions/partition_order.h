/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order among partitions, as of the last pass:
 *   - in a scope with DispatchOrder=QUEUE, a partition with a higher PriorityJobFactor goes first;
 *   - in a slot pool, a partition that may still take more CPUs goes first.
 * All jobs of one partition go before those of the next, so this order comes before the fair share
 * of users: with two classes a factor of 0.8 becomes about 0.4 in the lower and 0.9 in the higher.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "settings/settings.h"

struct partition_order;

/* For the decay thread alone; other threads read the copy that is part of an evaluation. NULL: out
 * of memory. */
struct partition_order *partition_order_create(void);
void partition_order_destroy(struct partition_order *order);
/* Finds the order as of now. Takes part read, and, if there are pools, job read in slices; the
 * caller holds no lock of slurmctld's. */
void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now);
/* Returns the class of each of settings->queue, valid until the next update. NULL: the last update
 * had other settings, or these name no partition. */
const struct partition_class *partition_order_classes(const struct partition_order *order,
						      const struct settings *settings);
/* Maps a user's factor, 0 to 1, into the part of 0 to 1 that belongs to the partition's class.
 * Without an order, or with class NULL, the factor stays as it is. */
double partition_class_factor(const struct partition_class *class, double factor);

#endif
