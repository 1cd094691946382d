/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, switches and times in the forms of slurm.conf; slurm_time.c shows some. */
#pragma once

#include "fathom.h"

#include <stdint.h>

/* Reads a whole number from 0 to `most`, UINT16_MAX or UINT32_MAX as Slurm's type of the key has
 * it, in a form that slurmctld reads. error: may be NULL. -1: EINVAL. */
int slurm_whole_parse(const char *text, uint32_t most, double *number, struct fathom_error *error);
/* Reads a word for yes or no into 1 or 0, if slurmctld knows it. error: may be NULL. -1: EINVAL. */
int slurm_switch_parse(const char *text, double *number, struct fathom_error *error);
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
