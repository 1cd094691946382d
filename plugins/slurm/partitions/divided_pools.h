/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slot pools as a pass has divided them. They never change, so that FiguresFile can be written
 * from them while the next pass divides. */
#ifndef SLURM_DIVIDED_POOLS_H
#define SLURM_DIVIDED_POOLS_H

#include "json/pool_division.h"

struct divided_pools {
	unsigned references;
	struct pool_division *list;
	size_t count;
};

/* Makes a list of empty pools, for the caller to fill. NULL: out of memory. */
struct divided_pools *divided_pools_create(size_t count);
/* Adds an owner and returns the same pools; NULL is allowed. */
struct divided_pools *divided_pools_reference(struct divided_pools *pools);
/* Removes an owner; without owners the pools are freed. NULL is allowed. */
void divided_pools_release(struct divided_pools *pools);

#endif
