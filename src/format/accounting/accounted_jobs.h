/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes struct jobs of records of accounting. */
#ifndef FORMAT_ACCOUNTED_JOBS_H
#define FORMAT_ACCOUNTED_JOBS_H

#include "format/accounting/accounted_job.h"
#include "format/format.h"
#include "jobs/jobs.h"

/* Adds a job. -1: ENOMEM; EINVAL for wrong TRES or a name with a control character. */
int accounted_jobs_add(struct jobs *jobs, struct document *input, const struct accounted_job *job,
		       struct fathom_error *error);

#endif
