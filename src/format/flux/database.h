/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Databases of SQLite, which are only read. The file is opened as immutable, so that SQLite locks
 * and writes nothing and leaves no file beside it. So it may be on a read-only medium.
 */
#ifndef FORMAT_DATABASE_H
#define FORMAT_DATABASE_H

#include "format/format.h"

struct sqlite3;
struct sqlite3_stmt;

struct database {
	struct document *input;
	struct fathom_error *error;	/* gets the errors of all calls below, which return -1 */
	struct sqlite3 *handle;
};

/* Opens the input's file. It must hold the last committed state alone: SQLite may keep changes in
 * files beside it, which a reader of the file would miss. */
int database_open(struct database *database);
void database_close(struct database *database);
/* Sets an error about the database, which has no lines. */
int database_wrong(struct database *database, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Sets the error of the last call of SQLite. table: it was about; may be "". */
int database_failed(struct database *database, const char *table);
int database_no_memory(struct database *database);
/* Sets the error "TABLE, row N: COLUMN is 'VALUE', RIGHT" about a column of the statement's row,
 * the first column of which is the number of the row in the table. */
int database_wrong_value(struct database *database, const char *table,
			 struct sqlite3_stmt *statement, int column, const char *right);

int database_prepare(struct database *database, const char *table, const char *sql,
		     struct sqlite3_stmt **statement);
/* Calls read() with each row. */
int database_each_row(struct database *database, const char *table,
		      struct sqlite3_stmt *statement,
		      int (*read)(void *context, struct sqlite3_stmt *statement), void *context);
/* *has: the table exists, and is neither a view nor a virtual table. */
int database_has_table(struct database *database, const char *table, bool *has);
int database_has_column(struct database *database, const char *table, const char *column,
			bool *has);
/* Checks that the table exists, has the columns, a list with NULL at the end, and is not
 * damaged. */
int database_check_table(struct database *database, const char *table, const char *const *columns);

#endif
