/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A short table of texts that is filled cell by cell:
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
	const char **text;	/* row by row */
	size_t count, room;
};

/* Add a column, and return it in the table; the second one is aligned to the right. The heading is
 * copied. */
struct table_column *text_table_add_column(struct text_table *table, const char *heading);
struct table_column *text_table_add_number(struct text_table *table, const char *heading);
/* Puts a text, which is copied, into the next cell. */
void text_table_put(struct text_table *table, const char *text);
/* Returns the table, which has a header. */
const struct table *text_table_finish(struct text_table *table);
