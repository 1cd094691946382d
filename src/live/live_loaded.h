/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld has loaded, as its process on this host shows. Include compat.h first. */
#pragma once

#include <stdbool.h>

/* Returns whether slurmctld runs on this host, by its file with the number of the process. */
bool live_controller_is_here(const slurm_conf_t *slurm);
/* Returns the type of the plugin that slurmctld has loaded. What it reports is the type in
 * slurm.conf at the last reconfigure, which up to 23.02 loads no other plugin. NULL: not known,
 * because slurmctld is not on this host, or the user may not look into it. */
const char *live_loaded_type(const slurm_conf_t *slurm);
/* Returns whether the file of slurmctld's priority plugin was replaced after slurmctld loaded it;
 * false if that is not known. */
bool live_loaded_is_replaced(const slurm_conf_t *slurm);
