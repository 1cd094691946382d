/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions in which jobs wait, as queues of LSF, with the schemes that they go by: the rule's
 * own, and that of each scope; and the places of pending jobs in LSF's order of dispatch. */
#pragma once

#include "core/name_index.h"
#include "jobs/job_associations.h"
#include "jobs/job_rule.h"
#include "jobs/jobs.h"

/* A scheme, and the rule's tree as the scheme evaluates it. */
struct scheme_result {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const struct fathom_tree *tree;	/* of a scope: a copy, as settings may change it */
	struct fathom_result *result;	/* NULL: there is no tree */
	struct json_columns figures;	/* of the result, or the rule's own */
	bool queue_first;		/* DISPATCH_ORDER=QUEUE */
	size_t class_count;		/* if queue_first: classes of its queues */
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
	struct name_index *by_name, *scheme_of;	/* queues; schemes by partition */
};

/* Evaluates the rule's tree, if it has one, and makes a queue for each partition that the file
 * describes. The queues point into `jobs` and `rule`. */
struct job_queues job_queues_create(const struct jobs *jobs, const struct job_rule *rule);
/* Returns the index of a partition's queue, which is added if the file does not describe it. name:
 * NULL for jobs without a partition. */
size_t job_queues_find(struct job_queues *queues, const char *name);
/* Sets the classes of all queues in scopes that are served queue first. Call it when all queues are
 * there. */
void job_queues_classify(struct job_queues *queues);

/* The job that a row is of, its queue and its association. */
struct row_origin {
	const struct job *job;
	size_t queue;		/* index of its partition's */
	size_t node;		/* of its association, or JOB_NO_NODE */
};

/* Returns whether the policy of any scheme places jobs. */
bool job_places_wanted(const struct job_queues *queues);
/* Sets the places of rows that have been evaluated: of all pending jobs whose users are in the tree
 * and whose factor is not given, in partitions whose policy places jobs or serves them first come.
 * origin: by row. Returns the number of places. */
size_t job_places_set(struct job_list *list, const struct row_origin *origin,
		      const struct job_queues *queues);
/* Returns the minutes for which a job may run: its time limit, else that of the partition, which
 * may be NULL; 0: no limit. */
double job_minutes(const struct job *job, const struct jobs_partition *partition);
