/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole numbers and switches in the forms of slurm.conf; slurm_number.c shows some. */
#pragma once

#include "fathom.h"

#include <stdint.h>

/* Reads a whole number from 0 to `most`, UINT16_MAX or UINT32_MAX as Slurm's type of the key has
 * it, in a form that slurmctld reads. error: may be NULL. -1: EINVAL. */
int slurm_whole_parse(const char *text, uint32_t most, double *number, struct fathom_error *error);
/* Reads a word for yes or no into 1 or 0, if slurmctld knows it. error: may be NULL. -1: EINVAL. */
int slurm_switch_parse(const char *text, double *number, struct fathom_error *error);
