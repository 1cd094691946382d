/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools: how many CPUs the jobs of each partition hold, want and get.
 */
#ifndef SLURM_POOLS_H
#define SLURM_POOLS_H

#include "base/compat.h"
#include "partitions/divided_pools.h"
#include "settings/settings.h"

/* What a partition has used of the nodes of a pool, decayed; kept from one pass to the next. */
struct slot_use {
	char *name;
	size_t outside;		/* the pool, if the partition is in none; else 0 */
	double used;		/* CPU seconds */
	uint64_t in_use;	/* CPUs that its jobs have held since then */
};

struct slot_uses {
	time_t time;
	struct slot_use *list;	/* by name */
	size_t count;
};

void slot_uses_clear(struct slot_uses *uses);

/* Divides all pools, and brings `uses` up to `now`. Takes job, node and part read in slices. NULL:
 * out of memory. */
struct divided_pools *pools_divide(struct slot_uses *uses, const struct settings *settings,
				   time_t now);

#endif
