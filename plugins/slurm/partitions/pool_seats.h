/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the jobs of partitions hold and want of the nodes of slot pools. */
#ifndef SLURM_POOL_SEATS_H
#define SLURM_POOL_SEATS_H

#include "base/compat.h"
#include "settings/settings.h"

/* A partition and a pool on whose nodes its jobs may run. A partition outside all pools has a
 * seat for each pool with which it shares nodes. */
struct pool_seat {
	char *name;		/* of the partition */
	const struct queue *queue;	/* its share of the pool; NULL: it has none */
	size_t pool;		/* number of the pool, from 1 */
	size_t order;		/* of the partition in slurm.conf */
	double priority;	/* PriorityJobFactor */
	uint64_t cpus;		/* of its nodes in the pool */
	bitstr_t *shared;	/* these nodes; NULL: all its nodes */
	uint64_t limit;		/* CPUs that its jobs may hold, or FATHOM_NO_LIMIT */
	uint64_t in_use;	/* CPUs that its running jobs hold in the pool */
	uint64_t wanted;	/* CPUs that its pending jobs request */
	uint64_t most_jobs;	/* that may run, or FATHOM_NO_LIMIT */
	uint64_t running, pending;	/* jobs */
};

struct pool_seats {
	struct pool_seat *list;	/* sorted by name, then by pool */
	size_t count;
};

/* Lists the seats of all pools and counts their jobs. Takes job, node and part read in slices, and
 * QOS read within the first. -1: out of memory; clear the seats anyway. */
int pool_seats_count(struct pool_seats *seats, const struct settings *settings);
void pool_seats_clear(struct pool_seats *seats);

#endif
