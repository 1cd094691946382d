/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of dispatch, reduced to the jobs that a scheduler may start; it gives the same jobs as
 * policy/dispatch.h, quicker, for trees whose users are below the root or below accounts that are.
 *
 * Within a cycle, a call of the scheduler, the rank of a user falls with each of its jobs that is
 * dispatched. So a job's turn can be computed without the turns before it: what its user's earlier
 * jobs were promised is a sum, and how many jobs of other users go before it a search by rank
 * tells.
 */
#pragma once

#include "policy/dispatch.h"
#include "replay/pending_queue.h"

/* Sums for one job of a user. */
struct turn_sum {
	struct fathom_promise before;	/* of all jobs of the user before this one */
	uint32_t least;			/* the fewest CPUs that this job or one behind it wants */
};

/* When a user or an account goes among its siblings: the greatest rank first, of equal ranks the
 * least place. */
struct turn {
	uint64_t rank;		/* see dispatch_rank(); in an account, 0: not known */
	uint64_t place;		/* of its first job among the jobs of all users */
};

/* A user with jobs that wait. */
struct turn_user {
	uint32_t node;
	uint32_t account;		/* index in user_turns.account */
	struct pending_queue jobs;	/* sequence: a job's place among those of all users */
	struct turn_sum *sum;		/* by job, and one more behind the last job */
	size_t room;			/* of `sum` */
	size_t summed;			/* `sum` is valid up to sum[summed] */
	/* index of its next job, the first that is within the limits and was not taken yet;
	 * jobs.count: there is none */
	size_t at;
	bool is_stale;			/* the next job has yet to be found, from `at` on */
	/* unless is_stale: */
	double cpus, estimate;		/* of the next job; cpus 0: there is none */
	struct turn turn;		/* of the user when the next job goes */
};

/* A node below the root: an account with its users that have jobs, or a user alone. */
struct turn_account {
	uint32_t node;
	uint32_t *user;		/* users with jobs, indices in user_turns.user */
	size_t count, room;	/* count 0: the account is not listed */
	uint32_t best;		/* index in user[] of the one whose job goes first; `count`: no user
				 * has a job within the limits */
	size_t best_at;		/* index of that job; SIZE_MAX: there is none */
	bool is_stale;		/* the next job of one of the users has changed: `best` may, too */
	struct turn turn;	/* of the account when that job goes; rank 0: not known */
};

/* A job that was returned in this cycle. */
struct turn_taken {
	uint32_t user;		/* index in user_turns.user */
	size_t at;		/* index in the user's jobs */
};

/* Start with all members 0. */
struct user_turns {
	const struct fathom_dispatch_tree *tree;
	/* all users and accounts that ever had jobs, in the order of the first one */
	struct turn_user *user;
	struct turn_account *account;
	size_t user_count, account_count;
	uint32_t *listed;		/* the accounts that have users with jobs now */
	size_t listed_count, listed_room;
	/* by node: 1 + its index in `user` or `account`; 0: it is not there */
	uint32_t *user_number, *account_number;
	struct fathom_promise *held;	/* by node: what its running jobs hold */
	uint32_t *holder;		/* nodes whose `held` is not 0 */
	size_t holder_count;
	struct turn_taken *taken;	/* in this cycle */
	size_t taken_count, taken_room;
};

/* Returns whether user_turns can be used for a tree: all users are directly below the root or below
 * an account that is, no node has shares `parent`, and all users may start jobs. */
bool user_turns_suit(const struct fathom_dispatch_tree *tree);
/* Makes the state without jobs. The tree must live as long. */
void user_turns_create(struct user_turns *turns, const struct fathom_dispatch_tree *tree);
/* Adds a job behind the other jobs of its user. node: the user; place: the job's place in the queue
 * of all users' jobs, greater than that of those added before. */
void user_turns_add(struct user_turns *turns, uint32_t node, const struct pending *job,
		    size_t place);
/* Drops all jobs. */
void user_turns_clear(struct user_turns *turns);
/* Begins a cycle: drops the jobs that have started in `all`, the queue of all users' jobs, lets all
 * others take turns again, and forgets what running jobs hold. */
void user_turns_begin(struct user_turns *turns, const struct pending_queue *all);
/* Counts what running jobs of a user hold in this cycle, also for its account. */
void user_turns_hold(struct user_turns *turns, uint32_t node,
		     const struct fathom_holdings *holdings);
/* Returns the place of the next job that may be within the limits, and takes it, so that it is not
 * returned again in this cycle. SIZE_MAX: no such job is left. The limits must not become wider
 * within a cycle. */
size_t user_turns_next(struct user_turns *turns, const struct pending_limits *limits);
