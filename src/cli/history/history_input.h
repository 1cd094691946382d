/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a HistoryFile, and reads the rows of a user or account. */
#pragma once

#include "core/piece.h"
#include "history/history.h"

#include <stdbool.h>

struct history_input {
	const char *name;	/* path of the file */
	struct history *history;	/* belongs to history_input.c */
};

/* Opens a file, the only one of the command. name: its path; NULL: that of the running cluster.
 * may_write: to write, and to make the file if it does not exist. Refuses a file that cannot be
 * opened. */
struct history_input history_input_open(const char *name, bool may_write);
/* Closes the file, and so undoes what has not been committed. It is also called when there is no
 * memory. */
void history_input_close(void);
/* Closes the file, and ends the command with an error of a call of history.h about it. */
_Noreturn void history_input_wrong(const struct history_input *input,
				   const struct fathom_error *error);

/* Rows of a history; begin with all members 0. They and their texts belong to the command. */
struct history_rows {
	struct history_row *row;
	size_t count;
	size_t room;		/* elements allocated for `row` */
};

/* Returns the names of a row as one text, to find the row by them. user: "" for an account;
 * partition: "" or NULL for all. */
struct piece history_key_of(const char *account, const char *user, const char *partition);
/* Returns the key that the node's row has. */
struct piece history_key_of_node(const struct snapshot *snapshot, size_t node);
/* Appends the rows that the filter chooses. */
void history_input_read(const struct history_input *input, const struct history_filter *filter,
			struct history_rows *rows);
/* Appends the rows of a user or an account. who: "ann", "physics/ann", "physics", "user:ann" or
 * "account:physics"; NULL: the caller, or the root account if the history does not know the caller.
 * filter: chooses the time; its account and user are set. An unknown user or account is refused. */
void history_input_read_of(const struct history_input *input, const char *who,
			   struct history_filter *filter, struct history_rows *rows);
