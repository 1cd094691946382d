/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a snapshot of the running cluster. */
#pragma once

#include "format/format.h"

/* Returns the snapshot as a file of the format snapshot, in memory. Refuses a cluster that does not
 * answer, and a build without libslurm. */
struct document take_snapshot_as_input(void);
