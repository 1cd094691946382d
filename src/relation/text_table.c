/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "relation/text_table.h"

#include "memory/need_memory.h"

static struct value text(const struct cell *cell)
{
	const struct text_table *table = cell->context;

	return value_of_text(
		table->text[cell->row * table->table.column_count + cell->column->detail]);
}

struct table_column *text_table_add_column(struct text_table *table, const char *heading)
{
	struct table_column *added = &table->table.column[table->table.column_count];

	*added = (struct table_column){ .heading = need_text(heading), .get = text,
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
	table->text[table->count++] = need_text(text);
}

const struct table *text_table_finish(struct text_table *table)
{
	table->table.context = table;
	table->table.row_count = table->count / table->table.column_count;
	table->table.has_header = true;
	return &table->table;
}
