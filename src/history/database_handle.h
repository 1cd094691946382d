/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the writer and the reader of histories share. */
#pragma once

#include "fathom.h"

#include <sqlite3.h>

struct history {
	sqlite3 *database;
	const char *made;	/* the path, if history_open() has made the file; or NULL */
};

/* Sets *error to the error of the last call of SQLite. Always returns -1. */
int history_failed(const struct history *history, struct fathom_error *error);
/* Returns a statement, which the caller gives to sqlite3_finalize(). NULL: *error says why. */
sqlite3_stmt *history_prepare(const struct history *history, const char *sql,
			      struct fathom_error *error);
