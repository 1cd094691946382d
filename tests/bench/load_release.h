/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between releases for the client of make bench-live, and for
 * no other program. */
#pragma once

#include "live/compat.h"

#include <signal.h>

/* What sprio is sent, of all jobs. */
static inline int release_load_priorities(priority_factors_response_msg_t **factors)
{
#if SLURM_HAS_FACTORS_STRUCT
	return slurm_load_job_prio(factors, SHOW_ALL);
#else
	return slurm_load_job_prio(factors, NULL, NULL, NULL, SHOW_ALL);
#endif
}

/* Of a job's description or of the answer to it. */
#if SLURM_JOB_HAS_STEP_ID
#define release_job_id step_id.job_id
#else
#define release_job_id job_id
#endif

static inline int release_kill_job(uint32_t job)
{
#if SLURM_KILLS_STEP_ID
	slurm_step_id_t id = SLURM_STEP_ID_INITIALIZER;

	id.job_id = job;
	return slurm_kill_job(id, SIGKILL, 0);
#else
	return slurm_kill_job(job, SIGKILL, 0);
#endif
}
