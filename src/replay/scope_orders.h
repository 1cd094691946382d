/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scopes: partitions, or hosts, whose jobs have a policy and usage of their own; and slot pools.
 * The jobs of each scope, and those of no scope, are first ordered by themselves. That gives each
 * job a factor, by which all jobs together are ordered, alone or in Slurm's sum or flux's:
 *
 *	jobs that have places	the factor of the place, from 1 for the first down to almost 0
 *	other jobs		the fair-share factor that the scope's policy gives
 *
 * Jobs have places if their scope's policy has an order of dispatch (lsf), or if they are in a slot
 * pool. If there are any such jobs, those of first-come scopes have places, too.
 */
#pragma once

#include "replay/job_order.h"
#include "replay/slot_pools.h"

/* A pending job that has a place. Places go queue by queue in LSF's order of service, and within a
 * queue by the policy; slot pools then change them. */
struct placed_job {
	size_t served;		/* place of its queue in the order of service; SIZE_MAX: the last */
	double priority;	/* among jobs with the same `served`: the greatest goes first */
	uint64_t sequence;	/* of equal priorities the least goes first */
	uint32_t slot;
	uint32_t scope;		/* by whose order it has the place; 0: no scope */
	uint32_t partition, cpus;
	bool may_start;		/* its user has shares, and the policy lets it start */
};

struct placed_jobs {
	struct placed_job *at;	/* sorted by place_jobs() */
	size_t *order;		/* order[i]: index in `at` of the job with place 1 + i */
	struct fathom_pool_job *pooled;	/* by index in `at`: the same jobs, for slot pools */
	struct hosted_job *hosted;	/* in the order of places: the same jobs, for host rules */
	size_t count;			/* of each */
	size_t room, order_room, pooled_room, hosted_room;
};

/* The jobs of a scope, or of no scope. */
struct scope_jobs {
	struct replay_rules rules;	/* with the scope's policy; without Slurm's weights */
	struct charge_book book;	/* all 0 for the jobs of no scope: they go by the book of
					 * the replay */
	struct job_order order;
	struct pending_queue queue;	/* jobs that may go by the scope; some are in several */
};

/* Without scopes and pools, all members are 0. */
struct scopes {
	struct scope_jobs *at;		/* at[0]: jobs of no scope; at[i]: scope number i */
	size_t count;			/* 1 + number of scopes */
	const struct replay_rules *rules;
	struct slot_pools pools;
	/* With pools: a pass or a submission has come since jobs were placed. They keep their
	 * places until then. */
	bool must_place;
	bool has_places;		/* there are pools, or a scope has an order of dispatch */
	struct placed_jobs placed;	/* the jobs that have places */
	/* by scope, then by partition: the partition's place in the order of service; NOT_SERVED:
	 * its jobs do not go by the scope */
	size_t *served;
	bool has_choices;		/* jobs of some partition may go by several scopes */
	double *priority;		/* by slot: of a job that waits; NAN: not known yet */
	size_t priority_room;
};

/* Makes the scopes and pools of the rules, without usage and jobs. The rules and the node sets must
 * live as long. */
void scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		   const struct node_sets *sets, const struct fathom_tree *tree);
/* These do for the books of all scopes what charge_book_begin(), charge_book_share(),
 * charge_book_pass(), charge_book_reset() and charge_book_end() do for one. other: the scopes of
 * another cluster, which must be the same. */
void scopes_begin(struct scopes *scopes, double time);
void scopes_share(struct scopes *scopes, const struct scopes *other, double weight);
void scopes_charge(struct scopes *scopes, const struct replay_moment *moment);
void scopes_reset(struct scopes *scopes, double now);
void scopes_end(struct scopes *scopes, const struct current_jobs *jobs, uint32_t slot);
/* Notes a pass, after scopes_charge(), and divides slot pools. waiting: all jobs that wait. */
void scopes_pass(struct scopes *scopes, const struct replay_moment *moment,
		 const struct pending_queue *waiting);
/* Adds a job that waits to the queues of all scopes that it may go by. */
void scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending);
/* Drops the jobs that have started from the queues of scopes. */
void scopes_compact(struct scopes *scopes, const struct current_jobs *jobs);

/* Notes that a pass is done or jobs have been added: with pools, all jobs are placed anew then, by
 * what running jobs hold at the moment. */
void scopes_note(struct scopes *scopes, const struct replay_moment *moment);
/* Returns the key of the leaf at which a job counts that starts now on the CPUs in
 * current_jobs_taken(): the leaf at which it was placed last; else the best one in the first scope
 * that charges the job; 0: the job has no leaf. */
uint32_t scopes_find_leaf(struct scopes *scopes, const struct replay_moment *moment, uint32_t slot);
/* Brings the priorities and the order of `queue` up to date, the queue of all jobs. None of its
 * jobs may have started. */
void scopes_refresh(struct scopes *scopes, const struct replay_moment *moment,
		    struct pending_queue *queue);
