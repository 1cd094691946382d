/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of pending jobs under a policy, by the usage of the last pass. The policy is evaluated
 * only when the order is asked for, because after most passes no scheduler needs it.
 */
#pragma once

#include "replay/dispatched_jobs.h"

struct job_order {
	const struct replay_rules *rules;
	struct order_tree tree;
	/* The tree whose columns a formula may use: `tree`, unless the caller sets another. */
	const struct order_tree *columns;
	/* leaves of the tree, at which jobs count; NULL: jobs count at their own nodes */
	const struct share_leaves *leaves;
	struct fathom_flux_weights flux;	/* if by_flux */
	bool by_flux;			/* a priority is flux's sum */
	bool gives_factors;		/* priorities are fair-share factors: the caller makes
					 * priorities of them by job_order_priority() */
	bool is_stale;			/* the tree lacks the usage of the last pass */
	bool has_priorities;		/* sorted jobs have priorities of the last evaluation */
	bool places_jobs;		/* the policy has an order of dispatch, `dispatched`, and
					 * factors count */
	bool takes_turns;		/* with places_jobs: jobs are dispatched one by one, as far
					 * as the scheduler asks for them */
	bool is_first_come;		/* jobs go by submission, whatever usage is */
	bool was_passed_over;		/* jobs may have started without `dispatched` */
	struct dispatched_jobs dispatched;	/* if places_jobs */
};

/* Makes the order without jobs; copies the tree. The rules must live as long. */
void job_order_create(struct job_order *order, const struct replay_rules *rules,
		      const struct fathom_tree *tree);
/* Notes a pass: usage and ages count as of `now` from now on. */
void job_order_pass(struct job_order *order, double now);
/* Notes what running jobs hold now; the next job_order_refresh() places jobs by it. Without this
 * call, it places them by what running jobs hold then. */
void job_order_note_holdings(struct job_order *order, const struct replay_moment *moment);
/* Brings the priorities and the order of the queue up to date, or lets its jobs take turns.
 * waiting_nodes: how many nodes have jobs in the queue; SIZE_MAX: not known. */
void job_order_refresh(struct job_order *order, const struct replay_moment *moment,
		       size_t waiting_nodes, struct pending_queue *queue);
/* Returns the key of that leaf of an association that has the greatest factor by the last pass;
 * 0: it has no leaf. node: the association's in the tree of associations. */
uint32_t job_order_best_leaf(struct job_order *order, const struct replay_moment *moment,
			     uint32_t node);
/* Returns the priority of a job with this fair-share factor, as of the last pass: the one that an
 * administrator has set for it; else by rules->priority or rules->job_formula; else flux's sum if
 * by_flux; else the factor itself. */
double job_order_priority(const struct job_order *order, const struct replay_rules *rules,
			  const struct replay_job *job, double factor);
