/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other folders may ask of the running cluster. Each function asks slurmctld through libslurm;
 * what has gone wrong is wrong, see wrong_at(). The heading names the file with the functions.
 */
#pragma once

#include "core/snapshot.h"
#include "doctor/doctor.h"
#include "fathom.h"
#include "format/pool_divisions.h"
#include "format/recorded.h"
#include "jobs/job_list.h"
#include "jobs/jobs.h"
#include "jobs/queue_list.h"
#include "json/usage_request.h"
#include "lint/lint_input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A running cluster as slurmctld and FiguresFile describe it. */

/* Texts of associations that only a running cluster has. */
enum live_text { LIVE_GRP_TRES_MINS, LIVE_GRP_TRES_RAW, LIVE_TRES_RUN_MINS, LIVE_TEXT_COUNT };

struct live {
	struct snapshot snapshot;	/* all associations that slurmctld shows */
	const char *cluster;
	/* Figures of the cluster's policies for the tree above; their own snapshots are empty.
	 * Without a shadow policy, shadow.policy is NULL. Scopes, from FiguresFile, have trees of
	 * their own. */
	struct recorded_pass pass;
	bool has_file;		/* figures are from a FiguresFile */
	const char *remark;	/* a warning about fathom.conf or FiguresFile, or NULL */
	bool has_bad_conf;	/* the fathom.conf of this host is wrong */
	bool is_unknown;	/* so that the policy is unknown */
	double half_life;	/* of usage, seconds; 0: no decay */
	bool has_formula;	/* priorities come from a formula */
	bool whole;		/* the tree is complete: PrivateData hides nothing */
	bool *placeholder;		/* by node: a placeholder for an account that is hidden */
	const char **text[LIVE_TEXT_COUNT];	/* by node */
};

/* ---- live_read.c ----------------------------------------------------------------------- */

/* Reads the running cluster with the request that sshare sends to slurmctld. */

/*
 * Reads the local cluster, or each cluster of `clusters`, a list as for sshare -M;
 * NULL: the local one. Figures come from the FiguresFile if it exists and may be read,
 * else from slurmctld's answer, which does not have all of them. with_text: also reads
 * the texts. Returns an array of *count clusters. A cluster that cannot be reached is wrong, see
 * wrong_at().
 */
struct live *live_read(const char *clusters, bool with_text, size_t *count);
/* Reads the local cluster without the texts. */
struct live *live_read_local(void);

/* ---- live_local.c ---------------------------------------------------------------------- */

/* What is known of this host's Slurm before slurmctld is asked. Each question is put by a process
 * of its own, because libslurm ends the process if slurm.conf is wrong, and reads only one file.
 * Ask before libslurm is initialised. */

/* Returns whether slurmctld answers; if not, `why` says the reason. */
bool live_local_has_controller(char *why, size_t size);
/* Returns the folder of plugins of the installed Slurm, which counts if slurm.conf has no
 * PluginDir. NULL: not known. */
const char *live_local_plugin_dir(void);
/* Returns the slurm.conf that the commands of Slurm read on this host. */
const char *live_local_slurm_conf(void);

/* ---- live_doctor.c --------------------------------------------------------------------- */

/* What the running cluster tells for fathom doctor. */

/* Asks slurmctld for its configuration, and slurmdbd whether it answers. If slurmctld does not
 * answer, reads slurm.conf of this host. */
void live_doctor_read(struct doctor_site *site);

/* ---- live_lint.c ----------------------------------------------------------------------- */

/* Asks the running cluster for what fathom lint checks. */

/*
 * Reads slurm.conf and fathom.conf of this host, and asks slurmctld for its configuration, the
 * tree, the jobs, and for TRES, QOS and users. What PrivateData hides is left out. If slurmctld
 * does not answer, reads the files alone. Returns what could not be read, or NULL.
 */
const char *live_lint_read(struct lint_input *input);

/* ---- live_sshare.c --------------------------------------------------------------------- */

/* slurmctld's answer to sshare as sshare prints it: rows in its order, no figure computed anew. */

#define SSHARE_NO_SHARES (UINT32_MAX - 1)

/* An association. Texts are NULL, and numbers NAN, where sshare prints nothing. */
struct sshare_row {
	const char *account, *parent, *cluster, *user, *partition;
	const char *text[LIVE_TEXT_COUNT];
	uint32_t id, raw_shares;	/* raw_shares: also FATHOM_SHARES_PARENT or
					 * SSHARE_NO_SHARES */
	double raw_usage, norm_shares, norm_usage, effective_usage, factor, level_fs;
};

struct sshare_list {
	struct sshare_row *row;
	size_t count;
	const char *cluster;
	bool has_level_fs;	/* the cluster has FAIR_TREE in PriorityFlags */
	bool is_evaluated;	/* by fathom: a column without any figure is one that it lacks */
};

/* What is asked for. Comma-separated lists of names; NULL: all. */
struct sshare_request {
	const char *clusters;	/* NULL: the local one */
	const char *accounts, *users;
};

/* Returns one list a cluster, an array of *count. */
struct sshare_list *live_sshare_read(const struct sshare_request *wanted, size_t *count);

/* ---- live_jobs.c ----------------------------------------------------------------------- */

/* Reads the jobs of the running cluster with the request that sprio sends to slurmctld. */

#define LIVE_MOST_JOBS 2

/* What needs further requests. */
struct live_jobs_wanted {
	bool names;	/* account and QOS; under flux, also factors whose weight is 0 */
	bool as_sent;	/* fathom.conf does not matter: weights are slurm.conf's, as for sprio */
	bool states;	/* the state of each job, and rows of jobs that are not shown to sprio */
	/* the same of these jobs alone; unknown ones get no rows */
	int64_t job[LIVE_MOST_JOBS];
	size_t job_count;
	bool own;	/* the same of the caller's jobs, instead of `job` */
};

/*
 * Reads the jobs of the local cluster. Rows have their weighted factors; they have a
 * priority only if an administrator has set it, or if slurmctld sends no terms. It is
 * wrong if slurmctld cannot be reached, or has no factors: ENOTSUP.
 */
void live_jobs_read(struct job_list *list, struct live_jobs_wanted wanted);
/* Whether sprio of the installed release has columns of accounts and of names of QOS. */
bool live_sprio_shows_names(void);

/* ---- live_job_id.c --------------------------------------------------------------------- */

/* Which job of the running cluster has the id of a task or of a component. */

/* Finds the job with the id that squeue prints: "10_3", "10_[1-5%2]", "10+1", or a number. Tasks of
 * an array wait as one job until they are split off. -1: none that the caller may see. */
int64_t live_job_named(const char *word);

/* ---- live_job_records.c ---------------------------------------------------------------- */

/* The jobs of the running cluster as their records describe them, with all that their priorities
 * depend on. */

/*
 * Reads records of jobs, partitions, QOS and nodes. shown: slurmctld's answer to sprio, which tells
 * when ages were computed, which jobs are shown, and what an administrator has set. What
 * PrivateData hides is left out. Settings stay the default ones, and the caller finds partitions
 * and QOS by jobs_find_names(). Within libslurm_ask().
 * *machine: nodes and partitions as lines of slurm.conf; NULL: they are not wanted.
 */
void live_job_records_read(struct jobs *jobs, const struct job_list *shown, char **machine);

/* Reads what live_job_records_read() reads, and the settings of slurm.conf. Asks libslurm in this
 * process. */
void live_job_records_with_settings(struct jobs *jobs, const struct job_list *shown);

/* ---- live_queues.c --------------------------------------------------------------------- */

/* The partitions of the running cluster as queues. */

/* Adds the partitions of the local cluster, with the slots of jobs; shares of slot pools are those
 * of its FiguresFile, if that can be read. */
void live_queues_read(struct queue_list *list);
/* Adds the partitions alone. */
void live_partitions_read(struct queue_list *list);

/* ---- live_pools.c ---------------------------------------------------------------------- */

/* The slot pools of the running cluster. */

/* Reads the pools of the local cluster from its FiguresFile. Returns a warning, or NULL. */
const char *live_pools_read(struct pool_divisions *divisions);

/* ---- live_paths.c ---------------------------------------------------------------------- */

/* Files of the running cluster that fathom.conf names. */

/* Return the path of a file. Fail, see wrong_at(), if fathom.conf names none. */
const char *live_history_path(void);
const char *live_metrics_path(void);

/* ---- live_clusters.c ------------------------------------------------------------------- */

/* The clusters that slurmdbd knows. */

/* Calls `use` with the name of each cluster. */
void live_clusters_each(void (*use)(void *context, const char *name), void *context);

/* ---- live_request.c -------------------------------------------------------------------- */

/* Requests a change of usage of priority/fathom: a file in slurmctld's StateSaveLocation. */

struct live_request {
	const char *folder;	/* StateSaveLocation */
	uid_t slurm_user;
	double period;		/* seconds until the next pass, at most */
};

/* Finds the place for a request, a struct live_request. Wrong are a cluster that runs another
 * plugin, a caller who is neither root nor SlurmUser, and a host without slurmctld. */
void live_request_begin(void *place);
/* Writes the request; the next pass makes it. -1: EEXIST if another one still waits; another
 * errno. */
int live_request_post(const struct live_request *place, const struct usage_request *request,
		      struct fathom_error *error);

/* ---- live_snapshot.c ------------------------------------------------------------------- */

/* Takes a snapshot of the running cluster. */

/*
 * Asks slurmctld for the tree with its figures, for jobs, partitions, QOS and its configuration;
 * reads fathom.conf and FiguresFile of this host; and writes all that as cluster_snapshot_write()
 * does. What PrivateData hides from the caller is left out. Returns a warning, or NULL.
 */
const char *live_snapshot_write(FILE *out);
