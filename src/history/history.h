/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The HistoryFile of fathom.conf: a database of SQLite with the figures of all associations, once a
 * day. The plugin adds a day; the command reads days, and can rebuild those before the first one.
 *
 * Calls that return -1 or NULL set *error: ENOSYS, built without SQLite; EEXIST, the file is not a
 * history, or one of a later fathom; ENOMEM; else EIO, with SQLite's own words.
 */
#pragma once

#include "core/snapshot.h"
#include "json/shares.h"

#include <stdint.h>

struct history;

/* Opens the file. may_write: the file may be changed, and made if it does not exist: it gets all
 * changes with history_commit(), and until then no other process may write to it. patience:
 * milliseconds to wait while another process reads or writes, each time that this is in the
 * way. The path must stay valid. */
struct history *history_open(const char *path, bool may_write, int patience,
			     struct fathom_error *error);
/* Closes the file and frees the history; NULL is allowed. Changes are undone, and a file that
 * history_open() has made is removed, unless history_commit() was called. */
void history_close(struct history *history);

/* ---- write ------------------------------------------------------------------------------- */

/* The figures of all associations at one time, which stand for a day. */
struct history_day {
	int64_t time;		/* seconds since 1970, UTC */
	const char *policy;	/* its name */
	const struct snapshot *snapshot;	/* a tree with its names */
	const struct json_columns *columns;	/* by node of the tree */
};

/* Writes all changes to the file, or on -1 none. */
int history_commit(struct history *history, struct fathom_error *error);
/* Makes the history that of a cluster, if it is not that of any yet. -1: EEXIST, it is that of
 * another cluster. */
int history_claim(struct history *history, const char *cluster, struct fathom_error *error);
/* Adds a day, in place of one with the same time. */
int history_add(struct history *history, const struct history_day *day, struct fathom_error *error);
/* Removes the days with from <= time < until; seconds since 1970. */
int history_remove(struct history *history, int64_t from, int64_t until,
		   struct fathom_error *error);

/* ---- read -------------------------------------------------------------------------------- */

/* The figures of an association on a day; NAN: the policy had no such figure. */
struct history_row {
	int64_t time;		/* of the day; seconds since 1970 */
	const char *policy;	/* its name */
	const char *account, *user, *partition;	/* user: "" for an account; partition: "" for all */
	double raw_shares;	/* NAN: FairShare=parent */
	double norm_shares, raw_usage, effective_usage, factor;
	int64_t rank;		/* of a user by the factor, 1 is the highest; 0: it has none */
	int64_t of;		/* how many users had a rank on that day */
};

/* Which rows are read. */
struct history_filter {
	const char *account;		/* NULL: of all accounts */
	const char *user;		/* "": only rows of accounts; NULL: of accounts and users */
	int64_t from, until;		/* from <= time < until; seconds since 1970 */
	bool last_only;			/* of the days in this time, only the last one */
};

/* Calls take() for each row that the filter lets through, in the order of account, user, partition
 * and time. The row and its texts are valid during the call. */
int history_read(struct history *history, const struct history_filter *filter,
		 void (*take)(void *context, const struct history_row *row), void *context,
		 struct fathom_error *error);
/* Sets *first and *last to the times of the first and the last day with from <= time < until, and
 * *count to the number of such days. Without days, or on -1, *first is INT64_MAX, *last INT64_MIN
 * and *count 0. */
int history_span(struct history *history, int64_t from, int64_t until, int64_t *first,
		 int64_t *last, size_t *count, struct fathom_error *error);
