/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The image of usage on disk: a file with all of it and, as most usage does
 * nothing but decay, one with what has changed since. Each is there whole or
 * not at all.
 */
#ifndef SLURM_STATE_H
#define SLURM_STATE_H

#include "usage_image.h"

enum state_found { STATE_NONE, STATE_OWN, STATE_STOCK };

/* What the folder (StateSaveLocation) holds. STATE_OWN: `image` is filled; STATE_STOCK: its
 * times alone, because multifactor ran last; a damaged file is put aside. */
enum state_found state_load(const char *folder, struct usage_image *image);
/* Writes the image and, for the way back, multifactor's file of times. */
int state_save(const char *folder, struct usage_image *image);

#endif
