/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurm.conf and fathom.conf say, as one object that never changes. The fields are open, as
 * they are read for each job and association of a pass. */
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
	const char *name;	/* in the state file; "": the one in force */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool keeps_sums;	/* sums of its own, besides Slurm's usage */
	bool is_adjusted;	/* by the settings' adjuster */
	struct fathom_formula *usage_res;	/* PBS's; NULL: CPU time */
	/* of a scope */
	char *scope;		/* owns `name` */
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

/* Reads both files anew. An error in fathom.conf is logged, and the settings are made of what
 * the file said before, *kept, or of the defaults. NULL: out of memory. */
struct fathom_conf;
struct settings *settings_read(struct fathom_conf *kept, bool first);
/* The settings that apply without a fathom.conf. NULL: out of memory. */
struct settings *settings_standard(void);
struct settings *settings_reference(const struct settings *settings);
void settings_release(struct settings *settings);

/* The name of the scheme that counted the same jobs if Policy and ShadowPolicy have been
 * exchanged since the state was saved. For a scope: its own name. */
const char *settings_other_name(const struct scheme *scheme);
/* The kind of sums that the scheme keeps. Sums go on under another policy of the same kind. */
const char *settings_kind_of_sums(const struct scheme *scheme);

/* The cluster as it is now, with the weights of `settings`. */
struct fathom_priority_config settings_priority(const struct settings *settings);

/* The dampening factor for sshare, which computes factors outside slurmctld: that of fathom.conf
 * if the file can be read, else that of slurm.conf. */
double settings_dampening_factor(void);

#endif
