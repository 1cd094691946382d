/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of dispatch, job by job: within one share tree (struct dispatch), and over all queues
 * (struct dispatch_walk). Example for a tree:
 *
 *	dispatch = dispatch_create (&tree, &error);
 *	dispatch_add (dispatch, &pending, 7, false, &error);
 *	while ((job = dispatch_next (dispatch, &node)) != DISPATCH_NO_JOB)
 *		...
 *	dispatch_destroy (dispatch);
 *
 * What a job will hold is promised to its user when the job is dispatched, and lowers the priority
 * of the user.
 */
#pragma once

#include "policy/policy.h"

#define DISPATCH_NO_JOB UINT32_MAX

/* The pending jobs of a tree, with what is promised to users. */
struct dispatch;

/* Makes a state without pending jobs or promises. The tree must live as long, and keep its nodes.
 * NULL: ENOMEM. */
struct dispatch *dispatch_create(const struct fathom_dispatch_tree *given,
				 struct fathom_error *error);
/* Frees a state; NULL is allowed. */
void dispatch_destroy(struct dispatch *dispatch);
/* Forgets all promises, also those of dispatch_hold(). Jobs stay. */
void dispatch_reset(struct dispatch *dispatch);
/* Compares all users with jobs anew. Call it after usage or resources in the tree have changed, or
 * after jobs have started that were not dispatched. */
void dispatch_renew(struct dispatch *dispatch);
/* Promises to a user what its running jobs hold, if the tree does not have it. */
void dispatch_hold(struct dispatch *dispatch, uint32_t node,
		   const struct fathom_holdings *holdings);
/* Returns whether jobs of a user may start at all. false: the user lacks the shares that the policy
 * needs. */
bool dispatch_may_start(const struct fathom_dispatch_tree *given, size_t node);
/* Returns a number by which a node is compared with its siblings once its jobs get `promise`: the
 * greatest goes first. Priorities that differ by rounding alone give the same number. node: without
 * shares `parent`. */
uint64_t dispatch_rank(const struct fathom_dispatch_tree *given, size_t node,
		       const struct fathom_promise *promise);
/* Adds a job behind those that are there. pending: its nodes must be users; its queue and can_start
 * do not count. job: the number by which dispatch_next() returns it. is_held_back: the job goes
 * behind all jobs that are not held back; all jobs of a user must be alike in that. -1: ENOMEM. */
int dispatch_add(struct dispatch *dispatch, const struct fathom_pending_job *pending, uint32_t job,
		 bool is_held_back, struct fathom_error *error);
/* Adds `count` jobs that are not held back: pending[job[i]] with the number job[i]. They are
 * dispatched faster than if they had been added one by one. -1: ENOMEM; dispatch_destroy() is the
 * only call that may follow. */
int dispatch_add_all(struct dispatch *dispatch, const struct fathom_pending_job *pending,
		     const uint32_t *job, size_t count, struct fathom_error *error);
/* Dispatches the next job: sets *node to the node where it counts, makes the promise to that node,
 * and returns the job's number. DISPATCH_NO_JOB: no job is left, *node is unchanged. */
uint32_t dispatch_next(struct dispatch *dispatch, size_t *node);
/* Puts all jobs that were dispatched back to where they were; promises stay. From now on jobs for
 * which has_started(context, job) returns true are passed over. Allowed only if each job has one
 * node. */
void dispatch_put_back(struct dispatch *dispatch,
		       bool (*has_started)(const void *context, uint32_t job), const void *context);
/* Drops all jobs; promises stay. */
void dispatch_clear(struct dispatch *dispatch);

/* The order of fathom_dispatch_places(), job by job. A group is the jobs of the queues that are
 * served as one which can start, which cannot, or which have no node; see dispatch_places.c. */
struct dispatch_walk {
	const struct fathom_pending_jobs *given;
	struct dispatch **dispatch;	/* by tree; NULL: not needed yet */
	size_t *served;			/* by queue: its place in the order of service */
	uint32_t *job;			/* indices of all jobs, sorted by group */
	size_t groups;			/* number of groups, also without jobs */
	size_t *first;			/* by group: where its jobs begin in `job` */
	struct dispatch *current;	/* of the present group; NULL: first come, first served */
	size_t group;			/* 1 + the present group; 0: the walk has not begun */
	size_t next, end;		/* in `job`: the present group's next job, and its end */
};

/* Begins a walk with what the trees have, and what was promised in them already. dispatch: by tree;
 * where it is NULL, the walk makes it when it is needed, and the caller destroys it. `given` and
 * `dispatch` must live until dispatch_walk_end(), which must be called in any case. -1: see
 * fathom_dispatch_places(). */
int dispatch_walk_begin(struct dispatch_walk *walk, const struct fathom_pending_jobs *given,
			struct dispatch **dispatch, struct fathom_error *error);
/* Sets *job to the index of the next job, and *node to the node where it counts, or FATHOM_NO_NODE.
 * Must not be called more often than there are jobs. -1: ENOMEM. */
int dispatch_walk_next(struct dispatch_walk *walk, size_t *job, size_t *node,
		       struct fathom_error *error);
/* Frees what the walk holds, but for dispatch[], whose jobs it drops. */
void dispatch_walk_end(struct dispatch_walk *walk);
