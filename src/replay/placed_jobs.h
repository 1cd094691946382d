/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pending jobs that have places in an order of dispatch: queue by queue in LSF's order of service,
 * within a queue by what the policy says; then by the turns of slot pools.
 */
#ifndef REPLAY_PLACED_JOBS_H
#define REPLAY_PLACED_JOBS_H

#include "replay/slot_pools.h"

struct placed_job {
	size_t served;		/* place of its queue in the order of service */
	double priority;	/* among jobs with the same `served`; the greatest goes first */
	uint64_t sequence;	/* of equal ones the least goes first */
	uint32_t slot;
	uint32_t partition, cpus;
	bool may_start;		/* the policy lets it */
};

/* Start with all members 0. */
struct placed_jobs {
	struct placed_job *at;	/* sorted by placed_jobs_place() */
	size_t *order;		/* order[i]: index of the job with place 1 + i */
	struct fathom_pool_job *pooled;	/* while they are placed */
	size_t count, room, order_room, pooled_room;
};

/* Adds a job. */
void placed_jobs_add(struct placed_jobs *placed, const struct placed_job *job);
/* Sets the order. */
void placed_jobs_place(struct placed_jobs *placed, struct slot_pools *pools);

#endif
