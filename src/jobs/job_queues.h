/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions in which jobs wait, as queues of LSF, and the schemes that they go by: the rule's
 * own, and that of each scope. */
#ifndef JOBS_JOB_QUEUES_H
#define JOBS_JOB_QUEUES_H

#include "core/name_index.h"
#include "jobs/job_rule.h"
#include "jobs/jobs.h"

/* A scheme with the rule's tree as it evaluates it. */
struct scheme_result {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct snapshot fork;		/* of a scope, because settings may change the tree */
	const struct fathom_tree *tree;
	struct fathom_result *result;	/* NULL: there is no tree */
	bool queue_first;		/* DISPATCH_ORDER=QUEUE */
	size_t class_count;		/* then: classes of its queues */
};

struct job_queue {
	const struct jobs_partition *partition;	/* NULL: the file does not describe it */
	double priority;	/* the partition's factor */
	size_t scheme;		/* 0: the rule's own; else 1 + the index of a scope */
	size_t class_of;	/* by priority within a scope that is served queue first */
};

/* Queues in the order of configuration: as the file of jobs describes them; if it describes none,
 * as jobs name them first. */
struct job_queues {
	struct scheme_result *scheme;
	size_t scheme_count;
	struct job_queue *queue;
	size_t count, room;
	struct name_index by_name, scheme_of;	/* queues; schemes by partition */
};

/* Evaluates the rule's tree, if it has one, and makes a queue for each partition that the file
 * describes. The queues point into `jobs` and `rule`. */
struct job_queues job_queues_create(const struct jobs *jobs, const struct job_rule *rule);
/* Returns the index of a partition's queue, which is added if the file does not describe it. name:
 * NULL for jobs without a partition. */
size_t job_queues_find(struct job_queues *queues, const char *name);
/* Finds the classes of all queues. */
void job_queues_classify(struct job_queues *queues);
void job_queues_clear(struct job_queues *queues);

#endif
