/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs under several policies or settings. */
#pragma once

#include "jobs/job_evaluate.h"

/* A list, and how its jobs were evaluated. */
struct compared_jobs {
	struct job_list list;
	const char *label;	/* how a table names it; "": it does not */
	struct job_rule rule;
	const double *half_life;	/* as json_put_settings() takes it */
};

/* All lists have the same rows in the same order. */
struct job_comparison {
	struct compared_jobs *item;	/* the others are compared with the first */
	size_t count;
};

/* Makes room for `count` lists; the caller fills them. */
void job_comparison_create(struct job_comparison *comparison, size_t count);
/*
 * Fills each row's rank and change. Equal priorities share a rank, see need_ranks(). Only pending
 * jobs have a rank, and only those with a priority above 0 in each list: a held job has none. A
 * list whose only priorities are those that administrators set gives no ranks and does not
 * count.
 */
void job_comparison_rank(struct job_comparison *comparison);
