/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds columns to tables, and gets the values of their cells. */
#include "relation/columns.h"

struct table_column table_column_of(const struct column *column)
{
	return (struct table_column){ .of = column,
				      .heading = column->heading ? column->heading : column->name,
				      .get = column->get, .tone = column->tone,
				      .detail = column->detail, .kind = column->kind,
				      .least = column->width,
				      .right = column->kind == COLUMN_NUMBER ||
					       column->is_right,
				      .shrinks = column->shrinks, .is_tree = column->is_tree };
}

struct table_column *table_add(struct table *table, const struct column *column)
{
	struct table_column *added = &table->column[table->column_count++];

	*added = table_column_of(column);
	return added;
}

void table_add_all(struct table *table, const struct column *column, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!column[i].is_there || column[i].is_there(table->context))
			table_add(table, &column[i]);
}

struct value table_value(const struct table *table, const struct table_column *column, size_t row,
			 char *buffer)
{
	const struct cell cell = { table->context, column, row, buffer };

	return column->get(&cell);
}

const char *table_text(const struct table *table, const struct table_column *column, size_t row,
		       char *buffer)
{
	const struct value value = table_value(table, column, row, buffer);

	return value_text(&value, buffer);
}
