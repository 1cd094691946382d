/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a history, and finds whose days are wanted. */
#pragma once

#include "history/history.h"

#include <stdbool.h>

struct history_input {
	const char *name;	/* of the file */
	struct history *history;	/* closed with the memory of the command */
};

/* Opens a file; NULL: that of the running cluster. may_write: makes one that does not exist. */
struct history_input history_input_open(const char *name, bool may_write);
/* Ends with what is wrong with the file. */
_Noreturn void history_input_wrong(const struct history_input *input,
				   const struct fathom_error *error);

/* Rows of a history. */
struct history_rows {
	struct history_row *row;
	size_t count, room;
};

/* Reads the rows of a filter, after those that are there. */
void history_input_read(const struct history_input *input, const struct history_filter *filter,
			struct history_rows *rows);
/* Reads those of a user or an account: "ann", "physics/ann", "physics", "user:ann" or
 * "account:physics"; NULL: the caller, or who is not known to the history, the root. filter: the
 * time; it gets the names. Who is unknown is refused. */
void history_input_read_of(const struct history_input *input, const char *who,
			   struct history_filter *filter, struct history_rows *rows);
