/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom prio, by sprio's letters or by name, and sorting by them. */
#ifndef CLI_JOB_COLUMNS_H
#define CLI_JOB_COLUMNS_H

#include "cli/column_list.h"
#include "cli/print_table.h"
#include "cli/jobs/shown_jobs.h"

/* Options that decide which columns are shown. */
struct job_choice {
	bool plain;	/* values before weighting */
	bool with_user, all;
};

/* The first four calls add columns to a table without columns, whose context is a struct
 * shown_jobs. */

/* Adds the default columns: those of sprio, factors only if they have a weight. all: every
 * column. */
void job_columns_standard(struct table *table, const struct shown_jobs *shown,
			  const struct job_choice *choice);
/* Adds the columns that flux-accounting lists jobs with, for a list by its weights. */
void job_columns_of_flux(struct table *table, const struct shown_jobs *shown);
/* Adds the default columns for several policies: priority and rank of each. */
void job_columns_of_comparison(struct table *table, const struct shown_jobs *shown,
			       const struct job_choice *choice);
/* Adds the columns of a list: in sprio's form, "%.15i %9r %Y", or by name,
 * "JobID,User%8,Priority". Case is ignored and names may be shortened. If several policies are
 * compared, a column is added for each of them, and "Rank:lsf" for one. -1: EINVAL for an
 * unknown column. */
int job_columns_parse(struct table *table, const char *columns, const struct shown_jobs *shown,
		      bool plain, struct fathom_error *error);
/* Reads columns to sort by, such as "u,r,-Y" or "User,-Priority". -1: EINVAL. */
int job_columns_parse_order(struct sort_keys *keys, const char *list,
			    const struct shown_jobs *shown, struct fathom_error *error);
/* Prints the help of all columns on stdout. */
void job_columns_help(void);

/* Makes the table show one row with the weights instead of the jobs. */
void job_columns_show_weights(struct table *table);

/* Lets the column Priority mark priorities that an administrator has set by '*'. */
void shown_jobs_mark_set(struct shown_jobs *shown);

#endif
