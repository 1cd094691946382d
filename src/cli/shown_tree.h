/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The associations of an evaluated tree that are printed, in the order of printing. */
#pragma once

#include "evaluate/evaluated_tree.h"
#include "live/live.h"
#include "relation/column_list.h"

#include <stdio.h>

struct shown_tree {
	const struct comparison *comparison;
	const struct evaluated_tree *tree;	/* its first one */
	const struct live *live;	/* NULL: the tree is from a file */
	const struct scope_head *scope;	/* whose tree it is, or NULL */
	const struct recorded_global *global;	/* if it is shown, or NULL */
	/* by row: */
	size_t *node;
	size_t *parent;		/* the row of the account above it; NO_ROW: it is not shown */
	size_t *depth;		/* how many rows lead from it to one without a parent */
	size_t count;		/* number of rows */
};

/* Which associations are shown. Lists are comma-separated; NULL: all. */
struct filter {
	const char *accounts, *users, *partitions;
	bool users_only;
};

/* Selects rows. */
void shown_tree_create(struct shown_tree *shown, const struct comparison *comparison,
		       const struct live *live, const struct filter *filter);
/* Sorts the rows, which are then a flat list. keys: of columns of this tree. */
void shown_tree_sort(struct shown_tree *shown, const struct sort_keys *keys);
/* The options that filter rows. */
enum filtered_by { FILTER_ACCOUNT, FILTER_USER, FILTER_PARTITION };

/* Checks that the tree has accounts, users, or associations in partitions, of these names, a
 * comma-separated list. source: where the tree comes from. */
void shown_tree_check_names(const struct shown_tree *shown, enum filtered_by by, const char *list,
			    const char *source);

/* Writes an evaluated tree as JSON; of a comparison, a list of all its trees. */
void print_shares_json(FILE *out, const struct shown_tree *shown);
