/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in the forms of slurm.conf. */
#pragma once

#include "fathom.h"

/* Reads a time in seconds: "M", "M:SS", "H:MM:SS", "D-H", "D-HH:MM", "D-HH:MM:SS", "UNLIMITED",
 * or a number with a unit, such as "7d". Times without a unit are rounded up to whole minutes,
 * as Slurm does. -1: EINVAL. */
int slurm_time_parse(const char *text, double *seconds, struct fathom_error *error);
/* Reads a time in one of these forms that slurmctld reads, too: a unit is an error. -1: EINVAL. */
int slurm_time_parse_strictly(const char *text, double *seconds, struct fathom_error *error);
/* Reads a value of PriorityUsageResetPeriod. -1: EINVAL. */
int slurm_reset_parse(const char *text, enum fathom_reset *period, struct fathom_error *error);
