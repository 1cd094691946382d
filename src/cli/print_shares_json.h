/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_PRINT_SHARES_JSON_H
#define CLI_PRINT_SHARES_JSON_H

#include "cli/shown_tree.h"

#include <stdio.h>

/* Writes an evaluated tree as JSON; of a comparison, a list of all its trees. */
void print_shares_json(FILE *out, const struct shown_tree *shown);

#endif
