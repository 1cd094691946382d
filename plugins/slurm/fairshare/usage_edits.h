/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What imports and requests do to usage. */
#ifndef SLURM_USAGE_EDITS_H
#define SLURM_USAGE_EDITS_H

#include "state/usage_changes.h"

struct fairshare;

/* Makes the changes in rows and sums, and logs who gets what. half_life: of usage. Takes assoc read
 * in slices. -1: nothing has changed, as memory is short, or associations are gone since the tree
 * was read. */
int usage_edits_make(struct fairshare *fairshare, const struct usage_changes *changes,
		     double half_life);

#endif
