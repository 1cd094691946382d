/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom shares: those of sshare, by its names, and those of a policy. The
 * context of a table is a struct shown_tree. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "cli/column_list.h"
#include "cli/print_table.h"
#include "cli/shown_tree.h"

/* The first three calls add columns to a table without columns. */

/* Adds the columns of a list such as "Account,User%20". Case is ignored and names may be shortened,
 * as in sshare. If several policies are compared, a column is added for each of them, and
 * "Rank:lsf" for one. -1: EINVAL for a column that is unknown, or that only a running cluster
 * has. */
int columns_parse(struct table *table, const char *list, const struct comparison *compared,
		  bool live, struct fathom_error *error);
/* Adds the default columns for a single policy. */
void columns_standard(struct table *table, const struct comparison *compared, bool with_partition,
		      bool with_all, bool live);
/* Adds the default columns for several policies: factor and rank of each. with_all: also the
 * changes of rank, which two policies have in any case. */
void columns_of_comparison(struct table *table, const struct comparison *compared,
			   bool with_partition, bool with_all);
/* Reads columns to sort by, with names as in columns_parse(). -1: as there. */
int columns_parse_order(struct sort_keys *keys, const char *list,
			const struct comparison *compared, bool live, struct fathom_error *error);
/* Returns whether the column is the policy's own and its values are computed here, not recorded. */
bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown);
/* Returns whether `name` is or begins the name of a column that all policies have. */
bool columns_know(const char *name, size_t length);
/* Prints the help of all columns on stdout. */
void columns_help(void);

#endif
