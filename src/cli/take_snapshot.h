/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a snapshot of the running cluster. */
#ifndef CLI_TAKE_SNAPSHOT_H
#define CLI_TAKE_SNAPSHOT_H

#include "format/format.h"

#include <stdbool.h>

/* Prints the snapshot. anonymous: with neutral names. */
void take_snapshot(bool anonymous);
/* Returns the snapshot as a file of the format snapshot. */
struct document take_snapshot_as_input(void);

#endif
