/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pending jobs in the order of priority. Queues are long and most jobs cannot start, so that
 * the sizes of jobs stand side by side in arrays of their own, too. Jobs that have started keep
 * their places until the queue is compacted:
 *
 *	at	a, 4 CPUs	(started)	c, 1 CPU
 *	cpus	4		infinity	1
 */
#pragma once

#include "fathom.h"

/* A pending job, with all that a scheduler looks at first. */
struct pending {
	double priority;	/* the greatest goes first, of equal ones the first submitted */
	double estimate;
	uint64_t sequence;
	uint32_t slot;		/* NO_SLOT: it has started */
	uint32_t cpus;
};

#define NO_TURNS SIZE_MAX

/* Start with all members 0. */
struct pending_queue {
	struct pending *at, *spare;	/* spare: room for sorting */
	float *cpus, *estimate;		/* those of `at`, rounded down */
	size_t count, room, spare_room, cpus_room, estimate_room;
	size_t sorted;		/* number of jobs in order; those behind are newcomers */
	size_t started;		/* number of these that have started */
	uint32_t least_cpus;	/* the fewest CPUs that a job wants */
	size_t with_least;	/* number of jobs that want as few */
	/* How many jobs have yet to take their turn, found one by one as the scheduler wants them:
	 * jobs are in the order of submission. NO_TURNS: they are in the order in which they go. */
	size_t turns_left;
	/* while jobs take turns: the first job that may be within the limits of the last turn;
	 * those before it are in no later limits either */
	size_t unfit;
	size_t unmoved;		/* number of jobs that are where they were when jobs last took
				 * turns */
};

/* Jobs with more CPUs than `cpus` cannot start, nor those with more than `spare` which also take
 * longer than `estimate` seconds. */
struct pending_limits {
	double cpus, spare, estimate;
};

/* Adds a newcomer. */
void pending_queue_add(struct pending_queue *queue, const struct pending *pending);
/* Puts all jobs in order. has_changed: priorities of jobs that were in order have changed. */
void pending_queue_sort(struct pending_queue *queue, bool has_changed);
/* Lets jobs take turns until the next call of pending_queue_sort(). Newcomers must be in the order
 * of submission, as all others are. */
void pending_queue_take_turns(struct pending_queue *queue);
/* Returns the first place from `first` on whose job may be within the limits; `count`: no job
 * is. */
size_t pending_queue_find(const struct pending_queue *queue, size_t first,
			  const struct pending_limits *limits);
/* Takes the next turn, if any job that waits may be within the limits, which must not have become
 * wider since jobs began to take turns. False: none may be, or all have had their turn. */
bool pending_queue_take_turn(struct pending_queue *queue, const struct pending_limits *limits);
/*
 * Where only the first job is wanted, the queue is a heap, for which the other functions are not
 * meant: these add a job, and drop the first one.
 */
void pending_queue_push(struct pending_queue *queue, const struct pending *pending);
void pending_queue_pop(struct pending_queue *queue);
/* Notes that a job has started. */
void pending_queue_mark(struct pending_queue *queue, size_t at);
/* Drops the jobs that have started. */
void pending_queue_compact(struct pending_queue *queue);
/* Drops them if they are many, and brings least_cpus up to date. */
void pending_queue_tidy(struct pending_queue *queue);
/* Returns how many jobs have not started. */
size_t pending_queue_waiting(const struct pending_queue *queue);
