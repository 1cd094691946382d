/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What partitions of slot pools have used, in the image that survives a restart. */
#ifndef SLURM_SAVED_POOLS_H
#define SLURM_SAVED_POOLS_H

#include "partitions/pool_seats.h"
#include "state/usage_image.h"

/* Adds it to the image of a pass. */
void saved_pools_copy(const struct pool_seats *seats, struct usage_image *image);
/* Takes it out of a saved image. To be called before the first pass. */
void saved_pools_restore(struct pool_seats *seats, struct usage_image *image);

#endif
