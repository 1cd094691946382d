/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of associations: of accounts, users and partitions. */
#ifndef SLURM_ASSOCIATION_NAMES_H
#define SLURM_ASSOCIATION_NAMES_H

#include "base/compat.h"
#include "core/snapshot.h"

/* Copies the names of a tree's `count` nodes into a snapshot that has none yet, under assoc read
 * in slices. False: out of memory, or some associations are gone since the tree was read, which
 * the next pass will notice. The caller clears the snapshot. */
bool association_names_read(struct snapshot *snapshot, const struct fathom_node_index *map,
			    size_t count);

#endif
