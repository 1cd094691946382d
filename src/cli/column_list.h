/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of columns: "Account,User%20" for --output, "User,-Priority" for --sort. */
#ifndef CLI_COLUMN_LIST_H
#define CLI_COLUMN_LIST_H

#include "cli/print_table.h"
#include "core/list_text.h"

#define NO_COLUMN SIZE_MAX

/* An item of a list. */
struct list_item {
	const char *name;	/* not ended by NUL */
	size_t length;
	int width;	/* characters; negative: aligned to the left; 0: not given */
};

/* Adds the column that an item names to the table. -1: EINVAL for an unknown column. */
typedef int column_adder(struct table *table, const struct list_item *item, const void *context,
			 struct fathom_error *error);

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
/* Returns the index of the column with this name, else of the first whose name begins with it;
 * case is ignored. NO_COLUMN: there is no such column. */
size_t column_find(struct name_list names, const struct list_item *item);
/* Writes how a message about an unknown column ends: "; did you mean User?" or, if no name is
 * similar, "; see --helpformat". Returns `text`. */
const char *column_hint(struct name_list names, const struct list_item *item, char *text,
			size_t size);
/* Calls `add` for each item of "NAME[%WIDTH],...". -1: EINVAL. */
int column_list_parse(struct table *table, const char *list, column_adder *add,
		      const void *context, struct fathom_error *error);
/* Columns to sort rows by, the most important one first. */
struct sort_keys {
	struct table table;	/* its columns and their context */
	bool descending[MOST_COLUMNS];
};

/* Calls `add` for each item of a list such as "User,-Priority"; '-' means descending. -1:
 * EINVAL. */
int sort_keys_parse(struct sort_keys *keys, const char *list, column_adder *add,
		    const void *context, struct fathom_error *error);
/* Fills order[] with the numbers of `count` rows, sorted. Unknown numbers come last in both
 * directions, and equal rows keep their order. */
void sort_rows(const struct sort_keys *keys, size_t *order, size_t count);

/* Moves columns of the same group together, where they stand side by side: with two policies,
 * FairShare and Rank become FairShare and Rank of the first, then of the second. */
void columns_join_groups(struct table *table);

/* Checks that the table has room for another column. -1: EINVAL. */
int column_list_check_room(const struct table *table, struct fathom_error *error);
/* Sets the width of a column. Texts are cut to it, numbers never. */
void column_set_width(struct table_column *column, int width, bool is_number);

#endif
