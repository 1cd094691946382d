/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads records of accounting: adds up the usage of each association, and collects
 * jobs. A format's read_accounting() calls accounting_add() for each job.
 */
#pragma once

#include "core/snapshot.h"
#include "format/accounting/accounted_job.h"
#include "format/accounting/accounting_rules.h"
#include "format/format.h"
#include "jobs/jobs.h"

/* Reads an open file of a format that has read_accounting(). The time of the tree and of the jobs
 * is the latest end of a job. snapshot: accounts and users with shares 1 and their usage, one for
 * each half-life of the rules, all but the first as forks of the first; or NULL. jobs: or
 * NULL. */
void accounting_read(const struct format *format, struct document *input,
		     const struct accounting_rules *rules, struct snapshot *snapshot,
		     struct jobs *jobs);

/* What a scan of records gives each job to, and what else it finds. */
struct accounting_scan {
	void (*take)(const struct accounted_job *job, struct document *input, void *context);
	void *context;
	double machine_cpus;	/* 0: the file does not tell */
	bool has_own_time;	/* jobs have a trace_submit */
	size_t parts;		/* lines for parts of jobs */
};

/* Reads the jobs of an open file one after the other. machine_cpus and has_own_time are set before
 * the first job. */
void accounting_scan(const struct format *format, struct document *input,
		     struct accounting_scan *scan);

/* For readers: a line is for a part of a job; the machine has so many CPUs; the trace has times of
 * its own. */
void accounting_note_part(struct accounting *accounting);
void accounting_note_machine(struct accounting *accounting, double cpus);
void accounting_note_own_time(struct accounting *accounting);
/* Adds a job; for readers. Numbers beyond all sense, names and TRES may be wrong. */
void accounting_add(struct accounting *accounting, const struct accounted_job *job);
