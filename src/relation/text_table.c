/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills tables of texts, and hands the texts to those who print the table. */
#include "relation/text_table.h"

#include "memory/need_memory.h"

/* The get() of all columns; `detail` is the index of the column. */
static struct value text_of(const struct cell *cell)
{
	const struct text_table *table = cell->context;
	size_t index = cell->row * table->table.column_count + cell->column->detail;

	return value_of_text(table->text[index]);
}

struct table_column *text_table_add_column(struct text_table *table, const char *heading)
{
	struct table_column *added = &table->table.column[table->table.column_count];

	*added = (struct table_column){ .heading = need_text(heading), .get = text_of,
					.kind = COLUMN_TEXT,
					.detail = table->table.column_count++ };
	return added;
}

struct table_column *text_table_add_number(struct text_table *table, const char *heading)
{
	struct table_column *added = text_table_add_column(table, heading);

	added->right = true;
	return added;
}

void text_table_put(struct text_table *table, const char *text)
{
	table->text = need_room(table->text, &table->room, table->count + 1, sizeof(*table->text));
	table->text[table->count++] = text;
}

void text_table_put_value(struct text_table *table, struct value value)
{
	char buffer[CELL_SIZE];

	text_table_put(table, need_text(value_text(&value, buffer)));
}

struct table *text_table_finish(struct text_table *table)
{
	table->table.context = table;
	table->table.row_count = table->count / table->table.column_count;
	table->table.has_header = true;
	return &table->table;
}
