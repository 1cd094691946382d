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
	const struct queue *queue;	/* NULL: outside the pool */
	size_t pool;		/* from 1 */
	size_t order;		/* of the partition in slurm.conf */
	double priority;
	uint64_t cpus;		/* of its nodes in the pool */
	bitstr_t *shared;	/* these nodes; NULL: it has no others */
	uint64_t limit;		/* CPUs; FATHOM_NO_LIMIT */
	uint64_t in_use, wanted;	/* CPUs of running jobs in the pool; of pending jobs */
	uint64_t most_jobs;	/* that may run; FATHOM_NO_LIMIT */
	uint64_t running, pending;	/* jobs */
};

struct pool_places {
	struct pool_place *list;	/* by name, then pool */
	size_t count;
};

/* Lists the places of all pools and counts their jobs. Takes job, node and part read in slices,
 * and assoc_mgr's qos read within the first. -1: out of memory; clear the places anyway. */
int pool_places_count(struct pool_places *places, const struct settings *settings);
void pool_places_clear(struct pool_places *places);

/* The partition that each pool's first line names. To be freed; NULL: out of memory. The caller
 * holds part read. */
const part_record_t **pools_first_partitions(const struct settings *settings);

#endif
