/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What passes keep of the queues of slot pools, and the places of jobs in pools. */
#ifndef POLICY_POOL_SERVICE_H
#define POLICY_POOL_SERVICE_H

#include "fathom.h"

/* What a queue has used and holds as of a pass. */
struct pool_use {
	double seconds;		/* slot seconds, decayed */
	uint64_t in_use;	/* slots that its running jobs hold from then on */
};

/* Returns the slot seconds that a queue has used by `end`: those as of the pass at `begin`, decayed
 * since, and those of the slots that it holds since then. half_life: seconds, 0: no decay. */
double pool_used_until(const struct pool_use *use, double begin, double end, double half_life);

/* A pending job of a pool that has a place. */
struct pooled_job {
	size_t at;		/* index of its place */
	size_t place;
	struct fathom_pool_job job;
};

/* A pool whose jobs are placed. */
struct pool_placing {
	const struct fathom_pool_grant *grants;
	size_t grant_count;
	uint64_t *held;		/* by grant, slots in use; changed */
	bool use_priority;	/* see struct fathom_pool */
};

/* Exchanges places among the jobs of a pool by fathom_pool_dispatch(), so that each slot goes to
 * the queue furthest below what it got; jobs of one queue keep their order. With use_priority, jobs
 * keep theirs once no queue is below what it got. jobs: any order; they are sorted by place.
 * place: by `at` of the jobs. -1: ENOMEM, the places are as they were. */
int pool_exchange_places(const struct pool_placing *placing, struct pooled_job *jobs,
			 size_t count, size_t *place, struct fathom_error *error);

#endif
