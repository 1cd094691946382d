/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every difference between releases of Slurm, and nothing else: the rest of
 * the plugin is written for the names defined here.
 */
#ifndef SLURM_COMPAT_H
#define SLURM_COMPAT_H

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"
#include "slurm/slurmdb.h"

#include "src/common/assoc_mgr.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/slurm_time.h"
#include "src/common/slurmdb_defs.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#define COMPAT_RELEASE(major, minor) \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))

#if COMPAT_RELEASE(23, 2)
#include "src/interfaces/mcs.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/site_factor.h"
#else
#include "src/common/slurm_mcs.h"
#include "src/common/site_factor.h"
#include "src/common/slurm_priority.h"
#endif

/* ---- variables of slurmctld; absent where sshare loads the plugin ---------- */

extern uint32_t cluster_cpus __attribute__((weak));
extern uint16_t accounting_enforce __attribute__((weak));
extern int slurmctld_tres_cnt __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
extern void *acct_db_conn __attribute__((weak));
#if COMPAT_RELEASE(23, 11)
extern list_t *job_list __attribute__((weak));
#else
extern List job_list __attribute__((weak));
#endif

static inline bool compat_in_controller(void)
{
	return &cluster_cpus && cluster_cpus != NO_VAL;
}

static inline uint32_t compat_node_count(void)
{
#if COMPAT_RELEASE(23, 2)
	return active_node_record_count > 0 ? (uint32_t)active_node_record_count : 0;
#else
	return node_record_count > 0 ? (uint32_t)node_record_count : 0;
#endif
}

/* ---- lists ------------------------------------------------------------------- */

#if COMPAT_RELEASE(23, 11)
typedef list_t *compat_list;
typedef list_itr_t *compat_iterator;
#else
typedef List compat_list;
typedef ListIterator compat_iterator;
#endif

/* ---- what init and fini return ----------------------------------------------- */

#if COMPAT_RELEASE(25, 11)
#define COMPAT_FINI void
#define COMPAT_FINI_RETURN
#else
#define COMPAT_FINI int
#define COMPAT_FINI_RETURN return SLURM_SUCCESS
#endif

/* ---- callbacks --------------------------------------------------------------- */

/* sprio's request filters jobs up to 22.05; later the client does. */
#define COMPAT_FACTORS_REQUEST (!COMPAT_RELEASE(23, 11))
#if COMPAT_FACTORS_REQUEST
#define COMPAT_LIST_PARAMETERS priority_factors_request_msg_t *request, uid_t uid
#define COMPAT_LIST_FILTER                                                            \
	{ request->job_id_list, request->uid_list, request->partitions }
#define compat_destroy_factors_object slurm_destroy_priority_factors_object
#else
#define COMPAT_LIST_PARAMETERS uid_t uid
#define COMPAT_LIST_FILTER { NULL, NULL, NULL }
/* Strings are borrowed: the list is packed before the locks are given back. */
static inline void compat_destroy_factors_object(void *item)
{
	priority_factors_object_t *object = item;

	slurm_destroy_priority_factors(object->prio_factors);
	xfree(object);
}
#endif

static inline bool compat_is_coordinator(uid_t uid, char *account)
{
#if COMPAT_RELEASE(24, 11)
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account, false);
#else
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account);
#endif
}

/* Up to 22.05 there is no thread without slurmdbd: priorities stay as they
 * were at submission, or at the start. */
#define COMPAT_THREAD_WITHOUT_DATABASE COMPAT_RELEASE(24, 5)

/* sshare and job_mgr recompute a factor from usage and shares. */
#define COMPAT_CALC_FS_FACTOR (!COMPAT_RELEASE(25, 11))
/* The controller starts the decay thread, and asks for a recovery. */
#define COMPAT_THREAD_START COMPAT_RELEASE(24, 5)
#define COMPAT_RECOVER COMPAT_RELEASE(23, 2)
/* fs_factor is shown whatever the algorithm. */
#define COMPAT_FS_FACTOR_ALWAYS COMPAT_RELEASE(25, 11)

static inline int compat_site_factor_init(void)
{
#if COMPAT_RELEASE(23, 2)
	return site_factor_g_init();
#else
	return site_factor_plugin_init();
#endif
}

static inline void compat_site_factor_fini(void)
{
#if COMPAT_RELEASE(23, 2)
	site_factor_g_fini();
#else
	site_factor_plugin_fini();
#endif
}

static inline void compat_site_factor_reconfig(void)
{
#if !COMPAT_RELEASE(23, 2)
	site_factor_g_reconfig();
#endif
}

/* ---- factors kept in a job record -------------------------------------------- */

#if COMPAT_RELEASE(23, 11)
typedef priority_factors_t compat_factors;
#else
typedef priority_factors_object_t compat_factors;
#endif

static inline compat_factors *compat_factors_of(job_record_t *job)
{
	if (!job->prio_factors)
		job->prio_factors = xmalloc(sizeof(*job->prio_factors));
	return job->prio_factors;
}

/* An object of sprio's list, filled with a copy of the job's factors. */
static inline priority_factors_object_t *compat_factors_object(const job_record_t *job,
							       char *partition)
{
	priority_factors_object_t *object = xmalloc(sizeof(*object));

#if COMPAT_RELEASE(23, 11)
	object->prio_factors = xmalloc(sizeof(*object->prio_factors));
	if (job->prio_factors)
		slurm_copy_priority_factors(object->prio_factors, job->prio_factors);
	object->account = job->account;
#else
	if (job->prio_factors)
		slurm_copy_priority_factors_object(object, job->prio_factors);
#endif
	object->job_id = job->job_id;
	object->partition = partition;
	object->user_id = job->user_id;
	return object;
}

static inline compat_factors *compat_factors_of_object(priority_factors_object_t *object)
{
#if COMPAT_RELEASE(23, 11)
	return object->prio_factors;
#else
	return object;
#endif
}

/* ---- a priority for each of several partitions ------------------------------- */

/* The array, as long as the job's list of partitions; NULL if it has none. */
static inline uint32_t *compat_priority_array(job_record_t *job)
{
	if (!job->part_ptr_list)
		return NULL;
#if COMPAT_RELEASE(24, 5)
#error "not yet: arrays of partition and QOS pairs"
#else
	if (!job->priority_array)
		job->priority_array = xcalloc(list_count(job->part_ptr_list) + 1,
					      sizeof(*job->priority_array));
	list_sort(job->part_ptr_list, priority_sort_part_tier);
	return job->priority_array;
#endif
}

#endif
