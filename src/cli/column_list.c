/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits lists of columns into items, and finds columns by name. */
#include "cli/column_list.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LONGEST_SHOWN 64	/* characters of an item that a message shows */

bool list_next(const char **rest, const char *separators, struct list_item *item)
{
	item->name = *rest + strspn(*rest, separators);
	item->length = strcspn(item->name, separators);
	item->width = 0;
	*rest = item->name + item->length;
	return item->length;
}

int list_item_shown(const struct list_item *item)
{
	return (int)(item->length < LONGEST_SHOWN ? item->length : LONGEST_SHOWN);
}

size_t column_find(struct name_list names, const struct list_item *item)
{
	size_t found = NO_COLUMN;
	const char *name;

	for (size_t i = 0; item->length && (name = names.at(names.context, i)); i++) {
		if (strncasecmp(name, item->name, item->length))
			continue;
		if (!name[item->length])
			return i;
		if (found == NO_COLUMN)
			found = i;
	}
	return found;
}

/* Splits "NAME%WIDTH" into the item's name and width. */
static int split_width(struct list_item *item, struct fathom_error *error)
{
	const char *percent = memchr(item->name, '%', item->length);
	long width;
	char *end;

	if (!percent)
		return 0;
	width = strtol(percent + 1, &end, 10);
	if (end != item->name + item->length || !width || width > MOST_WIDTH ||
	    width < -MOST_WIDTH)
		return fathom_error_set(error, EINVAL,
					"'%.*s': the width must be 1 to %d, or negative to align "
					"to the left", list_item_shown(item), item->name,
					MOST_WIDTH);
	item->width = (int)width;
	item->length = (size_t)(percent - item->name);
	return 0;
}

int column_list_check_room(const struct table *table, struct fathom_error *error)
{
	if (table->column_count < MOST_COLUMNS)
		return 0;
	return fathom_error_set(error, EINVAL, "more than %d columns", MOST_COLUMNS);
}

int column_list_parse(struct table *table, const char *list, column_adder *add,
		      const void *context, struct fathom_error *error)
{
	struct list_item item;

	while (list_next(&list, ",", &item))
		if (split_width(&item, error) || column_list_check_room(table, error) ||
		    add(table, &item, context, error))
			return -1;
	if (!table->column_count)
		return fathom_error_set(error, EINVAL, "no column given; see --helpformat");
	return 0;
}

void column_set_width(struct table_column *column, int width, bool is_number)
{
	column->least = abs(width);
	column->most = is_number ? 0 : abs(width);
	if (width)
		column->right = width > 0 && !column->is_tree;
}
