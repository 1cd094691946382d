/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of pending jobs in the partitions of slot pools. */
#ifndef SLURM_PLACE_POOLS_H
#define SLURM_PLACE_POOLS_H

#include "placing/pending.h"
#include "partitions/partition_order.h"

/* A pending pair in queue order. */
struct queued_pair {
	uint64_t key;		/* that pairs are sorted by; the least goes first */
	uint32_t row;		/* in pending->pair */
	uint32_t node;		/* of its association */
};

/*
 * Exchanges places among the jobs of each pool that can start, so that each slot goes to the
 * partition furthest below what it got; jobs of one partition keep their order. place: by queued
 * pair, of which there are `count`. -1: out of memory, the places are a valid order.
 */
int place_pools(const struct partition_order *order, const struct pending *pending,
		const struct queued_pair *queued, size_t count, size_t *place);

#endif
