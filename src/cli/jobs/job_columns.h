/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of jobs, by sprio's letters or by name. The context of a table is a struct
 * shown_jobs. */
#pragma once

#include "jobs/job_comparison.h"
#include "relation/column_list.h"

/* The jobs that are printed, in the order of printing. */
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

/* Options that decide which columns are shown. */
struct job_choice {
	bool plain;	/* values before weighting */
	bool with_user, all;
};

/* Makes a relation of the columns that the jobs may have. plain: values before weighting. */
void job_relation(struct relation *relation, const struct shown_jobs *shown, bool plain);
/* Adds the default columns to a table without columns: those of sprio, factors only if they have a
 * weight; with `all` every column, or those of flux-accounting for a list by its weights; for
 * several policies priority and rank of each. */
void job_columns_standard(struct table *table, const struct relation *relation,
			  const struct shown_jobs *shown, const struct job_choice *choice);
/* Returns the column of one of sprio's letters; NULL: there is no such column. */
const struct column *job_column_of_letter(char letter);
/* Returns column number i; NULL: there are not as many. */
const struct column *job_column_at(size_t i);
/* Prints the help of all columns on stdout. */
void job_columns_help(void);

/* Makes the table show one row with the weights instead of the jobs. */
void job_columns_show_weights(struct table *table);

/* Lets the column Priority mark priorities that an administrator has set by '*'. */
void shown_jobs_mark_set(struct shown_jobs *shown);
