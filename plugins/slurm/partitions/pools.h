/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools (LSF's queue-based fair share): several partitions have the same nodes, and each is
 * promised a percentage of their CPUs. In a pass the CPUs are divided anew by what the jobs of each
 * partition hold and want.
 *
 *	100 CPUs	share	jobs hold	jobs want	gets	may still take
 *	day		60 %	50		30 more		60	10
 *	night		40 %	45		20 more		40	0
 *
 * Pending jobs are placed by this division, see placing/place_pools.h.
 */
#ifndef SLURM_POOLS_H
#define SLURM_POOLS_H

#include "base/compat.h"
#include "partitions/divided_pools.h"
#include "settings/settings.h"

/* The partitions on the nodes of pools and what they have used, kept from one pass to the next. */
struct pool_partitions {
	time_t time;		/* of the last pass */
	struct pool_partition *list;	/* sorted by name, then by `outside` */
	size_t count;
};

/* What a partition has used, as it is saved. */
struct saved_pool_use {
	const char *partition;	/* its name */
	uint32_t outside;	/* number of the pool whose nodes it has; 0: it has a share */
	double seconds;		/* slot seconds, as of `time` */
	time_t time;
};

/* Fills *use; the name is valid as long as the list. False: there are no more than `at`. */
bool pool_partitions_use(const struct pool_partitions *partitions, size_t at,
			 struct saved_pool_use *use);
/* Adds what was saved, or replaces that of the same partition; before the first pass. All uses have
 * one time. -1: out of memory. */
int pool_partitions_restore(struct pool_partitions *partitions, const struct saved_pool_use *use);
void pool_partitions_clear(struct pool_partitions *partitions);

/* Brings `partitions` up to `now` and divides all pools. Takes job, node and part read in slices,
 * and QOS read within. NULL: out of memory. */
struct divided_pools *pools_divide(struct pool_partitions *partitions,
				   const struct settings *settings, time_t now);

#endif
