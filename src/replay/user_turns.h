/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of dispatch, of which only the jobs are wanted that a scheduler may start. Within a
 * cycle priorities only fall, so that the turn at which a job goes follows from what goes before
 * it: before it in its user's order, which sums tell, and of other users of its account, which a
 * search by priority finds. Most turns need not be taken then. For trees of users below the root,
 * or below accounts that are; dispatch.h is for all trees.
 */
#pragma once

#include "policy/dispatch.h"
#include "replay/pending_queue.h"

struct turn_sum {
	struct fathom_promise before;	/* of the user's jobs before this one */
	uint32_t least;			/* of this one and those behind it, none wants fewer CPUs */
};

/* When something goes among its siblings: the greatest rank first, of equal ones that with the
 * first job. */
struct turn {
	uint64_t rank;
	uint64_t place;		/* of that job among those of all users */
};

/* A user with jobs that wait. */
struct turn_user {
	uint32_t node, account;		/* account: in the array of them */
	struct pending_queue jobs;	/* sequence: a job's place among those of all users */
	struct turn_sum *sum;		/* by job, and one behind the last job */
	size_t room;			/* of `sum` */
	size_t summed;			/* number of jobs that are in them */
	size_t at;			/* its next job within the limits, or their number */
	/* of that job, unless is_stale */
	double cpus, estimate;		/* cpus: 0: there is none */
	struct turn turn;		/* of the user when it goes */
	bool is_stale;
};

/* A node below the root: an account with such users, or one user. */
struct turn_account {
	uint32_t node;
	uint32_t *user;		/* those with jobs; none: the account is not listed */
	size_t count, room;
	uint32_t best;		/* in user[]: whose job goes first; `count`: none has one */
	size_t best_at;		/* that job */
	bool is_stale;		/* a job of one of the users has changed */
	struct turn turn;	/* of the account when that job goes; rank 0: not known */
};

/* A job that was returned in this cycle. */
struct turn_taken {
	uint32_t user;
	size_t at;
};

/* Start with all members 0. */
struct user_turns {
	const struct fathom_dispatch_tree *tree;
	struct turn_user *user;
	struct turn_account *account;
	size_t user_count, user_room, account_count, account_room;
	uint32_t *listed;		/* accounts with such users */
	size_t listed_count, listed_room;
	uint32_t *user_number, *account_number;	/* by node: in the arrays above, from 1; 0: not
						 * there */
	struct fathom_promise *held;	/* by node: what its running jobs hold */
	uint32_t *holder;		/* nodes whose `held` is not 0 */
	size_t holder_count;
	struct turn_taken *taken;
	size_t taken_count, taken_room;
};

/* Returns whether user_turns can be used for a tree: all users are directly below the root or below
 * an account that is, no node has shares `parent`, and all users may start jobs. */
bool user_turns_suit(const struct fathom_dispatch_tree *tree);
/* Makes the state without jobs. The tree must live as long. */
void user_turns_create(struct user_turns *turns, const struct fathom_dispatch_tree *tree);
/* Adds a user's job behind those that are there. place: its place among those of all users. */
void user_turns_add(struct user_turns *turns, uint32_t node, const struct pending *job,
		    size_t place);
/* Drops all jobs. */
void user_turns_clear(struct user_turns *turns);
/* Begins a cycle: all jobs that have not started take turns again, and no running jobs are counted
 * yet. all: the jobs of all users; those that have started there are dropped. */
void user_turns_begin(struct user_turns *turns, const struct pending_queue *all);
/* Counts what running jobs of a node hold in this cycle. */
void user_turns_hold(struct user_turns *turns, uint32_t node,
		     const struct fathom_holdings *holdings);
/* Returns the place of the first job that may be within the limits and was not returned in this
 * cycle; SIZE_MAX: there is none. The limits must not become wider within a cycle. */
size_t user_turns_next(struct user_turns *turns, const struct pending_limits *limits);
