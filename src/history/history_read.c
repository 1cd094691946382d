/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows of a history. */
#include "config.h"

#include "history/history.h"

#ifdef HAVE_SQLITE
#include "history/database_handle.h"

#include <math.h>

/* Returns a number of the present row; NAN for NULL. */
static double number_at(sqlite3_stmt *statement, int column)
{
	return sqlite3_column_type(statement, column) == SQLITE_NULL
		       ? NAN : sqlite3_column_double(statement, column);
}

/* Returns a text of the present row, valid until the next sqlite3_step(); "" for NULL. */
static const char *text_at(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? (const char *)text : "";
}

/* Returns the present row of the query in history_read(). */
static struct history_row row_at(sqlite3_stmt *statement)
{
	return (struct history_row){
		.account = text_at(statement, 0), .user = text_at(statement, 1),
		.partition = text_at(statement, 2), .time = sqlite3_column_int64(statement, 3),
		.policy = text_at(statement, 4), .of = sqlite3_column_int64(statement, 5),
		.raw_shares = number_at(statement, 6), .norm_shares = number_at(statement, 7),
		.raw_usage = number_at(statement, 8), .effective_usage = number_at(statement, 9),
		.factor = number_at(statement, 10), .rank = sqlite3_column_int64(statement, 11),
	};
}

/* Prepares a query with the times as its parameters 1 and 2. NULL: *error says why. */
static sqlite3_stmt *prepare(const struct history *history, const char *sql, int64_t from,
			     int64_t until, struct fathom_error *error)
{
	sqlite3_stmt *statement = history_prepare(history, sql, error);

	if (statement) {
		sqlite3_bind_int64(statement, 1, from);
		sqlite3_bind_int64(statement, 2, until);
	}
	return statement;
}

/* CROSS JOIN makes SQLite keep the order of the tables, so that it finds the row of `figures` for
 * each association and day by its key. */
int history_read(struct history *history, const struct history_filter *filter,
		 void (*take)(void *context, const struct history_row *row), void *context,
		 struct fathom_error *error)
{
	static const char sql[] =
		"SELECT account, user, partition, f.time, policy, users, raw_shares, norm_shares,"
		" raw_usage, effective_usage, factor, rank FROM association a CROSS JOIN day d"
		" CROSS JOIN figures f ON f.time = d.time AND f.association = a.id"
		" WHERE d.time >= ?1 AND d.time < ?2 AND (?3 IS NULL OR account = ?3)"
		" AND (?4 IS NULL OR user = ?4) AND (?5 = 0 OR d.time ="
		" (SELECT max(time) FROM day WHERE time >= ?1 AND time < ?2))"
		" ORDER BY account, user, partition, d.time";
	sqlite3_stmt *statement = prepare(history, sql, filter->from, filter->until, error);
	int status;

	if (!statement)
		return -1;
	sqlite3_bind_text(statement, 3, filter->account, -1, SQLITE_STATIC);
	sqlite3_bind_text(statement, 4, filter->user, -1, SQLITE_STATIC);
	sqlite3_bind_int(statement, 5, filter->last_only);
	while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
		const struct history_row row = row_at(statement);

		take(context, &row);
	}
	status = status == SQLITE_DONE ? 0 : history_failed(history, error);
	sqlite3_finalize(statement);
	return status;
}

int history_span(struct history *history, int64_t from, int64_t until, int64_t *first,
		 int64_t *last, size_t *count, struct fathom_error *error)
{
	sqlite3_stmt *statement = prepare(history, "SELECT min(time), max(time), count(*) FROM day"
					  " WHERE time >= ?1 AND time < ?2", from, until, error);
	int status = -1;

	*first = INT64_MAX;
	*last = INT64_MIN;
	*count = 0;
	if (!statement)
		return -1;
	if (sqlite3_step(statement) != SQLITE_ROW) {
		history_failed(history, error);
	} else {
		status = 0;
		*count = (size_t)sqlite3_column_int64(statement, 2);
		if (*count) {
			*first = sqlite3_column_int64(statement, 0);
			*last = sqlite3_column_int64(statement, 1);
		}
	}
	sqlite3_finalize(statement);
	return status;
}
#endif
