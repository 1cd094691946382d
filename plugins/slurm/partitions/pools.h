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
 * Pending jobs are placed by this division, see placing/place_jobs.c.
 */
#pragma once

#include "base/compat.h"
#include "settings/settings.h"

#include "core/name_index.h"
#include "json/pool_division.h"
#include "policy/pool_service.h"

/* A partition and a pool on whose nodes its jobs may run. A partition outside all pools has a
 * seat for each pool with which it shares nodes. */
struct pool_seat {
	char *name;		/* of the partition */
	size_t pool;		/* number of the pool, from 1 */
	size_t outside;		/* the same; 0: the partition has a share of the pool */
	double share;		/* percent */
	double priority;	/* PriorityJobFactor */
	uint64_t cpus;		/* of its nodes in the pool */
	bitstr_t *shared;	/* these nodes; NULL: all its nodes */
	uint64_t limit;		/* CPUs that its jobs may hold, or FATHOM_NO_LIMIT */
	struct pool_use use;	/* CPUs that its running jobs hold, and have used in the pool */
	bool is_restored;	/* use.in_use is not known */
	uint64_t wanted;	/* CPUs that its pending jobs request */
	uint64_t most_jobs;	/* that may run, or FATHOM_NO_LIMIT */
	uint64_t running, pending;	/* jobs */
};

/* Start with all members 0. */
struct pool_seats {
	time_t time;		/* as of which use.seconds are */
	struct pool_seat *list;	/* as in slurm.conf; those of one partition by pool */
	size_t count;
	struct name_index first;	/* by partition: its first seat */
};

/* Lists the seats of all pools, without jobs. void_pool: by pool; NULL: it is not void. records:
 * the `count` partitions. scoped: nodes of scopes, or NULL. -1: out of memory; clear the seats
 * anyway. The caller holds node, part read; takes QOS read. */
int pool_seats_list(struct pool_seats *seats, const struct settings *settings,
		    char *const *void_pool, const part_record_t *const *records, size_t count,
		    bitstr_t *scoped);
/* Counts the jobs of `seats`, brings what they have used up to their time, and divides all pools.
 * before: the seats of the last pass. division: by pool, to be cleared. Takes job, node and part
 * read in slices. -1: out of memory. */
int pools_divide(struct pool_division *division, const struct settings *settings,
		 struct pool_seats *seats, const struct pool_seats *before);
void pool_seats_clear(struct pool_seats *seats);

/* Adds a seat that has only used something. -1: out of memory. */
int pool_seats_restore(struct pool_seats *seats, const char *name, size_t outside, double seconds);
