/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the jobs of the running cluster with the request that sprio sends to slurmctld. */
#pragma once

#include "jobs/job_list.h"

#define LIVE_MOST_JOBS 2

/* What needs further requests. */
struct live_jobs_wanted {
	bool names;	/* account and QOS; under flux, also factors whose weight is 0 */
	bool as_sent;	/* fathom.conf does not matter: weights are slurm.conf's, as for sprio */
	bool states;	/* the state of each job, and rows of jobs that are not shown to sprio */
	/* the same of these jobs alone; unknown ones get no rows */
	int64_t job[LIVE_MOST_JOBS];
	size_t job_count;
	bool own;	/* the same of the caller's jobs, instead of `job` */
};

/*
 * Reads the jobs of the local cluster. Rows have their weighted factors; they have a
 * priority only if an administrator has set it, or if slurmctld sends no terms. It is
 * wrong if slurmctld cannot be reached, or has no factors: ENOTSUP.
 */
void live_jobs_read(struct job_list *list, struct live_jobs_wanted wanted);
/* Whether sprio of the installed release has columns of accounts and of names of QOS. */
bool live_sprio_shows_names(void);
