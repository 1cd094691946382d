/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in the forms of slurm.conf; slurm_time.c shows some. */
#pragma once

#include "fathom.h"

/* Reads a time into *seconds. Forms that slurmctld reads: "M", "M:SS", "H:MM:SS", "D-H", "D-HH:MM",
 * "D-HH:MM:SS" and "UNLIMITED", rounded up to whole minutes as Slurm does. Other forms: a number
 * with a unit, "7d", and a number of minutes with a fraction. -1: EINVAL. */
int slurm_time_parse(const char *text, double *seconds, struct fathom_error *error);
/* Reads a time into *seconds, in a form that slurmctld reads. -1: EINVAL, also for other forms. */
int slurm_time_parse_strictly(const char *text, double *seconds, struct fathom_error *error);
#define SLURM_RESET_COUNT (FATHOM_RESET_YEARLY + 1)
/* The values of PriorityUsageResetPeriod, by enum fathom_reset. */
extern const char *const slurm_reset_words[SLURM_RESET_COUNT];
/* Reads a value of PriorityUsageResetPeriod. -1: EINVAL. */
int slurm_reset_parse(const char *text, enum fathom_reset *period, struct fathom_error *error);
