/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's job records as the ledger wants to see them. */
#ifndef SLURM_OBSERVED_JOB_H
#define SLURM_OBSERVED_JOB_H

#include "base/compat.h"
#include "fathom.h"

/* Does it hold what it was allocated, suspended or not? */
bool job_is_running(const job_record_t *job);
/* Did its last run end? Completing covers a job on its way back to the queue. */
bool job_has_ended(const job_record_t *job);
/* When a job that waits was sent back to the queue, not later than `now`; 0: it
 * does not tell. */
double job_requeue_time(const job_record_t *job, time_t now);

/* Of a TRES, what is charged: energy is known only afterwards and charged by nobody. */
static inline uint64_t charged_count(uint32_t tres, uint64_t count)
{
	return tres != TRES_ARRAY_ENERGY && count < NO_CONSUME_VAL64 ? count : 0;
}

/* Room for a count of each TRES. */
#define OBSERVED_TRES MAX(slurmctld_tres_cnt, 1)

/*
 * The job as its record has it now. `tres` gets OBSERVED_TRES counts, which the
 * job refers to. The caller holds job, node, part, assoc, qos, tres read.
 */
struct fathom_observed_job job_observed(const job_record_t *job, const struct fathom_ledger *ledger,
					time_t now, uint64_t *tres);

#endif
