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
#include <inttypes.h>
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
	int file = open(need_print("%s%s", name, suffix), O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (file < 0)
		return 0;
	got = read(file, bytes, count);
	close(file);
	return got;
}

/* Returns whether the log has changes that are not in the database yet. */
static bool has_log(const char *name)
{
	char first;

	return peek(name, LOG, &first, sizeof(first)) > 0;
}

/* Returns whether a change of the database is unfinished. SQLite ends a change by removing or
 * emptying the journal, or by overwriting the bytes with which it begins. */
static bool has_journal(const char *name)
{
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
	char first[sizeof(magic)];

	return peek(name, JOURNAL, first, sizeof(first)) == sizeof(first) &&
	       !memcmp(first, magic, sizeof(magic));
}

/* Fails because of the file NAMESUFFIX; reason: what the file means. */
static _Noreturn void refuse_unfinished(struct document *input, const char *name,
					const char *suffix, const char *reason)
{
	wrong_at(input, 0, "%s%s %s; make a copy with sqlite3's .backup and read that", name,
		 suffix, reason);
}

/* Fails, see wrong_at(), unless the file alone holds the last committed state. */
static void check_alone(struct document *input)
{
	/* these files stand beside the database itself, not beside a link to it */
	char *real = realpath(input->name, NULL);
	const char *name = need_text(real ? real : input->name);

	free(real);
	if (has_log(name))
		refuse_unfinished(input, name, LOG, "has changes that are not in the database yet");
	if (has_journal(name))
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
	const unsigned char *text = sqlite3_column_text(statement, column);
	const char *name = sqlite3_column_name(statement, column);
	int64_t row = sqlite3_column_int64(statement, 0);

	if (!text)
		wrong_at(database->input, 0, "%s, row %" PRId64 ": %s is NULL, %s", table, row,
			 name, right);
	wrong_at(database->input, 0, "%s, row %" PRId64 ": %s is '%.64s', %s", table, row, name,
		 (const char *)text, right);
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
	/* views and defaults of a schema from elsewhere must not call functions */
	sqlite3_db_config(database.handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return database;
}

/* ---- rows -------------------------------------------------------------------------- */

/* Compiles a statement, which the caller finalizes. Fails, see wrong_at(), if SQLite refuses it.
 * table: that it is about, for the message. */
static sqlite3_stmt *prepare(const struct database *database, const char *table, const char *sql)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL))
		failed(database, table);
	return statement;
}

void database_each_row(const struct database *database, const char *table, const char *sql,
		       void (*read)(void *, sqlite3_stmt *), void *context)
{
	sqlite3_stmt *statement = prepare(database, table, sql);
	int status;

	while ((status = sqlite3_step(statement)) == SQLITE_ROW)
		read(context, statement);
	if (status != SQLITE_DONE)
		failed(database, table);
	sqlite3_finalize(statement);
}

/* ---- the schema ------------------------------------------------------------------- */

/* Runs a query in which ?1 is a table and ?2, if it occurs, a column. Returns the first value of
 * the first row as a text; NULL: the query finds no row. */
static const char *query(const struct database *database, const char *sql, const char *table,
			 const char *column)
{
	sqlite3_stmt *statement = prepare(database, table, sql);
	const char *answer = NULL;
	int status;

	sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
	if (column)
		sqlite3_bind_text(statement, 2, column, -1, SQLITE_STATIC);
	status = sqlite3_step(statement);
	if (status == SQLITE_ROW) {
		const unsigned char *text = sqlite3_column_text(statement, 0);

		answer = need_text(text ? (const char *)text : "");
	} else if (status != SQLITE_DONE) {
		failed(database, table);
	}
	sqlite3_finalize(statement);
	return answer;
}

bool database_has_column(const struct database *database, const char *table, const char *column)
{
	return query(database, "SELECT name FROM pragma_table_info(?1) WHERE name = ?2", table,
		     column);
}

bool database_has_table(const struct database *database, const char *table)
{
	return query(database, "SELECT name FROM sqlite_master WHERE name = ?1 AND rootpage > 0",
		     table, NULL);	/* rootpage: views and virtual tables have none */
}

void database_check_table(const struct database *database, const char *table,
			  const char *const *columns)
{
	const char *answer;

	if (!database_has_table(database, table))
		wrong_at(database->input, 0, "no table %s, must be a database of flux-accounting",
			 table);
	for (size_t i = 0; columns[i]; i++)
		if (!database_has_column(database, table, columns[i]))
			wrong_at(database->input, 0, "%s has no column %s, must be of "
				 "flux-accounting 0.8 or later", table, columns[i]);
	/* this looks at each page, row and index entry of the table */
	answer = query(database, "SELECT integrity_check FROM pragma_integrity_check(?1)", table,
		       NULL);
	if (answer && strcmp(answer, "ok"))
		wrong_at(database->input, 0, "%s is damaged: %.160s; make a new copy of the "
			 "database", table, answer);
}
#endif
