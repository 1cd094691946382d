/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of trees by sshare's names, then those of a policy. Cells are
 * those of a struct shown_tree. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "cli/print_table.h"
#include "cli/shown_tree.h"

/* Each of the first three fills the columns of a table that has none. */

/* From "Account,User%20,..." as sshare takes it: any case, beginnings do. -1: EINVAL for a column
 * that is unknown, or known of a running cluster only. */
int columns_parse(struct table *table, const char *list, const struct fathom_policy *policy,
		  bool live, struct fathom_error *error);
/* What is printed if nothing is asked for. */
void columns_standard(struct table *table, const struct fathom_policy *policy, bool with_partition,
		      bool with_all, bool live);
/* The two policies' factors and ranks. */
void columns_of_shadow(struct table *table, bool with_partition);
/* Is it the policy's own, and is its value not the controller's? */
bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown);
/* Is `name` that of a column, whatever the policy? */
bool columns_know(const char *name, size_t length);
/* One line a column, on stdout. */
void columns_help(void);

#endif
