/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of dispatch within one share tree. */
#ifndef POLICY_DISPATCH_H
#define POLICY_DISPATCH_H

#include "policy/policy.h"

struct dispatch;

/* Makes the state of a tree before any pending job is dispatched. The tree must not change
 * meanwhile. NULL: ENOMEM. */
struct dispatch *dispatch_create(const struct fathom_dispatch_tree *given,
				 struct fathom_error *error);
void dispatch_destroy(struct dispatch *dispatch);
/* Forgets what jobs hold and were promised. The tree may have changed. */
void dispatch_reset(struct dispatch *dispatch);
/* Counts what jobs of a node hold beside what the tree has. */
void dispatch_hold(struct dispatch *dispatch, uint32_t node,
		   const struct fathom_holdings *holdings);
/* Begins to dispatch these jobs. job: their indexes in `jobs`, in queue order; both have to live
 * until dispatch_end(). -1: ENOMEM. */
int dispatch_begin(struct dispatch *dispatch, const struct fathom_pending_job *jobs,
		   const uint32_t *job, size_t count, struct fathom_error *error);
/* Dispatches the next job, and returns its index. *node: where it is dispatched. Call it at most
 * once for each job. */
uint32_t dispatch_next(struct dispatch *dispatch, size_t *node);
/* Ends what dispatch_begin() has begun. What the dispatched jobs are promised stays. */
void dispatch_end(struct dispatch *dispatch);

/* The order of dispatch over all queues, see fathom_dispatch_places(), which is made job by job. */
struct dispatch_walk {
	const struct fathom_pending_jobs *given;
	struct dispatch **dispatch;	/* by tree; NULL: not needed yet */
	size_t *served;			/* by queue: its place in the order of service */
	uint32_t *job;			/* sorted by group */
	size_t *first;			/* by group: of its jobs, in `job` */
	size_t groups;			/* queues served as one: first with jobs that can start,
					 * then with others, then with those without a node */
	struct dispatch *current;	/* of the present group; NULL: first come, first served */
	size_t group;			/* the one behind that */
	size_t next, end;		/* in `job`: of the present group */
};

/* Begins with what the trees have, and what was promised in them already. dispatch: by tree; NULL:
 * it is made when it is needed, the caller destroys it. Both have to live until
 * dispatch_walk_end(), which has to be called in any case. -1: as fathom_dispatch_places(). */
int dispatch_walk_begin(struct dispatch_walk *walk, const struct fathom_pending_jobs *given,
			struct dispatch **dispatch, struct fathom_error *error);
/* Sets *job to the index of the next job, and *node to where it is dispatched or FATHOM_NO_NODE.
 * Call it at most once for each job. -1: ENOMEM. */
int dispatch_walk_next(struct dispatch_walk *walk, size_t *job, size_t *node,
		       struct fathom_error *error);
void dispatch_walk_end(struct dispatch_walk *walk);

#endif
