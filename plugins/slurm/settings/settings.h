/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurm.conf and fathom.conf say, as one object that never changes. */
#ifndef SLURM_SETTINGS_H
#define SLURM_SETTINGS_H

#include "base/compat.h"
#include "fathom.h"
#include "settings/scopes.h"

#include "adjust/adjuster.h"
#include "policy/settings_layout.h"

enum scheme_role { SCHEME_IN_FORCE, SCHEME_SHADOW, SCHEME_SCOPE };

/* A policy and its settings, evaluated in each pass. */
struct scheme {
	enum scheme_role role;
	const char *name;	/* in the state; "": the one in force */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool keeps_sums;	/* of its own, beside usage_raw */
	bool is_adjusted;	/* by the settings' adjuster */
	struct fathom_formula *usage_res;	/* PBS's; NULL: CPU time */
	/* of a scope */
	char *scope;		/* what `name` is there */
	bool is_set, queue_first;	/* cross-queue; DispatchOrder=QUEUE */
};

struct settings {
	unsigned references;
	bool stands_in;		/* for a fathom.conf with an error */

	struct scheme *scheme;		/* the first is the one in force */
	size_t scheme_count;
	bool keeps_sums;		/* any of them does */
	struct queue *queue;		/* partitions of scopes and pools, by name */
	size_t queue_count;
	struct pool *pool;
	size_t pool_count;
	char *conf_path;		/* fathom.conf's */
	double dampening_factor;	/* also of policies that have none: for sshare */
	struct fathom_priority_config priority;	/* cluster size left 0 */
	double *tres_weight;
	struct formula *formula;	/* in the place of the sum, or NULL */
	struct adjuster adjuster;	/* LSF's; may be nobody */

	uint32_t flags;			/* PRIORITY_FLAGS_* */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
	bool charge_suspended;
	bool with_database;	/* without one there is no usage and no age */
	char *figures_file;	/* as written in fathom.conf; NULL: none is wanted */
	mode_t figures_mode;	/* of that file */
	char *cluster;		/* its name, with that */
};

/* Reads both files anew. A fathom.conf with an error is logged, and what it
 * said before (`*kept`, or the defaults) stays. NULL: out of memory. */
struct fathom_conf;
struct settings *settings_read(struct fathom_conf *kept, bool first);
/* As without a fathom.conf. NULL: out of memory. */
struct settings *settings_standard(void);
struct settings *settings_reference(const struct settings *settings);
void settings_release(struct settings *settings);

/* A shadow may be put in force, and the other way round: the name that a
 * scheme of the same jobs had then. A scope has no other one. */
const char *settings_other_name(const struct scheme *scheme);
/* What it keeps: sums of one kind go on under another policy. */
const char *settings_kind_of_sums(const struct scheme *scheme);

/* The cluster as it is now, with the weights of `settings`. */
struct fathom_priority_config settings_priority(const struct settings *settings);

/* FairShareDampeningFactor for whoever computes factors outside the
 * controller: fathom.conf's if it is readable, else slurm.conf's. */
double settings_dampening_factor(void);

#endif
