/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes from records of jobs the usage of a tree at one time after another, such as the
 * beginning of each day. Jobs may come in any order.
 *
 *	daily_usage_create(&daily, &rules);
 *	daily_usage_take(job, input, &daily);		for each job
 *	daily_usage_finish(&daily, input, &snapshot);
 *	daily_usage_advance(&daily, time, half_life, is_reset);
 *				for each time, in ascending order: sets the usage of snapshot.tree
 */
#pragma once

#include "format/accounting/accounting.h"

/* The run of a job that has ended. */
struct daily_run {
	double start, end;	/* seconds since 1970 */
	double rate;		/* billing: what it was charged each second */
	size_t association;	/* index in daily_usage.associations */
};

struct daily_usage {
	const struct accounting_rules *rules;	/* which jobs count */
	struct accounted_associations associations;	/* of the jobs */
	struct daily_run *run;	/* sorted by start once daily_usage_finish() was called */
	size_t run_count;
	/* The state at `time`, from daily_usage_finish() on: */
	double *usage;		/* by association */
	size_t *running;	/* indices of runs that had started and not ended */
	size_t running_count;
	size_t started;		/* number of runs that had started: the first ones of `run` */
	double time;		/* seconds since 1970; -INFINITY before the first advance */
	struct fathom_tree *tree;	/* the snapshot's; an association's id is its index + 1 */
	struct fathom_node_index *nodes;	/* of `tree`, by id */
};

/* Begins without jobs. rules: which jobs count; must live as long as jobs are taken. */
void daily_usage_create(struct daily_usage *daily, const struct accounting_rules *rules);
/* Adds a job; is take() of a struct accounting_scan whose context is the struct daily_usage. */
void daily_usage_take(const struct accounted_job *job, struct document *input, void *daily);
/* Makes the tree of the associations of all jobs, with 1 share each and no usage. The tree must
 * live as long as daily_usage_advance() is called. */
void daily_usage_finish(struct daily_usage *daily, struct document *input,
			struct snapshot *snapshot);
/* Returns when the first job that counts started, in seconds since 1970; INFINITY: none has run.
 * Called after daily_usage_finish(). */
double daily_usage_begin(const struct daily_usage *daily);
/* Sets the usage of the tree at a time, which must be later than that of the call before.
 * half_life: seconds, 0: no decay. is_reset: usage up to this time counts no more. */
void daily_usage_advance(struct daily_usage *daily, double time, double half_life, bool is_reset);
