/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a snapshot of the running cluster. */
#ifndef CLI_COMMAND_SNAPSHOT_H
#define CLI_COMMAND_SNAPSHOT_H

#include "format/format.h"

#include <stdbool.h>

/* Returns the snapshot as a file of the format snapshot. */
struct document take_snapshot_as_input(void);

#endif
