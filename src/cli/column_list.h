/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that name columns: "Account,User%20" of --output, "User,-Priority" of --sort. */
#ifndef CLI_COLUMN_LIST_H
#define CLI_COLUMN_LIST_H

#include "cli/print_table.h"
#include "core/list_text.h"

#define NO_COLUMN SIZE_MAX

/* One of a list, not terminated. */
struct list_item {
	const char *name;
	size_t length;
	int width;	/* characters; below 0: aligned to the left; 0: as it comes */
};

/* Adds columns to a table. -1: the item names none. */
typedef int column_adder(struct table *table, const struct list_item *item, const void *context,
			 struct fathom_error *error);

/* The next item after *rest, which moves behind it; empty ones are skipped. */
bool list_next(const char **rest, const char *separators, struct list_item *item);
/* How much of it a message shows. */
int list_item_shown(const struct list_item *item);
/* The whole name in any case, else the first that begins so. NO_COLUMN: none does. */
size_t column_find(struct name_list names, const struct list_item *item);
/* Hands each item of "NAME[%WIDTH],..." to `add`. -1: EINVAL. */
int column_list_parse(struct table *table, const char *list, column_adder *add,
		      const void *context, struct fathom_error *error);
/* EINVAL if the table is full. */
int column_list_check_room(const struct table *table, struct fathom_error *error);
/* Bounds of a column: a number is never cut, as it would be another one. */
void column_set_width(struct table_column *column, int width, bool is_number);

#endif
