/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as slurm.conf writes them. */
#ifndef FORMAT_SLURM_TIME_H
#define FORMAT_SLURM_TIME_H

#include "fathom.h"

/* "90" and "90:30" are minutes, and seconds behind; "H:MM:SS", "D-H", "D-HH:MM", "D-HH:MM:SS";
 * "UNLIMITED"; and a number with a unit, such as "7d". Gives seconds; Slurm rounds its own forms
 * up to whole minutes. -1: EINVAL. */
int slurm_time_parse(const char *text, double *seconds, struct fathom_error *error);

#endif
