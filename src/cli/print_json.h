/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints JSON on stdout. */
#ifndef CLI_PRINT_JSON_H
#define CLI_PRINT_JSON_H

#include "cli/shown_tree.h"
#include "evaluate/job_list.h"

/* Prints an evaluated tree; with a shadow, both trees and the ranks of users. */
void print_shares_json(const struct shown_tree *shown);
/* Prints jobs; with a shadow, also its priorities and the ranks of jobs. */
void print_jobs_json(const struct job_list *list);

#endif
