/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The HistoryFile of fathom.conf: a database of SQLite with the figures of all associations, once a
 * day. The plugin adds a day; the command reads days, and rebuilds those before the first one.
 *
 * Calls that return -1 set *error: ENOSYS, built without SQLite; EEXIST, the file is another
 * program's; ENOMEM; else EIO, with SQLite's own words.
 */
#pragma once

#include "core/snapshot.h"
#include "json/shares.h"

#include <time.h>

struct history;

/* Opens the file. may_write: makes it if it does not exist, as an empty file that exists is made a
 * history. NULL: *error tells. */
struct history *history_open(const char *path, bool may_write, struct fathom_error *error);
/* Undoes what history_begin() began, unless history_commit() has ended it. history: may be NULL. */
void history_close(struct history *history);

/* ---- write ------------------------------------------------------------------------------- */

/* The figures of a pass. */
struct history_day {
	int64_t time;		/* seconds since 1970, UTC */
	const char *policy;
	const struct snapshot *snapshot;	/* a tree with its names */
	const struct json_columns *columns;	/* of the tree's nodes */
};

/* Begin and end changes of the file, which it gets whole or not at all. */
int history_begin(struct history *history, struct fathom_error *error);
int history_commit(struct history *history, struct fathom_error *error);
/* Adds a day; one of the same time is replaced. */
int history_add(struct history *history, const struct history_day *day, struct fathom_error *error);
/* Removes the days from one time on, and before another one; seconds since 1970. */
int history_remove(struct history *history, int64_t from, int64_t until,
		   struct fathom_error *error);

/* Returns the local midnight at which the day of a time began, or so many days later. */
time_t history_midnight(time_t time, int days);

/* ---- read -------------------------------------------------------------------------------- */

/* The figures of an association in a day; NAN: there is no such figure. */
struct history_row {
	int64_t time;
	const char *policy;
	const char *account, *user, *partition;	/* user: "" for an account; partition: "" for all */
	double raw_shares;	/* NAN: the parent's count, FairShare=parent */
	double norm_shares, raw_usage, effective_usage, factor;
	int64_t rank;		/* of a user by the factor, 1 is the highest; 0: of an account */
	int64_t of;		/* users on that day */
};

/* Which rows are read; NULL: all. */
struct history_filter {
	const char *account, *user;	/* user: "" for accounts alone */
	int64_t from, until;		/* from <= time < until; seconds since 1970 */
	bool last_only;			/* of the days in this time, only the last one */
};

/* Calls take() with each row, by account, user, partition and time. */
int history_read(struct history *history, const struct history_filter *filter,
		 void (*take)(void *context, const struct history_row *row), void *context,
		 struct fathom_error *error);
/* Finds the first and the last day in a time; *count: days. Without days, *first is INT64_MAX and
 * *last is INT64_MIN. */
int history_span(struct history *history, int64_t from, int64_t until, int64_t *first,
		 int64_t *last, size_t *count, struct fathom_error *error);
