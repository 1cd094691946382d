/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a job record and the figures of the last evaluation to a priority. */
#ifndef SLURM_JOB_PRIORITY_H
#define SLURM_JOB_PRIORITY_H

#include "compat.h"
#include "fairshare.h"
#include "job_pairs.h"
#include "settings.h"

/* What all jobs of one stretch of work have in common. */
struct job_scope {
	struct fairshare *fairshare;
	const struct settings *settings;
	struct fathom_priority_config config;
	time_t now;
	/* of the next job's association, looked up in a pass; NULL: not yet */
	const struct fairshare_inputs *inputs;
};

struct job_scope job_scope(struct fairshare *fairshare, const struct settings *settings,
			   time_t now);

struct job_findings {
	bool known;		/* the association was in the last evaluation */
	bool pairs_changed;	/* one of several pairs has another priority now */
};

/*
 * The job's priority; its factors, and the array for several pairs, are
 * written into the record. One set by hand is returned as it is. 0: the record
 * has no details. The caller holds job write; assoc and qos read are held too.
 */
uint32_t job_priority(const struct job_scope *scope, job_record_t *job,
		      struct job_findings *findings);

/* The same between passes, for a single job; takes assoc and QOS read. False:
 * its association was not in the last evaluation, which may be told now. */
bool job_priority_alone(struct job_scope scope, job_record_t *job, uint32_t *priority);

/* What of a job's factors is another one for each pair, for sprio. */
void job_priority_of_pair(const struct job_scope *scope, job_record_t *job,
			  const struct job_pair *pair, compat_factors *factors);

/*
 * Recomputes all jobs whose priority is not fixed. Takes job write in slices.
 * Jobs that start, end or are purged meanwhile do no harm: each is looked at
 * under the lock, as it is then.
 */
void job_priority_update_all(struct fairshare *fairshare, const struct settings *settings,
			     time_t now);

#endif
