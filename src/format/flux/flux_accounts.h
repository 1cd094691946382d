/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Banks and associations as rows of flux-accounting's tables bank_table and association_table, with
 * each value as it is stored. Inactive rows are included; the order is that of the tables.
 *
 *	accounts = flux_accounts_read(input);	from a database; or
 *	flux_accounts_add_bank(), flux_accounts_add_user() for each row, flux_accounts_link()
 */
#pragma once

#include "core/name_index.h"
#include "format/format.h"
#include "relation/value.h"

#define FLUX_NONE NAME_INDEX_NONE	/* as an index: no bank, or no association */

/* Columns of bank_table. */
enum flux_bank_column { FLUX_BANK_ID, FLUX_BANK, FLUX_BANK_ACTIVE, FLUX_PARENT_BANK,
			FLUX_BANK_SHARES, FLUX_BANK_USAGE, FLUX_BANK_PRIORITY,
			FLUX_IGNORE_OLDER_THAN, FLUX_BANK_COLUMNS };
/* Columns of association_table. */
enum flux_user_column { FLUX_USER, FLUX_USER_ACTIVE, FLUX_DEFAULT_BANK, FLUX_USER_SHARES,
			FLUX_USER_USAGE, FLUX_FAIRSHARE, FLUX_USER_BANK, FLUX_USER_COLUMNS };

/* A row of bank_table. A value whose column the table lacks is VALUE_NONE. */
struct flux_bank {
	struct value value[FLUX_BANK_COLUMNS];
	/* Indices, or FLUX_NONE; set by flux_accounts_link(). The banks and the associations
	 * directly below this one are linked lists. If several banks have the same name, only the
	 * first of them has the lists. */
	size_t first_bank, first_user;
	size_t next;		/* the next bank below the same parent */
};

/* A row of association_table. A value whose column the table lacks is VALUE_NONE. */
struct flux_user {
	struct value value[FLUX_USER_COLUMNS];
	size_t next;		/* index of the next association in the same bank, or FLUX_NONE */
};

/* Start with all members 0. */
struct flux_accounts {
	struct flux_bank *bank;
	size_t bank_count;
	struct flux_user *user;
	size_t user_count;
	struct name_index *names;	/* from a name to the index of the first bank that has it;
					 * set by flux_accounts_link() */
	bool has_unprintable;		/* a text has a byte that cannot be printed */
};

/* The names of the tables' columns, by enum flux_bank_column and enum flux_user_column, up to
 * NULL. */
extern const char *const flux_bank_columns[], *const flux_user_columns[];

/* Reads both tables of a database, and links their rows. Fails, see wrong_at(), if the database is
 * wrong, and as flux_accounts_link() does. */
struct flux_accounts flux_accounts_read(struct document *input);
/* Adds a row of bank_table; texts are copied. values: FLUX_BANK_COLUMNS of them. */
void flux_accounts_add_bank(struct flux_accounts *accounts, const struct value *values);
/* Adds a row of association_table; texts are copied. values: FLUX_USER_COLUMNS of them. */
void flux_accounts_add_user(struct flux_accounts *accounts, const struct value *values);
/* Makes the lists of what is below each bank. Called once, when all rows are added. If no bank has
 * a usage, banks get the sum of the usage of the active associations below them. Fails, see
 * wrong_at(), if a bank is below itself, or a text has a byte that cannot be printed. input: for
 * the message; NULL: the rows come from no file. */
void flux_accounts_link(struct flux_accounts *accounts, struct document *input);
/* Returns the index of the first bank of this name, or FLUX_NONE. */
size_t flux_accounts_find(const struct flux_accounts *accounts, const char *name);
/* Returns the index of the first active bank without a parent, or FLUX_NONE. */
size_t flux_accounts_root(const struct flux_accounts *accounts);

/* Returns the text of a value; "" if it is no text. */
const char *flux_text_of(const struct value *value);
/* Returns the number of a value; 0 if it is no number. */
double flux_number_of(const struct value *value);
