/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the jobs of partitions hold and want of the nodes of slot pools. */
#ifndef SLURM_POOL_PLACES_H
#define SLURM_POOL_PLACES_H

#include "base/compat.h"
#include "settings/settings.h"

/* A partition and a pool on whose nodes its jobs may run. A partition outside all pools has a
 * place for each pool with which it shares nodes. */
struct pool_place {
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

struct pool_places {
	struct pool_place *list;	/* sorted by name, then by pool */
	size_t count;
};

/* Lists the places of all pools and counts their jobs. Takes job, node and part read in slices, and
 * QOS read within the first. -1: out of memory; clear the places anyway. */
int pool_places_count(struct pool_places *places, const struct settings *settings);
void pool_places_clear(struct pool_places *places);

#endif
