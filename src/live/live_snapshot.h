/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a snapshot of the running cluster. */
#pragma once

#include "fathom.h"

#include <stdio.h>

/*
 * Asks slurmctld for the tree with its figures, for jobs, partitions, QOS and its configuration;
 * reads fathom.conf and FiguresFile of this host; and writes all that as cluster_snapshot_write()
 * does. What PrivateData hides from the caller is left out. Returns a warning, or NULL.
 */
const char *live_snapshot_write(FILE *out);
