/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's configuration as slurm.conf writes it. Include compat.h first. */
#ifndef FORMAT_LIVE_SLURM_CONF_H
#define FORMAT_LIVE_SLURM_CONF_H

#include <stdio.h>

/* Writes the keys of slurm.conf on which priorities depend, a line for each. */
void live_slurm_conf_write(FILE *out, const slurm_conf_t *slurm);

#endif
