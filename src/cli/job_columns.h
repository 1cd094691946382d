/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom prio, by sprio's letters or by name, and sorting by them. */
#ifndef CLI_JOB_COLUMNS_H
#define CLI_JOB_COLUMNS_H

#include "cli/print_table.h"
#include "evaluate/job_list.h"

/* The first four calls add columns to a table without columns, whose context is a struct
 * job_list. */

/* Adds the default columns: those of sprio, factors only if they have a weight. plain: values
 * before weighting; with_user: also the user; all: every column. */
void job_columns_standard(struct table *table, const struct job_list *list, bool plain,
			  bool with_user, bool all);
/* Adds the columns that flux-accounting lists jobs with, for a list by its weights. */
void job_columns_of_flux(struct table *table, const struct job_list *list);
/* Adds the columns of --shadow, for a list that has a shadow. */
void job_columns_of_shadow(struct table *table);
/* Adds the columns of a list: in sprio's form, "%.15i %9r %Y", or by name,
 * "JobID,User%8,Priority". Case is ignored and names may be shortened. -1: EINVAL for an
 * unknown column. */
int job_columns_parse(struct table *table, const char *columns, bool plain,
		      struct fathom_error *error);
/* Prints the help of all columns on stdout. */
void job_columns_help(void);

/* Makes the table show one row with the weights instead of the jobs. */
void job_columns_show_weights(struct table *table);

/* Lets the column Priority mark priorities that an administrator has set by '*'. */
void job_list_mark_set(struct job_list *list);

/* Sorts by columns, such as "u,r,-Y" or "User,-Priority"; '-' means descending. Unknown values
 * come last, and equal rows keep their order. -1: EINVAL for an unknown column; ENOMEM. */
int job_list_sort(struct job_list *list, const char *order, struct fathom_error *error);

#endif
