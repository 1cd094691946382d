/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The turns that slot pools give to the queues of pending jobs. */
#ifndef SLURM_PLACE_POOLS_H
#define SLURM_PLACE_POOLS_H

#include "placing/pending.h"
#include "partitions/partition_order.h"

/* Sets the turns of queues, by what their partitions got and what their jobs hold; turns: by queue,
 * all members 0. Jobs that require nodes of a scope take no part. */
void place_pools(const struct partition_order *order, const struct pending *pending,
		 struct fathom_pool_turns *turns);

#endif
