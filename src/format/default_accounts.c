/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a table of sacctmgr with the columns of users and of default accounts, among others:
 *
 *	User|Def Acct|Admin|
 *	anna|physics|None|
 *	bob||None|			bob has no default account
 */
#include "format/default_accounts.h"

#include "memory/need_memory.h"

#include <string.h>

#define NO_COLUMN SIZE_MAX

/* Returns the index of the first column that has one of two names in the header line; NO_COLUMN:
 * the line has neither. */
static size_t find_column(const char *line, const char *name, const char *other)
{
	for (size_t column = 0;; column++) {
		size_t length = strcspn(line, "|\r\n");

		if ((length == strlen(name) && !strncmp(line, name, length)) ||
		    (length == strlen(other) && !strncmp(line, other, length)))
			return column;
		if (line[length] != '|')
			return NO_COLUMN;
		line += length + 1;
	}
}

static size_t user_column(const char *line)
{
	return find_column(line, "User", "Name");
}

static size_t account_column(const char *line)
{
	return find_column(line, "Def Acct", "DefaultAccount");
}

bool default_accounts_recognize(const struct document *input)
{
	const char *line = input->text + document_mark(input);

	return user_column(line) != NO_COLUMN && account_column(line) != NO_COLUMN;
}

/* Returns the beginning of a column in a line that ends with NUL; NULL: the line has fewer
 * columns. */
static const char *find_value(char *line, size_t column)
{
	for (; column; column--) {
		line = strchr(line, '|');
		if (!line++)
			return NULL;
	}
	return line;
}

/* Ends a value with NUL. Call it only when both values of the line are found: find_value() stops at
 * a NUL. */
static void end_value(const char *text)
{
	char *end = (char *)text + strcspn(text, "|\r");	/* `text` lies in our own copy */

	*end = '\0';
}

void default_accounts_read(struct document *input, struct default_accounts *accounts)
{
	size_t user, account, number = 1;
	char *rest = need_text(input->text + document_mark(input)), *line;

	line = strsep(&rest, "\n");
	user = user_column(line);
	account = account_column(line);
	while ((line = strsep(&rest, "\n"))) {
		const char *name = find_value(line, user);
		const char *default_account = find_value(line, account);

		number++;
		if (!*line)
			continue;
		if (!name || !default_account)
			wrong_at(input, number, "fewer columns than the header");
		end_value(name);
		end_value(default_account);
		NEED_ADD(accounts->user, accounts->count,
			 (struct default_account){ name, default_account });
	}
}
