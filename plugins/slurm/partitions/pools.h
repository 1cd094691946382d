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

#include "partitions/pool_seats.h"

#include "json/pool_division.h"

/* Counts the jobs of `seats`, brings what they have used up to their time, and divides all pools.
 * before: the seats of the last pass. division: by pool, to be cleared. Takes job, node and part
 * read in slices. -1: out of memory. */
int pools_divide(struct pool_division *division, const struct settings *settings,
		 struct pool_seats *seats, const struct pool_seats *before);

#endif
