/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a history, and writes its days. The table `figures` is ordered by time, then association:
 * so a new day is appended at its end, and a reader finds the row of an association and a day by
 * its key:
 *
 *	day		time, policy, users		one row for each day
 *	association	id, account, user, partition	user "": an account; partition "": all
 *	figures		time, association, ...		one row for each day and association
 *	cluster		name				one row, once a cluster has added a day
 *
 * time: seconds since 1970; users: how many had a rank; rank: as in struct history_row.
 */
#include "config.h"

#include "history/history.h"

#ifdef HAVE_SQLITE
#include "core/error.h"
#include "core/ranks.h"
#include "history/database_handle.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION "1718904936"	/* "fthh", the application_id of each history */
#define LAYOUT "1"			/* user_version of a database with these tables */

int history_failed(const struct history *history, struct fathom_error *error)
{
	if (sqlite3_errcode(history->database) == SQLITE_NOMEM)
		return fathom_error_no_memory(error);
	return fathom_error_set(error, EIO, "%s", sqlite3_errmsg(history->database));
}

/* Executes statements that return no rows. -1: *error says why. */
static int execute(const struct history *history, const char *sql, struct fathom_error *error)
{
	return sqlite3_exec(history->database, sql, NULL, NULL, NULL) ?
		       history_failed(history, error) : 0;
}

sqlite3_stmt *history_prepare(const struct history *history, const char *sql,
			      struct fathom_error *error)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(history->database, sql, -1, &statement, NULL))
		history_failed(history, error);
	return statement;
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Makes an empty database a history. -1: *error says why. */
static int create_tables(const struct history *history, struct fathom_error *error)
{
	return execute(history,
		       "CREATE TABLE day (time INTEGER PRIMARY KEY, policy TEXT NOT NULL,"
		       " users INTEGER NOT NULL);"
		       "CREATE TABLE association (id INTEGER PRIMARY KEY, account TEXT NOT NULL,"
		       " user TEXT NOT NULL, partition TEXT NOT NULL,"
		       " UNIQUE (account, user, partition));"
		       "CREATE TABLE figures (time INTEGER NOT NULL, association INTEGER NOT NULL,"
		       " raw_shares INTEGER, norm_shares REAL, raw_usage REAL,"
		       " effective_usage REAL, factor REAL, rank INTEGER,"
		       " PRIMARY KEY (time, association)) WITHOUT ROWID;"
		       "PRAGMA application_id = " APPLICATION ";"
		       "PRAGMA user_version = " LAYOUT, error);
}

/* Sets *number to what a query returns in its first row and column. -1: *error says why. */
static int read_number(const struct history *history, const char *sql, int64_t *number,
		       struct fathom_error *error)
{
	sqlite3_stmt *statement = history_prepare(history, sql, error);
	int status = 0;

	if (!statement)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		*number = sqlite3_column_int64(statement, 0);
	else
		status = history_failed(history, error);
	sqlite3_finalize(statement);
	return status;
}

/* Checks that the database is a history; makes it one if it is empty and may be written.
 * -1: EEXIST, it is not a history, or a later fathom's; or an error of SQLite. */
static int check(const struct history *history, bool may_write, struct fathom_error *error)
{
	int64_t is_ours, is_later, tables;

	if (read_number(history, "SELECT application_id = " APPLICATION " FROM"
			" pragma_application_id", &is_ours, error) ||
	    read_number(history, "SELECT user_version > " LAYOUT " FROM pragma_user_version",
			&is_later, error) ||
	    read_number(history, "SELECT count(*) FROM sqlite_master", &tables, error))
		return -1;
	if (is_ours && is_later)
		return fathom_error_set(error, EEXIST, "is the history of a later fathom");
	if (is_ours)
		return 0;
	if (tables || !may_write)
		return fathom_error_set(error, EEXIST, "is no history of fathom");
	return create_tables(history, error);
}

/* Keeps SQL in a file that somebody else made from doing anything, by functions, triggers or
 * views. */
static void distrust(sqlite3 *database)
{
	sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
}

struct history *history_open(const char *path, bool may_write, int patience,
			     struct fathom_error *error)
{
	struct history *history = calloc(1, sizeof(*history));
	int flags = may_write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;

	if (!history) {
		fathom_error_no_memory(error);
		return NULL;
	}
	if (may_write && access(path, F_OK))
		history->made = path;
	if (sqlite3_open_v2(path, &history->database, flags, NULL)) {
		history_failed(history, error);
	} else {
		distrust(history->database);
		sqlite3_busy_timeout(history->database, patience);
		/* before check(), as another process may find the same file empty */
		if (!(may_write && execute(history, "BEGIN IMMEDIATE", error)) &&
		    !check(history, may_write, error))
			return history;
	}
	history_close(history);
	return NULL;
}

/* Removes a new file that is empty, as nothing has been committed to it. The lock keeps out whoever
 * would write it: the file stays if another process has the lock, or another file has got the name.
 * A process that waits for this lock writes nothing, as SQLite begins to write no file that has
 * lost its name. */
static void remove_empty(const char *path)
{
	sqlite3 *database = NULL;
	struct stat status;
	int has_moved = 1;

	if (!sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) &&
	    /* in memory: a journal needs room, and could be taken for that of the next file */
	    !sqlite3_exec(database, "PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE", NULL, NULL,
			  NULL) &&
	    !sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) &&
	    !has_moved && !stat(path, &status) && !status.st_size)
		unlink(sqlite3_db_filename(database, "main"));	/* where links lead to */
	sqlite3_close(database);
}

void history_close(struct history *history)
{
	if (!history)
		return;
	sqlite3_close(history->database);	/* it rolls back what is not committed */
	if (history->made)
		remove_empty(history->made);
	free(history);
}

/* ---- write ------------------------------------------------------------------------------- */

int history_commit(struct history *history, struct fathom_error *error)
{
	return execute(history, "COMMIT", error);
}

/* Executes a statement that returns no rows, and resets it for the next use. -1: *error says
 * why. */
static int run(const struct history *history, sqlite3_stmt *statement, struct fathom_error *error)
{
	int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : history_failed(history, error);

	sqlite3_reset(statement);
	return status;
}

/* Writes the name of the cluster. -1: *error says why. */
static int set_cluster(const struct history *history, const char *cluster,
		       struct fathom_error *error)
{
	sqlite3_stmt *statement = history_prepare(history, "INSERT INTO cluster VALUES (?1)",
						  error);
	int status;

	if (!statement)
		return -1;
	sqlite3_bind_text(statement, 1, cluster, -1, SQLITE_STATIC);
	status = run(history, statement, error);
	sqlite3_finalize(statement);
	return status;
}

int history_claim(struct history *history, const char *cluster, struct fathom_error *error)
{
	sqlite3_stmt *statement;
	const char *name;
	int status = 0;

	if (execute(history, "CREATE TABLE IF NOT EXISTS cluster (name TEXT NOT NULL)", error) ||
	    !(statement = history_prepare(history, "SELECT name FROM cluster", error)))
		return -1;
	if (sqlite3_step(statement) != SQLITE_ROW) {
		status = set_cluster(history, cluster, error);
	} else {
		name = (const char *)sqlite3_column_text(statement, 0);
		if (!name || strcasecmp(name, cluster))
			status = fathom_error_set(error, EEXIST, "is that of cluster '%.64s', each "
						  "cluster must have its own", name ? name : "");
	}
	sqlite3_finalize(statement);
	return status;
}

int history_remove(struct history *history, int64_t from, int64_t until, struct fathom_error *error)
{
	char sql[256];

	snprintf(sql, sizeof(sql), "DELETE FROM figures WHERE time >= %lld AND time < %lld;"
		 " DELETE FROM day WHERE time >= %lld AND time < %lld", (long long)from,
		 (long long)until, (long long)from, (long long)until);
	return execute(history, sql, error);
}

/* Binds account, user and partition of a node to the parameters 1 to 3. */
static void bind_names(sqlite3_stmt *statement, const struct snapshot *snapshot, size_t node)
{
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;
	const char *partition = snapshot_partition(snapshot, node);

	sqlite3_bind_text(statement, 1, snapshot_account(snapshot, node), -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 2, is_user ? snapshot_name(snapshot, node) : "", -1,
			  SQLITE_STATIC);
	sqlite3_bind_text(statement, 3, partition ? partition : "", -1, SQLITE_STATIC);
}

/* Binds the time and the figures of a node to the parameters 4 to 10. SQLite makes NULL of NAN.
 * rank: of all nodes. */
static void bind_figures(sqlite3_stmt *statement, const struct history_day *day, size_t node,
			 const double *rank)
{
	const struct json_columns *columns = day->columns;
	uint32_t shares = fathom_tree_raw_shares(day->snapshot->tree, node);

	sqlite3_bind_int64(statement, 4, day->time);
	if (shares == FATHOM_SHARES_PARENT && node)
		sqlite3_bind_null(statement, 5);
	else
		sqlite3_bind_int64(statement, 5, shares);
	sqlite3_bind_double(statement, 6, columns->norm_shares[node]);
	sqlite3_bind_double(statement, 7, columns->usage[node]);
	sqlite3_bind_double(statement, 8, columns->effective_usage[node]);
	sqlite3_bind_double(statement, 9, columns->factor[node]);
	sqlite3_bind_double(statement, 10, rank[node]);		/* stored as an integer */
}

/* Adds the rows of all associations. -1: *error says why. */
static int add_figures(const struct history *history, const struct history_day *day,
		       const double *rank, struct fathom_error *error)
{
	sqlite3_stmt *name = history_prepare(history, "INSERT OR IGNORE INTO association"
					     " (account, user, partition) VALUES (?1, ?2, ?3)",
					     error);
	sqlite3_stmt *figures = history_prepare(history, "INSERT OR REPLACE INTO figures VALUES"
						" (?4, (SELECT id FROM association WHERE"
						" account = ?1 AND user = ?2 AND partition = ?3),"
						" ?5, ?6, ?7, ?8, ?9, ?10)", error);
	int status = name && figures ? 0 : -1;

	for (size_t node = 0; !status && node < fathom_tree_count(day->snapshot->tree); node++) {
		bind_names(name, day->snapshot, node);
		bind_names(figures, day->snapshot, node);
		bind_figures(figures, day, node, rank);
		status = run(history, name, error) || run(history, figures, error) ? -1 : 0;
	}
	sqlite3_finalize(name);
	sqlite3_finalize(figures);
	return status;
}

/* Adds the row of the day. users: how many have a factor. -1: *error says why. */
static int add_day(const struct history *history, const struct history_day *day, size_t users,
		   struct fathom_error *error)
{
	sqlite3_stmt *statement = history_prepare(history, "INSERT OR REPLACE INTO day VALUES"
						  " (?1, ?2, ?3)", error);
	int status;

	if (!statement)
		return -1;
	sqlite3_bind_int64(statement, 1, day->time);
	sqlite3_bind_text(statement, 2, day->policy, -1, SQLITE_STATIC);
	sqlite3_bind_int64(statement, 3, (int64_t)users);
	status = run(history, statement, error);
	sqlite3_finalize(statement);
	return status;
}

int history_add(struct history *history, const struct history_day *day, struct fathom_error *error)
{
	const struct fathom_tree *tree = day->snapshot->tree;
	double *rank = user_ranks(tree, day->columns->factor);
	size_t users = 0;
	int status;

	if (!rank)
		return fathom_error_no_memory(error);
	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		users += isnan(rank[node]) ? 0 : 1;
	/* a replaced day may have associations that are gone: remove its rows first */
	status = history_remove(history, day->time, day->time + 1, error) ||
				 add_day(history, day, users, error) ||
				 add_figures(history, day, rank, error) ? -1 : 0;
	free(rank);
	return status;
}
#else
#include "core/error.h"

#include <errno.h>

/* Always returns -1, ENOSYS. */
static int lacks_sqlite(struct fathom_error *error)
{
	return fathom_error_set(error, ENOSYS, "needs SQLite, which this fathom is built without");
}

struct history *history_open(const char *path, bool may_write, int patience,
			     struct fathom_error *error)
{
	(void)path, (void)may_write, (void)patience;
	lacks_sqlite(error);
	return NULL;
}

void history_close(struct history *history)
{
	(void)history;
}

/* These are never called, as history_open() makes no history. */

int history_commit(struct history *history, struct fathom_error *error)
{
	(void)history;
	return lacks_sqlite(error);
}

int history_claim(struct history *history, const char *cluster, struct fathom_error *error)
{
	(void)history, (void)cluster;
	return lacks_sqlite(error);
}

int history_add(struct history *history, const struct history_day *day, struct fathom_error *error)
{
	(void)history, (void)day;
	return lacks_sqlite(error);
}

int history_remove(struct history *history, int64_t from, int64_t until, struct fathom_error *error)
{
	(void)history, (void)from, (void)until;
	return lacks_sqlite(error);
}

int history_read(struct history *history, const struct history_filter *filter,
		 void (*take)(void *context, const struct history_row *row), void *context,
		 struct fathom_error *error)
{
	(void)history, (void)filter, (void)take, (void)context;
	return lacks_sqlite(error);
}

int history_span(struct history *history, int64_t from, int64_t until, int64_t *first,
		 int64_t *last, size_t *count, struct fathom_error *error)
{
	(void)history, (void)from, (void)until, (void)first, (void)last, (void)count;
	return lacks_sqlite(error);
}
#endif
