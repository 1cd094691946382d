/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pending jobs under a policy with an order of dispatch, where each job that is dispatched lowers
 * the priority of its user at once. Either all jobs are placed in that order, or they take turns: a
 * scheduler asks for the next job until it can start no more. A cycle is a call of the scheduler.
 */
#pragma once

#include "replay/order_tree.h"
#include "replay/pending_queue.h"
#include "replay/user_turns.h"

/* What running jobs of a node held at dispatched_jobs_note(). */
struct noted_holdings {
	uint32_t node;
	struct fathom_holdings holdings;
};

struct dispatched_jobs {
	struct fathom_dispatch_tree tree;
	/* leaves of the tree, at which jobs count; NULL: jobs count at their own nodes */
	const struct share_leaves *leaves;
	struct dispatch *dispatch;
	struct noted_holdings *noted;	/* with what the next dispatch begins */
	size_t noted_count, noted_room;
	bool has_noted;			/* `noted` was set since the last dispatch began */
	/* if jobs take turns: */
	bool by_users;			/* turns are found by `users`; else by `dispatch` */
	struct user_turns users;
	size_t listed;			/* the first jobs of the queue, which turns know already */
	size_t without_user;		/* at most so many of these have no user, so no turns */
	size_t next_without_user;	/* place at which the search for the next one begins */
	/* if jobs get places, all are listed anew each time: */
	struct fathom_pending_job *placed;	/* in the order of submission */
	struct pending **by_submission;	/* the same jobs, in the queue */
	size_t room, by_room;		/* of placed, of by_submission */
	uint32_t *leaf;			/* if there are leaves, by slot: the key of the one at which
					 * the job was placed last; else NULL */
	size_t leaf_room;
};

/* Makes the state without jobs. The tree must live as long. The caller may set `leaves`.
 * takes_turns: false: jobs will only get places. */
void dispatched_jobs_create(struct dispatched_jobs *dispatched, const struct order_tree *tree,
			    bool takes_turns);
/* Notes what running jobs hold now; the next dispatch begins with it. Without this call, a dispatch
 * begins with what they hold at dispatched_jobs_begin(). */
void dispatched_jobs_note(struct dispatched_jobs *dispatched, struct order_tree *tree,
			  const struct replay_moment *moment);
/* Forgets the jobs that take turns. Call it before dispatched_jobs_begin() if jobs may have started
 * without a turn. */
void dispatched_jobs_forget(struct dispatched_jobs *dispatched);
/* Begins a dispatch; dispatched_jobs_place() or dispatched_jobs_take_turns() follows. has_changed:
 * the tree has changed since the last dispatch. */
void dispatched_jobs_begin(struct dispatched_jobs *dispatched, struct order_tree *tree,
			   const struct replay_moment *moment, bool has_changed);
/* Sets the priority of each job of the queue to the factor of its place, and drops those that have
 * started. */
void dispatched_jobs_place(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			   struct pending_queue *queue);
/* Begins a cycle in which all jobs of the queue take turns; dispatched_jobs_next() returns them one
 * by one. Jobs that did not start in the last cycle take turns again. */
void dispatched_jobs_take_turns(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
				struct pending_queue *queue);
/* Takes the next turn of this cycle, and returns the job's place in the queue. Jobs beyond the
 * limits may be returned or left out. queue->count: no job within the limits is left. The limits
 * must not become wider within a cycle. */
size_t dispatched_jobs_next(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			    struct pending_queue *queue, const struct pending_limits *limits);
