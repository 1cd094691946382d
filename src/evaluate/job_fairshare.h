/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fair-share factors that slurmctld's terms do not tell, of the associations of jobs. */
#ifndef EVALUATE_JOB_FAIRSHARE_H
#define EVALUATE_JOB_FAIRSHARE_H

#include "core/snapshot.h"
#include "evaluate/job_list.h"

/* Returns whether a row lacks its factor. */
bool job_list_lacks_fairshare(const struct job_list *list);
/* Sets the factor of rows that lack it. factor: by node of the snapshot. -1: ENOMEM. */
int job_list_complete_fairshare(struct job_list *list, const struct snapshot *snapshot,
				const double *factor, struct fathom_error *error);

#endif
