/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf: what it sets, one table of settings, and scopes and slot pools. */
#ifndef CONF_CONF_H
#define CONF_CONF_H

#include "fathom.h"
#include "policy/settings_layout.h"

#define FATHOM_MAX_POLICIES 8
#define CONF_PATH_SIZE 4096	/* bytes, the end included */

/* Settings that belong to no policy, in the order of conf_settings(). */
enum conf_setting { CONF_POLICY, CONF_SHADOW_POLICY, CONF_CALC_PERIOD, CONF_HALF_LIFE,
		    CONF_CHARGE_SUSPENDED, CONF_FORMULA, CONF_FORMULA_SCALE, CONF_FIGURES_FILE,
		    CONF_FIGURES_MODE, CONF_ADJUST, CONF_SLOT_MEMORY, CONF_SETTING_COUNT };

/* A setting of a policy as written. */
struct conf_pair {
	char *key, *value;
};

/* Source: LSF, queue-level, cross-queue and host partition user-based fairshare. */
enum conf_scope_kind { CONF_QUEUE, CONF_CROSS_QUEUE, CONF_HOST_PARTITION };

/* Partitions with a tree of their own usage; a partition is in one scope at most. */
struct conf_scope {
	unsigned line;
	char *name;
	enum conf_scope_kind kind;
	bool kind_given;
	char **partition;
	size_t partition_count;
	char *master_queue;	/* one of them; NULL unless the kind is cross-queue */
	bool queue_first;	/* DispatchOrder=QUEUE */
	const struct fathom_policy *policy;	/* NULL: the live one */
	struct conf_pair *pair;	/* settings for this scope alone */
	size_t pair_count;
};

/* One queue of a slot pool. Source: LSF, queue-based fairshare. */
struct conf_slot_share {
	unsigned line;
	char *pool, *partition;
	size_t first;		/* of the pool's lines, by its place in the list */
	double share;		/* percent */
	/* on the pool's first line alone */
	double max_slots;	/* 0: not given */
	bool use_priority;
};

struct fathom_conf {
	double value[CONF_SETTING_COUNT];
	bool given[CONF_SETTING_COUNT];
	unsigned line[CONF_SETTING_COUNT];	/* where it stands */
	char formula[FATHOM_FORMULA_SIZE];	/* "" if not given */
	char figures_file[CONF_PATH_SIZE], adjust[CONF_PATH_SIZE];	/* likewise */
	/* by the policy's place in the table */
	struct fathom_settings policy[FATHOM_MAX_POLICIES];
	bool policy_given[FATHOM_MAX_POLICIES][FATHOM_MAX_SETTINGS];
	unsigned policy_formula_line;	/* where one of type FATHOM_FORMULA stands */
	/* in the order of the lines */
	struct conf_scope *scope;
	size_t scope_count;
	struct conf_slot_share *slot_share;
	size_t slot_share_count;
};

/* The table of general settings, CONF_SETTING_COUNT long. The choices of
 * CONF_POLICY and CONF_SHADOW_POLICY are the table of policies. Texts have no
 * number. */
const struct fathom_setting *conf_setting(enum conf_setting which);

/* "queue" and so on, by kind, up to a NULL. */
extern const char *const conf_scope_kinds[];

/* What holds without a file; nothing to be cleared. */
struct fathom_conf conf_standard(void);
/* Frees the lists; what holds without a file is left. */
void conf_clear(struct fathom_conf *conf);
void conf_scope_clear_partitions(struct conf_scope *scope);
/* The policies that the file names, or NULL. */
const struct fathom_policy *conf_policy(const struct fathom_conf *conf);
const struct fathom_policy *conf_shadow_policy(const struct fathom_conf *conf);
/* A policy's place in the table, by a name in any case. -1: EINVAL. */
int conf_find_policy(const char *name, size_t *place, struct fathom_error *error);
/* The names of all policies, "a, b, c", in `text`, which is returned. */
const char *conf_policy_list(char *text, size_t size);
/* A policy's settings; `given` (or NULL) tells which of them the file sets. */
const struct fathom_settings *conf_policy_settings(const struct fathom_conf *conf,
						   const struct fathom_policy *policy,
						   const bool **given);
/* A key of the scope's line that is no setting of the policy, or NULL. */
const char *conf_scope_foreign_key(const struct conf_scope *scope,
				   const struct fathom_policy *policy);

#endif
