/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of columns: "Account,User%20" or "%.15i %9r" for --output, "User,-Priority" for --sort.
 * If several policies are compared, each has its own list of rows, and "Rank:lsf" is the column
 * Rank of one of these lists. A command describes its columns in a struct relation, then lets the
 * user choose some of them for a struct table or for struct sort_keys. Functions that are given
 * the name of the option end with an error about it, by wrong_at(), if the user's text is wrong.
 */
#pragma once

#include "core/list_text.h"
#include "fathom.h"
#include "relation/columns.h"

/* An item of a list. */
struct list_item {
	const char *name;	/* points into the list, so that no NUL ends it */
	size_t length;		/* of the name, in bytes */
	int width;	/* characters; negative: aligned to the left; 0: not given */
};

/* Finds the next item from *rest on, and moves *rest behind it. Empty items are skipped; the width
 * becomes 0. Returns false if there are no more items. */
bool list_next(const char **rest, const char *separators, struct list_item *item);
/* Returns how many bytes of an item's name a message shows, for "%.*s". */
int list_item_shown(const struct list_item *item);

/* The compared lists that an item is for: from number `first` to the one before `end`, counted from
 * 0. */
struct label_range {
	size_t first, end;
};

/* Takes the label off an item such as "Rank:lsf", which becomes "Rank", and returns the range that
 * the label names. Returns all lists for an item without a label, and, the item unchanged, if there
 * is only one list. labels: those of the compared lists. */
struct label_range list_item_take_label(struct list_item *item, struct name_list labels,
					const char *option);

/* The columns that may be named. Start with all members 0 but the labels. */
struct relation {
	/* one for each compared list that has the column; one in all if column.is_common */
	struct table_column *column;
	size_t count, room;		/* elements of `column`: in use, allocated */
	/* of the compared lists; if nothing is compared, one. `at` is not NULL if
	 * relation_choose() or relation_choose_order() is called */
	struct name_list labels;
	bool has_letters;		/* columns may also be named by sprio's letters */
	bool is_plain;			/* columns show values before weighting */
	/* Returns whether a column that may be named cannot be shown, as its values are missing.
	 * NULL: all can. */
	bool (*is_lacking)(const struct relation *relation, const struct column *column);
	/* Ends with the error about an item. found: NULL: no list in `range` has a column of this
	 * name; else the column of this name, whose values are missing, as is_lacking() says. The
	 * member is NULL: the error is "'x' is not a column", with relation_hint(). */
	void (*refuse)(const struct relation *relation, const char *option,
		       const struct list_item *item, struct label_range range,
		       const struct table_column *found);
};

/* Adds a column that may be named: once if it is common to the compared lists, else once for each
 * list that has it. The list's label then stands above it. The column must live as long. */
void relation_add(struct relation *relation, const struct column *column);
/* Adds a column of list number `which` alone. */
void relation_add_one(struct relation *relation, const struct column *column, size_t which);
/* Copies the column of exactly this name, of list number `which`, to a table, which must have room
 * for it, and returns the copy. NULL: the list has no such column. */
struct table_column *relation_pick(const struct relation *relation, struct table *table,
				   const char *name, size_t which);
/* Copies a column to a table, which must have room for it, and returns the copy. width: as in
 * struct list_item. */
struct table_column *relation_put(struct table *table, const struct table_column *column,
				  int width);

/* Returns the column with the item's name, else the first whose name begins with it, both of the
 * first list that has it; case is ignored. NULL: there is no such column. */
const struct table_column *relation_find(const struct relation *relation,
					 const struct list_item *item);
/* Returns the end of a message about an item that is not a column: "; did you mean User?" or, if no
 * name is similar, "; see --helpformat". */
const char *relation_hint(const struct relation *relation, const struct list_item *item);

/* Adds to a table the columns that the user's list names, "NAME[%WIDTH],...", or, if columns have
 * letters, "%[.][WIDTH]LETTER ...". If several lists are compared, a name adds a column for each of
 * them, and "Rank:lsf" for one. Case is ignored and names may be shortened. */
void relation_choose(const struct relation *relation, const char *option, const char *list,
		     struct table *table);

/* Columns to sort rows by, the most important one first. Start with all members 0 but
 * table.context. */
struct sort_keys {
	struct table table;	/* only its columns, and the context that get() needs */
	bool descending[MOST_COLUMNS];	/* by index of the column */
};

/* Adds the keys that the user's list names, such as "User,-Priority" or "u,-Y"; '-' means
 * descending. If several lists are compared, a name without a label is that of the first. */
void relation_choose_order(const struct relation *relation, const char *option, const char *list,
			   struct sort_keys *keys);
/* Sorts row[], which has one element for each of the `count` rows of the table, by the cells of
 * these rows. Unknown numbers come last in both directions, and equal rows keep their order. */
void sort_rows(const struct sort_keys *keys, size_t *row, size_t count);

/* Sorts columns that stand side by side and have a group by the list that they are of: from
 * "FairShare:a FairShare:b Rank:a Rank:b" to "FairShare:a Rank:a FairShare:b Rank:b". */
void columns_join_groups(struct table *table);
