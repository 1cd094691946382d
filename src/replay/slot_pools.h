/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slot pools. A pass divides the CPUs of each pool among its partitions, by what jobs hold and want
 * then. Jobs are placed by this division when a pass is done and when jobs are submitted, by what
 * the jobs hold then, and keep the order until then, whatever starts and ends.
 */
#pragma once

#include "policy/pool_service.h"
#include "replay/current_jobs.h"
#include "replay/machine.h"
#include "replay/node_sets.h"
#include "replay/pending_queue.h"

#define NO_MEMBER SIZE_MAX

/* A partition of a pool, or another one with some of the pool's nodes. */
struct slot_member {
	uint32_t partition;
	struct pool_use use;	/* as of the last pass */
	uint64_t held;		/* CPUs of the pool, as of the last pass or submission */
	size_t grant;		/* index of its grant */
};

struct slot_pool {
	struct fathom_pool rule;
	struct slot_member *member;	/* in the order of partitions */
	struct fathom_pool_queue *queue;	/* in the order of `member` */
	struct fathom_pool_grant *grant;	/* in the order of service, as of the last pass */
	size_t count;			/* of each of these */
	size_t *member_of;		/* by partition; or NO_MEMBER */
	const struct node_set *nodes;
};

/* Without pools, all members are 0. */
struct slot_pools {
	struct slot_pool *at;
	size_t count;
	const struct replay_rules *rules;
	double time;		/* of the last pass, or of the first submission */
	uint64_t *wanted;	/* by partition, while pools are divided: CPUs of pending jobs */
	/* while jobs are placed: by partition, and one more, that of no pool */
	struct fathom_pool_turns *turns;
};

/* Makes the pools of the rules; both must live as long. */
void slot_pools_create(struct slot_pools *pools, const struct replay_rules *rules,
		       const struct node_sets *sets);

/* Notes what the running jobs of each partition hold now. Call it at a pass or a submission. */
void slot_pools_count(struct slot_pools *pools, const struct current_jobs *jobs,
		      const struct machine *machine);
/* Divides all pools at a pass, after slot_pools_count(). waiting: all jobs that wait. */
void slot_pools_divide(struct slot_pools *pools, const struct current_jobs *jobs,
		       const struct pending_queue *waiting, double now);

/* Returns whether a partition is in a pool, or outside and shares nodes with one. */
bool slot_pools_has(const struct slot_pools *pools, uint32_t partition);
/* Returns the turns of queues, by partition and one more, that of no pool, as of what was noted;
 * NULL: there are no pools. */
struct fathom_pool_turns *slot_pools_turns(struct slot_pools *pools);
