/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits lists of columns into items, and finds columns by name. */
#include "cli/column_list.h"

#include "core/error.h"
#include "core/suggestion.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
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

int list_item_take_label(struct list_item *item, struct name_list labels,
			 struct label_range *range, struct fathom_error *error)
{
	const char *colon = memchr(item->name, ':', item->length), *label;
	size_t length = colon ? (size_t)(item->name + item->length - colon) - 1 : 0, count = 0;
	char list[160];

	while (labels.at(labels.context, count))
		count++;
	*range = (struct label_range){ 0, count };
	if (!colon || count == 1)
		return 0;
	for (size_t i = 0; i < count; i++) {
		label = labels.at(labels.context, i);
		if (strlen(label) != length || strncasecmp(label, colon + 1, length))
			continue;
		*range = (struct label_range){ i, i + 1 };
		item->length = (size_t)(colon - item->name);
		return 0;
	}
	return fathom_error_set(error, EINVAL, "'%.*s': after ':' must be %s",
				list_item_shown(item), item->name,
				list_text(labels, " or ", list, sizeof(list)));
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

const char *column_hint(struct name_list names, const struct list_item *item, char *text,
			size_t size)
{
	struct suggestion suggestion = { .word = item->name, .length = item->length };
	const char *name;

	for (size_t i = 0; (name = names.at(names.context, i)); i++)
		if (strlen(name) != item->length || strncasecmp(name, item->name, item->length))
			suggestion_consider(&suggestion, name);
	if (suggestion.name)
		snprintf(text, size, "; did you mean %s?", suggestion.name);
	else
		snprintf(text, size, "; see --helpformat");
	return text;
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

/* ---- sorting ------------------------------------------------------------------------ */

int sort_keys_parse(struct sort_keys *keys, const char *list, column_adder *add,
		    const void *context, struct fathom_error *error)
{
	struct list_item item;

	while (list_next(&list, ", ", &item)) {
		bool descending = *item.name == '-';
		size_t sign = descending || *item.name == '+', at = keys->table.column_count;

		if (item.length > sign) {
			item.name += sign;
			item.length -= sign;
		}
		if (column_list_check_room(&keys->table, error) ||
		    add(&keys->table, &item, context, error))
			return -1;
		for (; at < keys->table.column_count; at++)
			keys->descending[at] = descending;
	}
	return 0;
}

/* Compares two numbers; unknown ones come last in both directions. */
static int compare_numbers(double a, double b, bool descending)
{
	int order = (a > b) - (a < b);

	if (isnan(a) || isnan(b))
		return (isnan(a) != 0) - (isnan(b) != 0);
	return descending ? -order : order;
}

static int compare_cells(const struct sort_keys *keys, size_t i, size_t a, size_t b)
{
	const struct table_column *column = &keys->table.column[i];
	const void *context = keys->table.context;
	char buffer[CELL_SIZE], other[CELL_SIZE];
	int order;

	if (column->number)
		return compare_numbers(column->number(context, column, a),
				       column->number(context, column, b), keys->descending[i]);
	order = strcmp(column->text(context, column, a, buffer),
		       column->text(context, column, b, other));
	return keys->descending[i] ? -order : order;
}

static int compare_rows(const void *first, const void *second, void *context)
{
	const size_t *a = first, *b = second;
	const struct sort_keys *keys = context;

	for (size_t i = 0; i < keys->table.column_count; i++) {
		int order = compare_cells(keys, i, *a, *b);

		if (order)
			return order;
	}
	return (*a > *b) - (*a < *b);	/* equal rows keep their order */
}

void sort_rows(const struct sort_keys *keys, size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare_rows, (void *)keys);
}

/* ---- columns ------------------------------------------------------------------------ */

void columns_join_groups(struct table *table)
{
	for (size_t i = 1; i < table->column_count; i++) {
		struct table_column moved = table->column[i];
		size_t to = i;

		for (; moved.group && to && table->column[to - 1].group &&
		       table->column[to - 1].which > moved.which; to--)
			table->column[to] = table->column[to - 1];
		table->column[to] = moved;
	}
}

void column_set_width(struct table_column *column, int width, bool is_number)
{
	column->least = abs(width);
	column->most = is_number ? 0 : abs(width);
	if (width)
		column->right = width > 0 && !column->is_tree;
}
