/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that are printed, in the order of printing. */
#ifndef CLI_SHOWN_JOBS_H
#define CLI_SHOWN_JOBS_H

#include "jobs/job_comparison.h"

struct shown_jobs {
	const struct job_comparison *comparison;
	const struct job_list *list;	/* its first one */
	size_t *row;		/* by line: the row of the lists */
	size_t count;		/* number of lines */
	bool shows_state;	/* the table has the states of jobs */
	bool marks_set;		/* the table puts '*' behind priorities that were set */
};

/* Prints jobs as JSON; of a comparison, a list with the jobs under each policy. */
void print_jobs_json(const struct shown_jobs *shown);

#endif
