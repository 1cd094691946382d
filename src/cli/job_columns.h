/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of jobs: sprio's, by its letters and by name; and its orders. */
#ifndef CLI_JOB_COLUMNS_H
#define CLI_JOB_COLUMNS_H

#include "cli/print_table.h"
#include "evaluate/job_list.h"

/* Each of the first three fills the columns of a table that has none; its cells are those of
 * a struct job_list. */

/* What is printed if nothing is asked for: as sprio, factors that have a
 * weight, or with `all` every column. */
void job_columns_standard(struct table *table, const struct job_list *list, bool plain,
			  bool with_user, bool all);
/* Both policies', of a list that has a shadow. */
void job_columns_of_shadow(struct table *table);
/* "%.15i %9r %Y" as sprio takes it, or "JobID,User%8,Priority", in any case,
 * beginnings do. -1: what is no column. */
int job_columns_parse(struct table *table, const char *columns, bool plain,
		      struct fathom_error *error);
void job_columns_help(void);

/* One row, of the weights, in place of the jobs. */
void job_columns_show_weights(struct table *table);

/* In the column Priority, '*' behind one that an administrator has set, if there is one. */
void job_list_mark_set(struct job_list *list);

/* Sorts by "u,r,-Y": letters of columns or their names, '-' before one for
 * descending, what is not known last; equal rows stay as they are. -1: what is no column; ENOMEM. */
int job_list_sort(struct job_list *list, const char *order, struct fathom_error *error);

#endif
