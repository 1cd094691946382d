/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools (LSF's queue-based fair share): several partitions have the same nodes, and each is
 * promised a percentage of their CPUs. In a pass the CPUs are divided anew; a partition that may
 * still take more of them goes before one that may take fewer.
 *
 *	100 CPUs	share	jobs hold	jobs want	gets	may still take
 *	day		60 %	50		30 more		60	10, goes first
 *	night		40 %	45		20 more		40	0
 */
#ifndef SLURM_POOLS_H
#define SLURM_POOLS_H

#include "base/compat.h"
#include "settings/settings.h"

/* Where a partition stands among others: partitions of a higher class go first. */
struct partition_class {
	size_t number;		/* from 0 */
	size_t count;		/* of all classes; 0 or 1: there is no order */
};

/* The partitions on the nodes of pools and what they have used, kept from one pass to the next. */
struct pool_partitions {
	time_t time;		/* of the last pass */
	struct pool_partition *list;	/* sorted by name */
	size_t count;
};

void pool_partitions_clear(struct pool_partitions *partitions);

/* Brings `partitions` up to `now`, divides the pools, and sets the class of each partition that has
 * a share. class: one for each of settings->queue. Takes job and part read in slices. -1: out of
 * memory. */
int pools_divide(struct pool_partitions *partitions, const struct settings *settings, time_t now,
		 struct partition_class *class);

/* Returns, for each pool, the partition that its first line in fathom.conf names. The caller frees
 * the array, and holds part read. NULL: out of memory. */
const part_record_t **pools_first_partitions(const struct settings *settings);

#endif
