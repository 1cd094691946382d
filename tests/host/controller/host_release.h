/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the host needs to know of a release of Slurm, beyond what the plugin
 * needs. No other file of the host asks for the release.
 */
#pragma once

#include "base/compat.h"

#include <math.h>

/* Up to 23.11 slurmctld knows which jobs, users and partitions sprio asks for. */
#define HOST_FILTERS_LIST (!SLURM_SENDS_ALL_FACTORS)

struct host_choice {
	compat_list jobs, users;	/* of uint32_t *; NULL: all */
	char *partitions;
};

/* How often a reconfigure of the plugin reaches the site factor plugin. */
#define HOST_SITE_RECONFIGURES (SLURM_KEEPS_SITE_FACTOR ? 0 : 1)

/* sprio's and sshare's lists, each as long as the cluster is large. */
static inline compat_list host_factors_list_of(const struct host_choice *choice)
{
#if HOST_FILTERS_LIST
	priority_factors_request_msg_t request = { .job_id_list = choice->jobs,
						   .uid_list = choice->users,
						   .partitions = choice->partitions };

	return priority_g_get_priority_factors_list(&request, 0);
#else
	return priority_g_get_priority_factors_list(0);
#endif
}

static inline compat_list host_factors_list(void)
{
	return host_factors_list_of(&(struct host_choice){ NULL });
}

/* As sshare asks; NAN where it works out the factor itself. */
static inline double host_calc_fs_factor(long double effective_usage, long double norm_shares)
{
#if !SLURM_SENDS_FS_FACTOR
	return priority_g_calc_fs_factor(effective_usage, norm_shares);
#else
	return (double)NAN;
#endif
}

/* As slurmctld does it once it has read its jobs. */
static inline void host_recover(void)
{
#if SLURM_CALLS_RECOVER
	priority_g_recover(0);
#endif
}

static inline compat_list host_shares_list(void)
{
	shares_request_msg_t request = { 0 };
	shares_response_msg_t response = { 0 };

	assoc_mgr_get_shares(NULL, 0, &request, &response);
	return response.assoc_shares_list;
}

/* sprio's request of a user; `pack` gets the list when slurmctld packs it. */
static inline void host_serve_sprio(uid_t uid, char *partitions,
				    void (*pack)(compat_list list, void *argument), void *argument)
{
#if SLURM_LOCKS_FACTORS_LIST
	slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
#endif
#if HOST_FILTERS_LIST
	priority_factors_request_msg_t request = { .partitions = partitions };
#endif
	compat_list list;

#if SLURM_LOCKS_FACTORS_LIST
	lock_slurmctld(locks);
	assoc_mgr_lock(&qos_lock);
#endif
#if HOST_FILTERS_LIST
	list = priority_g_get_priority_factors_list(&request, uid);
#else
	list = priority_g_get_priority_factors_list(uid);
#endif
	pack(list, argument);
#if SLURM_LOCKS_FACTORS_LIST
	assoc_mgr_unlock(&qos_lock);
	unlock_slurmctld(locks);
#endif
	FREE_NULL_LIST(list);
}

/* slurmctld itself asks for a user's rights where it holds assoc_mgr's QOS. */
static inline bool host_may_nest(const assoc_mgr_lock_t *locks)
{
	return SLURM_LOCKS_FACTORS_LIST && locks->user == READ_LOCK && !locks->assoc && !locks->qos;
}

/* From 26.05 on a line of sprio's list has the number that the job's record has twice. */
static inline void host_number_job(job_record_t *job, uint32_t id)
{
	job->job_id = id;
#if SLURM_FACTORS_HAVE_STEP_ID
	job->step_id.job_id = id;
#endif
}

/* Whose line of sprio's list it is. */
static inline uint32_t host_job_of_object(const priority_factors_object_t *object)
{
#if SLURM_FACTORS_HAVE_STEP_ID
	return object->step_id.job_id;
#else
	return object->job_id;
#endif
}

static inline void host_free_factors(job_record_t *job)
{
#if SLURM_HAS_FACTORS_STRUCT
	slurm_destroy_priority_factors(job->prio_factors);
#else
	slurm_destroy_priority_factors_object(job->prio_factors);
#endif
}

/* With the list of partitions goes what was computed for each of them. */
static inline void host_forget_partitions(job_record_t *job)
{
	FREE_NULL_LIST(job->part_ptr_list);
#if SLURM_HAS_PAIRS
	compat_forget_priority_array(job);
#else
	xfree(job->priority_array);
#endif
}

/* Where an association stands among the others. */
static inline void host_number(slurmdb_assoc_rec_t *record, uint32_t left, uint32_t right)
{
#if SLURM_HAS_NO_LFT
#else
	record->lft = left;
	record->rgt = right;
#endif
}

/* What a QOS counts for one account or user. */
static inline slurmdb_used_limits_t *host_used_limits(void)
{
	slurmdb_used_limits_t *limits = xmalloc(sizeof(*limits));

	/* assoc_mgr clears all of them */
	limits->tres = xcalloc(g_tres_count, sizeof(*limits->tres));
#if SLURM_QOS_COUNTS_RUN_SECONDS
	limits->tres_run_secs = xcalloc(g_tres_count, sizeof(*limits->tres_run_secs));
#endif
	return limits;
}

/* assoc_mgr has a list of those who coordinate anything; under user write. */
static inline void host_note_coordinator(slurmdb_user_rec_t *user)
{
#if SLURM_LISTS_COORDINATORS
	if (!assoc_mgr_coord_list)
		assoc_mgr_coord_list = list_create(NULL);
	list_append(assoc_mgr_coord_list, user);
#else
#endif
}

/* As assoc_mgr does it after a change of the tree; under assoc write. */
static inline void host_sort_associations(void)
{
#if SLURM_SORTS_ONE_WAY
	slurmdb_sort_hierarchical_assoc_list(assoc_mgr_assoc_list);
#else
	slurmdb_sort_hierarchical_assoc_list(assoc_mgr_assoc_list, true);
#endif
}

#if SLURM_HAS_STATE_SAVE
#define HOST_ASSOC_MGR_FOLDER
#else
#define HOST_ASSOC_MGR_FOLDER .state_save_location = &slurm_conf.state_save_location,
#endif

static inline void host_thread_start(void)
{
#if SLURM_CALLS_THREAD_START
	priority_g_thread_start();
#endif
}
