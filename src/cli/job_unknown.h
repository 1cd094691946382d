/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns of jobs whose association is not in the tree. */
#ifndef CLI_JOB_UNKNOWN_H
#define CLI_JOB_UNKNOWN_H

#include "evaluate/job_list.h"

/* Prints one line on stderr if the list has such jobs. */
void job_unknown_remark(const struct job_list *list);

#endif
