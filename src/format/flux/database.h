/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Databases of SQLite, which are only read. The file is opened as immutable, so that SQLite locks
 * and writes nothing and leaves no file beside it. So it may be on a read-only medium.
 */
#pragma once

#include "format/format.h"

#define FLUX_WITHOUT_SQLITE "is a database of SQLite, which this fathom is built without"

struct sqlite3;
struct sqlite3_stmt;

/* Calls below end with wrong_at() if the database is wrong; it has no lines. */
struct database {
	struct document *input;
	struct sqlite3 *handle;
};

/* Opens the input's file. It must hold the last committed state alone: SQLite may keep changes in
 * files beside it, which a reader of the file would miss. It is closed with the memory of the
 * command. */
struct database database_open(struct document *input);
/* Ends with "TABLE, row N: COLUMN is 'VALUE', RIGHT" about a column of the statement's row, the
 * first column of which is the number of the row in the table. */
_Noreturn void database_wrong_value(const struct database *database, const char *table,
				    struct sqlite3_stmt *statement, int column, const char *right);
/* Calls read() with each row that a query about the table finds. */
void database_each_row(const struct database *database, const char *table, const char *sql,
		       void (*read)(void *context, struct sqlite3_stmt *statement), void *context);
/* Returns whether the table exists, and is neither a view nor a virtual table. */
bool database_has_table(const struct database *database, const char *table);
bool database_has_column(const struct database *database, const char *table, const char *column);
/* Checks that the table exists, has the columns, a list with NULL at the end, and is not
 * damaged. */
void database_check_table(const struct database *database, const char *table,
			  const char *const *columns);
