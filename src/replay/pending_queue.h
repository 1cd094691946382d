/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pending jobs in the order of priority. Queues are long and most jobs cannot start; to find
 * those that can, the sizes of jobs are also in arrays of their own, side by side. Jobs that have
 * started keep their places until the queue is compacted:
 *
 *	at	a, 4 CPUs	(started)	c, 1 CPU
 *	cpus	4		infinity	1
 */
#pragma once

#include "fathom.h"

/* A pending job, with all that a scheduler looks at first. */
struct pending {
	double tier;		/* the greatest goes first, whatever the priority */
	double priority;	/* of equal tiers the greatest goes first */
	double estimate;	/* seconds that it runs, as the scheduler thinks */
	uint64_t sequence;	/* of equal priorities the least goes first; mostly the number of
				 * jobs that were submitted before */
	uint32_t slot;		/* NO_SLOT: it has started */
	uint32_t cpus;
};

#define NO_TURNS SIZE_MAX	/* in place of turns_left */

/* Start with all members 0. */
struct pending_queue {
	struct pending *at, *spare;	/* spare: room for sorting */
	float *cpus, *estimate;		/* those of `at`, rounded down */
	size_t count, room, spare_room, cpus_room, estimate_room;
	size_t sorted;		/* number of jobs in order; those behind are newcomers */
	size_t started;		/* number of jobs among `count` that have started */
	/* No job that waits wants fewer CPUs than this; and with_least of them want as many. If
	 * with_least is 0, pending_queue_tidy() finds both anew. */
	uint32_t least_cpus;
	size_t with_least;
	/* Number of jobs that have yet to take their turn. The queue is in the order of submission
	 * then, and the scheduler asks whose turn is next. NO_TURNS: the queue is in the order in
	 * which jobs go. */
	size_t turns_left;
	/* While jobs take turns: no job before this place is within the limits of the last turn, so
	 * none is within later ones, which are not wider. */
	size_t unfit;
	size_t unmoved;		/* the first of the jobs, which are where they were when jobs last
				 * began to take turns */
};

/* What jobs may want. A job is beyond the limits if it wants more CPUs than `cpus`, or if it wants
 * more than `spare` and takes longer than `estimate` seconds. */
struct pending_limits {
	double cpus, spare, estimate;
};

/* Adds a newcomer: a copy of `pending`. */
void pending_queue_add(struct pending_queue *queue, const struct pending *pending);
/* Puts all jobs in order, and ends their turns. has_changed: priorities of jobs that were in order
 * may have changed; false: only newcomers have to be inserted. */
void pending_queue_sort(struct pending_queue *queue, bool has_changed);
/* Begins turns of all jobs that wait; pending_queue_sort() ends them. All jobs must be in the order
 * of submission. */
void pending_queue_take_turns(struct pending_queue *queue);
/* Returns the first place from `first` on whose job may be within the limits, as sizes are rounded;
 * `count`: no job is. Passes over jobs that have started. */
size_t pending_queue_find(const struct pending_queue *queue, size_t first,
			  const struct pending_limits *limits);
/* Counts one more turn off. False: all jobs have had their turn, or no job that waits may be within
 * the limits. The limits must not become wider until turns begin anew. */
bool pending_queue_take_turn(struct pending_queue *queue, const struct pending_limits *limits);
/* These use the queue as a heap, with the job that goes first on top: they add a job, and drop the
 * first one. The only other function for such a queue is pending_queue_waiting(). */
void pending_queue_push(struct pending_queue *queue, const struct pending *pending);
void pending_queue_pop(struct pending_queue *queue);
/* Notes that the job at a place has started; the job keeps the place. */
void pending_queue_mark(struct pending_queue *queue, size_t at);
/* Drops the jobs that have started, so that those behind move up. */
void pending_queue_compact(struct pending_queue *queue);
/* Drops the jobs that have started if they are many, and brings least_cpus up to date. */
void pending_queue_tidy(struct pending_queue *queue);
/* Returns how many jobs have not started. */
size_t pending_queue_waiting(const struct pending_queue *queue);
