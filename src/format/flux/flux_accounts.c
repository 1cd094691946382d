/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a flux-accounting database as banks and users, which are then linked into a tree.
 */
#include "config.h"

#include "format/flux/flux_accounts.h"

#include "document/text.h"
#include "format/flux/flux.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>

#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif

#define BANKS "bank_table"
#define ASSOCIATIONS "association_table"

const char *const flux_bank_columns[] = {
	[FLUX_BANK_ID] = "bank_id", [FLUX_BANK] = "bank", [FLUX_BANK_ACTIVE] = "active",
	[FLUX_PARENT_BANK] = "parent_bank", [FLUX_BANK_SHARES] = "shares",
	[FLUX_BANK_USAGE] = "job_usage", [FLUX_BANK_PRIORITY] = "priority",
	[FLUX_IGNORE_OLDER_THAN] = "ignore_older_than", NULL,
};

const char *const flux_user_columns[] = {
	[FLUX_USER] = "username", [FLUX_USER_ACTIVE] = "active",
	[FLUX_DEFAULT_BANK] = "default_bank", [FLUX_USER_SHARES] = "shares",
	[FLUX_USER_USAGE] = "job_usage", [FLUX_FAIRSHARE] = "fairshare",
	[FLUX_USER_BANK] = "bank", NULL,
};

/* ---- values ------------------------------------------------------------------------ */

const char *flux_text_of(const struct value *value)
{
	return value->kind == VALUE_TEXT ? value->text : "";
}

double flux_number_of(const struct value *value)
{
	if (value->kind == VALUE_REAL)
		return value->real;
	return value->kind == VALUE_INTEGER ? (double)value->integer : 0;
}

/* ---- rows --------------------------------------------------------------------------- */

/* Copies values with their texts, and notes whether a text has a byte that cannot be printed. */
static void copy_values(struct flux_accounts *accounts, const struct value *values,
			size_t count, struct value *to)
{
	for (size_t i = 0; i < count; i++) {
		to[i] = values[i];
		if (values[i].kind != VALUE_TEXT)
			continue;
		to[i].text = need_text(values[i].text);
		accounts->has_unprintable |= !piece_is_printable(piece_of(to[i].text));
	}
}

void flux_accounts_add_bank(struct flux_accounts *accounts, const struct value *values)
{
	struct flux_bank bank = { .first_bank = FLUX_NONE, .first_user = FLUX_NONE,
				  .next = FLUX_NONE };

	copy_values(accounts, values, FLUX_BANK_COLUMNS, bank.value);
	NEED_ADD(accounts->bank, accounts->bank_count, bank);
}

void flux_accounts_add_user(struct flux_accounts *accounts, const struct value *values)
{
	struct flux_user user = { .next = FLUX_NONE };

	copy_values(accounts, values, FLUX_USER_COLUMNS, user.value);
	NEED_ADD(accounts->user, accounts->user_count, user);
}

/* ---- what is below which bank --------------------------------------------------------- */

size_t flux_accounts_find(const struct flux_accounts *accounts, const char *name)
{
	return name_index_get(accounts->names, piece_of(name));
}

size_t flux_accounts_root(const struct flux_accounts *accounts)
{
	for (size_t i = 0; i < accounts->bank_count; i++) {
		const struct value *value = accounts->bank[i].value;

		if (!*flux_text_of(&value[FLUX_PARENT_BANK]) &&
		    flux_number_of(&value[FLUX_BANK_ACTIVE]) != 0)
			return i;
	}
	return FLUX_NONE;
}

/* Returns the index of a bank's parent; FLUX_NONE: it has none, or no bank has the parent's
 * name. */
static size_t parent_of(const struct flux_accounts *accounts, size_t bank)
{
	return flux_accounts_find(accounts,
				  flux_text_of(&accounts->bank[bank].value[FLUX_PARENT_BANK]));
}

/* Makes accounts->names. */
static void index_names(struct flux_accounts *accounts)
{
	accounts->names = need_index();
	for (size_t i = 0; i < accounts->bank_count; i++) {
		const char *name = flux_text_of(&accounts->bank[i].value[FLUX_BANK]);

		if (flux_accounts_find(accounts, name) == FLUX_NONE)
			need_put(accounts->names, piece_of(name), i);
	}
}

/* Puts a bank at the front of the list of the banks below its parent. */
static void link_bank(struct flux_accounts *accounts, size_t bank)
{
	size_t parent = parent_of(accounts, bank);

	if (parent == FLUX_NONE)
		return;
	accounts->bank[bank].next = accounts->bank[parent].first_bank;
	accounts->bank[parent].first_bank = bank;
}

/* Puts an association at the front of the list of the associations of its bank. */
static void link_user(struct flux_accounts *accounts, size_t user)
{
	size_t bank = flux_accounts_find(
		accounts, flux_text_of(&accounts->user[user].value[FLUX_USER_BANK]));

	if (bank == FLUX_NONE)
		return;
	accounts->user[user].next = accounts->bank[bank].first_user;
	accounts->bank[bank].first_user = user;
}

/* Fails, see wrong_at(), if a bank is below itself: then its ancestors have no end. */
static void check_path(const struct flux_accounts *accounts, size_t bank, struct document *input)
{
	size_t ancestor = bank, steps = 0;

	while (ancestor != FLUX_NONE && steps++ <= accounts->bank_count)
		ancestor = parent_of(accounts, ancestor);
	if (ancestor != FLUX_NONE)
		wrong_at(input, 0, BANKS ": bank '%.64s' is below itself, must be below the root",
			 flux_text_of(&accounts->bank[bank].value[FLUX_BANK]));
}

/* Adds the usage of an association to its bank and all banks above that. */
static void add_usage(struct flux_accounts *accounts, const struct flux_user *user)
{
	size_t bank = flux_accounts_find(accounts, flux_text_of(&user->value[FLUX_USER_BANK]));

	for (; bank != FLUX_NONE; bank = parent_of(accounts, bank))
		accounts->bank[bank].value[FLUX_BANK_USAGE].real +=
			flux_number_of(&user->value[FLUX_USER_USAGE]);
}

/* If no bank has a usage, as in early schemas, gives each the usage of the active associations
 * below it. */
static void complete_usage(struct flux_accounts *accounts)
{
	for (size_t i = 0; i < accounts->bank_count; i++)
		if (accounts->bank[i].value[FLUX_BANK_USAGE].kind != VALUE_NONE)
			return;
	for (size_t i = 0; i < accounts->bank_count; i++)
		accounts->bank[i].value[FLUX_BANK_USAGE] = value_of_real(0, 0);
	for (size_t i = 0; i < accounts->user_count; i++)
		if (flux_number_of(&accounts->user[i].value[FLUX_USER_ACTIVE]) != 0)
			add_usage(accounts, &accounts->user[i]);
}

void flux_accounts_link(struct flux_accounts *accounts, struct document *input)
{
	if (accounts->has_unprintable)
		wrong_at(input, 0, "a name has a byte that is not a printable UTF-8 character");
	index_names(accounts);
	for (size_t i = 0; i < accounts->bank_count; i++)
		check_path(accounts, i, input);
	for (size_t i = accounts->bank_count; i-- > 0;)
		link_bank(accounts, i);
	for (size_t i = accounts->user_count; i-- > 0;)
		link_user(accounts, i);
	complete_usage(accounts);
}

/* ---- the database ---------------------------------------------------------------------- */

#ifdef HAVE_SQLITE

/* A table that is read. */
struct table_reader {
	struct flux_accounts *accounts;
	const struct database *database;
	const char *table;		/* its name */
	const char *const *columns;	/* that are read: `count` names */
	size_t count;
	/* Adds a row with a value for each column. */
	void (*add)(struct flux_accounts *accounts, const struct value *values);
};

/* Returns the SQL term to select for a column: its name; NULL if the table lacks it. */
static const char *term_of(const struct table_reader *reader, const char *column)
{
	if (!strcmp(column, flux_bank_columns[FLUX_BANK_ACTIVE]))
		return database_active(reader->database, reader->table);
	return database_has_column(reader->database, reader->table, column) ? column : "NULL";
}

/* Returns the value of a column. A text is valid until the statement's next step. */
static struct value value_of(sqlite3_stmt *statement, int column)
{
	switch (sqlite3_column_type(statement, column)) {
	case SQLITE_INTEGER:
		return value_of_integer(sqlite3_column_int64(statement, column));
	case SQLITE_FLOAT:
		return value_of_real(sqlite3_column_double(statement, column), 0);
	case SQLITE_TEXT:
		return value_of_text(need_made((char *)sqlite3_column_text(statement, column)));
	default:
		return value_none();
	}
}

/* Adds the present row of the statement. */
static void read_row(void *context, sqlite3_stmt *statement)
{
	const struct table_reader *reader = context;
	struct value values[FLUX_BANK_COLUMNS + FLUX_USER_COLUMNS];	/* enough for either */

	for (size_t i = 0; i < reader->count; i++)
		values[i] = value_of(statement, (int)i);
	reader->add(reader->accounts, values);
}

/* Reads all rows of a table, in the order in which they were added. */
static void read_table(struct table_reader reader)
{
	static const char *const required[] = { "bank", "shares", NULL };
	const char *term[FLUX_BANK_COLUMNS + FLUX_USER_COLUMNS];

	database_check_table(reader.database, reader.table, required);
	for (size_t i = 0; i < reader.count; i++)
		term[i] = term_of(&reader, reader.columns[i]);
	database_each_row(reader.database, reader.table, need_print(
		"SELECT %s FROM %s ORDER BY rowid", need_join(term, reader.count, ", "),
		reader.table), read_row, &reader);
}

struct flux_accounts flux_accounts_read(struct document *input)
{
	struct flux_accounts accounts = { 0 };
	struct database database = database_open(input);

	read_table((struct table_reader){ &accounts, &database, BANKS, flux_bank_columns,
					  FLUX_BANK_COLUMNS, flux_accounts_add_bank });
	read_table((struct table_reader){ &accounts, &database, ASSOCIATIONS, flux_user_columns,
					  FLUX_USER_COLUMNS, flux_accounts_add_user });
	flux_accounts_link(&accounts, input);
	return accounts;
}
#else
struct flux_accounts flux_accounts_read(struct document *input)
{
	wrong_at(input, 0, FLUX_WITHOUT_SQLITE);
}
#endif
