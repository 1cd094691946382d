/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other folders may ask of the running cluster. Each function asks slurmctld through libslurm;
 * if that fails it does not return, see wrong_at(). Texts are in the memory of the command. The
 * heading names the file with the functions.
 */
#pragma once

#include "config.h"

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

/* Whether this fathom is built with libslurm. Without it the functions that the command calls are
 * weak, so that the calls may be linked, but they must not be made: there are no such functions. */
#ifdef HAVE_LIBSLURM
#define HAS_LIBSLURM true
#define LIVE_CALL
#else
#define HAS_LIBSLURM false
#define LIVE_CALL __attribute__((weak))
#endif

/* The end of a message that no cluster answers: what the user can do instead. */
#define LIBSLURM_FROM "; --from reads a file"

/* A running cluster as slurmctld and FiguresFile describe it. */

/* Texts of associations that only a running cluster has: columns of sshare -l. */
enum live_text { LIVE_GRP_TRES_MINS, LIVE_GRP_TRES_RAW, LIVE_TRES_RUN_MINS, LIVE_TEXT_COUNT };

struct live {
	struct snapshot snapshot;	/* all associations that slurmctld shows */
	const char *cluster;		/* its name */
	/* Figures of the cluster's policies for the tree above; their own snapshots are empty.
	 * Without a shadow policy, shadow.policy is NULL. Scopes, from FiguresFile, have trees of
	 * their own. */
	struct recorded_pass pass;
	bool has_file;		/* figures are from a FiguresFile */
	const char *remark;	/* a warning about fathom.conf or FiguresFile; NULL: there is
				 * none */
	bool has_bad_conf;	/* live_conf_read() has a warning about fathom.conf */
	bool is_unknown;	/* it is not known which fathom.conf is in force, nor the policy */
	double half_life;	/* of usage, seconds; 0: no decay */
	enum fathom_reset reset_period;
	bool has_formula;	/* priorities come from a formula */
	bool is_weightless;	/* PriorityWeightFairshare is 0 */
	bool whole;		/* the tree is complete: PrivateData hides nothing */
	bool *placeholder;		/* by node: it stands for an account that is hidden */
	const char **text[LIVE_TEXT_COUNT];	/* by node; NULL: sshare prints nothing */
};

/* ---- live_read.c ----------------------------------------------------------------------- */

/*
 * Reads clusters with the request that sshare sends to slurmctld. clusters: names as for sshare -M;
 * NULL: the local cluster. Figures come from the FiguresFile if it exists and may be read, else
 * from slurmctld's answer, which does not have all of them. with_text: also reads the texts.
 * Returns an array of *count clusters.
 */
LIVE_CALL struct live *live_read(const char *clusters, bool with_text, size_t *count);
/* Reads the local cluster without the texts. */
LIVE_CALL struct live *live_read_local(void);

/* ---- live_local.c ---------------------------------------------------------------------- */

/* What is known of this host's Slurm before slurmctld is asked. Each question is answered by a
 * process of its own, because libslurm ends the process if slurm.conf is wrong, and can read only
 * one slurm.conf. Call these before other functions. */

/* Returns whether slurmctld answers; if not, writes the reason to `why`. */
bool live_local_has_controller(char *why, size_t size);
/* Returns the folder of plugins that the installed Slurm uses if slurm.conf has no PluginDir.
 * NULL: not known. */
LIVE_CALL const char *live_local_plugin_dir(void);
/* Returns the slurm.conf that the commands of Slurm read on this host. */
LIVE_CALL const char *live_local_slurm_conf(void);

/* ---- live_doctor.c --------------------------------------------------------------------- */

/* Asks slurmctld for its configuration, and slurmdbd whether it answers, and sets the members of
 * `site` that follow. If slurmctld does not answer, reads slurm.conf of this host. */
LIVE_CALL void live_doctor_read(struct doctor_site *site);

/* ---- live_lint.c ----------------------------------------------------------------------- */

/*
 * Reads what fathom lint checks: slurm.conf and fathom.conf of this host, and from slurmctld its
 * configuration, the tree, the jobs, and TRES, QOS and users. What PrivateData hides is left out.
 * If slurmctld does not answer, reads the files alone. Returns a warning that says what could not
 * be read; NULL: all could.
 */
LIVE_CALL const char *live_lint_read(struct lint_input *input);

/* ---- live_sshare.c --------------------------------------------------------------------- */

/* slurmctld's answer to sshare as sshare prints it: rows in its order, no figure computed anew. */

#define SSHARE_NO_SHARES (UINT32_MAX - 1)	/* as raw_shares: the answer has none */

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
};

/* What is asked for. Comma-separated lists of names; NULL: all. */
struct sshare_request {
	const char *clusters;	/* NULL: the local one */
	const char *accounts, *users;
};

/* Returns a list for each cluster, an array of *count. */
LIVE_CALL struct sshare_list *live_sshare_read(const struct sshare_request *wanted, size_t *count);

/* ---- live_jobs.c ----------------------------------------------------------------------- */

#define LIVE_MOST_JOBS 2

/* What is wanted beside slurmctld's answer to sprio. All but as_sent need further requests. */
struct live_jobs_wanted {
	bool names;	/* account and QOS; under flux, also factors whose weight is 0 */
	bool as_sent;	/* fathom.conf does not matter: weights are slurm.conf's, as for sprio */
	bool states;	/* the state of each job, and rows of jobs that sprio is not shown */
	/* For these jobs alone: state, account, QOS, and why they wait; also rows if sprio is not
	 * shown them. A job that is not known gets no row. */
	int64_t job[LIVE_MOST_JOBS];
	size_t job_count;
	bool own;	/* the caller's jobs in place of `job` */
};

/*
 * Reads the jobs of the local cluster with the request that sprio sends to slurmctld. Rows have
 * their weighted factors; they have a priority only if an administrator has set it, or if slurmctld
 * sends no terms. Fails, see wrong_at(), with ENOTSUP if the cluster has no factors.
 */
LIVE_CALL void live_jobs_read(struct job_list *list, struct live_jobs_wanted wanted);
/* Returns whether sprio of the installed release has columns for account and name of the QOS. */
LIVE_CALL bool live_sprio_shows_names(void);

/* ---- live_job_id.c --------------------------------------------------------------------- */

/* Returns the number of the job with an id that squeue prints: "10_3" or "10_[1-5%2]" of an array,
 * "10+1" of a heterogeneous job, or a number. Tasks of an array wait as one job until they are
 * split off. -1: there is no such job that the caller may see. */
LIVE_CALL int64_t live_job_named(const char *word);

/* ---- live_job_records.c ---------------------------------------------------------------- */

/*
 * Reads the jobs of the running cluster with all that their priorities depend on: records of jobs,
 * partitions, QOS and nodes. shown: slurmctld's answer to sprio, which tells when ages were
 * computed, which jobs sprio is shown, and what an administrator has set. What PrivateData hides is
 * left out. Settings stay the default ones, and the caller finds partitions and QOS by
 * jobs_find_names(). Call it within libslurm_begin() and libslurm_end().
 * *machine: nodes and partitions as lines of slurm.conf; NULL: they are not wanted.
 */
void live_job_records_read(struct jobs *jobs, const struct job_list *shown, char **machine);

/* Reads jobs as live_job_records_read() does, gives them the settings of slurm.conf, and finds
 * their partitions and QOS. Calls libslurm_begin() and libslurm_end() itself. */
LIVE_CALL void live_job_records_with_settings(struct jobs *jobs, const struct job_list *shown);

/* ---- live_queues.c --------------------------------------------------------------------- */

/* Adds the partitions of the local cluster as queues, with the slots of their jobs. If its
 * FiguresFile can be read, they have their shares of slot pools. */
LIVE_CALL void live_queues_read(struct queue_list *list);
/* Adds the partitions of the local cluster as queues, without jobs and pools. */
LIVE_CALL void live_partitions_read(struct queue_list *list);

/* ---- live_pools.c ---------------------------------------------------------------------- */

/* Reads the slot pools of the local cluster from its FiguresFile. Returns a warning that the file
 * is old, or about fathom.conf; or NULL. */
LIVE_CALL const char *live_pools_read(struct pool_divisions *divisions);

/* ---- live_paths.c ---------------------------------------------------------------------- */

/* These return the paths of HistoryFile and MetricsFile. They fail, see wrong_at(), if fathom.conf
 * does not set them. */
LIVE_CALL const char *live_history_path(void);
LIVE_CALL const char *live_metrics_path(void);

/* ---- libslurm.c ------------------------------------------------------------------------ */

/* Calls `use` with the name of each cluster that slurmdbd knows. */
LIVE_CALL void live_clusters_each(void (*use)(void *context, const char *name), void *context);

/* ---- live_request.c -------------------------------------------------------------------- */

/* Where a request is left that priority/fathom changes usage: a file in StateSaveLocation. */
struct live_request {
	const char *folder;	/* StateSaveLocation */
	uid_t slurm_user;	/* who must own the file */
	double period;		/* seconds until the next pass, at most */
};

/* Fills a struct live_request. Fails, see wrong_at(), if the cluster runs another plugin, if the
 * caller is neither root nor SlurmUser, or if this is not a host of slurmctld. */
LIVE_CALL void live_request_begin(void *place);
/* Writes the file; the next pass carries the request out. -1: EEXIST, another request still waits;
 * or another errno. */
LIVE_CALL int live_request_post(const struct live_request *place,
				const struct usage_request *request, struct fathom_error *error);

/* ---- live_snapshot.c ------------------------------------------------------------------- */

/*
 * Asks slurmctld for the tree with its figures, for jobs, partitions, QOS and its configuration;
 * reads fathom.conf and FiguresFile of this host; and writes all that as cluster_snapshot_write()
 * does. What PrivateData hides from the caller is left out. instead: LIBSLURM_FROM, or "" if there
 * is nothing that the user can do. Returns a warning about fathom.conf, FiguresFile, or a tree that
 * is not whole; NULL: there is none.
 */
LIVE_CALL const char *live_snapshot_write(FILE *out, const char *instead);
