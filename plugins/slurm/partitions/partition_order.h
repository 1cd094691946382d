/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order among partitions, as of the last pass:
 *   - in a scope with DispatchOrder=QUEUE, a partition with a higher PriorityJobFactor goes first.
 *     All its jobs go before those of the next partition, so this order comes before the fair share
 *     of users: with two classes a factor of 0.8 becomes about 0.4 in the lower and 0.9 in the
 *     higher;
 *   - slot pools are divided among their partitions, see partitions/pools.h.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "settings/settings.h"

struct divided_pools;
struct pool_partitions;
struct partition_order;
struct partition_scopes;

/* Where a partition stands among others: partitions of a higher class go first. */
struct partition_class {
	size_t number;		/* from 0 */
	size_t count;		/* of all classes; 0 or 1: there is no order */
};

/* Partitions as of the last update. */
struct ordered_partitions {
	struct partition_class *class;	/* one for each of settings->queue */
	struct partition_scopes *scopes;	/* NULL: no scope has hosts */
};

/* For the decay thread alone; other threads read the copy that is part of an evaluation. NULL: out
 * of memory. */
struct partition_order *partition_order_create(void);
void partition_order_destroy(struct partition_order *order);
/* Finds the order as of now. Takes part read, with node read if scopes have hosts, and, if there
 * are pools, job, node and part read in slices, with QOS read within; the caller holds no lock of
 * slurmctld's or assoc_mgr's. */
void partition_order_update(struct partition_order *order, const struct settings *settings,
			    time_t now);
/* Returns the partitions, valid until the next update. NULL: the last update had other settings, or
 * these name no partition and no host. */
const struct ordered_partitions *partition_order_now(const struct partition_order *order,
						     const struct settings *settings);
/* Returns the slot pools as the last update divided them, valid until the next update; take a
 * reference to keep them. NULL: the last update had other settings, or these have no pools. */
struct divided_pools *partition_order_pools(const struct partition_order *order,
					    const struct settings *settings);
/* Returns what the partitions of slot pools have used, for partitions/pools.h. */
struct pool_partitions *partition_order_use(struct partition_order *order);
/* Has slurmctld read its partitions yet? The caller holds part read. */
bool partitions_exist(void);
/* Lists slurmctld's partitions; the caller holds part read, and frees the array. NULL: out of
 * memory. */
const part_record_t **partition_records(size_t *count);

/* Maps a user's factor, 0 to 1, into the part of 0 to 1 that belongs to the partition's class.
 * Without an order, or with class NULL, the factor stays as it is. */
double partition_class_factor(const struct partition_class *class, double factor);

#endif
