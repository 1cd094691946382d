/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the writer and the reader of histories share. */
#pragma once

#include "fathom.h"

#include <sqlite3.h>

struct history {
	sqlite3 *database;
};

/* Sets *error to that of the last call of SQLite; always -1. */
int history_failed(const struct history *history, struct fathom_error *error);
/* NULL: *error tells. */
sqlite3_stmt *history_prepare(const struct history *history, const char *sql,
			      struct fathom_error *error);
