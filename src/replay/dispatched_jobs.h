/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pending jobs under a policy with an order of dispatch, which changes with each job that starts:
 * either each gets a place in it, or they take turns, as far as a scheduler wants it.
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
	const struct share_leaves *leaves;	/* that serve jobs; NULL: the nodes of jobs do */
	struct dispatch *dispatch;
	struct noted_holdings *noted;	/* for the next dispatch */
	size_t noted_count, noted_room;
	bool has_noted;			/* before that dispatch */
	/* if jobs take turns: */
	bool by_users;			/* in `users`; else in `dispatch` */
	struct user_turns users;
	size_t listed;			/* number of jobs of the queue that are there, or have no
					 * user */
	size_t without_user;		/* at most so many of these have no user */
	size_t next_without_user;	/* where the search for the next one begins */
	/* if they get places, all are listed anew each time: */
	struct fathom_pending_job *placed;	/* in the order of submission */
	struct pending **by_submission;
	size_t room, by_room;
	uint32_t *leaf;		/* with leaves: by slot, the key of that at which the job was
				 * placed */
	size_t leaf_room;
};

/* Makes the state without jobs. The tree must live as long. */
void dispatched_jobs_create(struct dispatched_jobs *dispatched, const struct order_tree *tree);
/* Notes what running jobs hold now; the next dispatch begins with it. Without this call, that
 * dispatch begins with what they hold then. */
void dispatched_jobs_note(struct dispatched_jobs *dispatched, struct order_tree *tree,
			  const struct replay_moment *moment);
/* Forgets jobs that take turns, as some may have started that were not dispatched. */
void dispatched_jobs_forget(struct dispatched_jobs *dispatched);
/* Begins a dispatch. has_changed: the tree has changed since the last one. */
void dispatched_jobs_begin(struct dispatched_jobs *dispatched, struct order_tree *tree,
			   const struct replay_moment *moment, bool has_changed);
/* Sets the priority of each job of the queue to the factor of its place, and drops those that have
 * started. */
void dispatched_jobs_place(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			   struct pending_queue *queue);
/* Lets all jobs of the queue take turns; those that did not start take them again. */
void dispatched_jobs_take_turns(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
				struct pending_queue *queue);
/* Returns the place of the next job, if any job that waits may be within the limits; else the
 * number of jobs. The limits must not have become wider since jobs began to take turns. */
size_t dispatched_jobs_next(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			    struct pending_queue *queue, const struct pending_limits *limits);
