/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of pending jobs under a policy, by the usage of the last pass. The policy is evaluated
 * only when the order is looked at, because most passes change nothing that a scheduler would see.
 */
#pragma once

#include "replay/dispatched_jobs.h"

struct job_order {
	const struct replay_rules *rules;
	struct order_tree tree;
	/* the tree with the figures that a formula may use: `tree`, unless the caller sets
	 * another */
	const struct order_tree *columns;
	const struct share_leaves *leaves;	/* that serve jobs; NULL: the nodes of jobs do */
	struct fathom_flux_weights flux;	/* if by_flux */
	bool by_flux;
	bool gives_factors;		/* priorities are factors, which the caller rates */
	bool is_stale;			/* not evaluated since the last pass */
	bool has_priorities;		/* those of sorted jobs are of the last evaluation */
	bool places_jobs;		/* by `dispatched` */
	bool is_first_come;		/* whatever usage is */
	bool takes_turns;		/* of places_jobs: the order is found as far as it is
					 * wanted */
	bool was_passed_over;		/* jobs may have started without `dispatched` */
	struct dispatched_jobs dispatched;
};

/* Makes the order; copies the tree. The rules must live as long. */
void job_order_create(struct job_order *order, const struct replay_rules *rules,
		      const struct fathom_tree *tree);
/* Notes a pass. */
void job_order_pass(struct job_order *order, double now);
/* Notes what running jobs hold now; the next update of the order places jobs by it. Without this
 * call, jobs are placed by what they hold then. */
void job_order_note_holdings(struct job_order *order, const struct replay_moment *moment);
/* Brings priorities and order of the queue up to date. waiting_nodes: how many nodes have jobs in
 * it. */
void job_order_refresh(struct job_order *order, const struct replay_moment *moment,
		       size_t waiting_nodes, struct pending_queue *queue);
/* Returns the key of the best leaf that serves a node, by the last pass; 0: none does. */
uint32_t job_order_best_leaf(struct job_order *order, const struct replay_moment *moment,
			     uint32_t node);
/* Returns the priority of a job with this fair-share factor, as of the last pass: the one that is
 * set; by rules->priority or rules->job_formula; that of flux; or without weights the factor
 * itself. */
double job_order_rate(const struct job_order *order, const struct replay_rules *rules,
		      const struct replay_job *job, double factor);
