/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The partitions in which jobs wait, as queues of LSF, and the places of pending jobs in LSF's
 * order of dispatch. Each queue goes by a scheme, a policy with a tree: by that of its scope, or,
 * outside scopes, by the rule's own.
 */
#pragma once

#include "core/numbered_names.h"
#include "jobs/job_associations.h"
#include "jobs/job_rule.h"
#include "jobs/jobs.h"

/* A scheme, and its tree as its policy evaluates it. If the rule has no tree, `tree`, `result` and
 * `figures` are NULL or 0. */
struct scheme_result {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const struct fathom_tree *tree;	/* of a scope: a copy, as its settings may change shares */
	struct fathom_result *result;
	struct json_columns figures;	/* of the result, or those that the rule has recorded */
	bool queue_first;		/* DISPATCH_ORDER=QUEUE */
	size_t class_count;		/* if queue_first: classes of its queues; else 0 */
};

/* A partition as a queue. */
struct job_queue {
	const struct jobs_partition *partition;	/* NULL: the file does not describe it */
	double priority;	/* the partition's PriorityJobFactor; 0: not described */
	size_t scheme;		/* 0: the rule's own; else 1 + the index of a scope */
	size_t queue_class;	/* if the scheme is queue_first: its class, 0 for the lowest */
};

/* Queues in the order of configuration: first those that the file of jobs describes, then others,
 * in the order in which jobs name them first. */
struct job_queues {
	struct scheme_result *scheme;
	size_t scheme_count;	/* 1 + the number of scopes */
	struct job_queue *queue;
	size_t count, room;	/* elements of `queue`: in use, allocated */
	struct numbered_names *names;	/* of partitions, by index of their queues */
	struct name_index *scheme_of;	/* from the name of a scope's partition to its scheme */
};

/* Evaluates the trees of all schemes, if the rule has a tree, and makes a queue for each partition
 * that the file describes. The queues point into `jobs` and `rule`. */
struct job_queues job_queues_create(const struct jobs *jobs, const struct job_rule *rule);
/* Returns the index of a partition's queue, which is added if the file does not describe it. name:
 * NULL for jobs without a partition. */
size_t job_queues_find(struct job_queues *queues, const char *name);
/* Sets `queue_class` of the queues in schemes that are queue_first, and `class_count` of these
 * schemes. Call it when all queues have been added. */
void job_queues_classify(struct job_queues *queues);

/* The job that a row is of, its queue and its association. */
struct row_origin {
	const struct job *job;
	size_t queue;		/* index of the partition's queue */
	size_t node;		/* of the association, or JOB_NO_NODE */
};

/* Returns whether the policy of any scheme places jobs. */
bool job_places_wanted(const struct job_queues *queues);
/* Sets `place` of rows that have been evaluated: of pending jobs whose users are in the tree and
 * that the file gives no factor, in partitions whose policy places jobs or serves them first come,
 * first served. origin: by row. Returns how many rows got a place. */
size_t job_places_set(struct job_list *list, const struct row_origin *origin,
		      const struct job_queues *queues);
/* Returns the minutes for which a job may run: its time limit, else that of its partition; 0: there
 * is no limit, or it is not known. partition: NULL if the file does not describe it. */
double job_minutes(const struct job *job, const struct jobs_partition *partition);
