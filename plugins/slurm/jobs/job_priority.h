/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the priorities of jobs by the last evaluation, and writes them into their records. */
#ifndef SLURM_JOB_PRIORITY_H
#define SLURM_JOB_PRIORITY_H

#include "fairshare/fairshare.h"
#include "jobs/job_value.h"
#include "jobs/provisional_jobs.h"

struct job_findings {
	bool known;		/* the association was in the last evaluation */
	bool placed;		/* in each partition whose policy places jobs */
	bool pairs_changed;	/* one of several pairs has another priority now */
};

/*
 * The job's priority. Writes its factors, and the array for several pairs, into the record. A
 * priority that was set by hand is returned as it is. 0: the record has no details. The caller
 * holds job write, and assoc and qos read.
 */
uint32_t job_priority(const struct job_scope *scope, job_record_t *job,
		      struct job_findings *findings);

/* The same between passes, for a single job; takes assoc and QOS read. The priority is
 * provisional if the association is not known or the job not placed. */
struct job_findings job_priority_alone(struct job_scope scope, job_record_t *job,
				       uint32_t *priority);

/*
 * Recomputes all jobs whose priority is not fixed. Takes job write in slices.
 * Jobs that start, end or are purged meanwhile do no harm: each is looked at
 * under the lock, as it is then. Provisional priorities are replaced, or, where
 * they still are, noted again. True: some are that were not before.
 */
bool job_priority_update_all(struct fairshare *fairshare, const struct settings *settings,
			     time_t now, struct provisional_jobs *provisional);

#endif
