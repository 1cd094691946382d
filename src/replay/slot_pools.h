/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools. A pass divides the CPUs of each pool among its partitions, by what their jobs hold
 * and want at the pass. After each pass, and when jobs are submitted, pending jobs are placed by
 * this division and by what running jobs hold. In between they keep their places, whatever jobs
 * start and end.
 */
#pragma once

#include "policy/pool_service.h"
#include "replay/current_jobs.h"
#include "replay/machine.h"
#include "replay/node_sets.h"
#include "replay/pending_queue.h"

#define NO_MEMBER SIZE_MAX	/* in member_of */

/* A member of a pool: a partition of the pool, or a partition outside with some of its nodes. */
struct slot_member {
	uint32_t partition;
	struct pool_use use;	/* as of the last pass */
	uint64_t held;		/* CPUs of the pool, as of the last pass or submission */
	size_t grant;		/* index in `grant`, as of the last pass */
};

struct slot_pool {
	struct fathom_pool rule;
	struct slot_member *member;	/* in the order of partitions */
	struct fathom_pool_queue *queue;	/* by member: how it takes part in the division */
	struct fathom_pool_grant *grant;	/* in the order of service, as of the last pass */
	size_t count;			/* of each of these */
	size_t *member_of;		/* by partition: index of its member, or NO_MEMBER */
	const struct node_set *nodes;	/* some groups may be of scopes, see slot_pools.c */
};

/* Without pools, all members are 0. */
struct slot_pools {
	struct slot_pool *at;
	size_t count;
	const struct replay_rules *rules;
	double time;		/* of the last pass; before that, of the begin of the replay */
	uint64_t *wanted;	/* by partition, while pools are divided: CPUs of pending jobs */
	struct fathom_pool_turns *turns;	/* see slot_pools_turns() */
};

/* Makes the pools of the rules. The rules and the node sets must live as long. */
void slot_pools_create(struct slot_pools *pools, const struct replay_rules *rules,
		       const struct node_sets *sets);

/* Counts what the running jobs of each partition hold of pools now. Call it at a pass or a
 * submission. */
void slot_pools_count(struct slot_pools *pools, const struct current_jobs *jobs,
		      const struct machine *machine);
/* Divides all pools at a pass, after slot_pools_count(). waiting: all jobs that wait. */
void slot_pools_divide(struct slot_pools *pools, const struct current_jobs *jobs,
		       const struct pending_queue *waiting, double now);

/* Returns whether a partition is in a pool, or outside and shares nodes with one. */
bool slot_pools_has(const struct slot_pools *pools, uint32_t partition);
/* Returns what fathom_pool_dispatch() needs to place jobs, as of the last slot_pools_count() and
 * slot_pools_divide(): by partition, and one more for jobs that take no turns. The call changes it,
 * so ask anew for each. NULL: there are no pools. */
struct fathom_pool_turns *slot_pools_turns(struct slot_pools *pools);
