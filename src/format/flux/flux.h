/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flux-accounting's database and what it says. flux_db.c is the format. */
#pragma once

#include "core/piece.h"
#include "format/format.h"
#include "format/site/site_settings.h"

/* ---- databases ------------------------------------------------------------------------ */

/*
 * Databases of SQLite, which are only read. The file is opened as immutable, so that SQLite locks
 * and writes nothing and leaves no file beside it. So it may be on a read-only medium.
 */

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

/* ---- jobs ----------------------------------------------------------------------------- */

/* Jobs in the database of flux-accounting. */

/* See format->read_accounting. A database without the table has no jobs. */
void flux_jobs_read(struct document *input, struct accounting *accounting);
/* See format->has_jobs_alone: the job archive of flux-core has. */
bool flux_jobs_alone(struct document *input);

/* ---- settings ------------------------------------------------------------------------- */

/* Settings in the database and in the commands of flux-accounting. */

#define FLUX_FACTORS "fairshare, queue, bank or urgency"

/* See format->read_settings. */
void flux_settings_read(struct document *input, struct site_settings *settings);

/* Add what flux-accounting calls so. */

/* The weight of a factor; false: flux-accounting has no such factor. */
bool flux_settings_weight(struct site_settings *settings, const char *factor, const char *weight);
/* The priority of a bank; 0 is that of a bank without any. */
void flux_settings_bank(struct site_settings *settings, const char *name, double priority);
/* A queue with its priority, an integer. */
void flux_settings_queue(struct site_settings *settings, const char *name, double priority);
