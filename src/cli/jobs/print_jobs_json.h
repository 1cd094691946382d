/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_PRINT_JOBS_JSON_H
#define CLI_PRINT_JOBS_JSON_H

#include "cli/jobs/shown_jobs.h"

/* Prints jobs as JSON; of a comparison, a list with the jobs under each policy. */
void print_jobs_json(const struct shown_jobs *shown);

#endif
