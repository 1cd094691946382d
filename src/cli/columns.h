/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom shares: those of sshare, by its names, and those of a policy. The
 * context of a table is a struct shown_tree. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "cli/print_table.h"
#include "cli/shown_tree.h"

/* The first three calls add columns to a table without columns. */

/* Adds the columns of a list such as "Account,User%20". Case is ignored and names may be shortened,
 * as in sshare. -1: EINVAL for a column that is unknown, or that only a running cluster has. */
int columns_parse(struct table *table, const char *list, const struct fathom_policy *policy,
		  bool live, struct fathom_error *error);
/* Adds the default columns. */
void columns_standard(struct table *table, const struct fathom_policy *policy,
		      const struct fathom_settings *settings, bool with_partition, bool with_all,
		      bool live);
/* Adds the columns of --shadow: factors and ranks of both policies. */
void columns_of_shadow(struct table *table, bool with_partition);
/* Returns whether the column is the policy's own and its values are computed here, not recorded. */
bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown);
/* Returns whether `name` is or begins the name of a column that all policies have. */
bool columns_know(const char *name, size_t length);
/* Prints the help of all columns on stdout. */
void columns_help(void);

#endif
