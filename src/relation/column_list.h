/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of columns: "Account,User%20" or "%.15i %9r" for --output, "User,-Priority" for --sort. */
#pragma once

#include "core/list_text.h"
#include "fathom.h"
#include "relation/columns.h"

/* An item of a list. */
struct list_item {
	const char *name;	/* not ended by NUL */
	size_t length;
	int width;	/* characters; negative: aligned to the left; 0: not given */
};

/* Finds the next item from *rest on, and moves *rest behind it. Empty items are skipped. False:
 * there is no more item. */
bool list_next(const char **rest, const char *separators, struct list_item *item);
/* Returns how many characters of an item a message shows. */
int list_item_shown(const struct list_item *item);

/* The lists or trees of a comparison that an item is for: from `first` up to `end`. */
struct label_range {
	size_t first, end;
};

/* Takes the label off an item such as "Rank:lsf" and sets *range to the one that it names; without
 * a label, to all. labels: those of the comparison; a single one is not named. -1: EINVAL. */
int list_item_take_label(struct list_item *item, struct name_list labels,
			 struct label_range *range, struct fathom_error *error);

/* The columns that may be named. Start with all members 0 but the labels. */
struct relation {
	struct table_column *column;	/* if several lists are compared, once for each of them */
	size_t count, room;
	struct name_list labels;	/* of what is compared */
	bool has_letters;		/* also named by sprio's letters */
	bool is_plain;		/* values before weighting */
	/* Sets the error that an item names no column of the range. found: it names this one, which
	 * cannot be shown; or NULL. Returns -1. NULL: the usual error. */
	int (*refuse)(const struct relation *relation, const struct list_item *item,
		      struct label_range range, const struct table_column *found,
		      struct fathom_error *error);
	const void *context;		/* for refuse() */
	/* Returns whether a column that may be named cannot be shown; NULL: each can. */
	bool (*is_lacking)(const struct relation *relation, const struct column *column);
};

/* Adds a column that may be named: once, or once for each of the compared lists that has it, with
 * its label above. */
void relation_add(struct relation *relation, const struct column *column);
/* Adds one of a single list alone. Returns it. */
struct table_column *relation_add_one(struct relation *relation, const struct column *column,
				      size_t which);
/* Adds a column of list `which` to a table that has room for it, and returns it there; NULL: there
 * is no such column. */
struct table_column *relation_pick(const struct relation *relation, struct table *table,
				   const char *name, size_t which);
/* Adds a column to a table that has room for it, with a width or 0, and returns it there. */
struct table_column *relation_put(struct table *table, const struct table_column *column,
				  int width);

/* Returns the column with this name, else the first whose name begins with it; case is ignored.
 * NULL: there is no such column. */
const struct table_column *relation_find(const struct relation *relation,
					 const struct list_item *item);
/* Returns how a message about an unknown column ends: "; did you mean User?" or, if no name is
 * similar, "; see --helpformat". */
const char *relation_hint(const struct relation *relation, const struct list_item *item);

/* Adds the columns of "NAME[%WIDTH],...", or of "%[.][WIDTH]LETTER ..." if they have letters. If
 * several lists are compared, a column is added for each of them, and "Rank:lsf" for one. Case is
 * ignored and names may be shortened. -1: EINVAL. */
int relation_choose(const struct relation *relation, const char *list, struct table *table,
		    struct fathom_error *error);

/* Columns to sort rows by, the most important one first. */
struct sort_keys {
	struct table table;	/* its columns and their context */
	bool descending[MOST_COLUMNS];
};

/* Reads a list such as "User,-Priority" or "u,-Y"; '-' means descending. -1: EINVAL. */
int relation_choose_order(const struct relation *relation, const char *list,
			  struct sort_keys *keys, struct fathom_error *error);
/* Sorts what is in `count` rows. Unknown numbers come last in both directions, and equal rows keep
 * their order. */
void sort_rows(const struct sort_keys *keys, size_t *row, size_t count);

/* Moves columns of the same group together, where they stand side by side: with two policies,
 * FairShare and Rank become FairShare and Rank of the first, then of the second. */
void columns_join_groups(struct table *table);
