/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues as files of a scheduler or a running cluster describe them, with the slots of their
 * jobs. */
#pragma once

#include "jobs/jobs.h"

#include <stdbool.h>
#include <stddef.h>

/* What limits how many slots the jobs of a queue may have: LSF's QJOB_LIMIT, UJOB_LIMIT and so
 * on. */
enum queue_limit {
	QUEUE_OF_ALL,		/* slots of all jobs of the queue */
	QUEUE_OF_USER,		/* of the jobs of each user */
	QUEUE_OF_PROCESSOR,	/* on each processor */
	QUEUE_OF_HOST,		/* on each host */
	QUEUE_LIMIT_COUNT
};

#define QUEUE_LOAD_COUNT 13	/* load indices of LSF, from r15s to bandwidth */

/* Texts are NULL and numbers NAN if they are not known, or if the queue has none. */
struct queue {
	const char *name, *description;
	const char *users, *hosts;	/* who may use it and where, in LSF's words */
	const char *pool;		/* SLOT_POOL */
	double share;			/* SLOT_SHARE, in percent */
	double priority;		/* PRIORITY, or PriorityJobFactor of a partition */
	double tier;			/* PriorityTier of a partition of the running cluster */
	double nice;			/* NICE: of the processes of its jobs */
	double limit[QUEUE_LIMIT_COUNT];	/* slots */
	const char *load[QUEUE_LOAD_COUNT];	/* thresholds of load indices: "SCHEDULE/STOP" */
	bool has_status;		/* is_closed and is_inactive are known */
	bool is_closed;			/* it accepts no jobs */
	bool is_inactive;		/* it starts no jobs */
	double pending, running, suspended, reserved;	/* slots of jobs in these states */
};

/* Start with all members 0. */
struct queue_list {
	struct queue *queue;
	size_t count, room;	/* elements of `queue`: in use, allocated */
};

/* Returns a queue of which only the name is known. */
struct queue queue_unknown(const char *name);
/* Returns the queue of this name, which is added as unknown if the list lacks it. The pointer is
 * valid until a queue is added. name: must live as long as the list. */
struct queue *queue_list_find(struct queue_list *list, const char *name);
/* Sets the slots of each queue's jobs to those of the jobs that have not ended; a job counts in the
 * first partition that it asks for. Queues without jobs get 0; queues that the list lacks are
 * added. */
void queue_list_count(struct queue_list *list, const struct jobs *jobs);
/* Sorts by priority, the highest first, as LSF does; queues of equal priority keep their order. */
void queue_list_sort(struct queue_list *list);
