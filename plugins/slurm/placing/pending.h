/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that slurmctld has at this moment, as the order of dispatch needs them: pending jobs
 * with their partitions, and what running jobs hold.
 */
#pragma once

#include "base/compat.h"
#include "charging/book.h"
#include "core/numbered_names.h"
#include "fathom.h"
#include "partitions/partition_order.h"
#include "settings/settings.h"
#include "walk/list_trail.h"

/* A queue: the jobs of a partition that go by one scope. */
struct pending_queue {
	uint32_t partition;	/* its number in pending->partitions */
	uint32_t scheme;	/* scheme of the scope; 0: the jobs are in no scope */
	double priority;	/* PriorityJobFactor */
	bool is_pooled;		/* see partition_is_pooled() */
	bool orders_jobs;	/* what scheme_orders_jobs() returns for the scheme */
};

/* A pending job in a queue of one of its partitions. */
struct pending_pair {
	uint32_t job, association;	/* ids */
	uint32_t queue;		/* index in pending->queue */
	uint32_t group;		/* 1 + number of the group that its comment names (fairshare=GROUP);
				 * 0: it names none, or its scope has no UserShares */
	uint32_t minutes;	/* its time limit; 0: no limit */
	bool can_start;		/* not held, no dependency, begin time reached */
	int64_t priority;	/* Slurm's priority without the terms of fair share and partition */
	time_t submitted;
	double slots;		/* CPUs that it requests */
};

/* Lists of all jobs. Start with all members 0. The memory is used again when jobs are listed the
 * next time. */
struct pending {
	time_t now;		/* when they were listed */
	struct numbered_names partitions;	/* in the order of slurm.conf */
	struct numbered_names groups;		/* that comments of jobs name */
	/* First the queue of each partition's own scope, so that a partition's number is the index
	 * of its queue; behind them queues of jobs that go by another scope of the partition. */
	struct pending_queue *queue;
	size_t queue_count, queue_room;
	struct pending_pair *pair;
	size_t pair_count, pair_room;
	struct running *run;		/* running and suspended jobs, charged until `now`: they
					 * hold what they have now */
	uint64_t (*tres)[TRES_ARRAY_MEM + 1];	/* by run: what its run.rate.tres points to */
	size_t run_count, run_room, tres_room;
	struct fathom_run_part *part;	/* of runs; names point into the settings */
	size_t part_count, part_room;
};

/* Lists all jobs that are pending, running or suspended, in place of those listed before. order: of
 * partitions; NULL: not known yet. trail: what earlier walks over the job list have noted. Takes
 * job, node, part read and QOS read in slices. Returns -1 if out of memory: then not all are
 * listed. */
int pending_list(struct pending *pending, const struct settings *settings,
		 const struct partition_order *order, struct list_trail *trail, time_t now);
/* Frees all memory, and sets all members to 0. */
void pending_clear(struct pending *pending);
