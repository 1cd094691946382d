/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns a job record of slurmctld's into an observed job, which the ledger takes, and tells whether
 * the job runs. The caller holds job read. */
#pragma once

#include "base/compat.h"
#include "fathom.h"
#include "settings/settings.h"

/* Returns whether the job holds its allocation, suspended or not. */
bool job_is_running(const job_record_t *job);
/* Returns whether the job's last run has ended. This includes a job that is requeued, while its
 * nodes are cleaned up. */
bool job_has_ended(const job_record_t *job);
/* Returns the usage factor of the job's QOS, or 1 if the job has no QOS. The caller holds QOS
 * read. */
double job_usage_factor(const job_record_t *job);
/* Returns the job's time limit in seconds, or -1 if it has none. */
double job_limit_seconds(const job_record_t *job);
/* Returns when the run of a job that began at `start` was requeued: a time up to `now`. The job
 * waits again, or has begun another run. The time may be too late, up to the time when the job's
 * nodes were cleaned up. Returns 0 if the job's record does not tell. */
double job_requeue_time(const job_record_t *job, double start, time_t now);

/* Returns whether slurmctld enforces limits: only then does it announce ends of jobs. */
static inline bool job_limits_are_enforced(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* Returns how much of a TRES is charged, of `count` that a job has. tres: slurmctld's index. Energy
 * is not charged, as it is known only afterwards. */
static inline uint64_t charged_count(uint32_t tres, uint64_t count)
{
	return tres != TRES_ARRAY_ENERGY && count < NO_CONSUME_VAL64 ? count : 0;
}

/* The length of an array that has a count of each TRES. At least 1, as callers have it on the
 * stack. */
#define OBSERVED_TRES MAX(slurmctld_tres_cnt, 1)

/*
 * Sets all of *observed to the job as its record has it now. The job has an association. known: the
 * job's row in the ledger, or NULL. now: the present time, for job_requeue_time(). tres, part:
 * arrays of OBSERVED_TRES and of RUN_PARTS, which the function fills and to which *observed then
 * points; its names point into the record and the settings, and its parts may be those of `known`.
 * The caller holds job, node, part, assoc, qos, tres read.
 */
void job_observe(struct fathom_observed_job *observed, const job_record_t *job,
		 const struct settings *settings, const struct fathom_ledger_row *known, time_t now,
		 uint64_t *tres, struct fathom_run_part *part);

/* ---- parts of a job: its CPUs on the hosts of each scope ------------ */

/* The length of an array that has room for all parts of a job. */
#define RUN_PARTS(settings) ((settings)->scheme_count)

/* Returns whether the job's record tells its hosts. The caller holds job, node read. */
bool run_parts_are_known(const job_record_t *job);
/* Writes the parts of a job into part[], an array of RUN_PARTS: one for each scope on whose hosts
 * the job has CPUs. Returns their number. A part is named as the scope's scheme, by the name in
 * `settings`. The caller holds job, node read, and has checked run_parts_are_known(). */
uint32_t run_parts(const job_record_t *job, const struct settings *settings,
		   struct fathom_run_part *part);
