/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between releases of Slurm: a name for each difference, and the first release that
 * has it. Three headers write code for these facts, and no other file asks for the release:
 * plugins/slurm/base/compat.h, src/live/compat.h, and for tests host_release.h and
 * load_release.h.
 */
#pragma once

#include <slurm/slurm_version.h>

/* Three numbers, because an update of a release may change things too. */
#define SLURM_SINCE(major, minor, micro) \
	(SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, micro))

/* ---- factors of jobs, and sprio ------------------------------------------------------- */

/* The factors of a job are a struct of their own, priority_factors_t. A row for sprio has account
 * and QOS, and points to such a struct; NULL: an administrator has set the priority. */
#define SLURM_HAS_FACTORS_STRUCT SLURM_SINCE(23, 2, 0)
/* slurmctld holds its locks until sprio's list is packed. */
#define SLURM_LOCKS_FACTORS_LIST SLURM_SINCE(23, 2, 0)
/* sprio asks for all jobs and chooses among them itself; before, its request had a filter. */
#define SLURM_SENDS_ALL_FACTORS SLURM_SINCE(24, 5, 0)
/* The job id is part of a step id: in job records, in rows for sprio, in
 * requests to load and to kill a job. */
#define SLURM_JOB_HAS_STEP_ID SLURM_SINCE(25, 11, 0)
#define SLURM_FACTORS_HAVE_STEP_ID SLURM_SINCE(26, 5, 0)
#define SLURM_LOADS_STEP_ID SLURM_SINCE(26, 5, 0)
#define SLURM_KILLS_STEP_ID SLURM_SINCE(26, 5, 0)

/* job_state_reason_string() returns the name of the reason for which a job waits; before,
 * job_reason_string() did. */
#define SLURM_HAS_STATE_REASON SLURM_SINCE(24, 5, 0)

/* ---- a priority for each pair of partition and QOS -------------------------------------- */

/* The priorities of pairs are in a struct, with the time of their computation. */
#define SLURM_HAS_PAIRS SLURM_SINCE(24, 5, 0)
/* A job may name several QOS, and the struct has pairs of partition and QOS; before, partitions. */
#define SLURM_JOB_HAS_QOS_LIST SLURM_SINCE(24, 11, 0)
/* job_record_t has the struct as prio_mult; before, as part_prio. */
#define SLURM_JOB_HAS_PRIO_MULT \
	(SLURM_SINCE(25, 5, 1) || (SLURM_SINCE(24, 11, 7) && !SLURM_SINCE(25, 5, 0)))

/* ---- fair share, associations, limits ---------------------------------------------------- */

/* sshare shows the factor that slurmctld sends; before, it computed the factor of classic policies
 * itself, by priority_p_calc_fs_factor(). */
#define SLURM_SENDS_FS_FACTOR SLURM_SINCE(25, 11, 0)
/* assoc_mgr lists users that coordinate accounts. */
#define SLURM_LISTS_COORDINATORS SLURM_SINCE(23, 11, 0)
/* assoc_mgr_is_user_acct_coord() has one more parameter, whether the lock is held. */
#define SLURM_COORD_HAS_LOCKED SLURM_SINCE(23, 11, 6)
/* slurmdb_sort_hierarchical_assoc_list() has one parameter less, use_lft. */
#define SLURM_SORTS_ONE_WAY SLURM_SINCE(23, 11, 0)
/* Associations have no lft and rgt. */
#define SLURM_HAS_NO_LFT SLURM_SINCE(25, 5, 0)
/* A request for associations says by flags what it wants; before, by a member for each. */
#define SLURM_HAS_ASSOC_FLAGS SLURM_SINCE(24, 11, 0)
/* slurmdbd counts what a user has used in partitions also in the user's association without a
 * partition. The release is slurmctld's; slurmdbd is never older. */
#define SLURM_SUMS_PARTITIONS SLURM_SINCE(23, 11, 0)
/* A QOS counts running seconds for each account and user. */
#define SLURM_QOS_COUNTS_RUN_SECONDS SLURM_SINCE(24, 5, 0)

/* ---- what slurmctld calls and has ---------------------------------------------------------- */

/* slurmctld calls priority_p_recover() when it has read its jobs. */
#define SLURM_CALLS_RECOVER SLURM_SINCE(23, 2, 0)
/* slurmctld calls priority_p_thread_start(). */
#define SLURM_CALLS_THREAD_START SLURM_SINCE(23, 11, 6)
/* A plugin's fini() returns nothing. */
#define SLURM_FINI_IS_VOID SLURM_SINCE(25, 11, 0)
/* Headers of plugins are in src/interfaces, and calls of the site factor begin with
 * site_factor_g_. */
#define SLURM_HAS_INTERFACES SLURM_SINCE(23, 2, 0)
/* A change of settings does not reach the plugin for site factors. */
#define SLURM_KEEPS_SITE_FACTOR SLURM_SINCE(24, 5, 0)
/* Nodes may be removed; active_node_record_count counts those that are left. */
#define SLURM_COUNTS_ACTIVE_NODES SLURM_SINCE(23, 2, 0)
/* State files have functions of their own, and assoc_mgr takes their folder from slurm.conf. */
#define SLURM_HAS_STATE_SAVE SLURM_SINCE(24, 11, 0)

/* ---- libslurm ------------------------------------------------------------------------------- */

/* slurm_get_cluster_info() lists clusters. */
#define SLURM_HAS_CLUSTER_INFO SLURM_SINCE(24, 5, 0)
