/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a snapshot of the running cluster. */
#ifndef CLI_TAKE_SNAPSHOT_H
#define CLI_TAKE_SNAPSHOT_H

#include "format/format.h"

#include <stdbool.h>

/* Each returns 0, or EXIT_WRONG after printing an error. */

/* Prints the snapshot. anonymous: with neutral names. */
int take_snapshot(bool anonymous);
/* Makes the snapshot an input file of the format snapshot, which the caller clears. */
int take_snapshot_as_input(struct document *input);

#endif
