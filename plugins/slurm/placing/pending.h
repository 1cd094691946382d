/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that slurmctld has at this moment, as the order of dispatch needs them: pending jobs
 * with their partitions, and what running jobs hold.
 */
#pragma once

#include "base/compat.h"
#include "core/numbered_names.h"
#include "fathom.h"
#include "partitions/partition_order.h"
#include "settings/settings.h"
#include "walk/list_trail.h"

/* The jobs of a partition that go by one scope. */
struct pending_queue {
	uint32_t partition;
	uint32_t scheme;	/* of the scope; 0: in no scope */
	double priority;	/* PriorityJobFactor */
	bool is_pooled;		/* see partition_is_pooled() */
	bool orders_jobs;	/* scheme_orders_jobs() of its scheme */
};

/* A pending job in one of its partitions. */
struct pending_pair {
	uint32_t job, association;
	uint32_t queue;
	bool can_start;		/* not held, no dependency, begin time reached */
	uint16_t group;		/* 1 + that of its words fairshare=GROUP; 0: it has none, or its
				 * scope has no groups */
	int64_t priority;	/* without fair share and partition */
	time_t submitted;
	double slots, time_limit;	/* seconds; 0: none */
};

/* A running job. */
struct pending_run {
	uint32_t job, association;
	uint32_t partition;	/* UINT32_MAX: not known */
	uint32_t array;			/* job array that it is a task of; 0: none */
	double usage_factor, limit;	/* seconds; -1: none */
	double ran;
	uint64_t tres[TRES_ARRAY_MEM + 1];
	size_t part;		/* the first of its parts in `part` below */
	uint32_t part_count;
};

/* Start with all members 0. Its memory is used again when jobs are listed the next time. */
struct pending {
	time_t now;
	struct numbered_names partitions;	/* in the order of slurm.conf */
	struct numbered_names groups;		/* that jobs name */
	/* Those of the partitions' own scopes, in the same order; behind them those of jobs that
	 * require nodes of another scope. */
	struct pending_queue *queue;
	size_t queue_count, queue_room;
	struct pending_pair *pair;
	size_t pair_count, pair_room;
	struct pending_run *run;
	size_t run_count, run_room;
	struct fathom_run_part *part;	/* names are those of the settings */
	size_t part_count, part_room;
};

/* Lists all jobs. order: of partitions, or NULL. trail: of the job list. Takes job, node, part
 * read and QOS read in slices. -1: out of memory, and not all are listed. */
int pending_list(struct pending *pending, const struct settings *settings,
		 const struct partition_order *order, struct list_trail *trail, time_t now);
void pending_clear(struct pending *pending);
