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
 * Pending jobs are placed by this division, see fairshare/place_pools.h.
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

void pool_partitions_clear(struct pool_partitions *partitions);

/* Brings `partitions` up to `now` and divides all pools. Takes job, node and part read in slices,
 * and QOS read within. NULL: out of memory. */
struct divided_pools *pools_divide(struct pool_partitions *partitions,
				   const struct settings *settings, time_t now);

#endif
