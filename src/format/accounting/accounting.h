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
#include "format/format.h"

#define EVERY_STATE UINT64_MAX

/* What to make of the records. */
struct accounting_rules {
	double half_life;	/* of usage; seconds, 0: no decay */
	uint64_t states;	/* jobs are kept in these, 1 << state for each, and in those of
				 * jobs that wait or run */
};

/* Reads an open file of a format that has read_accounting(). The time of the tree and of the jobs
 * is the latest end of a job. snapshot: accounts and users with shares 1 and their usage; or NULL.
 * jobs: or NULL. -1: as the format's reader; both are empty. */
int accounting_read(const struct format *format, struct input *input,
		    const struct accounting_rules *rules, struct snapshot *snapshot,
		    struct jobs *jobs, struct fathom_error *error);

/* Adds a job; for readers. -1: ENOMEM; EINVAL for a wrong name or wrong TRES. */
int accounting_add(struct accounting *accounting, const struct accounted_job *job,
		   struct fathom_error *error);

#endif
