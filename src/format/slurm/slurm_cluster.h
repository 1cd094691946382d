/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurm.conf says of the cluster that jobs wait for. */
#pragma once

#include "format/site/site_settings.h"
#include "format/slurm_conf.h"
#include "jobs/jobs.h"

/* Sets the keys that priorities depend on, the partitions with their TRES, and the size of the
 * cluster. The settings go before those that the jobs have; TRES and sizes that they have stay.
 * Without nodes in the settings, TRES and sizes stay unknown. */
void slurm_cluster_complete(struct jobs *jobs, const struct site_settings *settings);

/* Returns a slurm.conf of pairs that belong to the settings. */
struct slurm_conf slurm_conf_of_settings(const struct site_settings *settings);

/* Adds the partitions of slurm.conf with their TRES, and the size of the cluster, in the same
 * way. */
void slurm_cluster_add(struct jobs *jobs, const struct slurm_conf *slurm);
