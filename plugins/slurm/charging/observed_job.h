/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns a job record of slurmctld's into what the ledger takes, and tells whether it runs. */
#pragma once

#include "base/compat.h"
#include "fathom.h"
#include "settings/settings.h"

/* Whether the job holds its allocation, suspended or not. */
bool job_is_running(const job_record_t *job);
/* Whether the job's last run has ended. A job that is requeued is completing first. */
bool job_has_ended(const job_record_t *job);
/* The usage factor of the job's QOS, 1 without one. The caller holds QOS read. */
double job_usage_factor(const job_record_t *job);
/* The job's time limit in seconds; -1: none. */
double job_limit_seconds(const job_record_t *job);
/* When a job that waits or runs again was requeued, not later than `now`, at the latest when its
 * nodes were clean; 0: its record does not tell. */
double job_requeue_time(const job_record_t *job, time_t now);

static inline bool job_limits_are_enforced(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* The count of a TRES that is charged. Energy is not charged, as it is known only afterwards. */
static inline uint64_t charged_count(uint32_t tres, uint64_t count)
{
	return tres != TRES_ARRAY_ENERGY && count < NO_CONSUME_VAL64 ? count : 0;
}

/* The length of an array with a count of each TRES; at least 1, as it is an array on the stack. */
#define OBSERVED_TRES MAX(slurmctld_tres_cnt, 1)

/*
 * Sets *observed to the job as its record has it now. known: its row in the ledger, or NULL. `tres`
 * gets OBSERVED_TRES counts and `part` the parts of run_parts(), to which *observed points.
 * The caller holds job, node, part, assoc, qos, tres read.
 */
void job_observe(struct fathom_observed_job *observed, const job_record_t *job,
		 const struct settings *settings, const struct fathom_ledger_row *known, time_t now,
		 uint64_t *tres, struct fathom_run_part *part);

/* ---- which part of a job is on the hosts of each scope, by its CPUs there ------------ */

/* The length of an array with all parts of a job. */
#define RUN_PARTS(settings) ((settings)->scheme_count)

/* Whether the job's record tells its hosts. The caller holds job, node read. */
bool run_parts_are_known(const job_record_t *job);
/* Fills the parts of a job, one for each scope that has hosts of it, named as the scope's scheme;
 * returns their number. The names are those of `settings`. part: an array of RUN_PARTS. The caller
 * holds job, node read, and run_parts_are_known(). */
uint32_t run_parts(const job_record_t *job, const struct settings *settings,
		   struct fathom_run_part *part);
