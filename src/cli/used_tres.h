/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association has used of a TRES, as slurmctld counts it. */
#pragma once

#include "live/live_cluster.h"

/* Returns minutes; NAN: the tree is from a file. live: NULL for a file. tres: such as "cpu". */
double used_tres_minutes(const struct live *live, size_t node, const char *tres);
