/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints tables with a separator between columns, or in columns of fixed widths. */
#include "cli/print_table.h"

#include "cli/print_text.h"

#include <stdio.h>
#include <string.h>

/* ---- a separator between columns ---------------------------------------------------- */

/* Prints the text of column i and what stands behind it. */
static void put_text(const struct table *table, size_t i, const char *text, char separator)
{
	print_plain(text);
	putc_unlocked(i + 1 < table->column_count ? separator : '\n', stdout);
}

static void print_separated(const struct table *table, char separator)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; table->has_header && i < table->column_count; i++) {
		const struct table_column *column = &table->column[i];

		snprintf(buffer, sizeof(buffer), "%s%s%s", column->heading,
			 column->group ? ":" : "", column->group ? column->group : "");
		put_text(table, i, buffer, separator);
	}
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			const struct table_column *column = &table->column[i];

			for (size_t depth = column->is_tree ? table->depth[row] : 0; depth; depth--)
				putc_unlocked(' ', stdout);
			put_text(table, i, table_text(table, column, row, buffer), separator);
		}
	}
}

/* ---- columns of fixed widths --------------------------------------------------------- */

/* Prints the text of column i in its width, and what stands around it. */
static void put_fixed(const struct table *table, size_t i, const char *text)
{
	const struct table_column *column = &table->column[i];

	if (i)
		putc_unlocked(' ', stdout);
	if (column->most && strlen(text) > (size_t)column->most)
		print_plain_start(text, (size_t)column->most);
	else
		print_padded(text, column->right ? column->least : -column->least);
	if (i + 1 == table->column_count)
		putc_unlocked('\n', stdout);
}

void print_fixed(const struct table *table)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; table->has_header && i < table->column_count; i++)
		put_fixed(table, i, table->column[i].heading);
	for (size_t row = 0; row < table->row_count; row++)
		for (size_t i = 0; i < table->column_count; i++) {
			const struct table_column *column = &table->column[i];
			const char *text = table_text(table, column, row, buffer);

			put_fixed(table, i, *text || !column->missing ? text : column->missing);
		}
}

void print_either(const struct table *table, bool is_parsable)
{
	if (is_parsable || !table->row_count)
		print_separated(table, is_parsable ? '|' : ' ');
	else
		print_table(table);
}
