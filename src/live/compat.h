/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code for the differences between releases of libslurm (slurm_releases.h). The plugin has a
 * compat.h of its own. */
#pragma once

#define USE_ALIAS 1	/* Slurm's own configuration sets this, our config.h does not */
#include "src/common/slurm_xlator.h"	/* must be first: renames calls to libslurm's exports */

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

#include "src/common/list.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"

#include "slurm_releases.h"

#if SLURM_HAS_STATE_REASON
#include "src/common/job_state_reason.h"
#endif

/* Returns the name of the reason for which a job waits, as Slurm prints it. */
static inline const char *compat_reason(const slurm_job_info_t *info)
{
#if SLURM_HAS_STATE_REASON
	return job_state_reason_string(info->state_reason);
#else
	return job_reason_string(info->state_reason);
#endif
}

/* Returns a list of slurmdb_cluster_rec_t for the names, separated by commas, or "all"; the caller
 * calls list_destroy(). NULL: slurmdbd knows none of them, or does not answer. */
static inline void *compat_clusters(char *names)
{
#if SLURM_HAS_CLUSTER_INFO
	list_t *clusters = NULL;

	return slurm_get_cluster_info(&clusters, names, 0) ? NULL : clusters;
#else
	return slurmdb_get_info_cluster(names);
#endif
}

/* Up to 25.05 sshare computes the factor of policies other than Fair Tree itself, from the
 * effective usage; later releases show the factor that slurmctld sends. */
#define COMPAT_CLIENT_COMPUTES_FACTOR (!SLURM_SENDS_FS_FACTOR)

/* Rows of sprio's list have account and QOS. */
#define COMPAT_FACTORS_HAVE_NAMES SLURM_HAS_FACTORS_STRUCT

/* The factors of a row of sprio's list, which is a job in a partition. */
#if SLURM_HAS_FACTORS_STRUCT
typedef priority_factors_t compat_factors_t;
#else
typedef priority_factors_object_t compat_factors_t;
#endif

/* Returns the factors of a row; NULL: it has none. */
static inline const compat_factors_t *compat_factors(const priority_factors_object_t *job)
{
#if COMPAT_FACTORS_HAVE_NAMES
	return job->prio_factors;
#else
	return job;
#endif
}

/* Returns the account of a row; NULL: the list has no names. */
static inline const char *compat_job_account(const priority_factors_object_t *job)
{
#if COMPAT_FACTORS_HAVE_NAMES
	return job->account;
#else
	(void)job;
	return NULL;
#endif
}

/* Returns the name of a row's QOS; NULL: the list has no names. */
static inline const char *compat_job_qos(const priority_factors_object_t *job)
{
#if COMPAT_FACTORS_HAVE_NAMES
	return job->qos;
#else
	(void)job;
	return NULL;
#endif
}

/* Asks slurmctld for what sprio shows of all jobs. Not 0: errno says why. */
static inline int compat_load_job_prio(priority_factors_response_msg_t **response)
{
#if COMPAT_FACTORS_HAVE_NAMES
	return slurm_load_job_prio(response, SHOW_LOCAL);
#else
	return slurm_load_job_prio(response, NULL, NULL, NULL, SHOW_LOCAL);
#endif
}

/* Asks slurmctld for a job's record; of an array, for those of its tasks. Not 0: errno says why. */
static inline int compat_load_job(job_info_msg_t **response, uint32_t id)
{
#if SLURM_LOADS_STEP_ID
	slurm_step_id_t step_id = SLURM_STEP_ID_INITIALIZER;

	step_id.job_id = id;
	return slurm_load_job(response, step_id, SHOW_ALL | SHOW_LOCAL);
#else
	return slurm_load_job(response, id, SHOW_ALL | SHOW_LOCAL);
#endif
}

/* Returns the job id of a row of sprio's list. */
static inline uint32_t compat_job_id(const priority_factors_object_t *job)
{
#if SLURM_FACTORS_HAVE_STEP_ID
	return job->step_id.job_id;
#else
	return job->job_id;
#endif
}

/* Returns the job id of a job's record. */
static inline uint32_t compat_info_id(const slurm_job_info_t *job)
{
#if SLURM_JOB_HAS_STEP_ID
	return job->step_id.job_id;
#else
	return job->job_id;
#endif
}
