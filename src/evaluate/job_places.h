/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of pending jobs in LSF's order of dispatch. */
#ifndef EVALUATE_JOB_PLACES_H
#define EVALUATE_JOB_PLACES_H

#include "evaluate/job_associations.h"
#include "evaluate/job_list.h"
#include "evaluate/job_queues.h"
#include "evaluate/jobs.h"
#include "evaluate/scheme_results.h"

struct job_places {
	size_t *place;		/* by row; 0: none. NULL: the policy places no jobs */
	size_t count;		/* jobs with a place */
};

/* What jobs are placed by. The rows have been evaluated. */
struct placed_jobs {
	const struct job_list *list;
	const struct jobs *jobs;
	const struct job_associations *associations;
	const struct job_queues *queues;
	const struct scheme_results *schemes;
};

/* Returns whether a policy places jobs. */
bool job_places_wanted(const struct scheme_results *schemes);
/* Places the rows of all pending jobs whose users are in the tree and whose factor is not given, in
 * partitions whose policy places jobs or serves them first come. -1: ENOMEM. */
int job_places_create(struct job_places *places, const struct placed_jobs *placed,
		      struct fathom_error *error);
/* Sets the places of rows of a running cluster, where `place` is not NAN, by their factors:
 * slurmctld sends these alone. Rows without a factor get none. -1: ENOMEM. */
int job_list_rank_places(struct job_list *list, struct fathom_error *error);

#endif
