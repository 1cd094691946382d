/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Banks and associations as rows of flux-accounting's tables bank_table and association_table:
 * inactive ones too, in the order of the tables, with each figure as it is stored.
 */
#pragma once

#include "core/name_index.h"
#include "format/format.h"
#include "relation/value.h"

#define FLUX_NONE SIZE_MAX	/* no bank, or no association */

/* Columns of bank_table. */
enum flux_bank_column { FLUX_BANK_ID, FLUX_BANK, FLUX_BANK_ACTIVE, FLUX_PARENT_BANK,
			FLUX_BANK_SHARES, FLUX_BANK_USAGE, FLUX_BANK_PRIORITY,
			FLUX_IGNORE_OLDER_THAN, FLUX_BANK_COLUMNS };
/* Columns of association_table. */
enum flux_user_column { FLUX_USER, FLUX_USER_ACTIVE, FLUX_DEFAULT_BANK, FLUX_USER_SHARES,
			FLUX_USER_USAGE, FLUX_FAIRSHARE, FLUX_USER_BANK, FLUX_USER_COLUMNS };

/* Values are none where the table, or the source of the rows, lacks the column. */
struct flux_bank {
	struct value value[FLUX_BANK_COLUMNS];
	/* of all banks of this name only the first has the lists of what is below: */
	size_t first_bank, last_bank, first_user, last_user;
	size_t next;		/* the next bank below the same one */
};

struct flux_user {
	struct value value[FLUX_USER_COLUMNS];
	size_t next;		/* the next one in the same bank */
};

/* Start with all members 0. */
struct flux_accounts {
	struct flux_bank *bank;
	size_t bank_count;
	struct flux_user *user;
	size_t user_count;
	struct name_index *names;	/* of banks: the first one of the name */
	bool has_unprintable;		/* a text has a character that cannot be printed */
};

/* The names of the tables' columns, and NULL. */
extern const char *const flux_bank_columns[], *const flux_user_columns[];

/* Reads the tables of a database. */
struct flux_accounts flux_accounts_read(struct document *input);
/* Add a row; texts are copied. values: one for each column. */
void flux_accounts_add_bank(struct flux_accounts *accounts, const struct value *values);
void flux_accounts_add_user(struct flux_accounts *accounts, const struct value *values);
/* Finds out what is below which bank when all rows are added, and the usage of banks that have
 * none: that of their active associations. It is wrong if a bank is below itself, or a name has a
 * character that cannot be printed. input: NULL: rows come from no file. */
void flux_accounts_link(struct flux_accounts *accounts, struct document *input);
/* Returns the first bank of this name, or FLUX_NONE. */
size_t flux_accounts_find(const struct flux_accounts *accounts, const char *name);
/* Returns the first active bank without a parent, or FLUX_NONE. */
size_t flux_accounts_root(const struct flux_accounts *accounts);

/* Returns the text of a value; "" if it is none. */
const char *flux_text_of(const struct value *value);
/* Returns the number of a value; 0 if it is none. */
double flux_number_of(const struct value *value);
