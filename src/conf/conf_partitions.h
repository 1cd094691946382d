/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the scopes and slot pools of fathom.conf against the partitions of slurm.conf. */
#pragma once

#include "conf/conf_check.h"
#include "core/name_index.h"

#define CONF_NO_PARTITION NAME_INDEX_NONE

/* A partition of slurm.conf. */
struct conf_partition {
	const char *name;
	double job_factor, tier;	/* PriorityJobFactor, PriorityTier */
	bool may_be_preempted;		/* its PreemptMode is not OFF */
};

/* A place where fathom.conf names a partition: on a Scope line or on a SlotPool line. A partition
 * may have one of each. */
struct conf_queue {
	const char *name;
	size_t partition;	/* its index in `list`; CONF_NO_PARTITION: slurm.conf lacks it */
	size_t scope;		/* the number of the scope, from 1; 0: this is a SlotPool line */
	const struct conf_scope *of_scope;	/* of a Scope line; else NULL */
	const struct conf_slot_share *share;	/* of a SlotPool line; else NULL */
	size_t first;		/* index of the queue on the pool's first line */
};

/* Returns the number of queues that conf_list_queues() lists. */
size_t conf_queue_count(const struct fathom_conf *conf);
/* Lists the partitions that Scope lines name, then those that SlotPool lines name. list: the
 * `count` partitions of slurm.conf; queue: room for conf_queue_count() queues, which point
 * into *conf. -1: out of memory. */
int conf_list_queues(const struct fathom_conf *conf, const struct conf_partition *list,
		     size_t count, struct conf_queue *queue);

/* What is checked. */
struct conf_partitions {
	const struct conf_partition *list;	/* the partitions of slurm.conf */
	size_t count;
	const struct conf_queue *queue;		/* see conf_list_queues() */
	size_t queue_count;
	bool preempt_by_tier;		/* PreemptType=preempt/partition_prio */
	/* Return whether list[a] and list[b] have the same nodes, and whether they share any. */
	bool (*same_nodes)(const void *context, size_t a, size_t b);
	bool (*share_nodes)(const void *context, size_t a, size_t b);
	const void *context;		/* for both */
};

/* Checks that each partition exists. The other functions pass over those that do not. -1: *fault
 * says what is wrong. */
int conf_check_partition_names(const struct conf_partitions *partitions, struct conf_fault *fault);
/* LSF's rule: a queue outside a cross-queue set must not have a priority between the lowest and the
 * highest of the set. -1: *fault says what is wrong, or that there is no memory. */
int conf_check_partition_factors(const struct conf_partitions *partitions,
				 struct conf_fault *fault);
/* Checks that the partitions of a pool have the same nodes. -1: *fault says what is wrong. */
int conf_check_pool_nodes(const struct conf_partitions *partitions, struct conf_fault *fault);

/* Returns whether the partition of queue[index] has another tier than the one on its pool's first
 * line; the text of *warning says so. */
bool conf_pool_tier_differs(const struct conf_partitions *partitions, size_t index,
			    struct conf_fault *warning);
/* LSF's rule: a queue of a pool can neither preempt nor be preempted. Returns whether jobs of
 * queue[index], which is in a pool, preempt jobs of another partition or are preempted by them, so
 * that its pool is void; the text of *fault says so. */
bool conf_pool_preempts(const struct conf_partitions *partitions, size_t index,
			struct conf_fault *fault);
