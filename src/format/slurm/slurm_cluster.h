/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cluster that jobs wait for, as slurm.conf describes it: its partitions, their TRES, its
 * size. */
#pragma once

#include "format/site/site_settings.h"
#include "format/slurm_conf.h"
#include "jobs/jobs.h"

/* Sets jobs->settings, the partitions with their TRES, and the size of the cluster by the lines of
 * slurm.conf in the settings of the site; does nothing if there are none. These lines go before
 * what the jobs have, but TRES and sizes that the jobs have stay. Without nodes in the lines, TRES
 * and sizes stay unknown. */
void slurm_cluster_complete(struct jobs *jobs, const struct site_settings *settings);

/* Returns the lines of slurm.conf in the settings as a slurm.conf without files and faults. Its
 * texts belong to the settings. */
struct slurm_conf slurm_conf_of_settings(const struct site_settings *settings);

/* Adds the partitions of slurm.conf with their TRES, and the size of the cluster. What slurm.conf
 * says of a partition's keys replaces what the jobs have; TRES and sizes that the jobs have stay.
 * Fails, see wrong_at(), if slurm.conf is wrong. */
void slurm_cluster_add(struct jobs *jobs, const struct slurm_conf *slurm);
