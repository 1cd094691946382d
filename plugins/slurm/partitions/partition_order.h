/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The partitions as a pass has seen them, in an object that never changes. It tells:
 *
 *   - By which scopes the jobs of each partition go. Where scopes have hosts (host partitions of
 *     LSF), these are all scopes that have a node of the partition, and HostRule chooses among them
 *     for each job. A job that requires nodes, all of one scope, goes by that scope.
 *   - In a scope with DispatchOrder=QUEUE, which partitions go first: those with a higher
 *     PriorityJobFactor. All their jobs go before those of the next partitions, so this order comes
 *     before the fair share of users: with two classes a factor of 0.8 becomes about 0.4 in the
 *     lower class and 0.9 in the higher.
 *   - How slot pools are divided among their partitions, see partitions/pools.h.
 */
#pragma once

#include "base/compat.h"
#include "base/shared.h"
#include "partitions/pools.h"
#include "settings/settings.h"

#include "core/name_index.h"
#include "json/pool_division.h"

/* Where a partition stands among those of its scope: partitions of a higher class go first. */
struct partition_class {
	size_t number;		/* 0, the lowest, to count - 1 */
	size_t count;		/* how many classes the scope has; 0 or 1: it has no order of
				 * partitions */
};

/* A copy of one of slurmctld's partitions. */
struct ordered_partition {
	char *name;
	const struct queue *queue;	/* its lines of fathom.conf, by scopes_queue(); or NULL */
	double priority;	/* PriorityJobFactor */
	size_t *scheme;		/* the schemes of all scopes that have a node of it, in the order of
				 * fathom.conf, and then 0. With HostRule=first only the first of
				 * these, and then 0 */
	bool is_pooled;		/* it is in a slot pool, or shares nodes with one: it has
				 * seats, see struct pool_seat */
};

struct partition_order {
	struct shared shared;
	struct settings *settings;	/* a reference to those that it was made for */
	struct ordered_partition *list;	/* in the order of slurm.conf */
	size_t count;			/* elements of `list` */
	bool has_choices;		/* jobs of some partition may go by several scopes */
	struct name_index names;	/* index in `list`, by name */
	struct partition_class *class;	/* one for each of settings->queue; all members 0 where no
					 * scope has DispatchOrder=QUEUE */
	struct pool_division *pool;	/* one for each of settings->pool */
	char **void_pool;		/* by pool: why it is void; NULL: it is not void */
};

/* What the decay thread keeps from one pass to the next. Start with all members 0. */
struct partitions {
	struct partition_order *order;	/* the order of the last update; NULL: its settings need
					 * none */
	struct pool_seats seats;	/* the seats of the last update, with what they have used */
};

/* Makes the order anew, as the partitions are now. If out of memory, logs it, and the last order
 * stays. Takes node, part read, and QOS read within; and, if there are pools, job, node, part read
 * in slices. The caller holds no lock of slurmctld's or assoc_mgr's. */
void partitions_update(struct partitions *partitions, const struct settings *settings, time_t now);
/* Frees the order and the seats. */
void partitions_clear(struct partitions *partitions);
/* Returns the order, valid until the next update. NULL: the last update had other settings, or
 * these need none. */
struct partition_order *partitions_order(const struct partitions *partitions,
					 const struct settings *settings);

#define NO_REQUIRED_NODES SIZE_MAX	/* in place of a scheme */
/* Returns the scheme of the scope to which all nodes belong that a pending job requires; 0: they
 * belong to no scope. Returns NO_REQUIRED_NODES if the job requires no nodes or nodes of several
 * scopes, or if no scope has hosts. The caller holds job, node read. */
size_t partition_required_scheme(const struct settings *settings, const job_record_t *job);

/* Returns the scheme by which jobs of a partition go, the first if they may go by several; 0: by
 * that in force. order: of these settings; NULL: not known yet. partition: the name; or NULL.
 * queue: what scopes_queue() returns for the partition. required: what partition_required_scheme()
 * returns for the job. */
size_t partition_scheme(const struct partition_order *order, const struct settings *settings,
			const char *partition, const struct queue *queue, size_t required);

/* Returns the next scheme, after `after`, by which jobs of a partition may go; 0: `after` is the
 * last. The first one is what partition_scheme() returns. order: NULL: not known yet; the result is
 * 0 then. required: what partition_required_scheme() returns for the job. */
size_t partition_next_scheme(const struct partition_order *order, const char *partition,
			     size_t required, size_t after);

/* Returns whether a partition is in a slot pool, or outside and shares nodes with one. order: NULL:
 * not known yet; the result is false then. */
bool partition_is_pooled(const struct partition_order *order, const char *partition);

/* Returns a user's factor, 0 to 1, mapped into the part of 0 to 1 that belongs to the partition's
 * class. Returns `factor` itself if it is NAN, if the scope has no order of partitions, or if
 * `order` or `queue` is NULL. order: NULL: not known yet. queue: what scopes_queue() returns for
 * the partition, by order->settings. */
double partition_factor(const struct partition_order *order, const struct queue *queue,
			double factor);
