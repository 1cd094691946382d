/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of pending jobs in LSF's order of dispatch. */
#ifndef JOBS_JOB_PLACES_H
#define JOBS_JOB_PLACES_H

#include "jobs/job_associations.h"
#include "jobs/job_list.h"
#include "jobs/job_queues.h"
#include "jobs/jobs.h"

/* Where a row comes from. */
struct row_origin {
	const struct job *job;
	size_t queue;		/* index of its partition's */
	size_t node;		/* of its association, or JOB_NO_NODE */
};

/* Returns whether a policy places jobs. */
bool job_places_wanted(const struct job_queues *queues);
/* Sets the places of rows that have been evaluated: of all pending jobs whose users are in the tree
 * and whose factor is not given, in partitions whose policy places jobs or serves them first come.
 * origin: by row. Returns the number of places. */
size_t job_places_set(struct job_list *list, const struct row_origin *origin,
		      const struct job_queues *queues);
/* Returns the minutes for which a job may run; 0: without a limit. partition: or NULL. */
double job_minutes(const struct job *job, const struct jobs_partition *partition);
/* Sets the places of rows of a running cluster, where `place` is not NAN, by their factors:
 * slurmctld sends these alone. Rows without a factor get none. */
void job_list_rank_places(struct job_list *list);

#endif
