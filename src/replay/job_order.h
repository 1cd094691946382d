/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of pending jobs under a policy, by the usage of the last pass. The policy is evaluated
 * only when the order is looked at, because most passes change nothing that a scheduler would see.
 */
#ifndef REPLAY_JOB_ORDER_H
#define REPLAY_JOB_ORDER_H

#include "policy/dispatch.h"
#include "replay/charge_book.h"
#include "replay/entity_figures.h"
#include "replay/pending_queue.h"

/* What running jobs of a node held when it was noted. */
struct noted_holdings {
	uint32_t node;
	struct fathom_holdings holdings;
};

struct job_order {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	const struct fathom_priority_config *priority;	/* or NULL */
	const struct replay_rules *rules;
	/* that has the figures which a formula may use; itself, unless the caller sets another */
	const struct job_order *columns;
	const struct share_leaves *leaves;	/* that serve nodes of jobs; NULL: they do */
	struct fathom_flux_weights flux;	/* if by_flux */
	bool by_flux;
	bool gives_factors;		/* priorities are factors, which the caller rates */
	struct fathom_tree *tree;	/* a node's id is its number + 1 */
	struct fathom_node_index *index;
	struct fathom_result *result;
	struct entity_figures entities;
	struct fathom_sums *own;	/* by node; of a policy that keeps sums */
	struct fathom_holdings *holdings;	/* the same */
	double pass;			/* time of the last pass */
	bool is_stale;			/* not evaluated since */
	bool has_priorities;		/* those of sorted jobs are of the last evaluation */
	uint32_t *holder;		/* nodes whose holdings are not 0 */
	size_t holder_count;
	struct noted_holdings *noted;	/* for the next dispatch */
	size_t noted_count, noted_room;
	bool has_noted;		/* before that dispatch */
	bool places_jobs;		/* the order changes with each job that starts */
	struct dispatch *dispatch;	/* if places_jobs */
	bool takes_turns;		/* the order is found as far as a scheduler wants it */
	/* if takes_turns: */
	size_t listed;			/* so many jobs of the queue are in `dispatch`, or have no
					 * user */
	bool was_passed_over;		/* jobs may have started without `dispatch` */
	size_t next_without_user;	/* where to look for the next one that has none */
	/* else all jobs are listed anew each time: */
	struct fathom_pending_job *placed;	/* in the order of submission */
	struct pending **by_submission;
	size_t room, by_room;
	uint32_t *leaf;		/* if places_jobs and leaves: by slot, the key of the leaf at which
				 * the job was placed */
	size_t leaf_room;
};

/* Makes the order; copies the tree. The rules must live as long. -1: ENOMEM; clear it anyway. */
int job_order_create(struct job_order *order, const struct replay_rules *rules,
		     const struct fathom_tree *tree, struct fathom_error *error);
/* Notes a pass. */
void job_order_pass(struct job_order *order, double now);
/* Notes what running jobs hold now, by which jobs are placed when the order is next brought up to
 * date; without it, by what they hold then. -1: ENOMEM. */
int job_order_note_holdings(struct job_order *order, const struct charge_book *book,
			    const struct current_jobs *jobs, const struct machine *machine,
			    double now, struct fathom_error *error);
/* Forgets all usage; a pass has to follow. -1: ENOMEM. */
int job_order_forget(struct job_order *order, struct fathom_error *error);
/* Brings priorities and order of the queue up to date. waiting_nodes: how many nodes have jobs in
 * it; *changed: as pending_queue_sort(). -1: ENOMEM. */
int job_order_refresh(struct job_order *order, const struct charge_book *book,
		      const struct current_jobs *jobs, const struct machine *machine, double now,
		      size_t waiting_nodes, struct pending_queue *queue, bool *changed,
		      struct fathom_error *error);
/* Where jobs of the queue take turns: returns the place of the job whose turn it is. Call it only
 * after pending_queue_take_turn(). */
size_t job_order_next(struct job_order *order, const struct current_jobs *jobs,
		      const struct pending_queue *queue);
/* Sets *leaf to the key of the best leaf that serves a node, by the last pass; 0: none does. -1:
 * ENOMEM. */
int job_order_best_leaf(struct job_order *order, const struct charge_book *book,
			const struct current_jobs *jobs, const struct machine *machine, double now,
			uint32_t node, uint32_t *leaf, struct fathom_error *error);
/* Returns the priority of a job with this fair-share factor, as of the last pass: its
 * summed_priority(); that of flux; or without weights the factor itself. */
double job_order_rate(const struct job_order *order, const struct replay_rules *rules,
		      const struct replay_job *job, double factor);
void job_order_clear(struct job_order *order);

#endif
