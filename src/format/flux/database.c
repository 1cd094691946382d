/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a SQLite database, and checks first that it is complete in its file: changes that are not
 * in the file yet stand in NAME-wal; changes that are half done are undone by NAME-journal.
 * Source: SQLite, "Database File Format": the rollback journal, the write-ahead log.
 */
#include "config.h"

#include "format/flux/database.h"

#ifdef HAVE_SQLITE
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG "-wal"
#define JOURNAL "-journal"

/* Reads the first bytes of the file `name` + `suffix`. Returns their number; 0 if there is no
 * such file. */
static ssize_t peek(const char *name, const char *suffix, char *bytes, size_t count)
{
	ssize_t got = 0;
	char *path;
	int file;

	if (asprintf(&path, "%s%s", name, suffix) < 0)
		return 0;
	file = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (file < 0)
		return 0;
	got = read(file, bytes, count);
	close(file);
	return got;
}

static bool has_log(const char *name)
{
	char first;

	return peek(name, LOG, &first, sizeof(first)) > 0;
}

/* The journal begins with these bytes as long as a change of the database is unfinished. */
static bool has_journal(const char *name)
{
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
	char first[sizeof(magic)];

	return peek(name, JOURNAL, first, sizeof(first)) == sizeof(first) &&
	       !memcmp(first, magic, sizeof(magic));
}

static int refuse_unfinished(struct document *input, const char *name, const char *suffix,
			     const char *what, struct fathom_error *error)
{
	return input_wrong(input, 0, error, "%s%s %s; make a copy with sqlite3's .backup and read "
			   "that", name, suffix, what);
}

/* Checks that the file alone holds the last committed state. */
static int check_alone(struct document *input, struct fathom_error *error)
{
	/* these files stand beside the database itself, not beside a link to it */
	char *real = realpath(input->name, NULL);
	const char *name = real ? real : input->name;
	int status = 0;

	if (has_log(name))
		status = refuse_unfinished(input, name, LOG,
					   "has changes that are not in the database yet", error);
	else if (has_journal(name))
		status = refuse_unfinished(input, name, JOURNAL,
					   "shows that a change of the database is unfinished",
					   error);
	free(real);
	return status;
}

/* ---- errors -------------------------------------------------------------------- */

int database_wrong(struct database *database, const char *format, ...)
{
	va_list arguments;
	char text[sizeof(database->error->text)];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return input_wrong(database->input, 0, database->error, "%s", text);
}

int database_no_memory(struct database *database)
{
	return fathom_error_set(database->error, ENOMEM, "%s", strerror(ENOMEM));
}

int database_failed(struct database *database, const char *table)
{
	return database_wrong(database, "%s%s%s, must be a whole database of flux-accounting",
			      table, *table ? ": " : "", sqlite3_errmsg(database->handle));
}

int database_wrong_value(struct database *database, const char *table, sqlite3_stmt *statement,
			 int column, const char *right)
{
	const unsigned char *text = sqlite3_column_text(statement, column);
	const char *name = sqlite3_column_name(statement, column);
	int64_t row = sqlite3_column_int64(statement, 0);

	if (!text)
		return database_wrong(database, "%s, row %" PRId64 ": %s is NULL, %s", table, row,
				      name, right);
	return database_wrong(database, "%s, row %" PRId64 ": %s is '%.64s', %s", table, row, name,
			      (const char *)text, right);
}

/* ---- the file -------------------------------------------------------------------- */

/* Makes the URI file:NAME?OPTIONS, in which '%', '?' and '#' are written as %XX. */
static char *uri_of(const char *name)
{
	static const char mode[] = "?mode=ro&immutable=1";
	/* an absolute name comes after an empty host name */
	const char *scheme = *name == '/' ? "file://" : "file:";
	char *uri = malloc(strlen(scheme) + 3 * strlen(name) + sizeof(mode)), *at = uri;

	if (!uri)
		return NULL;
	at = stpcpy(at, scheme);
	for (; *name; name++)
		at += strchr("%?#", *name) ? sprintf(at, "%%%02x", *name)
					   : sprintf(at, "%c", *name);
	strcpy(at, mode);
	return uri;
}

int database_open(struct database *database)
{
	char *uri;
	int status;

	if (database->input->is_compressed)
		return database_wrong(database, "is compressed; decompress the database first");
	if (!strcmp(database->input->name, "-"))
		return database_wrong(database,
				      "a database is read from a file, not from standard input");
	if (check_alone(database->input, database->error))
		return -1;
	uri = uri_of(database->input->name);
	if (!uri)
		return database_no_memory(database);
	status = sqlite3_open_v2(uri, &database->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
				 NULL);
	free(uri);
	if (status)
		return database->handle ? database_failed(database, "")
					: database_no_memory(database);
	/* a schema from a file must not call functions */
	sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return 0;
}

void database_close(struct database *database)
{
	sqlite3_close(database->handle);
	database->handle = NULL;
}

/* ---- rows -------------------------------------------------------------------------- */

int database_prepare(struct database *database, const char *table, const char *sql,
		     sqlite3_stmt **statement)
{
	return sqlite3_prepare_v2(database->handle, sql, -1, statement, NULL) ?
	       database_failed(database, table) : 0;
}

int database_each_row(struct database *database, const char *table, sqlite3_stmt *statement,
		      int (*read)(void *, sqlite3_stmt *), void *context)
{
	int status;

	while ((status = sqlite3_step(statement)) == SQLITE_ROW)
		if (read(context, statement))
			return -1;
	return status == SQLITE_DONE ? 0 : database_failed(database, table);
}

/* ---- the schema ------------------------------------------------------------------- */

/* Runs a query about a table, and maybe a column. *answer: the first value of the first row, which
 * the caller frees; NULL: no row. -1: the database cannot be read. */
static int query(struct database *database, const char *sql, const char *table, const char *column,
		 char **answer)
{
	sqlite3_stmt *statement = NULL;
	int status = database_prepare(database, table, sql, &statement);

	*answer = NULL;
	if (status)
		return status;
	sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
	if (column)
		sqlite3_bind_text(statement, 2, column, -1, SQLITE_STATIC);
	status = sqlite3_step(statement);
	if (status == SQLITE_ROW) {
		const unsigned char *text = sqlite3_column_text(statement, 0);

		*answer = strdup(text ? (const char *)text : "");
		status = *answer ? 0 : database_no_memory(database);
	} else {
		status = status == SQLITE_DONE ? 0 : database_failed(database, table);
	}
	sqlite3_finalize(statement);
	return status;
}

int database_has_column(struct database *database, const char *table, const char *column, bool *has)
{
	char *answer;
	int status = query(database, "SELECT name FROM pragma_table_info(?1) WHERE name = ?2",
			   table, column, &answer);

	*has = answer != NULL;
	free(answer);
	return status;
}

int database_has_table(struct database *database, const char *table, bool *has)
{
	char *answer;
	int status =
		query(database, "SELECT name FROM sqlite_master WHERE name = ?1 AND rootpage > 0",
		      table, NULL, &answer);

	*has = answer != NULL;
	free(answer);
	return status;
}

static int check_columns(struct database *database, const char *table, const char *const *columns)
{
	for (size_t i = 0; columns[i]; i++) {
		bool has;

		if (database_has_column(database, table, columns[i], &has))
			return -1;
		if (!has)
			return database_wrong(database,
					      "%s has no column %s, must be of flux-accounting "
					      "0.8 or later", table, columns[i]);
	}
	return 0;
}

/* Checks each page, row and index entry of the table. */
static int check_pages(struct database *database, const char *table)
{
	char *answer;
	int status = query(database, "SELECT integrity_check FROM pragma_integrity_check(?1)",
			   table, NULL, &answer);

	if (!status && answer && strcmp(answer, "ok"))
		status = database_wrong(database, "%s is damaged: %.160s; make a new copy of the "
					"database", table, answer);
	free(answer);
	return status;
}

int database_check_table(struct database *database, const char *table, const char *const *columns)
{
	bool has;

	if (database_has_table(database, table, &has))
		return -1;
	if (!has)
		return database_wrong(database,
				      "no table %s, must be a database of flux-accounting", table);
	return check_columns(database, table, columns) || check_pages(database, table) ? -1 : 0;
}
#endif
