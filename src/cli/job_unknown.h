/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says which priorities are not known, and why. */
#ifndef CLI_JOB_UNKNOWN_H
#define CLI_JOB_UNKNOWN_H

#include "evaluate/job_list.h"

/* One line on stderr if there are rows whose association the tree has not. */
void job_unknown_remark(const struct job_list *list);

#endif
