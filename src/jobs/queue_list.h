/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues as files of a scheduler or a running cluster describe them, with the slots of their
 * jobs. */
#pragma once

#include "jobs/jobs.h"

#include <stdbool.h>
#include <stddef.h>

/* Limits of the slots that jobs of a queue may have. */
enum queue_limit {
	QUEUE_OF_ALL,		/* of all jobs of the queue */
	QUEUE_OF_USER,		/* of the jobs of each user */
	QUEUE_OF_PROCESSOR,	/* on each processor */
	QUEUE_OF_HOST,		/* on each host */
	QUEUE_LIMIT_COUNT
};

#define QUEUE_LOAD_COUNT 13	/* load indices of LSF, from r15s to bandwidth */

/* Texts are NULL and numbers NAN if they are not known, or if there is none. */
struct queue {
	const char *name, *description;
	const char *users, *hosts;	/* in LSF's words */
	const char *pool;		/* SLOT_POOL */
	double share;			/* SLOT_SHARE, in percent */
	double priority, nice, limit[QUEUE_LIMIT_COUNT];
	const char *load[QUEUE_LOAD_COUNT];	/* thresholds: "SCHEDULE/STOP" */
	bool has_status;		/* the next two are known: */
	bool is_closed, is_inactive;	/* accepts no jobs; starts none */
	double pending, running, suspended, reserved;	/* slots of jobs */
};

struct queue_list {
	struct queue *queue;
	size_t count, room;
};

/* Returns a queue of which nothing is known. */
struct queue queue_unknown(const char *name);
/* Returns the queue of this name, until the next call; adds it if the list lacks it. The name must
 * live as long as the list. */
struct queue *queue_list_find(struct queue_list *list, const char *name);
/* Counts the slots of jobs that have not ended, each in the first partition that it names. Queues
 * without jobs get 0; one that the list lacks is added. */
void queue_list_count(struct queue_list *list, const struct jobs *jobs);
/* Sorts by priority, the highest first, as LSF does; equal queues keep their order. */
void queue_list_sort(struct queue_list *list);
