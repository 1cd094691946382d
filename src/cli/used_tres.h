/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association has used of a TRES, as slurmctld counts it. */
#pragma once

#include "live/live.h"

enum used_tres { USED_CPU, USED_GPU, USED_NODE };

/* Returns TRES minutes of a node and all below it, decayed; NAN: not known. live: the cluster of
 * whose tree the node is; NULL for the tree of a file or of a scope. */
double used_tres_minutes(const struct live *live, size_t node, enum used_tres tres);
