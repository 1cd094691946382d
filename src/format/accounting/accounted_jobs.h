/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes struct jobs of records of accounting. */
#pragma once

#include "format/accounting/accounted_job.h"
#include "format/format.h"
#include "jobs/jobs.h"

/* Adds a job. Wrong are other TRES than counts, and a name with a control character. */
void accounted_jobs_add(struct jobs *jobs, struct document *input, const struct accounted_job *job);
