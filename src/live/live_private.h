/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that the files of this folder share. compat.h, with Slurm's own headers, comes
 * first.
 */
#pragma once

#include "live/compat.h"

#include "conf/conf.h"
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

#define LIBSLURM_FROM "; --from reads a file"

/* Captures stderr, initialises libslurm, and calls `ask`, which may fail, see wrong_at(). instead:
 * what a message says at its end if no cluster answers, such as LIBSLURM_FROM. */
void libslurm_ask(const char *instead, void (*ask)(void *context), void *context);

/* These are called from there. */

/* Fails after a call has failed, with an error of errno or else of libslurm's log. what: whom the
 * call asked. */
_Noreturn void libslurm_failed(const char *what);
/* Calls `read` with `context` for each cluster of a list of names, or for the local one if
 * `clusters` is NULL; libslurm's calls then ask that cluster. */
void libslurm_each_cluster(const char *clusters, void (*read)(void *context), void *context);
/* Return the configuration of slurmctld, its partitions, and its answer to sshare. */
slurm_conf_t *libslurm_conf(void);
partition_info_msg_t *libslurm_partitions(void);
shares_response_msg_t *libslurm_shares(shares_request_msg_t *wanted);

/* ---- live_conf.c ----------------------------------------------------------------------- */

/* The policy and settings of the running cluster, by slurm.conf and fathom.conf. */

/* Returns whether the cluster runs priority/fathom; else fathom.conf has no effect. */
bool live_conf_is_fathom(const slurm_conf_t *slurm);
/* Returns the path of slurm.conf on this host; name: of the file of this name beside it. NULL:
 * not known. */
const char *live_conf_path(const slurm_conf_t *slurm, const char *name);
/* Returns the text of fathom.conf as slurmctld tells it, without comments. NULL: it does not. */
const char *live_conf_told(const slurm_conf_t *slurm);
/* Returns what slurmctld tells of its fathom.conf, or if it tells nothing, what the file beside
 * slurm.conf says on this host, or the defaults. *remark: if the file cannot be read or is wrong,
 * or the policy is only assumed, a warning; else NULL. If slurmctld does not tell, the last good
 * settings stand in for a wrong file, which the plugin keeps where only SlurmUser and root can read
 * them. *is_known (is_known may be NULL): they are those in force. */
struct fathom_conf live_conf_read(const slurm_conf_t *slurm, const char **remark, bool *is_known);
/* Returns the policy in force. */
const struct fathom_policy *live_conf_policy(const struct fathom_conf *conf,
					     const slurm_conf_t *slurm);
/* Returns the settings of a policy, by fathom.conf and slurm.conf. */
struct fathom_settings live_conf_settings(const struct fathom_conf *conf, const slurm_conf_t *slurm,
					  const struct fathom_policy *policy);
/* Gives each scope with hosts the partitions whose jobs go by it, if there are such scopes, and
 * adds the partitions that are in a slot pool, or share nodes with one; a pool that is void because
 * of preemption is none. Within libslurm_ask(). */
void live_conf_find_partitions(struct fathom_conf *conf, const slurm_conf_t *slurm,
			       struct numbered_names *pooled);
/* Returns whether jobs in the partition have places in LSF's order of dispatch, wherever pools are:
 * their policy places jobs, or is first come, first served beside such partitions. */
bool live_conf_places(const struct fathom_conf *conf, const slurm_conf_t *slurm,
		      const char *partition);
/* Returns why the group that a user's job names by the words fairshare=GROUP does not count, a
 * clause; NULL: it counts, there is none, or the partition's scope has no UserShares. user,
 * comment: may be NULL. */
const char *live_conf_group_fault(const struct fathom_conf *conf, const char *partition,
				  const char *user, const char *comment);
/* Returns the scope that the partition belongs to, or the first one, NULL: none. */
const struct conf_scope *live_conf_scope(const struct fathom_conf *conf, const char *partition);
/* Returns whether HostRule chooses among several for each job of the partition. */
bool live_conf_has_choice(const struct fathom_conf *conf, const char *partition);
/* Returns the dampening factor: fathom.conf's, else slurm.conf's, whatever the policy. */
double live_conf_dampening_factor(const struct fathom_conf *conf, const slurm_conf_t *slurm);
/* Returns the path of a FiguresFile or HistoryFile by its name in fathom.conf. NULL: it names
 * none. */
const char *live_conf_path_of(const char *name, const slurm_conf_t *slurm);
/* Returns a warning if passes since the time in the file should have written it again; else
 * NULL. */
const char *live_conf_old_figures(const char *path, int64_t time_of_pass,
				  const struct fathom_conf *conf, const slurm_conf_t *slurm);

/* ---- live_answer.c --------------------------------------------------------------------- */

/*
 * slurmctld's answer to sshare: a list of all associations that the caller may see, each with the
 * name of its parent, shares, usage and figures.
 */

/* The associations of the answer, in its order. */
struct live_answer {
	const assoc_shares_object_t **share;
	size_t count, size;
};

/* Turns Slurm's numbers for "no value" and "no limit" into NAN. */
double live_figure(double value);
/* Makes the tree. Its row i is association i of the answer; later rows are placeholders. */
void live_answer_tree(const struct live_answer *answer, struct snapshot *snapshot);
/* Makes the texts of an association that sshare -l prints; NULL: it prints none. */
void live_answer_texts(const shares_response_msg_t *response, const assoc_shares_object_t *share,
		       const char *text[LIVE_TEXT_COUNT]);
/* Fills the figures of the policy in force for live->snapshot. dampening_factor: that of sshare. */
void live_answer_figures(struct live *live, const struct live_answer *answer,
			 const slurm_conf_t *slurm, double dampening_factor);

/* ---- live_flux.c ----------------------------------------------------------------------- */

/* What priorities by flux-accounting's rule are made of. slurmctld sends sprio terms, which
 * tell nothing where a weight is 0. */

/* Sets the priorities of banks and queues where the rows do not have them from their terms: where
 * the weight is 0, or a row is without terms. Within libslurm_ask(). */
void live_flux_complete(struct job_list *list, const slurm_conf_t *conf);

/* ---- live_limits.c --------------------------------------------------------------------- */

/* The limits of associations and QOS, as slurmctld's assoc_mgr has them with what is used. */

/* Begin with all members 0: records are asked for when a job needs them. Or set both records. */
struct live_limits {
	assoc_mgr_info_msg_t *records;		/* NULL: not told, as without slurmdbd */
	partition_info_msg_t *partitions;
	bool are_all;		/* these are all records; else those that concern one user */
	uint32_t uid;		/* this one */
	struct name_index *by_id;	/* of associations in records, by id as bytes */
	const slurmdb_assoc_rec_t **association;
};

/* Returns a clause about the limit that a reason names, its value and what counts against it;
 * NULL: the reason names none, or PrivateData hides it. partition: of those that the job asks for.
 * Within libslurm_ask(). */
const char *live_limits_text(struct live_limits *limits, const slurm_job_info_t *info,
			     const char *partition, const char *reason);

/* ---- live_loaded.c --------------------------------------------------------------------- */

/* What slurmctld has loaded, as its process on this host shows. */

/* Returns whether slurmctld runs on this host, by its file with the number of the process. */
bool live_controller_is_here(const slurm_conf_t *slurm);
/* Returns the type of the plugin that slurmctld has loaded. What it reports is the type in
 * slurm.conf at the last reconfigure, which up to 23.02 loads no other plugin. NULL: not known,
 * because slurmctld is not on this host, or the user may not look into it. */
const char *live_loaded_type(const slurm_conf_t *slurm);
/* Returns whether the file of slurmctld's priority plugin was replaced after slurmctld loaded it;
 * false if that is not known. */
bool live_loaded_is_replaced(const slurm_conf_t *slurm);

/* ---- live_machine.c -------------------------------------------------------------------- */

/* The nodes and partitions of the running cluster, as lines of slurm.conf. */

/* Returns the lines. Each node is named by itself, without ranges. A node that starts no jobs has
 * State=DOWN, whatever keeps it. */
char *live_machine_text(const node_info_msg_t *nodes, const partition_info_msg_t *partitions);

/* ---- live_reason.c --------------------------------------------------------------------- */

/* Why slurmctld does not start a job, apart from its priority. */

/* Returns a clause about the job, such as "waits for reservation tuesday"; NULL: nothing but other
 * jobs is in its way, or it is not known. partition: of those that it asks for. Within
 * libslurm_ask(). */
const char *live_reason(const slurm_job_info_t *info, const char *partition,
			struct live_limits *limits);

/* ---- live_slurm_conf.c ----------------------------------------------------------------- */

/* slurmctld's configuration as slurm.conf writes it. */

/* Returns the keys of slurm.conf on which priorities depend, a line for each. */
char *live_slurm_conf_text(const slurm_conf_t *slurm);
