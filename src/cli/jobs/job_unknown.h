/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns of jobs whose association is not in the tree. */
#ifndef CLI_JOB_UNKNOWN_H
#define CLI_JOB_UNKNOWN_H

#include "cli/jobs/shown_jobs.h"

/* Prints one line on stderr if such jobs are shown. */
void job_unknown_remark(const struct shown_jobs *shown);

#endif
