/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways to print figures on stdout. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "cli/columns.h"
#include "cli/evaluated_tree.h"
#include "cli/job_columns.h"

/* Colour only on a terminal, and never with NO_COLOR. */
bool print_wants_colour(void);

/* Tree and columns by libsmartcols. -1: ENOMEM. */
int print_table(const struct figures *figures, const struct choice *choice, bool header,
		struct fathom_error *error);
/* '|' between columns, as sshare -P; `ends`: behind the last one too. */
void print_parsable(const struct figures *figures, const struct choice *choice, bool header,
		    bool ends);
/* The contract's JSON; with a shadow, both policies' and the change of rank. */
void print_json(const struct figures *figures);

/* Jobs: a line each, or with `weights` one of the weights. -1: ENOMEM. */
int print_jobs_table(const struct job_list *list, const struct job_choice *choice, bool header,
		     bool weights, struct fathom_error *error);
void print_jobs_parsable(const struct job_list *list, const struct job_choice *choice, bool header,
			 bool weights);
void print_jobs_json(const struct job_list *list);

#endif
