/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm.conf and fathom.conf as one object. It never changes, is read without a lock, and its
 * references are counted (base/shared.h). Its fields are public, as a pass reads them for each job
 * and association.
 *
 *	scope		partitions, or hosts, with a policy of their own: their jobs get their
 *			factors from it, and its sums count only these jobs. If a job runs on hosts
 *			of several scopes, each counts a part of it, by its CPUs there
 *	slot pool	partitions on the same nodes, each with a share of the CPUs; see
 *			partitions/pools.h
 *	scheme		a policy with its settings: the one in force, the shadow, one for each scope
 *	queue		LSF's word for a partition; struct queue says where fathom.conf names it
 *
 * Functions take a scheme as its index in settings->scheme; 0 is the one in force.
 */
#pragma once

#include "base/compat.h"
#include "base/files.h"
#include "base/shared.h"
#include "fathom.h"

#include "adjust/adjuster.h"
#include "conf/conf_policy.h"
#include "core/name_index.h"
#include "policy/settings_layout.h"

/* ---- slurm.conf (slurm_values.c) ----------------------------------------------------- */

/* A copy of what settings take from slurm.conf, so that they are made without a lock. */
struct slurm_values {
	bool with_database;	/* slurmdbd is in use */
	struct conf_slurm part;	/* what src/conf looks at when it checks fathom.conf */
	uint32_t flags;		/* PriorityFlags: PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	struct fathom_priority_config priority;	/* without TRES and the size of the cluster */
	char *tres_weights;	/* PriorityWeightTRES; or NULL */
	char *cluster;		/* ClusterName; or NULL */
	char *fathom_path;	/* path of fathom.conf, which lies beside slurm.conf */
};

/* Returns a copy of the values as slurmctld has read them, for slurm_values_clear(). The caller
 * holds conf read, or is a thread in which slurmctld reads its configuration. */
struct slurm_values slurm_values_copy(void);
/* Frees the texts of a copy. */
void slurm_values_clear(struct slurm_values *slurm);

/* ---- settings (read_settings.c) ------------------------------------------------------- */

/* A partition (for LSF a queue) that fathom.conf names in a scope, in a slot pool, or in both. */
struct queue {
	const char *name;
	size_t scheme;		/* index of its scope's scheme; 0: the partition is in no scope */
	size_t pool;		/* 1 + index of its slot pool in settings->pool; 0: the partition
				 * is in no pool */
	const struct conf_slot_share *share;	/* its line of the pool; NULL: it is in no pool */
};

enum scheme_role {
	SCHEME_IN_FORCE,	/* Policy: gives all jobs outside scopes their factors */
	SCHEME_SHADOW,		/* ShadowPolicy: only evaluated */
	SCHEME_SCOPE,		/* Scope: gives jobs of some partitions or hosts their factors */
};

/* A policy with settings, evaluated in each pass. */
struct scheme {
	enum scheme_role role;
	char *name;		/* in the state file: "", "shadow" or "scope NAME" */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool keeps_sums;	/* it needs sums that slurmctld does not keep: by its policy, or
				 * because it is a scope */
	bool is_first_come;	/* its jobs go first come, first served, whatever the policy. Only
				 * of the scheme in force: if scopes have hosts, unless
				 * OtherHosts=policy */
	bool is_adjusted;	/* Adjust is set, and FairshareAdjustmentFactor is above 0 */
	struct fathom_formula *usage_res;	/* FairshareUsageRes; NULL: CPU time */
	bool has_entities;	/* policy pbs: jobs are charged to entities, which have a tree */
	/* The next three have a meaning only if has_entities. */
	enum fairshare_entity entity;	/* FairshareEntity */
	bool charges_queues;	/* the entities are partitions, which PBS calls queues */
	uint32_t unknown_shares;	/* UnknownShares, of entities that are not listed */
	const struct conf_scope *scope;	/* its line of fathom.conf; empty if this is no scope */
};

/* See the head of this file. Members are read by all threads, and only set while it is made. */
struct settings {
	struct shared shared;
	char *fault;	/* what is wrong with the fathom.conf that these settings stand in for, and
			 * what is in force instead; NULL: they are those of fathom.conf */

	struct scheme *scheme;		/* [0]: the one in force; then the shadow, if there is one;
					 * then scopes */
	size_t scheme_count;
	bool keeps_sums;		/* at least one scheme keeps sums */
	bool charges_queues;		/* at least one scheme charges partitions */
	struct queue *queue;		/* sorted by name */
	size_t queue_count;
	bool has_hosts;			/* scopes take jobs by their hosts */
	enum host_rule host_rule;	/* HostRule: which scope a job goes by, of several that have
					 * nodes of its partition */
	struct name_index scheme_of_host;	/* from the name of a host to its scheme; 0: the
						 * host is excluded from Hosts=all */
	size_t scheme_of_others;	/* scheme of all other hosts: that with Hosts=all; 0: they
					 * are in no scope */
	const struct conf_slot_share **pool;	/* the first line of each pool; see
						 * partitions/pools.h */
	size_t pool_count;
	struct fathom_conf conf;	/* what fathom.conf says; the members above point into it */
	struct conf_slurm slurm;	/* as `part` of struct slurm_values */
	char *conf_path;		/* path of the file with the text, for messages */
	char *conf_text;		/* the text that they were made from; NULL: the defaults */
	double dampening_factor;	/* for sshare, whatever the policy */
	struct fathom_priority_config priority;	/* without the size of the cluster */
	double *tres_weight;		/* PriorityWeightTRES, the memory of priority.tres_weight */
	struct formula *formula;	/* replaces the weighted sum; NULL: no Formula */
	struct adjuster adjuster;	/* Adjust of fathom.conf; all 0 if that is not set */

	uint32_t flags;			/* PriorityFlags: PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	bool charge_suspended;	/* suspended jobs are charged too */
	bool with_database;	/* slurmdbd is in use; otherwise there is no usage and no age */
	mode_t figures_mode;	/* FiguresMode */
	char *cluster;		/* ClusterName, or "" */
};

/* Reads a fathom.conf; the caller frees file->data, the text. Returns 0; or -1, errno says why, and
 * file->data is NULL. EFBIG: the file has more than CONF_SIZE_MAX bytes. */
int settings_read_text(struct whole_file *file, const char *path);
/*
 * Makes settings from slurm.conf and the text of a fathom.conf, and logs which policies they have.
 * Opens the shared objects that the text names, and compiles its formulas. Returns a reference;
 * NULL: problem->text says why.
 * path: for messages.
 * text: NULL for the settings that apply without a file.
 * fault: NULL; or, for settings that stand in for those of a wrong file, what is wrong with it.
 * Such settings leave out what cannot be used any more, such as a shared object that is gone, and
 * log it: the rest is still nearer to what the site wants than the defaults.
 */
struct settings *settings_create(const struct slurm_values *slurm, const char *path,
				 const char *text, const char *fault, struct fathom_error *problem);

/* Returns whether fathom.conf names a file that gets the figures of passes. */
static inline bool settings_write_figures(const struct settings *settings)
{
	return *settings->conf.figures_file || *settings->conf.history_file ||
	       *settings->conf.metrics_file;
}

/* Returns whether this cluster hands usage on to others, or counts usage of others. */
static inline bool settings_are_global(const struct settings *settings)
{
	return *settings->conf.usage_file || settings->conf.global.count;
}

/* Returns whether a file gets usage without that of other clusters. */
static inline bool settings_write_own_usage(const struct settings *settings)
{
	return *settings->conf.usage_file ||
	       (settings->conf.global.count && settings_write_figures(settings));
}

/* Returns settings->priority with the present size of the cluster. */
struct fathom_priority_config settings_priority(const struct settings *settings);

/* Returns the dampening factor for sshare, a program of its own which has no settings object and
 * computes factors by itself: from fathom.conf if that can be read, else from slurm.conf. */
double settings_dampening_factor(void);

/* ---- resets (resets.c) --------------------------------------------------------------- */

/* Returns the last local midnight up to `now` at which usage is reset; 0: there is none in a
 * year. */
time_t reset_midnight(enum fathom_reset period, time_t now);
/* Returns from when on usage counts anew, if a reset is due: that midnight, or for one that was
 * requested `now`. 0: no reset is due. last: time of the last reset. */
time_t reset_due(enum fathom_reset period, time_t last, time_t now, bool is_requested);

/* ---- scopes (scopes.c) --------------------------------------------------------------- */

/* Makes the schemes of settings->conf, and lists hosts, queues and pools. Without slurmdbd there is
 * no usage: scopes and pools would have no effect, and are left out. Returns -1 if out of
 * memory. */
int scopes_create(struct settings *settings);
void scopes_destroy(struct settings *settings);

/* Returns the other name under which sums for this scheme may have been saved: the shadow's for the
 * scheme in force, and the other way round, as Policy and ShadowPolicy may have been exchanged
 * since. A scope has only its own name. */
const char *scheme_other_name(const struct scheme *scheme);
/* Returns the kind of sums that the scheme keeps: the name of its policy, or "usage" if its policy
 * keeps none of its own. When a scheme gets another policy, it keeps its sums if their kind is the
 * same. */
const char *scheme_kind_of_sums(const struct scheme *scheme);

/* Returns what fathom.conf says of a partition. NULL: it does not name the partition, or
 * `partition` is NULL. */
const struct queue *scopes_queue(const struct settings *settings, const char *partition);
/* Returns the scheme of the scope that has a node as a host; 0: no scope has it. node: its index in
 * node_record_table_ptr. The caller holds node read. */
size_t scopes_node(const struct settings *settings, int node);
/* Returns whether runs in the partition count in the scheme's sums: always in a scheme that is no
 * scope; in a scope of partitions, if it has this one. True also for a scope of hosts, of which
 * each run counts by its hosts. */
bool scopes_scheme_includes(const struct settings *settings, size_t scheme, const char *partition);
