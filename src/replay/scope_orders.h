/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes: partitions whose jobs have a policy and usage of their own. The jobs of each scope, and
 * those of none, are in an order of their own; all of them together are in one:
 *
 *	jobs have places (lsf)	queue by queue in LSF's order of service, and in the order of the
 *				scope within; first-come jobs by submission
 *	else			by the factor of the scope, or Slurm's sum with it
 */
#ifndef REPLAY_SCOPE_ORDERS_H
#define REPLAY_SCOPE_ORDERS_H

#include "replay/job_order.h"

/* The jobs of a scope, or, as the first one, those of none, which go by all usage. */
struct scope_jobs {
	struct replay_rules rules;	/* with its policy; without Slurm's weights */
	struct charge_book book;	/* of a scope */
	struct job_order order;
	struct pending_queue queue;
};

/* Without scopes, all members are 0. */
struct scopes {
	struct scope_jobs *at;
	size_t count;			/* 1 + scopes */
	const struct replay_rules *rules;
	bool has_places;		/* some jobs have places in LSF's order of dispatch */
	size_t *served;			/* by partition: its place in the order of service */
	double *priority;		/* by slot: of a job that waits */
	size_t priority_room;
};

/* Makes the scopes of the rules, which must live as long; they have no usage. -1: ENOMEM; clear
 * them anyway. */
int scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		  const struct fathom_tree *tree, struct fathom_error *error);
void scopes_clear(struct scopes *scopes);
/* Do what the functions of the book and of the order do, for all scopes. -1: ENOMEM. */
void scopes_begin(struct scopes *scopes, double time);
int scopes_pass(struct scopes *scopes, const struct current_jobs *jobs,
		const struct machine *machine, double now, struct fathom_error *error);
int scopes_end(struct scopes *scopes, const struct current_job *job, struct fathom_error *error);
/* Adds a job that waits. -1: ENOMEM. */
int scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending,
	       struct fathom_error *error);
/* Drops the jobs that have started since. */
void scopes_compact(struct scopes *scopes, const struct current_jobs *jobs);

/* What decides on the order of all jobs. */
struct scopes_moment {
	const struct charge_book *book;	/* of all usage */
	const struct current_jobs *jobs;
	const struct machine *machine;
	double now;
};

/* Brings priorities and order of the queue up to date, which has the jobs of all scopes, and none
 * that has started. *changed: as pending_queue_sort(). -1: ENOMEM. */
int scopes_refresh(struct scopes *scopes, const struct scopes_moment *moment,
		   struct pending_queue *queue, bool *changed, struct fathom_error *error);

#endif
