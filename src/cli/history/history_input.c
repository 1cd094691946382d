/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a HistoryFile, and finds the user or account whose rows are wanted. A word that names one
 * is looked up in the rows of all days: it may be gone from the cluster. */
#include "config.h"

#include "cli/history/history_input.h"

#include "cli/complain.h"
#include "cli/option_values.h"
#include "document/document.h"
#include "live/live.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE 5000	/* milliseconds, while the plugin adds a day */

#define ROOT "root"
#define ALWAYS .from = INT64_MIN, .until = INT64_MAX

/* ---- the file ---------------------------------------------------------------------------- */

/* The history that is open; at_quick_exit() takes no argument for history_input_close(). */
static struct history *opened;

void history_input_close(void)
{
	history_close(opened);
	opened = NULL;
}

_Noreturn void history_input_wrong(const struct history_input *input,
				   const struct fathom_error *error)
{
	history_input_close();
	refuse("%s: %s", input->name, error->text);
}

struct history_input history_input_open(const char *name, bool may_write)
{
	struct history_input input = { .name = name };
	struct fathom_error error;
	struct stat about;
	mode_t mask;

#ifndef HAVE_SQLITE
	refuse("history: needs SQLite, which this fathom is built without");
#endif
	if (!name) {
		need_libslurm("--history");
		input.name = live_history_path();
	}
	if (!may_write && access(input.name, R_OK))
		refuse("%s: %s", input.name, strerror(errno));
	/* SQLite would call a folder a disk error, and wait for a pipe */
	if (!stat(input.name, &about) && !S_ISREG(about.st_mode))
		refuse("%s: %s", input.name, S_ISDIR(about.st_mode) ? strerror(EISDIR)
								    : "is no regular file");
	mask = umask(S_IRWXG | S_IRWXO);	/* a new file has everybody's usage */
	input.history = opened = history_open(input.name, may_write, PATIENCE, &error);
	umask(mask);
	if (!opened)
		history_input_wrong(&input, &error);
	need_done(at_quick_exit(history_input_close));
	return input;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Returns a copy of a text of a row, or the same text of the row before, as most are equal. */
static const char *keep(const char *text, const char *before)
{
	return before && !strcmp(text, before) ? before : need_text(text);
}

/* Adds a copy of a row, for history_read(). context: the struct history_rows. */
static void add_row(void *context, const struct history_row *row)
{
	static const struct history_row none;
	struct history_rows *rows = context;
	const struct history_row *before;
	struct history_row *added;

	rows->row = need_room(rows->row, &rows->room, rows->count + 1, sizeof(*rows->row));
	before = rows->count ? &rows->row[rows->count - 1] : &none;
	added = &rows->row[rows->count++];
	*added = *row;
	added->policy = keep(row->policy, before->policy);
	added->account = keep(row->account, before->account);
	added->user = keep(row->user, before->user);
	added->partition = keep(row->partition, before->partition);
}

struct piece history_key_of(const char *account, const char *user, const char *partition)
{
	/* names cannot have a line end, so it separates them */
	return piece_of(need_print("%s\n%s\n%s", account, user, partition ? partition : ""));
}

struct piece history_key_of_node(const struct snapshot *snapshot, size_t node)
{
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	return history_key_of(snapshot_account(snapshot, node),
			      is_user ? snapshot_name(snapshot, node) : "",
			      snapshot_partition(snapshot, node));
}

void history_input_read(const struct history_input *input, const struct history_filter *filter,
			struct history_rows *rows)
{
	struct fathom_error error;

	if (history_read(input->history, filter, add_row, rows, &error))
		history_input_wrong(input, &error);
}

/* Returns whether the history has rows of a user or account on any day. account: NULL: any; user:
 * "" for the account itself. */
static bool is_known(const struct history_input *input, const char *account, const char *user)
{
	const struct history_filter filter = { .account = account, .user = user, ALWAYS };
	struct history_rows rows = { 0 };

	history_input_read(input, &filter, &rows);
	return rows.count;
}

/* Returns the name of row i: the user's, or of an account the account's; NULL: there are fewer. */
static const char *name_at(const void *context, size_t i)
{
	const struct history_rows *rows = context;

	if (i >= rows->count)
		return NULL;
	return *rows->row[i].user ? rows->row[i].user : rows->row[i].account;
}

/* Refuses an unknown user or account. Suggests the name of the last day that is most like it. who:
 * what the user typed; name: what was not found. */
static _Noreturn void refuse_who(const struct history_input *input, const char *who,
				 const char *name)
{
	struct suggestion near = { .word = name, .length = strlen(name) };
	struct history_rows rows = { 0 };
	const bool ignores_case = false;

	history_input_read(input, &(struct history_filter){ ALWAYS, .last_only = true }, &rows);
	names_have((struct name_list){ name_at, &rows }, ignores_case, &near);
	refuse_unknown(&near, "%s: %s has no such user or account", who, input->name);
}

/* The functions below set the names of a filter, and refuse an unknown user or account. who: what
 * the user typed, for messages; name: without "user:" or "account:". */

/* Sets a user: "ann" or "physics/ann", unless the whole is a user's name. An empty name is refused,
 * as rows of accounts have it for the user's. */
static void set_user(const struct history_input *input, const char *who, const char *name,
		     struct history_filter *filter)
{
	const char *slash = strrchr(name, '/');

	filter->user = name;
	if (slash && !is_known(input, NULL, name)) {
		filter->account = need_print("%.*s", (int)(slash - name), name);
		filter->user = slash + 1;
	}
	if (!*name || !is_known(input, filter->account, filter->user))
		refuse_who(input, who, filter->user);
}

/* Sets an account, whose rows have the user "". */
static void set_account(const struct history_input *input, const char *who, const char *name,
			struct history_filter *filter)
{
	filter->account = name;
	filter->user = "";
	if (!is_known(input, name, ""))
		refuse_who(input, who, name);
}

/* Takes a word without "user:" or "account:": an account, a user, or ACCOUNT/USER. A name that is
 * both is taken as the user's. set_user() refuses a name that is neither. */
static void set_named(const struct history_input *input, const char *word,
		      struct history_filter *filter)
{
	bool is_user = is_known(input, NULL, word), is_account = is_known(input, word, "");

	if (is_user && is_account)
		remark("%s: is taken as the user; account:%s is the account", word, word);
	if (is_account && !is_user)
		set_account(input, word, word, filter);
	else
		set_user(input, word, word, filter);
}

/* Sets the user or account of WHO. who: NULL: the caller; if the history does not know the caller,
 * the root account. */
static void set_who(const struct history_input *input, const char *who,
		    struct history_filter *filter)
{
	static const char user[] = "user:", account[] = "account:";
	const char *caller = who ? NULL : caller_name();

	if (!who && caller && is_known(input, NULL, caller))
		set_user(input, caller, caller, filter);
	else if (!who)
		set_account(input, ROOT, ROOT, filter);
	else if (!strncmp(who, user, strlen(user)))
		set_user(input, who, who + strlen(user), filter);
	else if (!strncmp(who, account, strlen(account)))
		set_account(input, who, who + strlen(account), filter);
	else
		set_named(input, who, filter);
}

void history_input_read_of(const struct history_input *input, const char *who,
			   struct history_filter *filter, struct history_rows *rows)
{
	set_who(input, who, filter);
	history_input_read(input, filter, rows);
}
