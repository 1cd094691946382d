/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges the jobs of a replay by the ledger that charges those of a cluster, and keeps the usage
 * of each association as of the last pass.
 */
#pragma once

#include "policy/traits.h"
#include "replay/current_jobs.h"
#include "replay/machine.h"

/* A book whose usage counts when jobs are ordered: the order's own book, or that of another
 * cluster. */
struct counted_book {
	const struct charge_book *book;	/* of the same nodes */
	double weight;			/* what a second there is worth here; 1 for the own book */
};

struct charge_book {
	const struct replay_rules *rules;
	struct fathom_ledger *ledger;
	struct fathom_charges *charges;	/* made since the last pass, not yet in `usage` */
	size_t nodes;
	uint32_t *account;		/* by node: its parent */
	/* By node: its own usage as of the last pass, in billing seconds as they count at `epoch`.
	 * So a pass changes only the nodes that were charged: all others decay alike. */
	double *usage;
	double epoch;
	/* By node: its own usage as of the last pass, in CPU seconds, for a policy whose usage
	 * decays in steps. NULL: it decays evenly. */
	double *stepped;
	struct policy_steps steps;	/* period 0: it decays evenly */
	double last_step;		/* time of the last step */
	/* Sums of a policy that keeps sums which decay evenly. NULL: the policy goes by usage. */
	struct fathom_policy_sums *sums;
	struct fathom_sum_rules sum_rules;
	/* Number of the scope, from 1: only jobs in its partitions are charged, or CPUs on its
	 * hosts. 0: all jobs are charged. */
	uint32_t scope;
	/* leaves of the scope's own tree, which are charged; NULL: the nodes of jobs are charged */
	const struct share_leaves *leaves;
	/* The books whose usage counts where this book's does; the first is this one. */
	struct counted_book *counted;
	size_t counted_count;
};

/* The state at an instant by which jobs are ordered. */
struct replay_moment {
	const struct charge_book *book;	/* of the usage that counts */
	const struct current_jobs *jobs;
	const struct machine *machine;
	double now;
};

/* Makes a book without usage for the nodes of a tree. The rules must live as long. */
void charge_book_create(struct charge_book *book, const struct replay_rules *rules,
			const struct fathom_tree *tree);
/* Takes the usage and sums of the tree over; they count as of charge_book_begin(). */
void charge_book_take_usage(struct charge_book *book, const struct fathom_tree *tree);
/* Lets the book charge only what a scope counts; see the members `scope` and `leaves`. */
void charge_book_set_scope(struct charge_book *book, uint32_t number,
			   const struct share_leaves *leaves);
/* Lets the usage of another cluster's book count beside that of `book`. Both must have the same
 * nodes, and their passes at the same times. weight: what a second there is worth here. */
void charge_book_share(struct charge_book *book, const struct charge_book *other, double weight);
/* Sets the time at which the replay begins. Call it once, before any job is charged. */
void charge_book_begin(struct charge_book *book, double time);
/* Charges a job that ends, up to its end. It counts as usage from the next pass on. */
void charge_book_end(struct charge_book *book, const struct current_jobs *jobs, uint32_t slot);
/* Charges all running jobs up to `now`, and adds all charges since the last pass to usage. */
void charge_book_pass(struct charge_book *book, const struct current_jobs *jobs,
		      const struct machine *machine, double now);
/* Sets all usage to 0. Call it after a pass at `now`: running jobs are charged from then on. */
void charge_book_reset(struct charge_book *book, double now);
/* Returns whether the book charges a running job, or some of its CPUs. */
bool charge_book_counts(const struct charge_book *book, const struct current_jobs *jobs,
			uint32_t slot);
/* Returns the node that is charged for a running job. */
uint32_t charge_book_node(const struct charge_book *book, const struct current_job *job);

/* Returns the factor by which `usage` is multiplied to count at `time`: its decay since `epoch`. */
double charge_book_scale(const struct charge_book *book, double time);
/* Adds what a running job holds at `now` to *holdings. The book must have sums. */
void charge_book_hold(const struct charge_book *book, const struct current_jobs *jobs,
		      uint32_t slot, double now, struct fathom_holdings *holdings);
