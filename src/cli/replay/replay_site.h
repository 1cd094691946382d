/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of --from say of a site: the tree, slurm.conf and fathom.conf. */
#pragma once

#include "cli/option_values.h"
#include "conf/conf.h"
#include "conf/conf_policy.h"
#include "format/accounting/sources.h"
#include "format/slurm/slurm_machine.h"
#include "jobs/jobs.h"

#define REPLAY_RESET_PERIOD "PriorityUsageResetPeriod"

struct replay_site {
	struct sources sources;		/* with the tree, if tree_name */
	struct slurm_conf slurm;	/* if slurm_name */
	struct fathom_conf conf;	/* the standard one, if there is none */
	struct jobs jobs;		/* the cluster: QOS and partitions, without jobs' own */
	/* their files; NULL: none. jobs_name: of a snapshot, or of slurmrestd's answers */
	const char *slurm_name, *conf_name, *jobs_name;
	/* they stand in a snapshot; other files may take their place: */
	bool slurm_is_within, conf_is_within;
	char name_within[CONF_PATH_SIZE];	/* of a text in a snapshot */
	struct job_settings settings;	/* keys of priorities */
	struct slurm_machine machine;	/* the class of a node: 1 + the number of the scope that
					 * has it, 0: none */
	double half_life, calc_period;	/* seconds */
	enum fathom_reset reset_period;
};

/* Reads the files. cluster: a snapshot in memory, before them; or NULL. */
void replay_site_read(struct replay_site *site, const struct input_names *files,
		      struct document *cluster);
/* Returns the policy of fathom.conf, else that of PriorityFlags; NULL: the site does not say. */
const struct fathom_policy *replay_site_policy(const struct replay_site *site);
/* Returns the settings that a policy has at the site. */
struct fathom_settings replay_site_settings(const struct replay_site *site,
					    const struct fathom_policy *policy);
#define REPLAY_GPU_WEIGHT "gpu_weight"	/* a setting of policies that charge GPUs */

/* Returns its value; 0: the policy has none. */
double replay_gpu_weight(const struct fathom_policy *policy,
			 const struct fathom_settings *settings);
