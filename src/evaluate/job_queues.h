/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions in which jobs wait, as queues of LSF. */
#ifndef EVALUATE_JOB_QUEUES_H
#define EVALUATE_JOB_QUEUES_H

#include "core/name_index.h"
#include "evaluate/job_rule.h"
#include "evaluate/jobs.h"

struct job_queue {
	const struct jobs_partition *partition;	/* NULL: the file does not describe it */
	size_t scheme;		/* 0: the rule's own; else 1 + the index of a scope */
	size_t class_of;	/* by priority within a scope that is served queue first */
};

/* Queues in the order of configuration: as the file of jobs describes them; if it describes none,
 * as jobs name them first. Jobs without a partition have a queue, too. */
struct job_queues {
	struct job_queue *queue;
	size_t count, room;
	size_t *of_row;		/* by row of the list of jobs: its queue */
	size_t *class_count;	/* by scheme: classes of its queues; 0: it has none */
	size_t scheme_count;
	struct name_index by_name, scheme_of;	/* queues; schemes by partition */
};

/* Makes the queues of `row_count` rows: for each job one for each partition that it asks for, at
 * least one. The queues point into `jobs` and `rule`. -1: ENOMEM; clear them then, too. */
int job_queues_create(struct job_queues *queues, const struct jobs *jobs,
		      const struct job_rule *rule, size_t row_count, struct fathom_error *error);
void job_queues_clear(struct job_queues *queues);

#endif
