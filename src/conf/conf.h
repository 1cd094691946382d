/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom.conf says: general settings, settings of policies, scopes and slot pools. */
#pragma once

#include "conf/conf_global.h"
#include "conf/conf_hosts.h"
#include "conf/conf_user_shares.h"
#include "fathom.h"
#include "policy/entity_tree.h"
#include "policy/host_rule.h"
#include "policy/settings_layout.h"

#define FATHOM_MAX_POLICIES 8
#define CONF_PATH_SIZE 4096	/* bytes, with the NUL */
#define CONF_SIZE_MAX (1 << 20)	/* bytes; a larger file is some other file */
/* The file in StateSaveLocation in which the plugin keeps the last good fathom.conf. */
#define CONF_KEPT_NAME "fathom_conf"

/* General settings: those that belong to no policy. conf.c describes each of them. */
enum conf_setting { CONF_POLICY, CONF_SHADOW_POLICY, CONF_CALC_PERIOD, CONF_HALF_LIFE,
		    CONF_CHARGE_SUSPENDED, CONF_WITHOUT_SHARES, CONF_FORMULA, CONF_FORMULA_SCALE,
		    CONF_FIGURES_FILE, CONF_FIGURES_MODE, CONF_HISTORY_FILE, CONF_HISTORY_AGE,
		    CONF_METRICS_FILE, CONF_METRICS_MODE, CONF_METRICS_USERS,
		    CONF_USAGE_FILE, CONF_IMPORT_USAGE, CONF_ADJUST,
		    CONF_SLOT_MEMORY, CONF_BANK_PRIORITY, CONF_RESOURCE_GROUP, CONF_SETTING_COUNT };

/* Values of CONF_WITHOUT_SHARES: what happens to jobs of users without shares, under a policy that
 * never starts such jobs. */
enum conf_without_shares { JOBS_GO_LAST, JOBS_ARE_HELD };

/* A setting of a policy, with the key and the value as the file spells them. */
struct conf_pair {
	char *key, *value;
};

/* The kinds of scopes. Source: LSF, queue-level, cross-queue and host partition user-based
 * fairshare. */
enum conf_scope_kind { CONF_QUEUE, CONF_CROSS_QUEUE, CONF_HOST_PARTITION };

/* A line that begins with Scope: its partitions, or its hosts, have a tree with their own usage.
 * A partition or host is in at most one scope. */
struct conf_scope {
	unsigned line;
	char *name;
	enum conf_scope_kind kind;
	bool kind_given;	/* the line has a Kind; else conf_check() sets it */
	char **partition;
	size_t partition_count;
	/* Hosts, which a host partition may have instead of Partitions; `partition` then lists the
	 * partitions on them, if conf_scope_add_partition() has added any */
	struct conf_hosts hosts;
	/* for all host partitions, given only by the file's first scope: */
	bool has_host_keys;	/* the line has HostRule or OtherHosts */
	enum host_rule host_rule;	/* HostRule */
	bool others_by_policy;	/* OtherHosts=policy */
	char *master_queue;	/* one of the partitions; NULL unless the kind is cross-queue */
	bool queue_first;	/* DispatchOrder=QUEUE */
	const struct fathom_policy *policy;	/* NULL: the policy in force */
	struct conf_pair *pair;	/* settings of policies, for this scope only */
	size_t pair_count;
	char *user_shares;	/* UserShares as written; NULL: the shares of the associations */
	struct conf_assignments assignments;	/* UserShares as read */
};

/* A line that begins with SlotPool: one queue of a pool. Source: LSF, queue-based fairshare. */
struct conf_slot_share {
	unsigned line;
	char *pool, *partition;	/* names; partition: NULL until the line's Partition is read */
	size_t first;		/* index in `slot_share` of the pool's first line; conf_check() sets
				 * it */
	double share;		/* SlotShare, in percent; 0: not given */
	/* given only on the pool's first line: */
	double max_slots;	/* MaxSlotsInPool; 0: not given */
	bool use_priority;	/* UsePriorityInPool */
};

/* The priority that BankPriority gives to a bank of flux-accounting, which is an account. */
struct conf_bank {
	char *name;
	double priority;	/* of any sign */
	unsigned line;		/* of fathom.conf */
};

struct conf_banks {
	struct conf_bank *bank;		/* sorted by name once the file is checked */
	size_t count;
};

/* The lines of ResourceGroup: "NAME PARENT SHARES", the lines of OpenPBS's file resource_group
 * without their numbers. */
struct conf_resources {
	struct entity_row *row;	/* parents before their members */
	unsigned *line;		/* of fathom.conf, by row */
	size_t count;
};

/* What a file says. Lines are counted from 1. */
struct fathom_conf {
	/* general settings, by enum conf_setting */
	double value[CONF_SETTING_COUNT];	/* see conf_setting() */
	bool given[CONF_SETTING_COUNT];		/* false: the value is the default */
	unsigned line[CONF_SETTING_COUNT];	/* the line that gives it; 0: not given */
	/* texts of general settings; "": not given */
	char formula[FATHOM_FORMULA_SIZE];
	char figures_file[CONF_PATH_SIZE], history_file[CONF_PATH_SIZE];
	char metrics_file[CONF_PATH_SIZE];
	char usage_file[CONF_PATH_SIZE], import_usage[CONF_PATH_SIZE];
	char adjust[CONF_PATH_SIZE];
	/* settings of policies outside scopes, in the order of fathom_policy_at() */
	struct fathom_settings policy[FATHOM_MAX_POLICIES];
	bool policy_given[FATHOM_MAX_POLICIES][FATHOM_MAX_SETTINGS];
	unsigned policy_line[FATHOM_MAX_POLICIES][FATHOM_MAX_SETTINGS];	/* 0: not given */
	unsigned policy_formula_line;	/* the line that sets a setting of type FATHOM_FORMULA */
	/* A key that stands on `line` and on the line `earlier`: the last such key of the file.
	 * setting: NULL: all keys stand once. */
	struct conf_repeated { const struct fathom_setting *setting; unsigned line, earlier; }
		repeated;
	/* in the order of the lines */
	struct conf_scope *scope;
	size_t scope_count;
	struct conf_slot_share *slot_share;
	size_t slot_share_count;
	struct conf_banks banks;	/* of BankPriority */
	struct conf_resources resources;	/* of ResourceGroup */
	struct conf_user_groups user_groups;	/* of UserGroup */
	struct conf_global_shares global;	/* of GlobalShare */
};

/* Returns the description of a general setting. In struct fathom_conf, the value of
 * CONF_POLICY and of CONF_SHADOW_POLICY is the policy's index for fathom_policy_at(), that of
 * CONF_METRICS_USERS how many users, or INFINITY for all, and that of a text is 0. */
const struct fathom_setting *conf_setting(enum conf_setting setting);
/* Returns the general setting of a key; CONF_SETTING_COUNT: the key belongs to none. */
enum conf_setting conf_setting_named(const char *key);
/* Sets a general setting. line: where it is given. -1: EINVAL, ENOMEM. */
int conf_set_general(struct fathom_conf *conf, enum conf_setting setting, const char *value,
		     unsigned line, struct fathom_error *error);

/* The names of kinds, such as "queue", in the order of enum conf_scope_kind; then NULL. */
extern const char *const conf_scope_kinds[];

/* Returns the configuration of a site without the file: all defaults. It owns no memory, so it
 * need not be cleared. */
struct fathom_conf conf_standard(void);
/* Frees the lists and sets everything to its default. */
void conf_clear(struct fathom_conf *conf);
/* Returns the rule for jobs in partitions with hosts of several scopes. */
enum host_rule conf_host_rule(const struct fathom_conf *conf);
/* The names of rules, in the order of enum host_rule, without HOST_RULE_FREE; then NULL. */
extern const char *const conf_host_rules[];
/* Returns whether jobs on hosts outside scopes go first come, first served: scopes have Hosts, and
 * OtherHosts is fcfs, its default. */
bool conf_others_are_first_come(const struct fathom_conf *conf);
/* Adds a partition to a scope: one of Partitions, or one on the hosts of a scope with Hosts, so
 * that its jobs belong to the scope. The name is copied. -1: out of memory. */
int conf_scope_add_partition(struct conf_scope *scope, const char *name, size_t length);
/* Frees a scope's list of partitions and leaves it empty. */
void conf_scope_clear_partitions(struct conf_scope *scope);
/* Returns the policy that Policy names; NULL: the file has no Policy. */
const struct fathom_policy *conf_policy(const struct fathom_conf *conf);
/* Returns the policy that ShadowPolicy names; NULL: the file has no ShadowPolicy. */
const struct fathom_policy *conf_shadow_policy(const struct fathom_conf *conf);
/* Finds a policy by its name, in upper or lower case, and sets *index to its index for
 * fathom_policy_at(). -1: EINVAL; *index is unchanged. */
int conf_find_policy(const char *text, size_t *index, struct fathom_error *error);
/* Returns a policy's settings outside scopes: those that the file sets, and the defaults of the
 * others. *given (given may be NULL) tells for each setting whether the file sets it. */
const struct fathom_settings *conf_policy_settings(const struct fathom_conf *conf,
						   const struct fathom_policy *policy,
						   const bool **given);
/* Returns the first key on the scope's line that the policy lacks, as a setting or as UserShares;
 * NULL: it has all. */
const char *conf_scope_foreign_key(const struct conf_scope *scope,
				   const struct fathom_policy *policy);

/* ---- BankPriority and ResourceGroup ---------------------------------------------------- */

/* Adds the banks of "NAME:PRIORITY,NAME:PRIORITY...". line: of fathom.conf. -1: EINVAL, ENOMEM;
 * those before the wrong one are added. */
int conf_banks_add(struct conf_banks *banks, const char *list, unsigned line,
		   struct fathom_error *error);
/* Returns the priority of a bank by its name, in upper or lower case as in Slurm; `other` if the
 * file gives it none, or name is NULL. The banks are sorted. */
double conf_banks_priority(const struct conf_banks *banks, const char *name, double other);
void conf_banks_clear(struct conf_banks *banks);

/* Adds the row "NAME PARENT SHARES". line: of fathom.conf. -1: EINVAL, ENOMEM; the row may have
 * been added in part, and conf_resources_clear() frees it. */
int conf_resources_add(struct conf_resources *resources, const char *text, unsigned line,
		       struct fathom_error *error);
void conf_resources_clear(struct conf_resources *resources);
