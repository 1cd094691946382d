/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What survives: the time of the last pass and reset, all usage that is not
 * zero, and which jobs are charged beyond that time, as one file that is
 * there whole or not at all.
 */
#ifndef SLURM_STATE_H
#define SLURM_STATE_H

#include "usage_image.h"

enum state_found { STATE_NONE, STATE_OWN, STATE_STOCK };

/* What the folder (StateSaveLocation) holds. STATE_OWN: `image` is filled; STATE_STOCK: its
 * times alone, because multifactor ran last; a damaged file is put aside. */
enum state_found state_load(const char *folder, struct usage_image *image);
/* Writes the image and, for the way back, multifactor's file of times. */
int state_save(const char *folder, const struct usage_image *image);

#endif
