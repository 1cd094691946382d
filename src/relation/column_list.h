/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of columns: "Account,User%20" or "%.15i %9r" for --output, "User,-Priority" for --sort.
 * What is wrong in them is wrong, see wrong_at(), and named by the option. */
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

/* Takes the label off an item such as "Rank:lsf" and returns the range that it names; without a
 * label, all. labels: those of the comparison; a single one is not named. */
struct label_range list_item_take_label(struct list_item *item, struct name_list labels,
					const char *option);

/* The columns that may be named. Start with all members 0 but the labels. */
struct relation {
	struct table_column *column;	/* if several lists are compared, once for each of them */
	size_t count, room;
	struct name_list labels;	/* of what is compared */
	bool has_letters;		/* also named by sprio's letters */
	bool is_plain;		/* values before weighting */
	/* The error that an item names no column of the range; does not return. found: it names
	 * this one, which cannot be shown; or NULL. NULL: the usual error. */
	void (*refuse)(const struct relation *relation, const char *option,
		       const struct list_item *item, struct label_range range,
		       const struct table_column *found);
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
 * ignored and names may be shortened. */
void relation_choose(const struct relation *relation, const char *option, const char *list,
		     struct table *table);

/* Columns to sort rows by, the most important one first. */
struct sort_keys {
	struct table table;	/* its columns and their context */
	bool descending[MOST_COLUMNS];
};

/* Reads a list such as "User,-Priority" or "u,-Y"; '-' means descending. */
void relation_choose_order(const struct relation *relation, const char *option, const char *list,
			   struct sort_keys *keys);
/* Sorts what is in `count` rows. Unknown numbers come last in both directions, and equal rows keep
 * their order. */
void sort_rows(const struct sort_keys *keys, size_t *row, size_t count);

/* Moves columns of the same group together, where they stand side by side: with two policies,
 * FairShare and Rank become FairShare and Rank of the first, then of the second. */
void columns_join_groups(struct table *table);
