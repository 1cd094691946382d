/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tree in the database of flux-accounting: banks from bank_table, associations from
 * association_table. Inactive rows, and all rows below inactive banks, are left out of the tree.
 * Siblings are ordered by name, as in flux-accounting. flux_settings.c and flux_jobs.c read the
 * other tables.
 *
 *	bank	parent_bank	active
 *	root			1	the root
 *	a	root		1	in the tree
 *	b	root		0	left out
 *	c	b		1	left out, with its associations
 */
#include "config.h"

#include "format/flux/flux.h"
#include "format/tree_builder.h"

#include <string.h>

#ifdef HAVE_SQLITE
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>

#define BANKS "bank_table"
#define ASSOCIATIONS "association_table"

/* Whether a bank is in the tree. */
enum bank_state {
	UNKNOWN,
	VISITED,	/* find_state() is climbing from it to the root */
	INSIDE,
	OUTSIDE
};

/* A row of bank_table. */
struct bank {
	int64_t row;		/* its rowid, for messages */
	struct piece name;
	struct piece parent_name;	/* empty for the root */
	size_t parent;		/* index in reader.bank of the parent, which only active banks have,
				 * except the root; otherwise 0 */
	uint32_t shares;	/* of active banks; otherwise 0 */
	bool is_active;
	bool has_banks;		/* a bank of the tree has it as its parent */
	enum bank_state state;
};

/* A file while it is read. */
struct reader {
	struct database database;
	struct bank *bank;	/* all rows of bank_table, sorted by name */
	size_t count;
	struct name_index *banks;	/* from names to indices of `bank`; see add_bank_name() */
	size_t root;		/* index of the root bank; NAME_INDEX_NONE: not found yet */
	struct tree_builder builder;
	struct snapshot *snapshot;
};

/* Fails with a message about a row of a table. */
#define WRONG_ROW(reader, table, number, format, ...)                                  \
	wrong_at((reader)->database.input, 0, "%s, row %" PRId64 ": " format, table, number, \
		 ##__VA_ARGS__)

/* ---- the schema ------------------------------------------------------------------- */

/* Returns the SQL term for the default bank of a user who is in several banks; it is NULL for other
 * users, and if the user is not active in that bank. active: the condition for an active row. */
static const char *default_bank_term(const struct reader *reader, const char *active)
{
	if (!database_has_column(&reader->database, ASSOCIATIONS, "default_bank"))
		return "NULL";
	return need_print("CASE WHEN username IN (SELECT username FROM " ASSOCIATIONS " WHERE %s "
			  "GROUP BY username HAVING count(*) > 1) AND (username, default_bank) IN "
			  "(SELECT username, bank FROM " ASSOCIATIONS " WHERE %s) "
			  "THEN default_bank END", active, active);
}

/* ---- values ------------------------------------------------------------------------ */

/* Returns a name, which is valid until the statement's next step. Fails, see wrong_at(), if it is
 * no text, or empty. */
static struct piece read_name(struct reader *reader, const char *table, sqlite3_stmt *statement,
			      int column)
{
	bool is_text = sqlite3_column_type(statement, column) == SQLITE_TEXT;
	struct piece name = database_text(statement, column);

	if (!is_text || !name.length)
		database_wrong_value(&reader->database, table, statement, column,
				     is_text ? "must be a name" : "must be text");
	return name;
}

/* Returns shares. Fails, see wrong_at(), if they are no integer in the range of shares. */
static uint32_t read_shares(struct reader *reader, const char *table, sqlite3_stmt *statement,
			    int column)
{
	int type = sqlite3_column_type(statement, column);	/* before a conversion changes it */
	int64_t value = sqlite3_column_int64(statement, column);

	if (type != SQLITE_INTEGER || value < 0 || value >= FATHOM_SHARES_PARENT)
		database_wrong_value(&reader->database, table, statement, column, SHARES_RIGHT);
	return (uint32_t)value;
}

/* Returns usage. Fails, see wrong_at(), if it is no number of 0 or more. */
static double read_usage(struct reader *reader, const char *table, sqlite3_stmt *statement,
			 int column)
{
	int type = sqlite3_column_type(statement, column);
	bool is_number = type == SQLITE_FLOAT || type == SQLITE_INTEGER;
	double usage = sqlite3_column_double(statement, column);

	if (!is_number || !(usage >= 0) || !isfinite(usage))
		database_wrong_value(&reader->database, table, statement, column, AMOUNT_RIGHT);
	return usage;
}

/* Adds a node to the tree. table, number: of the row that it comes from, for messages. */
static void add(struct reader *reader, const char *table, int64_t number,
		const struct fathom_row *row, struct piece name)
{
	if (!piece_is_printable(name))
		WRONG_ROW(reader, table, number,
			  "a name has a byte that is not a printable UTF-8 character");
	tree_builder_add(&reader->builder, reader->database.input, 0, row, name,
			 (struct piece){ NULL, 0 });
}

/* ---- banks ------------------------------------------------------------------------ */

/* Columns of bank_sql. */
enum { BANK_ROW, BANK_NAME, BANK_PARENT, BANK_SHARES, BANK_ACTIVE };

/* The columns that bank_table must have. */
static const char *const bank_columns[] = { "bank", "parent_bank", "shares", NULL };
static const char bank_sql[] = "SELECT rowid, bank, parent_bank, shares, %s FROM " BANKS
			       " ORDER BY bank COLLATE BINARY, rowid";

/* Returns a copy of a piece of a row, which is valid as long as the command runs. */
static struct piece copy(struct piece from)
{
	return (struct piece){ need_copy(from), from.length };
}

/* Enters a bank's name into the index. Of banks with the same name, the index has the active one,
 * else the first. Fails, see wrong_at(), if two of them are active. */
static void add_bank_name(struct reader *reader, const struct bank *bank)
{
	size_t other = name_index_get(reader->banks, bank->name);

	if (other != NAME_INDEX_NONE && !bank->is_active)
		return;
	if (other != NAME_INDEX_NONE && reader->bank[other].is_active)
		WRONG_ROW(reader, BANKS, bank->row, "bank '%.64s' is in row %" PRId64 ", too; only "
			  "one may be active", bank->name.at, reader->bank[other].row);
	need_put(reader->banks, bank->name, (size_t)(bank - reader->bank));
}

/* Reads a row of bank_sql. */
static void read_bank(void *context, sqlite3_stmt *statement)
{
	struct reader *reader = context;
	struct piece name = read_name(reader, BANKS, statement, BANK_NAME);
	struct bank *bank = need_append(&reader->bank, &reader->count, sizeof(*bank));

	*bank = (struct bank){ .row = sqlite3_column_int64(statement, BANK_ROW),
			       .name = copy(name),
			       .parent_name = copy(database_text(statement, BANK_PARENT)),
			       .is_active = sqlite3_column_int(statement, BANK_ACTIVE) };
	if (bank->is_active)
		bank->shares = read_shares(reader, BANKS, statement, BANK_SHARES);
	add_bank_name(reader, bank);
}

/* ---- which banks are in the tree --------------------------------------------------- */

/* Finds the parent of an active bank, and sets the state of inactive banks and of the root, an
 * active bank without a parent. Fails, see wrong_at(), at a second root, or if no bank has the name
 * of the parent. */
static void link_bank(struct reader *reader, size_t index)
{
	struct bank *bank = &reader->bank[index];
	const struct bank *root = reader->root == NAME_INDEX_NONE ? NULL
								  : &reader->bank[reader->root];

	if (!bank->is_active) {
		bank->state = OUTSIDE;
	} else if (!bank->parent_name.length) {
		if (root)
			WRONG_ROW(reader, BANKS, bank->row, "bank '%.64s' has no parent_bank, and "
				  "neither has '%.64s' of row %" PRId64 "; only the root must have "
				  "none", bank->name.at, root->name.at, root->row);
		bank->state = INSIDE;
		reader->root = index;
	} else {
		bank->parent = name_index_get(reader->banks, bank->parent_name);
		if (bank->parent == NAME_INDEX_NONE)
			WRONG_ROW(reader, BANKS, bank->row, "parent_bank of '%.64s' is '%.64s', "
				  "must be a bank", bank->name.at, bank->parent_name.at);
	}
}

/* Finds out whether a bank is in the tree: climbs to the first bank whose state is known, and sets
 * this state for all banks on the way. Fails, see wrong_at(), if it meets a bank twice. */
static void find_state(struct reader *reader, size_t index)
{
	struct bank *bank = reader->bank;
	size_t top = index;

	for (; bank[top].state == UNKNOWN; top = bank[top].parent)
		bank[top].state = VISITED;
	if (bank[top].state == VISITED)
		WRONG_ROW(reader, BANKS, bank[top].row, "bank '%.64s' is below itself, must be "
			  "below the root", bank[top].name.at);
	for (; bank[index].state == VISITED; index = bank[index].parent) {
		bank[index].state = bank[top].state;
		bank[bank[index].parent].has_banks |= bank[index].state == INSIDE;
	}
}

/* Finds the root, and which banks are in the tree, and adds these. The id of a bank is its
 * index + 1. */
static void add_banks(struct reader *reader)
{
	reader->root = NAME_INDEX_NONE;
	for (size_t i = 0; i < reader->count; i++)
		link_bank(reader, i);
	if (reader->root == NAME_INDEX_NONE)
		wrong_at(reader->database.input, 0, BANKS " has no active bank without "
			 "parent_bank, must have one, the root");
	for (size_t i = 0; i < reader->count; i++)
		find_state(reader, i);
	for (size_t i = 0; i < reader->count; i++) {
		const struct bank *bank = &reader->bank[i];
		struct fathom_row row = {
			.id = (int64_t)i + 1, .parent_id = (int64_t)bank->parent + 1,
			.is_root = i == reader->root, .kind = FATHOM_ACCOUNT,
			.raw_shares = bank->shares,
		};

		if (bank->state == INSIDE)
			add(reader, BANKS, bank->row, &row, bank->name);
	}
}

/* ---- associations ------------------------------------------------------------------ */

/* Columns of user_sql. */
enum { USER_ROW, USER_NAME, USER_BANK, USER_SHARES, USER_USAGE, USER_ACTIVE, USER_DEFAULT };

/* The columns that association_table must have. */
static const char *const user_columns[] = { "username", "bank", "shares", "job_usage", NULL };
static const char user_sql[] = "SELECT rowid, username, bank, shares, job_usage, %s, %s"
			       " FROM " ASSOCIATIONS
			       " ORDER BY bank COLLATE BINARY, username COLLATE BINARY, rowid";

/* Returns whether the row that was added last is this user in this bank. Rows are sorted by bank
 * and user, so that the same association would be added twice in a row. */
static bool is_last_row(const struct tree_builder *builder, int64_t parent_id, struct piece name)
{
	size_t last = builder->count - 1;

	return builder->row[last].kind == FATHOM_USER &&
	       builder->row[last].parent_id == parent_id &&
	       piece_is(name, builder->text + builder->name[last]);
}

/* Adds an association to the tree. number: of its row in the table, for messages. row: has shares
 * and usage; the rest is filled in. Fails, see wrong_at(), if the bank has banks below it, or has
 * the user already. */
static void add_user(struct reader *reader, int64_t number, const struct bank *bank,
		     struct piece name, struct fathom_row *row)
{
	/* the ids of banks end at reader->count */
	row->id = (int64_t)(reader->count + reader->builder.count) + 1;
	row->parent_id = bank - reader->bank + 1;
	row->kind = FATHOM_USER;
	if (bank->has_banks)
		WRONG_ROW(reader, ASSOCIATIONS, number, "the bank of '%.64s' is '%.64s', must be a "
			  "bank without banks below it", name.at, bank->name.at);
	if (is_last_row(&reader->builder, row->parent_id, name))
		WRONG_ROW(reader, ASSOCIATIONS, number, "'%.64s' is already in bank '%.64s'",
			  name.at, bank->name.at);
	add(reader, ASSOCIATIONS, number, row, name);
}

/* Reads a row of user_sql. Leaves out an association if it, or a bank above it, is not active. */
static void read_user(void *context, sqlite3_stmt *statement)
{
	struct reader *reader = context;
	int64_t number = sqlite3_column_int64(statement, USER_ROW);
	struct fathom_row row = { 0 };
	struct piece name, bank;
	size_t found;

	if (!sqlite3_column_int(statement, USER_ACTIVE))
		return;
	name = read_name(reader, ASSOCIATIONS, statement, USER_NAME);
	bank = read_name(reader, ASSOCIATIONS, statement, USER_BANK);
	found = name_index_get(reader->banks, bank);
	if (found == NAME_INDEX_NONE)
		WRONG_ROW(reader, ASSOCIATIONS, number, "the bank of '%.64s' is '%.64s', must be "
			  "one of " BANKS, name.at, bank.at);
	if (reader->bank[found].state == OUTSIDE)
		return;
	row.raw_shares = read_shares(reader, ASSOCIATIONS, statement, USER_SHARES);
	row.usage = read_usage(reader, ASSOCIATIONS, statement, USER_USAGE);
	add_user(reader, number, &reader->bank[found], name, &row);
	bank = database_text(statement, USER_DEFAULT);
	found = bank.length ? name_index_get(reader->banks, bank) : NAME_INDEX_NONE;
	if (found != NAME_INDEX_NONE && reader->bank[found].state != OUTSIDE)
		tree_builder_set_default_account(&reader->builder, reader->builder.count - 1,
						 bank);
}

/* ---- the tree ------------------------------------------------------------------------- */

/* Makes the tree; for document_try(). */
static void finish(void *context)
{
	struct reader *reader = context;

	tree_builder_finish(&reader->builder, reader->database.input, PARTITIONS_KNOWN,
			    reader->snapshot);
}

static void flux_db_read(struct document *input, struct snapshot *snapshot)
{
	struct reader reader = { .database = database_open(input), .banks = need_index(),
				 .snapshot = snapshot };
	const struct database *database = &reader.database;
	struct failure failure;
	const char *active;

	database_check_table(database, BANKS, bank_columns);
	active = database_active(database, BANKS);
	database_each_row(database, BANKS, need_print(bank_sql, active), read_bank, &reader);
	add_banks(&reader);
	database_check_table(database, ASSOCIATIONS, user_columns);
	active = database_active(database, ASSOCIATIONS);
	database_each_row(database, ASSOCIATIONS,
			  need_print(user_sql, active, default_bank_term(&reader, active)),
			  read_user, &reader);
	/* the builder's error has no line, so that the message needs the table */
	if (document_try(finish, &reader, &failure))
		wrong_at(input, 0, ASSOCIATIONS ": %s", failure.error.text);
}
#else
static void flux_db_read(struct document *input, struct snapshot *snapshot)
{
	(void)snapshot;
	wrong_at(input, 0, FLUX_WITHOUT_SQLITE);
}
#endif

static bool flux_db_recognize(const struct document *input)
{
	static const char magic[] = "SQLite format 3";	/* and its NUL */

	return input->length >= sizeof(magic) && !memcmp(input->text, magic, sizeof(magic));
}

const struct format format_flux_db = {
	.name = "flux-db",
	.summary = "flux-accounting's database, of release 0.8 or later",
	.holds = HOLDS_TREE | HOLDS_USAGE | HOLDS_JOBS | HOLDS_SETTINGS,
	.by_name = true,
	.recognize = flux_db_recognize,
	.read = flux_db_read,
	.read_settings = flux_settings_read,
	.read_accounting = flux_jobs_read,
	.has_jobs_alone = flux_jobs_alone,
};
