/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that the files of this folder share. compat.h, with Slurm's own headers, comes
 * first.
 */
#pragma once

#include "live/compat.h"

#include "conf/conf.h"
#include "core/id_index.h"
#include "core/numbered_names.h"
#include "fathom.h"
#include "jobs/job_list.h"
#include "live/live.h"
#include "memory/need_memory.h"

#include <stdbool.h>
#include <string.h>

/* ---- libslurm.c ------------------------------------------------------------------------ */

/*
 * Around every use of libslurm. libslurm logs to stderr, and ends the process if slurm.conf is
 * wrong. While it is asked its log is captured, so that the user sees one line of fathom's.
 */

/* Captures stderr, and initialises libslurm. It may not be called again before libslurm_end().
 * instead: the end of the message if no cluster answers, such as LIBSLURM_FROM; "": nothing. */
void libslurm_begin(const char *instead);
/* Ends the capture. A failure in between, see wrong_at(), does it, too. */
void libslurm_end(void);

/* The items of a list of libslurm's, which belong to the list. */
struct live_items {
	void **item;
	size_t count;
};
/* Returns the items of a list; none for NULL. */
struct live_items live_items(void *list);

/* The following functions must be called between libslurm_begin() and libslurm_end(). They fail,
 * see wrong_at(), if the cluster does not answer. */

/* Fails because a call of libslurm has failed, with the error of errno; errno 0: with the last line
 * of libslurm's log. what: which daemon was asked, such as "slurmctld". */
_Noreturn void libslurm_failed(const char *what);
/* Returns the slurmdb_cluster_rec_t of each cluster of a list of names; NULL: one, NULL, for the
 * local cluster. The caller sets working_cluster_rec to the one that libslurm is to ask. */
struct live_items libslurm_clusters(const char *names);
/* These return the configuration of slurmctld, its partitions, and its answer to sshare, which stay
 * until the end of the process. */
slurm_conf_t *libslurm_conf(void);
partition_info_msg_t *libslurm_partitions(void);
shares_response_msg_t *libslurm_shares(shares_request_msg_t *wanted);
/* Returns the records of slurmctld's assoc_mgr, by ASSOC_MGR_INFO_FLAG_ASSOC and so on. NULL: it
 * sends none, as without slurmdbd; errno may say why. */
assoc_mgr_info_msg_t *libslurm_records(uint32_t flags);

/* ---- live_conf.c ----------------------------------------------------------------------- */

/* The policy and settings of the running cluster, by slurm.conf and fathom.conf. */

/* Returns whether the cluster runs priority/fathom; else fathom.conf has no effect. */
bool live_conf_is_fathom(const slurm_conf_t *slurm);
/* Returns the path of the file `name` beside slurm.conf on this host; name NULL: of slurm.conf.
 * NULL: not known. */
const char *live_conf_path(const slurm_conf_t *slurm, const char *name);
/* Returns the text of fathom.conf that slurmctld tells its clients, without comments; see
 * conf_told.h. NULL: it tells none. */
const char *live_conf_told(const slurm_conf_t *slurm);
/* Returns the fathom.conf that slurmctld tells; if it tells none, that beside slurm.conf on this
 * host; if that is wrong, the last good settings, which the plugin keeps where only SlurmUser and
 * root can read them; else the defaults. *remark: a warning if the file cannot be read or is wrong,
 * or if the policy is only assumed; else NULL. *is_known: the result is what is in force. Both may
 * be NULL. */
struct fathom_conf live_conf_read(const slurm_conf_t *slurm, const char **remark, bool *is_known);
/* Returns the policy in force, by fathom.conf and slurm.conf. */
const struct fathom_policy *live_conf_policy(const struct fathom_conf *conf,
					     const slurm_conf_t *slurm);
/* Returns the settings of a policy, by fathom.conf and slurm.conf. */
struct fathom_settings live_conf_settings(const struct fathom_conf *conf, const slurm_conf_t *slurm,
					  const struct fathom_policy *policy);
/* Asks slurmctld for its partitions, if conf has scopes with hosts or slot pools. Gives each scope
 * with hosts the partitions whose jobs go by it, and adds to `pooled` the partitions that are in a
 * slot pool or share nodes with one. A pool that is void because of preemption does not count. Call
 * it within libslurm_begin(). */
void live_conf_find_partitions(struct fathom_conf *conf, const slurm_conf_t *slurm,
			       struct numbered_names *pooled);
/* Returns whether jobs in the partition have places in LSF's order of dispatch, apart from slot
 * pools: their policy places jobs; or they go first come, first served, and jobs of some other
 * partition have places. */
bool live_conf_places(const struct fathom_conf *conf, const slurm_conf_t *slurm,
		      const char *partition);
/* Returns a clause why the group does not count that a job's comment names by fairshare=GROUP.
 * NULL: it counts, the comment names no group, or the partition's scope has no UserShares. user,
 * comment: of the job; may be NULL. */
const char *live_conf_group_fault(const struct fathom_conf *conf, const char *partition,
				  const char *user, const char *comment);
/* Returns the scope that the partition belongs to; if there are several, the first one. NULL: it is
 * in no scope, or partition is NULL. */
const struct conf_scope *live_conf_scope(const struct fathom_conf *conf, const char *partition);
/* Returns whether the partition belongs to several scopes, among which HostRule chooses for each
 * job. */
bool live_conf_has_choice(const struct fathom_conf *conf, const char *partition);
/* Returns the dampening factor: fathom.conf's, else slurm.conf's, whatever the policy. */
double live_conf_dampening_factor(const struct fathom_conf *conf, const slurm_conf_t *slurm);
/* Returns the path of a FiguresFile, HistoryFile or MetricsFile. name: as in fathom.conf, absolute
 * or relative to StateSaveLocation. NULL: name is "", or StateSaveLocation is not known. */
const char *live_conf_path_of(const char *name, const slurm_conf_t *slurm);
/* Returns a warning if a file that each pass writes is old. time_of_pass: of the pass that wrote
 * it. NULL: it is not old. */
const char *live_conf_old_figures(const char *path, int64_t time_of_pass,
				  const struct fathom_conf *conf, const slurm_conf_t *slurm);

/* ---- live_answer.c --------------------------------------------------------------------- */

/*
 * slurmctld's answer to sshare: the assoc_shares_object_t of all associations that the caller may
 * see, each with the name of its parent, shares, usage and figures.
 */

/* Returns a number of the answer; NAN for Slurm's numbers for "no value" and "no limit". */
double live_figure(double value);
/* Makes the tree. Its row i is association i of the answer; later rows are placeholders for
 * accounts that PrivateData hides. */
void live_answer_tree(const struct live_items *answer, struct snapshot *snapshot);
/* Sets text[] to the texts that sshare -l prints for an association; NULL: it prints none. */
void live_answer_texts(const shares_response_msg_t *response, const assoc_shares_object_t *share,
		       const char *text[LIVE_TEXT_COUNT]);
/* Sets the figures of the policy in force, live->placeholder and live->whole. live->snapshot must
 * have been made of the answer. dampening_factor: that of sshare. */
void live_answer_figures(struct live *live, const struct live_items *answer,
			 const slurm_conf_t *slurm, double dampening_factor);

/* ---- live_jobs.c ----------------------------------------------------------------------- */

/* Returns the name of a user; a uid without a name on this host as a number, as sprio shows it. */
const char *live_user_name(uint32_t uid);

/* ---- live_flux.c ----------------------------------------------------------------------- */

/* Under flux-accounting's rule: sets the priorities of banks and queues in rows that lack them. A
 * factor is known from the weighted term that slurmctld sends sprio, but not if its weight is 0 or
 * if the row has no terms. Call it within libslurm_begin(). */
void live_flux_complete(struct job_list *list, const slurm_conf_t *slurm);

/* ---- live_limits.c --------------------------------------------------------------------- */

/* The limits of associations and QOS, with what is used of them, from slurmctld's assoc_mgr. Begin
 * with all members 0: records are requested when a job needs them. Or set partitions and are_all,
 * and call live_limits_use(). */
struct live_limits {
	assoc_mgr_info_msg_t *records;		/* NULL: none were sent, as without slurmdbd */
	partition_info_msg_t *partitions;	/* NULL: none were sent */
	bool are_all;		/* records has all users' associations; else those of `uid` */
	uint32_t uid;
	bool is_ready;		/* live_limits_use() has been called */
	struct live_items associations;		/* of records */
	struct id_index by_id;	/* from the id of an association to its index there */
};

/* Sets the records, and indexes their associations. records: NULL: there are none. */
void live_limits_use(struct live_limits *limits, assoc_mgr_info_msg_t *records);
/* Returns the association with an id; NULL: it is not in the records. */
const slurmdb_assoc_rec_t *live_limits_association(const struct live_limits *limits, uint32_t id);

/* Returns a clause about the limit that a reason means, with its value and what counts against it.
 * partition: one of those that the job asks for; reason: such as "AssocGrpCpuLimit". NULL: the
 * reason means no limit, or the limit cannot be told, as PrivateData hides it. Call it within
 * libslurm_begin(). */
const char *live_limits_text(struct live_limits *limits, const slurm_job_info_t *info,
			     const char *partition, const char *reason);

/* ---- live_loaded.c --------------------------------------------------------------------- */

/* What slurmctld has loaded, as its process on this host shows. */

/* Returns whether slurmctld runs on this host, by SlurmctldPidFile. */
bool live_controller_is_here(const slurm_conf_t *slurm);
/* Returns the PriorityType of the plugin that slurmctld has loaded. It may differ from what
 * slurmctld reports, the PriorityType at the last reconfigure: up to 23.02 a reconfigure loads no
 * other plugin. NULL: not known, because slurmctld is not on this host, or the user may not read
 * the memory map of its process. */
const char *live_loaded_type(const slurm_conf_t *slurm);
/* Returns whether the file of slurmctld's priority plugin was replaced after slurmctld loaded it;
 * false if that is not known. */
bool live_loaded_is_replaced(const slurm_conf_t *slurm);

/* ---- live_machine.c -------------------------------------------------------------------- */

/* Returns nodes and partitions as lines of slurm.conf. Each node is named by itself, without
 * ranges. A node that starts no jobs has State=DOWN, whatever the reason. */
char *live_machine_text(const node_info_msg_t *nodes, const partition_info_msg_t *partitions);
/* Returns a partition's state as slurm.conf and scontrol write it. */
const char *live_partition_state(const partition_info_t *partition);

/* ---- live_reason.c --------------------------------------------------------------------- */

/* Returns a clause why slurmctld does not start a job, apart from its priority, such as "waits for
 * reservation tuesday". NULL: only other jobs are in its way, or the reason is not known.
 * partition: one of those that the job asks for. limits: reused from job to job. Call it within
 * libslurm_begin(). */
const char *live_reason(const slurm_job_info_t *info, const char *partition,
			struct live_limits *limits);

/* ---- live_slurm_conf.c ----------------------------------------------------------------- */

/* Returns slurmctld's configuration as lines of slurm.conf: the keys on which priorities depend. */
char *live_slurm_conf_text(const slurm_conf_t *slurm);
/* Returns the PriorityUsageResetPeriod; FATHOM_RESET_NONE if this fathom does not know it. */
enum fathom_reset live_reset_period(const slurm_conf_t *slurm);
