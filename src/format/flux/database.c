/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a SQLite database for reading. First it checks that the file alone holds the last committed
 * state. SQLite keeps two files beside the database NAME: NAME-wal has committed changes that are
 * not in NAME yet; NAME-journal has what NAME was before an unfinished change.
 * Source: SQLite, "Database File Format": the rollback journal, the write-ahead log.
 */
#include "config.h"

#include "format/flux/flux.h"

#ifdef HAVE_SQLITE
#include "memory/need_memory.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG "-wal"
#define JOURNAL "-journal"

/* Reads the first `count` bytes of the file NAMESUFFIX. Returns how many it has read; 0 or less:
 * the file is empty, does not exist or cannot be read. */
static ssize_t peek(const char *name, const char *suffix, char *bytes, size_t count)
{
	/* O_NONBLOCK: opening a pipe must not wait for its writer */
	int file = open(need_print("%s%s", name, suffix), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (file < 0)
		return 0;
	got = read(file, bytes, count);
	close(file);
	return got;
}

/* Fails because of the file NAMESUFFIX; reason: what the file means. */
static _Noreturn void refuse_unfinished(struct document *input, const char *name,
					const char *suffix, const char *reason)
{
	wrong_at(input, 0, "%s%s %s; make a copy with sqlite3's .backup and read that", name,
		 suffix, reason);
}

/* Fails, see wrong_at(), unless the file alone holds the last committed state. SQLite ends a change
 * by removing or emptying the journal, or by overwriting the bytes with which it begins. */
static void check_alone(struct document *input)
{
	static const char magic[] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";	/* of a journal */
	/* these files stand beside the database itself, not beside a link to it */
	char first[sizeof(magic) - 1], *real = realpath(input->name, NULL);
	const char *name = need_text(real ? real : input->name);

	free(real);
	if (peek(name, LOG, first, 1) > 0)
		refuse_unfinished(input, name, LOG, "has changes that are not in the database yet");
	if (peek(name, JOURNAL, first, sizeof(first)) == sizeof(first) &&
	    !memcmp(first, magic, sizeof(first)))
		refuse_unfinished(input, name, JOURNAL,
				  "shows that a change of the database is unfinished");
}

/* ---- errors -------------------------------------------------------------------- */

/* Fails with the error of the last call of SQLite. table: that the call was about; "": none. */
static _Noreturn void failed(const struct database *database, const char *table)
{
	wrong_at(database->input, 0, "%s%s%s, must be a whole database of flux-accounting", table,
		 *table ? ": " : "", sqlite3_errmsg(database->handle));
}

void database_wrong_value(const struct database *database, const char *table,
			  sqlite3_stmt *statement, int column, const char *right)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	wrong_at(database->input, 0, "%s, row %lld: %s is %s, %s", table,
		 sqlite3_column_int64(statement, 0), sqlite3_column_name(statement, column),
		 text ? need_print("'%.64s'", text) : "NULL", right);
}

/* ---- the file -------------------------------------------------------------------- */

/* Returns the URI by which SQLite opens a file: file:NAME?OPTIONS, in which '%', '?' and '#' of the
 * name are written as %XX. */
static char *uri_of(const char *name)
{
	static const char mode[] = "?mode=ro&immutable=1";
	/* an absolute name comes after an empty host name */
	const char *scheme = *name == '/' ? "file://" : "file:";
	/* a byte of the name becomes at most 3 */
	char *uri = need_object(strlen(scheme) + 3 * strlen(name) + sizeof(mode)), *at = uri;

	at = stpcpy(at, scheme);
	for (; *name; name++)
		at += strchr("%?#", *name) ? sprintf(at, "%%%02x", *name)
					   : sprintf(at, "%c", *name);
	strcpy(at, mode);
	return uri;
}

/* Closes a database; statements that a failure has left behind would keep it open. */
static void close_database(void *handle)
{
	sqlite3_stmt *statement;

	while ((statement = sqlite3_next_stmt(handle, NULL)))
		sqlite3_finalize(statement);
	sqlite3_close(handle);
}

struct database database_open(struct document *input)
{
	struct database database = { .input = input };
	int status;

	if (input->is_compressed)
		wrong_at(input, 0, "is compressed; decompress the database first");
	if (!strcmp(input->name, "-"))
		wrong_at(input, 0, "a database is read from a file, not from standard input");
	check_alone(input);
	status = sqlite3_open_v2(uri_of(input->name), &database.handle,
				 SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	need_owned(database.handle, close_database);	/* there is a handle even after an error */
	if (status)
		failed(&database, "");
	/* defaults of a schema from elsewhere must not call functions; a view may have no end */
	sqlite3_db_config(database.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(database.handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return database;
}

/* ---- rows -------------------------------------------------------------------------- */

struct piece database_text(sqlite3_stmt *statement, int column)
{
	const char *at = (const char *)sqlite3_column_text(statement, column);

	return (struct piece){ at ? at : "",
			       at ? (size_t)sqlite3_column_bytes(statement, column) : 0 };
}

void database_each_row(const struct database *database, const char *table, const char *sql,
		       void (*read)(void *, sqlite3_stmt *), void *context)
{
	sqlite3_stmt *statement;
	int status;

	if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL))
		failed(database, table);
	while ((status = sqlite3_step(statement)) == SQLITE_ROW)
		read(context, statement);
	if (status != SQLITE_DONE)
		failed(database, table);
	sqlite3_finalize(statement);
}

/* The context of read_pair(). */
struct pair_reader {
	database_pair *read;
	void *context;
};

/* Reads a row of database_each_pair(). */
static void read_pair(void *context, sqlite3_stmt *row)
{
	const struct pair_reader *reader = context;
	double number = sqlite3_column_double(row, 1);	/* before the text is made */
	const char *name = (const char *)sqlite3_column_text(row, 0);
	const char *value = (const char *)sqlite3_column_text(row, 1);

	if (name && value)
		reader->read(reader->context, name, value, number);
}

void database_each_pair(const struct database *database, const struct database_pairs *pairs,
			database_pair *read, void *context)
{
	struct pair_reader reader = { read, context };

	if (!database_has_table(database, pairs->table) ||
	    !database_has_column(database, pairs->table, pairs->name) ||
	    !database_has_column(database, pairs->table, pairs->value) ||
	    (pairs->where && !database_has_column(database, pairs->table, pairs->where)))
		return;
	database_each_row(database, pairs->table, need_print(
		"SELECT %s, %s FROM %s WHERE %s%s%s", pairs->name, pairs->value, pairs->table,
		pairs->where ? pairs->where : "1", pairs->is_sorted ? " ORDER BY " : "",
		pairs->is_sorted ? pairs->name : ""), read_pair, &reader);
}

/* ---- the schema ------------------------------------------------------------------- */

/* Copies the text of the only row. */
static void keep_text(void *context, sqlite3_stmt *row)
{
	const char **text = context;

	*text = need_copy(database_text(row, 0));
}

bool database_has_table(const struct database *database, const char *table)
{
	const char *found = NULL;

	/* rootpage: views and virtual tables have none */
	database_each_row(database, table, need_print("SELECT name FROM sqlite_master WHERE name = "
						      "'%s' AND rootpage > 0", table),
			  keep_text, &found);
	return found;
}

bool database_has_column(const struct database *database, const char *table, const char *column)
{
	const char *found = NULL;

	database_each_row(database, table, need_print(
		"SELECT name FROM pragma_table_info('%s') WHERE name = '%s'", table, column),
		keep_text, &found);
	/* views have columns, too */
	return found && database_has_table(database, table);
}

const char *database_active(const struct database *database, const char *table)
{
	if (database_has_column(database, table, "active"))
		return "active";
	return database_has_column(database, table, "deleted") ? "NOT deleted" : "1";
}

void database_check_table(const struct database *database, const char *table,
			  const char *const *columns)
{
	const char *answer = NULL;

	if (!database_has_table(database, table))
		wrong_at(database->input, 0, "no table %s, must be a database of flux-accounting",
			 table);
	for (size_t i = 0; columns[i]; i++)
		if (!database_has_column(database, table, columns[i]))
			wrong_at(database->input, 0, "%s has no column %s, must be of "
				 "flux-accounting 0.8 or later", table, columns[i]);
	/* this looks at each page, row and index entry of the table */
	database_each_row(database, table, need_print(
		"SELECT integrity_check FROM pragma_integrity_check('%s') LIMIT 1", table),
		keep_text, &answer);
	if (answer && strcmp(answer, "ok"))
		wrong_at(database->input, 0, "%s is damaged: %.160s; make a new copy of the "
			 "database", table, answer);
}
#endif
