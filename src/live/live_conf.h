/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy and settings of the running cluster, by slurm.conf and fathom.conf. Include
 * compat.h first. */
#pragma once

#include "conf/conf.h"
#include "core/numbered_names.h"
#include "fathom.h"

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
