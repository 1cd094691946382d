/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code for the differences between releases of Slurm, and nothing else: the rest of the plugin is
 * written for the names defined here and in slurm_releases.h.
 */
#pragma once

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"
#include "slurm/slurmdb.h"
#include "slurm_releases.h"

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

#if SLURM_HAS_STATE_SAVE
#include "src/common/state_save.h"
#endif
#if SLURM_HAS_INTERFACES
#include "src/interfaces/accounting_storage.h"
#include "src/interfaces/mcs.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/site_factor.h"
#else
#include "src/common/site_factor.h"
#include "src/common/slurm_accounting_storage.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#endif

/* ---- lists: their types have different names in different releases ------------- */

typedef struct xlist *compat_list;
typedef struct listIterator *compat_iterator;

/* Returns the address of the list node that the iterator comes to next, which may only be
 * prefetched and compared. It is read from struct listIterator, which is slurmctld's own: a magic
 * number, the list, the next node. */
static inline const void *compat_next_node(compat_iterator iterator)
{
	return ((const void *const *)(const void *)iterator)[2];
}

/* ---- variables of slurmctld: weak, as sshare loads the plugin too and lacks them --- */

extern uint32_t cluster_cpus __attribute__((weak));
extern uint16_t accounting_enforce __attribute__((weak));
extern int slurmctld_tres_cnt __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
extern void *acct_db_conn __attribute__((weak));
extern compat_list job_list __attribute__((weak));
extern compat_list part_list __attribute__((weak));
#if SLURM_HAS_PAIRS
extern time_t last_part_update __attribute__((weak));
#endif
/* An older slurmctld lacks this one too, and must be able to load the plugin to find out that it is
 * for another release. */
extern int active_node_record_count __attribute__((weak));
extern slurmctld_config_t slurmctld_config __attribute__((weak));

/* Returns whether slurmctld has loaded the plugin, and not a command. A command lacks the variable,
 * or has it with NO_VAL. */
static inline bool compat_in_controller(void)
{
	return &cluster_cpus && cluster_cpus != NO_VAL;
}

/* Returns whether slurmctld is ending, or giving control to its backup. */
static inline bool compat_is_shutting_down(void)
{
	return &slurmctld_config && slurmctld_config.shutdown_time;
}

/* Returns the number of nodes of the cluster, without removed ones. */
static inline uint32_t compat_node_count(void)
{
	int count = SLURM_COUNTS_ACTIVE_NODES ? active_node_record_count : node_record_count;

	return (uint32_t)MAX(count, 0);
}

/* ---- what init and fini return ----------------------------------------------- */

#if SLURM_FINI_IS_VOID
#define COMPAT_FINI void
#define COMPAT_FINI_RETURN
#else
#define COMPAT_FINI int
#define COMPAT_FINI_RETURN return SLURM_SUCCESS
#endif

/* ---- callbacks --------------------------------------------------------------- */

/* The parameters of priority_p_get_priority_factors_list(), and the initialiser of its struct
 * sprio_list_filter. Up to 23.11 the request of sprio names the jobs that it wants. From 24.05 on
 * sprio gets all jobs and chooses by itself, so the filter is empty. */
#if SLURM_SENDS_ALL_FACTORS
#define COMPAT_LIST_PARAMETERS uid_t uid
#define COMPAT_LIST_FILTER { NULL, NULL, NULL }
#else
#define COMPAT_LIST_PARAMETERS priority_factors_request_msg_t *request, uid_t uid
#define COMPAT_LIST_FILTER                                                            \
	{ request ? request->job_id_list : NULL, request ? request->uid_list : NULL,      \
	  request ? request->partitions : NULL }
#endif

/* Frees a row of the list for sprio. */
#if SLURM_HAS_FACTORS_STRUCT
static inline void compat_destroy_factors_object(void *item)
{
	priority_factors_object_t *object = item;

	slurm_destroy_priority_factors(object->prio_factors);
	xfree(object);
}
#else
#define compat_destroy_factors_object slurm_destroy_priority_factors_object
#endif

/* Returns whether a user coordinates an account. Takes assoc_mgr's locks: the caller holds none of
 * them. */
static inline bool compat_is_coordinator(uid_t uid, char *account)
{
#if SLURM_COORD_HAS_LOCKED
	const bool is_locked = false;

	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account, is_locked);
#else
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, account);
#endif
}

/* Sets what a query of slurmdbd's associations asks for: usage, deleted associations, too; but no
 * limits. */
static inline void compat_want_usage(slurmdb_assoc_cond_t *condition)
{
#if SLURM_HAS_ASSOC_FLAGS
	condition->flags = ASSOC_COND_FLAG_WITH_USAGE | ASSOC_COND_FLAG_WITH_DELETED |
			   ASSOC_COND_FLAG_WOPI | ASSOC_COND_FLAG_WOPL;
#else
	condition->with_usage = condition->with_deleted = 1;
	condition->without_parent_info = condition->without_parent_limits = 1;
#endif
}

/* Returns whether slurmdbd counts twice what users have used in partitions. A slurmdbd that is
 * newer than slurmctld may do so: then users have more than the root account. of_users, of_root:
 * usage in the same hours. */
static inline bool compat_sums_partitions(uint64_t of_users, uint64_t of_root)
{
	return SLURM_SUMS_PARTITIONS || of_users > of_root;
}

#if SLURM_HAS_INTERFACES
#define compat_site_factor_init site_factor_g_init
#define compat_site_factor_fini site_factor_g_fini
#else
#define compat_site_factor_init site_factor_plugin_init
#define compat_site_factor_fini site_factor_plugin_fini
#endif

/* Gives changed settings to the site factor plugin. Later releases have no such call. */
static inline void compat_site_factor_reconfig(void)
{
#if !SLURM_KEEPS_SITE_FACTOR
	site_factor_g_reconfig();
#endif
}

/* ---- terms of the priority in a job record ----------------------------------------- */

#if SLURM_HAS_FACTORS_STRUCT
typedef priority_factors_t compat_factors;
#else
typedef priority_factors_object_t compat_factors;
#endif

/* Returns the job's factors, and creates them if it has none. */
static inline compat_factors *compat_factors_of(job_record_t *job)
{
	if (!job->prio_factors)
		job->prio_factors = xmalloc(sizeof(*job->prio_factors));
	return job->prio_factors;
}

/* Returns a row of the list for sprio, with a copy of the job's factors. If the job has none, the
 * row's are 0. compat_destroy_factors_object() frees the row. */
static inline priority_factors_object_t *
compat_factors_object(const job_record_t *job, const part_record_t *partition,
		      const slurmdb_qos_rec_t *qos)
{
	size_t name_size = SLURM_LOCKS_FACTORS_LIST ? 0 : strlen(partition->name) + 1;
	/* without the locks, the row has a copy of the name; Slurm's destructor frees no name, so
	 * the copy is in the same piece of memory */
	priority_factors_object_t *object = xmalloc(sizeof(*object) + name_size);

	(void)qos;	/* sprio of 22.05 shows no QOS */
#if SLURM_HAS_FACTORS_STRUCT
	object->prio_factors = xmalloc(sizeof(*object->prio_factors));
	if (job->prio_factors)
		slurm_copy_priority_factors(object->prio_factors, job->prio_factors);
	object->account = job->account;
	object->qos = qos ? qos->name : NULL;
#else
	if (job->prio_factors)
		slurm_copy_priority_factors_object(object, job->prio_factors);
#endif
#if SLURM_FACTORS_HAVE_STEP_ID
	object->step_id = job->step_id;
#else
	object->job_id = job->job_id;
#endif
	object->partition = SLURM_LOCKS_FACTORS_LIST
		? partition->name : memcpy(object + 1, partition->name, name_size);
	object->user_id = job->user_id;
	return object;
}

/* Returns the factors in a row of the list for sprio. */
static inline compat_factors *compat_factors_of_object(priority_factors_object_t *object)
{
#if SLURM_HAS_FACTORS_STRUCT
	return object->prio_factors;
#else
	return object;
#endif
}

/* ---- a priority for each pair of partition and QOS ---------------------------- */

/* Returns the QOS of a job that was submitted to several; NULL: it has one QOS, or none. */
static inline compat_list compat_qos_list(const job_record_t *job)
{
#if SLURM_JOB_HAS_QOS_LIST
	return job->qos_list;
#else
	(void)job;
	return NULL;
#endif
}

/* The member of a job record that points to the priorities of its pairs; and, of what it points to,
 * the member with the names of the partitions in one text. */
#if SLURM_JOB_HAS_PRIO_MULT
#define COMPAT_PAIRS prio_mult
#else
#define COMPAT_PAIRS part_prio
#endif
#if SLURM_JOB_HAS_QOS_LIST
#define COMPAT_PAIR_NAMES priority_array_names
#else
#define COMPAT_PAIR_NAMES priority_array_parts
#endif

#if SLURM_HAS_PAIRS

/* Frees the array of a job that has only one pair now. */
static inline void compat_forget_priority_array(job_record_t *job)
{
	if (!job->COMPAT_PAIRS)
		return;
	xfree(job->COMPAT_PAIRS->priority_array);
	xfree(job->COMPAT_PAIRS->COMPAT_PAIR_NAMES);
	xfree(job->COMPAT_PAIRS);
}

/* Returns whether the job's array has `count` priorities in the present order of partitions. The
 * array of a task that was split off a job array has fewer; an array that is older than the last
 * change of partitions may have another order. job->COMPAT_PAIRS is not NULL. */
static inline bool compat_priority_array_is_good(const job_record_t *job, size_t count)
{
	return job->COMPAT_PAIRS->priority_array &&
	       xsize(job->COMPAT_PAIRS->priority_array) == count * sizeof(uint32_t) &&
	       job->COMPAT_PAIRS->last_update > last_part_update;
}

/* Returns the priority of the i-th of `count` pairs; 0: unknown. */
static inline uint32_t compat_pair_priority(const job_record_t *job, size_t count, size_t i)
{
	if (!job->COMPAT_PAIRS || !job->COMPAT_PAIRS->priority_array ||
	    xsize(job->COMPAT_PAIRS->priority_array) != count * sizeof(uint32_t))
		return 0;
	return job->COMPAT_PAIRS->priority_array[i];
}

/* Returns the array for `count` pairs. If the present one does not fit, makes a new one. */
static inline uint32_t *compat_priority_array(job_record_t *job, size_t count)
{
	if (!job->COMPAT_PAIRS)
		job->COMPAT_PAIRS = xmalloc(sizeof(*job->COMPAT_PAIRS));
	if (compat_priority_array_is_good(job, count))
		return job->COMPAT_PAIRS->priority_array;
	xfree(job->COMPAT_PAIRS->priority_array);
	xfree(job->COMPAT_PAIRS->COMPAT_PAIR_NAMES);
	if (job->part_ptr_list) {
		if (!SLURM_JOB_HAS_QOS_LIST)	/* later releases keep it sorted */
			list_sort(job->part_ptr_list, priority_sort_part_tier);
		job->COMPAT_PAIRS->COMPAT_PAIR_NAMES = part_list_to_xstr(job->part_ptr_list);
	}
	job->COMPAT_PAIRS->priority_array = xcalloc(count, sizeof(uint32_t));
	job->COMPAT_PAIRS->last_update = time(NULL);
	return job->COMPAT_PAIRS->priority_array;
}

#else

/* Up to 23.11 slurmctld frees the array together with the list of partitions. */
static inline void compat_forget_priority_array(job_record_t *job)
{
	(void)job;
}

/* Returns the priority of the i-th pair; 0: unknown. */
static inline uint32_t compat_pair_priority(const job_record_t *job, size_t count, size_t i)
{
	(void)count;
	return job->priority_array ? job->priority_array[i] : 0;
}

/* For list_for_each() over partitions, which ends when this returns -1: the partition belongs
 * before the previous one, which *context points to. To find that a list is sorted costs less than
 * to sort it. */
static inline int compat_is_in_order(void *partition, void *context)
{
	void **previous = context, *before = *previous;

	*previous = partition;
	return before && priority_sort_part_tier(&before, &partition) > 0 ? -1 : 0;
}

/* Returns the array for `count` pairs, which are partitions here, and sorts the partitions as
 * slurmctld expects. */
static inline uint32_t *compat_priority_array(job_record_t *job, size_t count)
{
	void *previous = NULL;

	if (!job->priority_array)
		job->priority_array = xcalloc(count + 1, sizeof(*job->priority_array));
	if (list_for_each(job->part_ptr_list, compat_is_in_order, &previous) < 0)
		list_sort(job->part_ptr_list, priority_sort_part_tier);
	return job->priority_array;
}

#endif

/* ---- running TRES seconds that a QOS counts for each account and each user ------ */

/* Return the running seconds of each TRES that a QOS counts for an account or a user; NULL: this
 * release does not count them. The caller holds assoc read and QOS write. */
static inline uint64_t *compat_account_run_seconds(slurmdb_qos_rec_t *qos, char *account)
{
#if SLURM_QOS_COUNTS_RUN_SECONDS
	return acct_policy_get_acct_used_limits(&qos->usage->acct_limit_list,
						account)->tres_run_secs;
#else
	(void)qos, (void)account;
	return NULL;
#endif
}

static inline uint64_t *compat_user_run_seconds(slurmdb_qos_rec_t *qos, uint32_t uid)
{
#if SLURM_QOS_COUNTS_RUN_SECONDS
	return acct_policy_get_user_used_limits(&qos->usage->user_limit_list, uid)->tres_run_secs;
#else
	(void)qos, (void)uid;
	return NULL;
#endif
}
