/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association has used of a TRES, as slurmctld counts it. */
#pragma once

#include "live/live.h"

enum used_tres { USED_CPU, USED_GPU, USED_NODE };

/* Returns minutes; NAN: not known. live: NULL for a tree from a file, and for that of a scope,
 * whose nodes are its own. */
double used_tres_minutes(const struct live *live, size_t node, enum used_tres tres);
