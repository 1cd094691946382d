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

/* A seat: a partition, and a pool on whose nodes its jobs may run. A partition of a pool has one
 * seat. A partition outside all pools has a seat in each pool with which it shares nodes. */
struct pool_seat {
	char *name;		/* the partition's */
	size_t pool;		/* 1 + index of the pool in the settings; 0 if is_restored */
	size_t outside;		/* 0 if the partition has a share of the pool; else the same as
				 * `pool`. With the name it tells seats apart */
	double share;		/* percent; 0 outside */
	double priority;	/* PriorityJobFactor */
	uint64_t cpus;		/* CPUs of its nodes in the pool */
	bitstr_t *shared;	/* its nodes in the pool; NULL: all its nodes */
	uint64_t limit;		/* CPUs that its jobs may hold, or FATHOM_NO_LIMIT */
	struct pool_use use;	/* CPUs that its running jobs hold, and CPU seconds that its jobs
				 * have used in the pool, decayed */
	bool is_restored;	/* it comes from the state file: only `use.seconds` is known */
	uint64_t wanted;	/* CPUs that its pending jobs request */
	uint64_t most_jobs;	/* jobs that may run at once, or FATHOM_NO_LIMIT */
	uint64_t running, pending;	/* how many jobs of the partition run, are pending */
};

/* The seats in all pools. Start with all members 0. */
struct pool_seats {
	time_t time;		/* as of which use.seconds of all seats are */
	struct pool_seat *list;	/* in the order of slurm.conf; the seats of one partition stand side
				 * by side, by pool */
	size_t count;
	struct name_index first;	/* index in `list` of a partition's first seat, by name */
};

/* Lists the seats of all pools that are not void, without jobs. void_pool: by pool, NULL if it is
 * not void. records: slurmctld's partitions, `count` of them. scope_nodes: the nodes of scopes, or
 * NULL. Returns -1 if out of memory. The caller holds node, part read, and clears the seats in each
 * case; takes QOS read. */
int pool_seats_list(struct pool_seats *seats, const struct settings *settings,
		    char *const *void_pool, const part_record_t *const *records, size_t count,
		    bitstr_t *scope_nodes);
/* Counts what jobs of each seat hold and want, brings what the seat has used up to seats->time, and
 * divides all pools. before: the seats of the last pass. division: an array with an element for
 * each pool, all 0 at first, which the caller clears. Takes job, node and part read in slices.
 * Returns -1 if out of memory. */
int pools_divide(struct pool_division *division, const struct settings *settings,
		 struct pool_seats *seats, const struct pool_seats *before);
/* Frees all seats, and sets all members to 0. */
void pool_seats_clear(struct pool_seats *seats);

/* Adds a seat of the state file, of which nothing is known but the CPU seconds that it has used, as
 * of seats->time. outside: as in struct pool_seat. Returns -1 if out of memory. */
int pool_seats_restore(struct pool_seats *seats, const char *name, size_t outside, double seconds);
