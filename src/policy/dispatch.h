/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of dispatch within one share tree, job by job; and the walk over all queues. */
#pragma once

#include "policy/policy.h"

#define DISPATCH_NO_JOB UINT32_MAX

struct dispatch;

/* Makes the state of a tree without pending jobs. The tree must live as long, and keep its nodes.
 * NULL: ENOMEM. */
struct dispatch *dispatch_create(const struct fathom_dispatch_tree *given,
				 struct fathom_error *error);
/* Frees a state; NULL is allowed. */
void dispatch_destroy(struct dispatch *dispatch);
/* Forgets what jobs hold and were promised. */
void dispatch_reset(struct dispatch *dispatch);
/* Call it after usage or resources in the tree have changed, or after jobs have started that were
 * not dispatched. */
void dispatch_renew(struct dispatch *dispatch);
/* Counts what running jobs of a user hold, beside what the tree says that they hold. */
void dispatch_hold(struct dispatch *dispatch, uint32_t node,
		   const struct fathom_holdings *holdings);
/* Returns whether jobs of a user may start at all; if not, it lacks the shares that the policy
 * needs. */
bool dispatch_may_start(const struct fathom_dispatch_tree *tree, size_t node);
/* Returns a number by which a node without shares `parent` is compared with its siblings if its
 * jobs get `promise`: the greatest goes first, and what rounding could tell apart is equal. */
uint64_t dispatch_rank(const struct fathom_dispatch_tree *tree, size_t node,
		       const struct fathom_promise *promise);
/* Adds a job behind those that are there. pending: its node must be a user; its queue and
 * can_start do not count. job: a number that dispatch_next() returns. is_held_back: it goes behind
 * all jobs that are not, as all jobs of its user do. -1: ENOMEM. */
int dispatch_add(struct dispatch *dispatch, const struct fathom_pending_job *pending, uint32_t job,
		 bool is_held_back, struct fathom_error *error);
/* Adds `count` jobs, none of which is held back: pending[job[i]] with the number job[i]. They are
 * dispatched faster than if they had been added one by one. -1: ENOMEM. */
int dispatch_add_all(struct dispatch *dispatch, const struct fathom_pending_job *pending,
		     const uint32_t *job, size_t count, struct fathom_error *error);
/* Dispatches the next job, and returns its number; DISPATCH_NO_JOB: none is left. *node: where it
 * is dispatched. */
uint32_t dispatch_next(struct dispatch *dispatch, size_t *node);
/* Puts all jobs that were dispatched back to where they were. From now on jobs for which
 * has_started() returns true are passed over. What jobs were promised stays. Allowed only if each
 * job has one node. */
void dispatch_put_back(struct dispatch *dispatch,
		       bool (*has_started)(const void *context, uint32_t job), const void *context);
/* Drops all jobs. What they were promised stays. */
void dispatch_clear(struct dispatch *dispatch);

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
	size_t group;			/* the group after the present one */
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
/* Frees what the walk holds. */
void dispatch_walk_end(struct dispatch_walk *walk);
