/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of pending jobs in the partitions of slot pools. */
#ifndef SLURM_PLACE_POOLS_H
#define SLURM_PLACE_POOLS_H

#include "placing/pending.h"
#include "partitions/partition_order.h"

/*
 * Exchanges places among the jobs of each pool that can start, so that each slot goes to the
 * partition furthest below what it got; jobs of one partition keep their order. place: by pair,
 * of `count` pairs. -1: out of memory, the places are a valid order.
 */
int place_pools(const struct partition_order *order, const struct pending *pending,
		const struct pending_pair *const *pair, size_t count, size_t *place);

#endif
