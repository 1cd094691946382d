/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints JSON on stdout. */
#ifndef CLI_PRINT_JSON_H
#define CLI_PRINT_JSON_H

#include "cli/shown_jobs.h"
#include "cli/shown_tree.h"

/* Prints an evaluated tree; of a comparison, a list of all its trees. */
void print_shares_json(const struct shown_tree *shown);
/* Prints jobs; of a comparison, a list with the jobs under each policy. */
void print_jobs_json(const struct shown_jobs *shown);

#endif
