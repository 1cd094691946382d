/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges the jobs of a replay by the ledger that charges those of a cluster, and keeps the usage
 * of each association as of the last pass.
 */
#pragma once

#include "policy/traits.h"
#include "replay/current_jobs.h"
#include "replay/machine.h"

/* A book whose usage counts in an order of jobs: an order's own book, or that of another
 * cluster. */
struct counted_book {
	const struct charge_book *book;	/* of the same nodes */
	double weight;			/* what a second there is worth here; 1 for the own book */
};

struct charge_book {
	const struct replay_rules *given;
	struct fathom_ledger *ledger;
	struct fathom_charges *charges;	/* made since the last pass */
	/* By node: its own usage, billing seconds as they count at `epoch`. Decay is the same for
	 * all nodes, so a pass need not touch those that were not charged. */
	double *value;
	double epoch;
	uint32_t *account;		/* by node: its parent */
	/* By node: its own usage as of the last pass, CPU seconds, for a policy whose usage decays
	 * in steps. */
	double *stepped;		/* NULL: it decays evenly */
	struct policy_steps steps;
	double last_step;		/* time of the last step */
	size_t nodes;
	/* of a policy that keeps sums which decay evenly; else NULL */
	struct fathom_policy_sums *sums;
	struct fathom_sum_rules rules;
	/* Only jobs in partitions of this scope are charged, or CPUs on its hosts; 0: all are. */
	uint32_t scope;
	const struct share_leaves *leaves;	/* that are charged; NULL: the nodes of jobs are */
	/* all whose usage counts where this book's does; itself first */
	struct counted_book *counted;
	size_t counted_count, counted_room;
};

/* The state at an instant by which jobs are ordered. */
struct replay_moment {
	const struct charge_book *book;	/* of the usage that counts */
	const struct current_jobs *jobs;
	const struct machine *machine;
	double now;
};

/* Makes a book of a tree without usage. The rules must live as long. */
void charge_book_create(struct charge_book *book, const struct replay_rules *rules,
			const struct fathom_tree *tree);
/* Takes the usage and sums of the tree over; they count as of charge_book_begin(). */
void charge_book_take_usage(struct charge_book *book, const struct fathom_tree *tree);
/* Lets the book charge only what a scope counts. number: of the scope, from 1. leaves: those of the
 * scope's own tree, which are charged; NULL: it has none. */
void charge_book_set_scope(struct charge_book *book, uint32_t number,
			   const struct share_leaves *leaves);
/* Lets the usage of another cluster's book count beside that of `book`. Both must have the same
 * nodes, and their passes at the same times. weight: what a second there is worth here. */
void charge_book_share(struct charge_book *book, const struct charge_book *other, double weight);
/* Sets the time of the first submission, before any charge. */
void charge_book_begin(struct charge_book *book, double time);
/* Charges a job up to its end. */
void charge_book_end(struct charge_book *book, const struct current_jobs *jobs, uint32_t slot);
/* Charges all running jobs up to now, and adds up all charges since the last pass. */
void charge_book_pass(struct charge_book *book, const struct current_jobs *jobs,
		      const struct machine *machine, double now);
/* Sets all usage to 0 after a pass at `now`. A job that runs counts from then on. */
void charge_book_reset(struct charge_book *book, double now);
/* Returns whether a running job is charged. */
bool charge_book_counts(const struct charge_book *book, const struct current_jobs *jobs,
			uint32_t slot);
/* Returns the node at which a running job counts. */
uint32_t charge_book_node(const struct charge_book *book, const struct current_job *job);

/* Returns the factor by which `value` is multiplied to count at `time`. */
double charge_book_scale(const struct charge_book *book, double time);
/* Adds what a running job holds at `now` to *holdings. */
void charge_book_hold(const struct charge_book *book, const struct current_jobs *jobs,
		      uint32_t slot, double now, struct fathom_holdings *holdings);
