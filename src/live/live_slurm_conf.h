/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's configuration as slurm.conf writes it. Include compat.h first. */
#pragma once

/* Returns the keys of slurm.conf on which priorities depend, a line for each. */
char *live_slurm_conf_text(const slurm_conf_t *slurm);
