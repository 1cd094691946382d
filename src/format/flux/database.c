/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that a SQLite database is complete in its file. Changes that are not in the
 * file yet stand in NAME-wal; changes that are half done are undone by NAME-journal.
 * Source: SQLite, "Database File Format": the rollback journal, the write-ahead log.
 */
#include "format/flux/database.h"

#include <fcntl.h>
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

static int refuse_unfinished(struct input *input, const char *name, const char *suffix,
			     const char *what, struct fathom_error *error)
{
	return input_wrong(input, 0, error, "%s%s %s; make a copy with sqlite3's .backup and read "
			   "that", name, suffix, what);
}

int database_check_alone(struct input *input, struct fathom_error *error)
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
