/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pending jobs that have places in an order of dispatch: queue by queue in LSF's order of service,
 * within a queue by what the policy says; those of a slot pool then exchange their places.
 */
#ifndef REPLAY_PLACED_JOBS_H
#define REPLAY_PLACED_JOBS_H

#include "replay/slot_pools.h"

struct placed_job {
	size_t served;		/* place of its queue in the order of service */
	double priority;	/* among those with the same; the greatest goes first */
	uint64_t sequence;	/* of equal ones the least goes first */
	uint32_t slot;
	bool may_start;		/* the policy lets it */
};

/* Start with all members 0. */
struct placed_jobs {
	struct placed_job *at;	/* sorted by placed_jobs_place() */
	uint32_t *slot;		/* the same */
	size_t *place;		/* the same; from 1 */
	size_t count, room, slot_room, place_room;
};

/* Adds a job. -1: ENOMEM. */
int placed_jobs_add(struct placed_jobs *placed, const struct placed_job *job,
		    struct fathom_error *error);
/* Sets the places. -1: ENOMEM. */
int placed_jobs_place(struct placed_jobs *placed, struct slot_pools *pools,
		      const struct current_jobs *jobs, struct fathom_error *error);
void placed_jobs_clear(struct placed_jobs *placed);

#endif
