/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of associations: those of sshare, by its names, those of a policy, and those of
 * fathom usage. The context of a table is a struct shown_tree. */
#pragma once

#include "cli/shown_tree.h"
#include "relation/column_list.h"

/* Options that decide which columns are shown. */
struct association_choice {
	bool with_partition;	/* adds the column Partition */
	bool with_all;		/* --long */
	bool in_hours;		/* usage in hours, by TRES; else RawUsage, in seconds */
	const struct live *live;	/* the running cluster, or NULL */
};

/* Makes a relation of the columns that all policies have, and of the compared policies' own. live:
 * the tree is of a running cluster. The comparison must live as long. */
void association_relation(struct relation *relation, const struct comparison *compared, bool live);
/* Lets columns of the usage here and of each other cluster be named. `global` must live as long. */
void association_relation_add_global(struct relation *relation,
				     const struct json_global_usage *global);
/* Adds the columns of --output, a list such as "Account,User%20", to a table without columns.
 * Refuses a wrong list. */
void association_columns_choose(struct table *table, const struct relation *relation,
				const char *list);
/* Adds the default columns: for several policies the factor and the rank of each; if there are two,
 * or with_all, also the changes of rank. */
void association_columns_standard(struct table *table, const struct relation *relation,
				  const struct comparison *compared,
				  const struct association_choice *choice);
/* Adds the columns of usage here and of each other cluster to a table. False: they are more than
 * MOST_COLUMNS, and not all were added. */
bool association_columns_add_global(struct table *table, const struct relation *relation);
/* Adds the columns of fathom usage that the tree has figures for. table->context must be set. */
void association_columns_of_usage(struct table *table);
/* Returns whether the column is the policy's own and its values are computed here, not recorded. */
bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown);
/* Returns whether `name` is or begins the name of a column that all policies have. */
bool columns_know(const char *name, size_t length);
/* Prints the help of all columns on stdout. */
void columns_help(void);

/* Returns whether a row is an account; for table->is_bold, whose context is a struct shown_tree. */
bool association_is_account(const void *context, size_t row);
