/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a table of sacctmgr with the columns of users and of default accounts, among others:
 *
 *	User|Def Acct|Admin|
 *	anna|physics|None|
 *	bob||None|			bob has no default account
 */
#include "format/default_accounts.h"

#include "document/text.h"
#include "memory/need_memory.h"

#define MOST_COLUMNS 64		/* further ones are not looked at */
#define NO_COLUMN SIZE_MAX

/* The indices of the two columns, or NO_COLUMN. */
struct columns {
	size_t user, account;
};

/* Finds the columns by the header line, which may have NULL in place of a text. */
static struct columns find_columns(struct piece header)
{
	struct columns columns = { NO_COLUMN, NO_COLUMN };
	struct piece field[MOST_COLUMNS];
	size_t count = header.at ? split_at('|', header, field, MOST_COLUMNS) : 0;

	/* backwards: of columns with the same name, the first is found */
	for (size_t i = count < MOST_COLUMNS ? count : MOST_COLUMNS; i-- > 0;) {
		if (piece_is(field[i], "User") || piece_is(field[i], "Name"))
			columns.user = i;
		if (piece_is(field[i], "Def Acct") || piece_is(field[i], "DefaultAccount"))
			columns.account = i;
	}
	return columns;
}

bool default_accounts_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	const struct columns columns = find_columns(lines_next(&lines));

	return columns.user != NO_COLUMN && columns.account != NO_COLUMN;
}

void default_accounts_read(struct document *input, struct default_accounts *accounts)
{
	struct lines lines = lines_of(input);
	const struct columns columns = find_columns(lines_next(&lines));
	struct piece line, field[MOST_COLUMNS];

	while ((line = lines_next(&lines)).at) {
		size_t count = split_at('|', line, field, MOST_COLUMNS);

		if (count <= columns.user || count <= columns.account)
			wrong_at(input, lines.number, "fewer columns than the header");
		NEED_ADD(accounts->user, accounts->count, (struct default_account){
			need_copy(field[columns.user]), need_copy(field[columns.account]) });
	}
}
