/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes: partitions, or hosts, whose jobs have a policy and usage of their own; and slot pools.
 * The jobs of each scope, and those of none, are in an order of their own; all of them together are
 * in one:
 *
 *	jobs that have places	by a factor of the place. Under lsf, and if any job has one first
 *				come, first served and in slot pools, too
 *	others			by the factor of the scope
 *
 * The factor counts alone, or in Slurm's sum or flux's.
 */
#pragma once

#include "replay/job_order.h"
#include "replay/slot_pools.h"

/* A pending job that has a place in an order of dispatch: queue by queue in LSF's order of service,
 * within a queue by what the policy says; then by the turns of slot pools. */
struct placed_job {
	size_t served;		/* place of its queue in the order of service */
	double priority;	/* among jobs with the same `served`; the greatest goes first */
	uint64_t sequence;	/* of equal ones the least goes first */
	uint32_t slot;
	uint32_t scope;
	uint32_t partition, cpus;
	bool may_start;		/* the policy lets it */
};

struct placed_jobs {
	struct placed_job *at;	/* sorted by place_jobs() */
	size_t *order;		/* order[i]: index of the job with place 1 + i */
	struct fathom_pool_job *pooled;	/* while they are placed */
	struct hosted_job *hosted;	/* the same, by a host rule */
	size_t count, room, order_room, pooled_room, hosted_room;
};

/* The jobs of a scope; the first one has the jobs of no scope, which go by all usage. */
struct scope_jobs {
	struct replay_rules rules;	/* with its policy; without Slurm's weights */
	struct charge_book book;	/* of a scope */
	struct job_order order;
	struct pending_queue queue;
};

/* Without scopes and pools, all members are 0. */
struct scopes {
	struct scope_jobs *at;
	size_t count;			/* 1 + scopes */
	const struct replay_rules *rules;
	struct slot_pools pools;
	bool must_place;		/* a pass or a submission has come since jobs were placed */
	bool has_places;		/* some jobs have places in LSF's order of dispatch */
	struct placed_jobs placed;	/* these jobs */
	/* by scope and partition: its place in the order of service; NOT_SERVED: its jobs do not go
	 * by the scope */
	size_t *served;
	bool has_choices;		/* jobs of a partition may go by several scopes */
	double *priority;		/* by slot: of a job that waits */
	size_t priority_room;
};

/* Makes the scopes and pools of the rules, which must live as long, as must the node sets; they
 * have no usage. */
void scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		   const struct node_sets *sets, const struct fathom_tree *tree);
/* These do for all scopes what charge_book_begin(), charge_book_share(), charge_book_pass(),
 * charge_book_reset() and charge_book_end() do for one book. other: scopes of another cluster,
 * which has the same ones. */
void scopes_begin(struct scopes *scopes, double time);
void scopes_share(struct scopes *scopes, const struct scopes *other, double weight);
void scopes_charge(struct scopes *scopes, const struct replay_moment *moment);
void scopes_reset(struct scopes *scopes, double now);
void scopes_end(struct scopes *scopes, const struct current_jobs *jobs, uint32_t slot);
/* Notes a pass, after scopes_charge(), and divides pools. waiting: all jobs that wait. */
void scopes_pass(struct scopes *scopes, const struct replay_moment *moment,
		 const struct pending_queue *waiting);
/* Adds a job that waits. */
void scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending);
/* Drops the jobs that have started since. */
void scopes_compact(struct scopes *scopes, const struct current_jobs *jobs);

/* Notes that a pass is done or jobs have been added, by which the jobs of pools are placed anew. */
void scopes_note(struct scopes *scopes, const struct replay_moment *moment);
/* Returns the key of the leaf at which a job runs that starts now on the CPUs that
 * current_jobs_taken() says: that at which it was placed last, or else the best one in the first
 * scope that counts the job; 0: none. */
uint32_t scopes_find_leaf(struct scopes *scopes, const struct replay_moment *moment, uint32_t slot);
/* Brings priorities and order of the queue up to date, which has the jobs of all scopes, and none
 * that has started. */
void scopes_refresh(struct scopes *scopes, const struct replay_moment *moment,
		    struct pending_queue *queue);
