/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The associations of an evaluated tree that are printed, in the order of printing. */
#pragma once

#include "evaluate/evaluated_tree.h"
#include "live/live.h"
#include "relation/column_list.h"

#include <stdio.h>

struct shown_tree {
	const struct comparison *comparison;
	const struct evaluated_tree *tree;	/* the first one of the comparison */
	const struct live *live;	/* NULL: the tree is from a file */
	const struct scope_head *scope;	/* whose tree it is; NULL: that of all jobs */
	const struct recorded_global *global;	/* usage of other clusters; NULL: not shown */
	/* by row: */
	size_t *node;
	size_t *depth;		/* how many accounts above it are shown without a gap */
	size_t count;		/* number of rows */
};

/* Which associations are shown. Lists are comma-separated; NULL: all. */
struct filter {
	const char *accounts;			/* also hides users of other accounts */
	const char *users, *partitions;		/* do not hide accounts */
	bool users_only;			/* hides all accounts */
};

/* Returns the users that are shown; NULL: all. users: of options; or is_caller: the caller, by
 * default. A tree of UserShares is shown whole unless options name users: the caller may have its
 * share by a group, or by "others". scope: whose tree it is, or NULL. */
const char *shown_users(const char *users, bool is_caller, const struct scope_head *scope);
/* Selects rows, depth first. The comparison and `live` must live as long; live: NULL for a file. */
void shown_tree_create(struct shown_tree *shown, const struct comparison *comparison,
		       const struct live *live, const struct filter *filter);
/* Sorts the rows, which are then a flat list: all of depth 0. keys: of columns of this tree. */
void shown_tree_sort(struct shown_tree *shown, const struct sort_keys *keys);
/* The options that filter rows. */
enum filtered_by { FILTER_ACCOUNT, FILTER_USER, FILTER_PARTITION };

/* Refuses a comma-separated list in which the tree lacks a name: of an account, of a user, or of a
 * partition with associations. list: NULL: nothing is checked. source: where the tree comes from,
 * for the error. */
void shown_tree_check_names(const struct shown_tree *shown, enum filtered_by by, const char *list,
			    const char *source);

/* Writes an evaluated tree as JSON; of a comparison, a list of all its trees. */
void print_shares_json(FILE *out, const struct shown_tree *shown);
