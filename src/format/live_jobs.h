/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the jobs of the running cluster with the request that sprio sends to slurmctld. */
#ifndef FORMAT_LIVE_JOBS_H
#define FORMAT_LIVE_JOBS_H

#include "evaluate/job_list.h"

/*
 * Reads the jobs of the local cluster. Rows have their weighted factors; they have a
 * priority only if an administrator has set it. with_names: also reads account and
 * QOS, for which old releases need a second request. -1: slurmctld cannot be reached
 * or has no factors; the error says why.
 */
int live_jobs_read(struct job_list *list, bool with_names, struct fathom_error *error);

#endif
