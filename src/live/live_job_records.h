/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the running cluster as their records describe them, with all that their priorities
 * depend on. Include compat.h first. */
#pragma once

#include "jobs/job_list.h"
#include "jobs/jobs.h"

/*
 * Reads records of jobs, partitions, QOS and nodes. shown: slurmctld's answer to sprio, which tells
 * when ages were computed, which jobs are shown, and what an administrator has set. What
 * PrivateData hides is left out. Settings stay the default ones, and the caller finds partitions
 * and QOS by jobs_find_names(). Within libslurm_ask().
 * *machine: nodes and partitions as lines of slurm.conf; NULL: they are not wanted.
 */
void live_job_records_read(struct jobs *jobs, const struct job_list *shown, char **machine);

/* Does the same, with the settings of slurm.conf, and asks libslurm itself. */
void live_job_records_with_settings(struct jobs *jobs, const struct job_list *shown);
