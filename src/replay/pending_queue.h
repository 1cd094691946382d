/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pending jobs in the order of priority. */
#ifndef REPLAY_PENDING_QUEUE_H
#define REPLAY_PENDING_QUEUE_H

#include "fathom.h"

/* A pending job, with all that a scheduler looks at first. */
struct pending {
	double priority;	/* the greatest goes first, of equal ones the first submitted */
	double estimate;
	uint64_t sequence;
	uint32_t slot;		/* NO_SLOT: it has started */
	uint32_t cpus;
};

/* Start with all members 0. */
struct pending_queue {
	struct pending *at;
	size_t count, room;
	size_t sorted;		/* so many are in order; those behind are newcomers */
	size_t started;		/* so many of them have started */
	uint32_t least_cpus;	/* no job wants fewer */
};

/* Adds a newcomer. -1: ENOMEM. */
int pending_queue_add(struct pending_queue *queue, const struct pending *pending,
		      struct fathom_error *error);
/* Puts all jobs in order. Returns whether jobs that were in order before have changed places, or
 * have been overtaken by newcomers. */
bool pending_queue_sort(struct pending_queue *queue);
/* Notes that a job has started. */
void pending_queue_mark(struct pending_queue *queue, size_t at);
/* Drops the jobs that have started. */
void pending_queue_compact(struct pending_queue *queue);
void pending_queue_clear(struct pending_queue *queue);

#endif
