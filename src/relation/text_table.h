/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short table of texts that is filled cell by cell, row after row. All columns come before the
 * first cell:
 *
 *	text_table_add_column (&table, "Term");
 *	text_table_add_number (&table, "Points");
 *	text_table_put (&table, "age");
 *	text_table_put (&table, "4,283");
 *	print_table (text_table_finish (&table));
 */
#pragma once

#include "relation/columns.h"

/* Start with all members 0. */
struct text_table {
	struct table table;
	const char **text;	/* of the cells, row by row; NULL: an empty cell */
	size_t count, room;	/* elements of `text`: in use, allocated */
};

/* Adds a column, and returns it in the table. The heading is copied. */
struct table_column *text_table_add_column(struct text_table *table, const char *heading);
/* Adds a column of texts that are aligned to the right as numbers are, and returns it in the table.
 * The heading is copied. */
struct table_column *text_table_add_number(struct text_table *table, const char *heading);
/* Puts a text, which must live as long as the table, into the next cell. NULL: the cell is
 * empty. */
void text_table_put(struct text_table *table, const char *text);
/* Puts a copy of the text of a value into the next cell. */
void text_table_put_value(struct text_table *table, struct value value);
/* Returns the table, which has a header, and is part of `table`. There must be a column, and the
 * last row must be complete. */
struct table *text_table_finish(struct text_table *table);
