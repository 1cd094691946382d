/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a site as the files that Slurm and fathom read. */
#pragma once

#include "conf/conf.h"
#include "format/site/site_settings.h"
#include "jobs/jobs.h"

#include <stdio.h>

/* What the files mean. */
struct site_conf {
	struct fathom_conf fathom;
	struct job_settings slurm;	/* the keys that priorities depend on */
	const struct conf_scope *scope;	/* the chosen one, or NULL */
};

/* Returns what the settings mean, and checks fathom.conf as the plugin does. Clear it with
 * site_conf_clear(). */
struct site_conf site_conf_of(const struct site_settings *settings);
/* Sets the keys of slurm.conf that priorities depend on, alone. */
void site_conf_set_slurm(struct job_settings *slurm, const struct site_settings *settings);
void site_conf_clear(struct site_conf *conf);
/* Chooses the scope of a name for the next two functions. If no file lists the hosts of a host
 * partition, the settings have no line for it: the scope then has `policy`, and the site's
 * settings. */
void site_conf_choose(struct site_conf *conf, const char *scope,
		      const struct fathom_policy *policy);
/* Returns the policy of the scope or site, by PriorityFlags if fathom.conf names none. */
const struct fathom_policy *site_conf_policy(const struct site_conf *conf);
/* Returns the settings that a policy has there. */
struct fathom_settings site_conf_settings(const struct site_conf *conf,
					  const struct fathom_policy *policy);
/* Writes the lines of one of the files, each with its place in a comment. */
void site_conf_write(FILE *out, const struct site_settings *settings, enum site_file which);
