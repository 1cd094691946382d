/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same jobs under several policies or settings: one list of rows for each, and the rank that a
 * job has in each list. */
#pragma once

#include "jobs/job_evaluate.h"

/* A list, and how its jobs were evaluated. */
struct compared_jobs {
	struct job_list list;
	const char *label;	/* such as the policy's name, for tables; "": no label */
	struct job_rule rule;
	/* seconds; with which the tree's usage was added up from jobs; NULL: it was not */
	const double *half_life;
};

/* All lists have the same rows in the same order. */
struct job_comparison {
	struct compared_jobs *item;	/* the others are compared with the first */
	size_t count;
};

/* Makes `count` empty lists without a label; the caller fills them. */
void job_comparison_create(struct job_comparison *comparison, size_t count);
/*
 * Sets `rank` and `change` of each row. Jobs of equal priority share a rank. A job has a rank if it
 * is pending, and its priority is above 0, in each list; a held job has none. A list in which all
 * priorities are unknown, 0 or set by administrators gives no ranks, unless all are set, and does
 * not keep the other lists from giving them.
 */
void job_comparison_rank(struct job_comparison *comparison);
