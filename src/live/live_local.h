/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of this host's Slurm before slurmctld is asked. Each question is put by a process
 * of its own, because libslurm ends the process if slurm.conf is wrong, and reads only one file.
 * Ask before libslurm is initialised. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether slurmctld answers; if not, `why` says the reason. */
bool live_local_has_controller(char *why, size_t size);
/* Returns the folder of plugins of the installed Slurm, which counts if slurm.conf has no
 * PluginDir. NULL: not known. */
const char *live_local_plugin_dir(void);
/* Returns the slurm.conf that the commands of Slurm read on this host. */
const char *live_local_slurm_conf(void);
