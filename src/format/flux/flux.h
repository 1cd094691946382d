/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the readers of flux-accounting's database and commands. flux_db.c and flux_commands.c
 * are the formats. */
#pragma once

#include "core/piece.h"
#include "format/format.h"
#include "format/site/site_settings.h"

/* ---- databases ------------------------------------------------------------------------ */

/*
 * Databases of SQLite, which are only read. The file is opened as immutable: SQLite then locks and
 * writes nothing, and leaves no file beside it, so that the file may be on a read-only medium.
 */

/* What is wrong with a database if fathom is built without SQLite. */
#define FLUX_WITHOUT_SQLITE "is a database of SQLite, which this fathom is built without"

struct sqlite3;
struct sqlite3_stmt;

/* An open database. The calls below fail, see wrong_at(), if it is wrong. It has no lines. */
struct database {
	struct document *input;
	struct sqlite3 *handle;
};

/* Opens the input's file by its name. Fails, see wrong_at(), if SQLite keeps changes in files
 * beside it, which a reader of the file alone would miss. need_give_back() closes it. */
struct database database_open(struct document *input);
/* Fails with "TABLE, row N: COLUMN is 'VALUE', RIGHT" about a column of the statement's present
 * row. N is the first column of the statement, which must be the table's rowid. */
_Noreturn void database_wrong_value(const struct database *database, const char *table,
				    struct sqlite3_stmt *statement, int column, const char *right);
/* Returns the text of a column, which is valid until the statement's next step; "" for NULL. */
struct piece database_text(struct sqlite3_stmt *statement, int column);
/* Calls read() with each row that a query finds. table: it is about, for messages. */
void database_each_row(const struct database *database, const char *table, const char *sql,
		       void (*read)(void *context, struct sqlite3_stmt *statement), void *context);

/* The columns of a table that has a name and a value in each row. */
struct database_pairs {
	const char *table, *name, *value;
	const char *where;	/* a column: rows with 0 there do not count; NULL: all count */
	bool is_sorted;		/* rows in the order of the names; else in that of the table */
};

/* Reads a row. number: the value as a number, 0 if it is none. */
typedef void database_pair(void *context, const char *name, const char *value, double number);

/* Calls read() with each row in which neither name nor value is NULL. Does nothing if the database
 * lacks the table or a column, as releases differ in them. */
void database_each_pair(const struct database *database, const struct database_pairs *pairs,
			database_pair *read, void *context);

/* Returns whether the table exists, and is neither a view nor a virtual table. */
bool database_has_table(const struct database *database, const char *table);
/* Returns whether the table exists, and has the column. */
bool database_has_column(const struct database *database, const char *table, const char *column);
/* Returns the SQL condition for an active row: "active"; the inverse of "deleted" in early schemas;
 * 1 if the table lacks both columns, as it has only active rows then. */
const char *database_active(const struct database *database, const char *table);
/* Fails, see wrong_at(), if the table does not exist, lacks a column or is damaged. columns: up to
 * NULL. */
void database_check_table(const struct database *database, const char *table,
			  const char *const *columns);

/* ---- jobs ----------------------------------------------------------------------------- */

/* Reads the jobs of a database: format->read_accounting. A database without the table "jobs" has no
 * jobs. */
void flux_jobs_read(struct document *input, struct accounting *accounting);
/* Returns whether a database is the job archive of flux-core: format->has_jobs_alone. False, too,
 * if the database is wrong. */
bool flux_jobs_alone(struct document *input);

/* ---- settings ------------------------------------------------------------------------- */

#define FLUX_FACTORS "fairshare, queue, bank or urgency"	/* that have a weight */

/* Reads the settings of a database: format->read_settings. */
void flux_settings_read(struct document *input, struct site_settings *settings);

/* The next functions add settings in the words of fathom.conf and slurm.conf, at
 * settings->origin. */

/* Adds the weight of a factor. Returns false if flux-accounting has no such factor. */
bool flux_settings_weight(struct site_settings *settings, const char *factor, const char *weight);
/* Adds the priority of a bank, unless it is 0, the default. */
void flux_settings_bank(struct site_settings *settings, const char *name, double priority);
/* Adds a partition for a queue. priority: an integer, see site_settings_add_priority(). */
void flux_settings_queue(struct site_settings *settings, const char *name, double priority);
