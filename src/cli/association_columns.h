/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of associations: those of sshare, by its names, those of a policy, and those of
 * fathom usage. The context of a table is a struct shown_tree. */
#pragma once

#include "cli/shown_tree.h"
#include "relation/column_list.h"

/* Options that decide which columns are shown. */
struct association_choice {
	bool with_partition, with_all;
	bool in_hours;		/* usage */
	const struct live *live;	/* the running cluster, or NULL */
};

/* Makes a relation of the columns that all policies have, and those of the compared ones; live: of
 * a running cluster. */
void association_relation(struct relation *relation, const struct comparison *compared, bool live);
/* Adds those of usage here and of each other cluster. */
void association_relation_add_global(struct relation *relation,
				     const struct json_global_usage *global);
/* Adds those of --output, a list such as "Account,User%20", to a table without columns. */
void association_columns_choose(struct table *table, const struct relation *relation,
				const char *list);
/* Adds the default columns: for several policies factor and rank of each, and with_all, or if
 * there are two, the changes of rank. */
void association_columns_standard(struct table *table, const struct relation *relation,
				  const struct comparison *compared,
				  const struct association_choice *choice);
/* Adds the columns of usage here and of each other cluster. False: there is no room. */
bool association_columns_add_global(struct table *table, const struct relation *relation);
/* Adds the columns of fathom usage. */
void association_columns_of_usage(struct table *table);
/* Returns whether the column is the policy's own and its values are computed here, not recorded. */
bool column_is_recomputed(const struct table_column *chosen, const struct shown_tree *shown);
/* Returns whether `name` is or begins the name of a column that all policies have. */
bool columns_know(const char *name, size_t length);
/* Prints the help of all columns on stdout. */
void columns_help(void);

/* A row is an account, and bold on terminals. */
bool association_is_account(const void *context, size_t row);
