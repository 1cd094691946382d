/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads records of accounting: adds up the usage of each association, and collects
 * jobs. A format's read_accounting() calls accounting_add() for each job.
 */
#ifndef FORMAT_ACCOUNTING_H
#define FORMAT_ACCOUNTING_H

#include "core/snapshot.h"
#include "evaluate/jobs.h"
#include "format/accounting/accounted_job.h"
#include "format/accounting/accounting_rules.h"
#include "format/format.h"

/* Reads an open file of a format that has read_accounting(). The time of the tree and of the jobs
 * is the latest end of a job. snapshot: accounts and users with shares 1 and their usage, one for
 * each half-life of the rules, all but the first as forks of the first; or NULL. jobs: or NULL. -1:
 * as the format's reader; all are empty. */
int accounting_read(const struct format *format, struct input *input,
		    const struct accounting_rules *rules, struct snapshot *snapshot,
		    struct jobs *jobs, struct fathom_error *error);

/* Adds a job; for readers. -1: ENOMEM; EINVAL for a wrong name or wrong TRES. */
int accounting_add(struct accounting *accounting, const struct accounted_job *job,
		   struct fathom_error *error);

#endif
