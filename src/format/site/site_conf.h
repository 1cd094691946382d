/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the settings of a site as the plugin reads fathom.conf and slurm.conf, and writes them as
 * these files. */
#pragma once

#include "conf/conf.h"
#include "format/site/site_settings.h"
#include "jobs/jobs.h"

#include <stdio.h>

/* What the two files mean. */
struct site_conf {
	struct fathom_conf fathom;
	struct job_settings slurm;	/* the keys of slurm.conf that priorities depend on */
	const struct conf_scope *scope;	/* the chosen one; NULL: none is chosen */
};

/* Returns what the settings mean, no scope chosen. The memory is that of need_memory.h, so that
 * conf_clear() must not be called. Fails, see wrong_at(), where the plugin would refuse
 * fathom.conf, or a key of slurm.conf has a wrong value. */
struct site_conf site_conf_of(const struct site_settings *settings);
/* Sets in `slurm` the keys of slurm.conf that the settings have and priorities depend on; those
 * that no line of the site says only if `slurm` does not give them. Fails, see wrong_at(), if a
 * value is wrong. */
void site_conf_set_slurm(struct job_settings *slurm, const struct site_settings *settings);
/* Returns the defaults with these keys of slurm.conf. */
struct job_settings site_conf_slurm_of(const struct site_settings *settings);
/* Chooses the scope with this name for the next two functions. policy: of the scope if the settings
 * have no line for it, as for a host partition whose hosts no file lists; its other settings are
 * then the site's. */
void site_conf_choose(struct site_conf *conf, const char *scope,
		      const struct fathom_policy *policy);
/* Returns the policy of the chosen scope; else that of fathom.conf; else that of PriorityFlags. */
const struct fathom_policy *site_conf_policy(const struct site_conf *conf);
/* Returns the settings that a policy has in the chosen scope, or in the site. */
struct fathom_settings site_conf_settings(const struct site_conf *conf,
					  const struct fathom_policy *policy);
/* Writes the lines of one of the files, each with its origin in a comment:
 * "UnknownShares=10 # sched_config:7". */
void site_conf_write(FILE *out, const struct site_settings *settings, enum site_file file);
