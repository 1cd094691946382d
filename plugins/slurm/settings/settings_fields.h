/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of settings. They are public, as a pass reads them for each job and association. */
#ifndef SLURM_SETTINGS_FIELDS_H
#define SLURM_SETTINGS_FIELDS_H

#include "base/compat.h"
#include "base/shared.h"
#include "fathom.h"

#include "adjust/adjuster.h"
#include "conf/conf_policy.h"
#include "core/name_index.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

/* A partition (for LSF a queue) that fathom.conf names in a scope, in a slot pool, or in both. */
struct queue {
	const char *name;
	size_t scheme;		/* index of its scope's scheme; 0: the partition is in no scope */
	size_t pool;		/* 1 + index of its slot pool; 0: the partition is in no pool */
	const struct conf_slot_share *share;	/* its line of the pool; NULL: likewise */
};

enum scheme_role {
	SCHEME_IN_FORCE,	/* Policy: gives all jobs outside scopes their factors */
	SCHEME_SHADOW,		/* ShadowPolicy: only evaluated */
	SCHEME_SCOPE,		/* Scope: gives jobs of some partitions their factors */
};

/* A policy with settings, evaluated in each pass. */
struct scheme {
	enum scheme_role role;
	char *name;		/* in the state file: "", "shadow" or "scope NAME" */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool keeps_sums;	/* the policy needs sums that slurmctld does not keep */
	bool is_adjusted;	/* FairshareAdjustmentFactor is above 0 */
	struct fathom_formula *usage_res;	/* FairshareUsageRes; NULL: CPU time */
	bool has_entities;	/* jobs of PBS are charged to entities in a tree of their own */
	enum fairshare_entity entity;	/* FairshareEntity */
	bool charges_queues;	/* the entities are partitions, which PBS calls queues */
	uint32_t unknown_shares;	/* UnknownShares, of entities that are not listed */
	const struct conf_scope *scope;	/* its line of fathom.conf; empty if this is no scope */
};

struct settings {
	struct shared shared;
	char *fault;	/* what is wrong with the fathom.conf that these settings stand in for, and
			 * what is in force instead; NULL: they are those of fathom.conf */

	struct scheme *scheme;		/* [0]: in force; then the shadow, then scopes */
	size_t scheme_count;
	bool keeps_sums;		/* at least one scheme does */
	bool charges_queues;		/* at least one scheme does */
	struct queue *queue;		/* sorted by name */
	size_t queue_count;
	bool has_hosts;			/* scopes take jobs by their hosts */
	struct name_index scheme_of_host;	/* by name; 0: it is excluded from Hosts=all */
	size_t scheme_of_others;	/* of all other hosts: that with Hosts=all; or 0 */
	const struct conf_slot_share **pool;	/* the first line of each; see partitions/pools.h */
	size_t pool_count;
	struct fathom_conf conf;	/* what fathom.conf says; the members above point into it */
	struct conf_slurm slurm;	/* what fathom.conf builds on */
	char *conf_path;		/* path of fathom.conf, for messages */
	char *conf_text;		/* what they were made from; NULL: no file */
	double dampening_factor;	/* for sshare, whatever the policy */
	struct fathom_priority_config priority;	/* without the size of the cluster */
	double *tres_weight;		/* PriorityWeightTRES, the memory of priority.tres_weight */
	struct formula *formula;	/* replaces the weighted sum; NULL: no Formula */
	struct adjuster adjuster;	/* Adjust of fathom.conf; may be empty */

	uint32_t flags;			/* PriorityFlags: PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	bool charge_suspended;	/* suspended jobs are charged too */
	bool with_database;	/* slurmdbd is in use; otherwise there is no usage and no age */
	mode_t figures_mode;	/* FiguresMode */
	char *cluster;		/* ClusterName, or "" */
};

#endif
