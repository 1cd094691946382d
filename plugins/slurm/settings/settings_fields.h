/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of settings. They are public, as a pass reads them for each job and association. */
#ifndef SLURM_SETTINGS_FIELDS_H
#define SLURM_SETTINGS_FIELDS_H

#include "base/compat.h"
#include "base/retired.h"
#include "fathom.h"

#include "adjust/adjuster.h"
#include "conf/conf_banks.h"
#include "conf/conf_resources.h"
#include "conf/conf_user_shares.h"
#include "core/name_index.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

/* A partition (for LSF a queue) that fathom.conf names in a scope, in a slot pool, or in both. */
struct queue {
	char *name;
	size_t scheme;		/* index of its scope's scheme; 0: the partition is in no scope */
	unsigned scope_line;	/* line of fathom.conf that puts it into the scope */
	size_t pool;		/* 1 + index of its slot pool; 0: the partition is in no pool */
	unsigned pool_line;	/* line of fathom.conf that puts it into the pool */
	double share;		/* of the pool, percent */
	size_t order;		/* number among all lines of pools */
};

/* A host that Hosts names. */
struct scoped_host {
	char *name;
	size_t scheme;		/* of the scope on whose line it stands */
};

/* The hosts of scopes. */
struct scoped_hosts {
	struct scoped_host *host;	/* all that are named, also those after '~' */
	size_t count;
	struct name_index scheme;	/* by name; 0: it is excluded from Hosts=all */
	size_t others;		/* scheme of all other hosts: that with Hosts=all; or 0 */
};

/* A slot pool; see partitions/pools.h. */
struct pool {
	char *name;
	uint64_t max_slots;	/* MaxSlotsInPool, or FATHOM_NO_LIMIT */
	bool use_priority;	/* UsePriorityInPool */
};

enum scheme_role {
	SCHEME_IN_FORCE,	/* Policy: gives all jobs outside scopes their factors */
	SCHEME_SHADOW,		/* ShadowPolicy: only evaluated */
	SCHEME_SCOPE,		/* Scope: gives jobs of some partitions their factors */
};

/* A policy with settings, evaluated in each pass. */
struct scheme {
	enum scheme_role role;
	const char *name;	/* in the state file: "", "shadow" or "scope NAME" */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool keeps_sums;	/* the policy needs sums that slurmctld does not keep */
	bool is_adjusted;	/* FairshareAdjustmentFactor is above 0 */
	struct fathom_formula *usage_res;	/* FairshareUsageRes; NULL: CPU time */
	bool has_entities;	/* jobs of PBS are charged to entities in a tree of their own */
	enum fairshare_entity entity;	/* FairshareEntity */
	bool charges_queues;	/* the entities are partitions, which PBS calls queues */
	uint32_t unknown_shares;	/* UnknownShares, of entities that are not listed */
	/* only for a scope */
	char *scope;		/* the memory of `name` */
	const char *kind;	/* Kind, as in fathom.conf */
	unsigned line;		/* of fathom.conf */
	char *hosts;		/* Hosts, as in fathom.conf; NULL: it takes jobs by partition */
	char *master_queue;	/* MasterQueue; NULL: not set */
	bool is_set;		/* cross-queue: its partitions share one order of users */
	bool queue_first;	/* DispatchOrder=QUEUE */
	char *user_shares;	/* UserShares; NULL: the shares of the associations */
	struct conf_assignments assignments;	/* the same, read */
};

struct settings {
	struct retired retired;
	unsigned references;
	char *fault;	/* what is wrong with the fathom.conf that these settings stand in for, and
			 * what is in force instead; NULL: they are those of fathom.conf */

	struct scheme *scheme;		/* [0]: in force; then the shadow, then scopes */
	size_t scheme_count;
	bool keeps_sums;		/* at least one scheme does */
	bool charges_queues;		/* at least one scheme does */
	struct queue *queue;		/* sorted by name */
	size_t queue_count;
	bool has_hosts;			/* scopes take jobs by their hosts */
	struct scoped_hosts hosts;
	struct pool *pool;
	size_t pool_count;
	char *conf_path;		/* path of fathom.conf, for messages */
	char *conf_text;		/* what they were made from; NULL: no file */
	double dampening_factor;	/* for sshare, whatever the policy */
	struct fathom_priority_config priority;	/* without the size of the cluster */
	double *tres_weight;		/* PriorityWeightTRES, the memory of priority.tres_weight */
	struct formula *formula;	/* replaces the weighted sum; NULL: no Formula */
	struct adjuster adjuster;	/* Adjust of fathom.conf; may be empty */
	struct conf_banks banks;	/* BankPriority of fathom.conf; may be empty */
	struct conf_resources resources;	/* ResourceGroup of fathom.conf; may be empty */
	struct conf_user_groups user_groups;	/* UserGroup of fathom.conf; may be empty */

	uint32_t flags;			/* PriorityFlags: PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	bool charge_suspended;	/* suspended jobs are charged too */
	bool with_database;	/* slurmdbd is in use; otherwise there is no usage and no age */
	char *import_usage;	/* ImportUsage, a path; NULL: not set */
	char *figures_file;	/* FiguresFile as written in fathom.conf; NULL: not set */
	mode_t figures_mode;	/* FiguresMode */
	char *cluster;		/* ClusterName, if figures_file is set */
};

#endif
