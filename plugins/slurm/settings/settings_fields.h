/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What settings consist of. The fields are open, as they are read for each job and association of
 * a pass. */
#ifndef SLURM_SETTINGS_FIELDS_H
#define SLURM_SETTINGS_FIELDS_H

#include "base/compat.h"
#include "fathom.h"

#include "adjust/adjuster.h"
#include "policy/settings_layout.h"

/* A partition that fathom.conf names. */
struct queue {
	char *name;		/* of the partition */
	size_t scheme;		/* of its scope; 0: in no scope, the one in force */
	unsigned scope_line;	/* in fathom.conf */
	size_t pool;		/* in settings->pool, from 1; 0: in none */
	unsigned pool_line;
	double share;		/* of the pool, percent */
	size_t order;		/* of pools' lines */
};

struct pool {
	char *name;
	uint64_t max_slots;	/* or FATHOM_NO_LIMIT */
	bool use_priority;
};

enum scheme_role { SCHEME_IN_FORCE, SCHEME_SHADOW, SCHEME_SCOPE };

/* A policy and its settings, evaluated in each pass. */
struct scheme {
	enum scheme_role role;
	const char *name;	/* in the state file; "": the one in force */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool keeps_sums;	/* sums of its own, besides Slurm's usage */
	bool is_adjusted;	/* by the settings' adjuster */
	struct fathom_formula *usage_res;	/* PBS's; NULL: CPU time */
	/* of a scope */
	char *scope;		/* owns `name` */
	const char *kind;	/* as in fathom.conf */
	char *master_queue;	/* of a cross-queue set */
	bool is_set, queue_first;	/* cross-queue set; DispatchOrder=QUEUE */
};

struct settings {
	unsigned references;
	bool is_placeholder;	/* fathom.conf has an error, and is not used */

	struct scheme *scheme;		/* the first is the one in force */
	size_t scheme_count;
	bool keeps_sums;		/* any of them does */
	struct queue *queue;		/* partitions of scopes and pools, by name */
	size_t queue_count;
	struct pool *pool;
	size_t pool_count;
	char *conf_path;		/* fathom.conf's */
	double dampening_factor;	/* also where the policy has none: for sshare */
	struct fathom_priority_config priority;	/* cluster size left 0 */
	double *tres_weight;
	struct formula *formula;	/* replaces the weighted sum; NULL: no Formula */
	struct adjuster adjuster;	/* of LSF's adjustment; may be empty */

	uint32_t flags;			/* PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	bool charge_suspended;
	bool with_database;	/* without one there is no usage and no age */
	char *figures_file;	/* as written in fathom.conf; NULL: not wanted */
	mode_t figures_mode;	/* of that file */
	char *cluster;		/* its name, if figures_file is set */
};

#endif
