/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of jobs: sprio's, by its letters and by name; and its orders. */
#ifndef CLI_JOB_COLUMNS_H
#define CLI_JOB_COLUMNS_H

#include "format/job_list.h"

#define JOB_MOST_COLUMNS 32
#define JOB_CELL_SIZE 4096	/* all TRES of a job stand in one */

struct job_column;

struct job_chosen {
	const struct job_column *column;
	bool plain;	/* a factor without its weight */
	int width;	/* the least; 0: as it comes */
	bool right;
};

/* May a terminal cut it? */
bool job_column_is_long(const struct job_chosen *chosen);
bool job_column_is_number(const struct job_chosen *chosen);

struct job_choice {
	struct job_chosen chosen[JOB_MOST_COLUMNS];
	size_t count;
};

/* What is printed if nothing is asked for: as sprio, factors that have a
 * weight, or with `all` every column. */
void job_columns_standard(struct job_choice *choice, const struct job_list *list, bool plain,
			  bool with_user, bool all);
/* Both policies', of a list that has a shadow. */
void job_columns_of_shadow(struct job_choice *choice);
/* "%.15i %9r %Y" as sprio takes it, or "JobID,User%8,Priority", in any case,
 * beginnings do. -1: what is no column. */
int job_columns_parse(struct job_choice *choice, const char *columns, bool plain,
		      struct fathom_error *error);
void job_columns_help(void);

const char *job_column_heading(const struct job_chosen *chosen);
/* Texts of a cell, in `buffer` of JOB_CELL_SIZE or elsewhere; of a number that is not known
 * "". row NULL: the weights. */
const char *job_column_text(const struct job_chosen *chosen, const struct job_list *list,
			    const struct job_row *row, char *buffer);

/* In the column Priority, '*' behind one that an administrator has set, if there is one. */
void job_list_mark_set(struct job_list *list);

/* Sorts by "u,r,-Y": letters of columns or their names, '-' before one for
 * descending, what is not known last; equal rows stay as they are. -1: what is no column; ENOMEM. */
int job_list_sort(struct job_list *list, const char *order, struct fathom_error *error);

#endif
