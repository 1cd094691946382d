/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What records of jobs say of the usage at the beginning of each day. Jobs may come in any order.
 *
 *	daily_usage_create (&daily);
 *	... daily_usage_take () for each job
 *	daily_usage_finish (&daily, input, &snapshot);
 *	daily_usage_advance (&daily, time, half_life);	snapshot.tree has the usage at that time
 */
#pragma once

#include "format/accounting/accounting.h"

/* What a job was charged in each second that it ran. */
struct daily_run {
	double start, end, rate;
	size_t association;
};

struct daily_usage {
	struct accounted_usage associations;	/* without usage */
	struct daily_run *run;	/* by start, once all are taken */
	size_t run_count;
	double *usage;		/* by association, at `time` */
	size_t *running;	/* runs that had not ended at `time` */
	size_t running_count, started;	/* of `run`, those that had started */
	double time;		/* seconds since 1970; -INFINITY: before all */
	struct fathom_tree *tree;	/* an association's id is its index + 1 */
	struct fathom_node_index *nodes;
};

void daily_usage_create(struct daily_usage *daily);
/* Adds a job, for struct accounting_scan. daily: a struct daily_usage. */
void daily_usage_take(const struct accounted_job *job, struct document *input, void *daily);
/* Makes the tree of the associations of all jobs, with shares 1 and no usage. */
void daily_usage_finish(struct daily_usage *daily, struct document *input,
			struct snapshot *snapshot);
/* Returns when the first job started, seconds since 1970; INFINITY: none did. */
double daily_usage_begin(const struct daily_usage *daily);
/* Gives the tree its usage at a time, which must be later than that before. half_life: seconds, 0:
 * no decay. */
void daily_usage_advance(struct daily_usage *daily, double time, double half_life);
