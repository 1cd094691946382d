/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes rows of an evaluated tree, and prints rows as a tree:
 *
 *	Bank                            Username              Active ...
 *	root                                                    true
 *	 physics                                                true
 *	  physics                            ada                true
 */
#include "cli/view/flux_rows.h"

#include "cli/print_text.h"
#include "cli/view/python_format.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 20	/* characters of each column of a tree */

/* Returns the shares of a node, as a number or "parent". */
static struct value shares_of(const struct fathom_tree *tree, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	return shares == FATHOM_SHARES_PARENT ? value_of_text("parent") : value_of_integer(shares);
}

/* Adds the row of an account. */
static void add_bank(struct flux_accounts *accounts, const struct evaluated_tree *evaluated,
		     size_t node)
{
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	const char *parent =
		node ? snapshot_name(evaluated->snapshot, fathom_tree_parent(tree, node)) : "";
	const struct value values[FLUX_BANK_COLUMNS] = {
		[FLUX_BANK_ID] = value_of_integer(fathom_tree_id(tree, node)),
		[FLUX_BANK] = value_of_text(snapshot_name(evaluated->snapshot, node)),
		[FLUX_BANK_ACTIVE] = value_of_integer(1),
		[FLUX_PARENT_BANK] = value_of_text(parent),
		[FLUX_BANK_SHARES] = shares_of(tree, node),
		[FLUX_BANK_USAGE] = value_of_real(evaluated->columns.usage[node], 0),
	};

	flux_accounts_add_bank(accounts, values);
}

/* Adds the row of a user. */
static void add_user(struct flux_accounts *accounts, const struct evaluated_tree *evaluated,
		     size_t node)
{
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	double factor = evaluated->columns.factor[node];
	struct value values[FLUX_USER_COLUMNS] = {
		[FLUX_USER] = value_of_text(snapshot_name(evaluated->snapshot, node)),
		[FLUX_USER_ACTIVE] = value_of_integer(1),
		[FLUX_USER_SHARES] = shares_of(tree, node),
		[FLUX_USER_USAGE] = value_of_real(evaluated->columns.usage[node], 0),
		[FLUX_USER_BANK] = value_of_text(snapshot_account(evaluated->snapshot, node)),
	};

	if (!isnan(factor))
		values[FLUX_FAIRSHARE] = value_of_real(python_round(factor, FAIRSHARE_DECIMALS), 0);
	flux_accounts_add_user(accounts, values);
}

struct flux_accounts flux_rows_of_tree(const struct evaluated_tree *evaluated, const char *source)
{
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	struct document document = { .name = source };
	struct flux_accounts accounts = { 0 };

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			add_user(&accounts, evaluated, node);
		else
			add_bank(&accounts, evaluated, node);
	flux_accounts_link(&accounts, &document);
	return accounts;
}

/* ---- trees ------------------------------------------------------------------------------- */

#define NO_CELL (-1)

enum cell_kind { CELL_NAME, CELL_SWITCH, CELL_NUMBER };

/* The columns of a tree. */
static const struct tree_column {
	const char *heading;
	const char *early;	/* the heading in early releases; NULL: they lack the column */
	enum cell_kind kind;
	int of_bank;		/* enum flux_bank_column, or NO_CELL */
	int of_user;		/* enum flux_user_column, or NO_CELL */
} tree_columns[] = {
	{ "Bank", "Account", CELL_NAME, FLUX_BANK, FLUX_USER_BANK },
	{ "Username", "Username", CELL_NAME, NO_CELL, FLUX_USER },
	{ "Active", NULL, CELL_SWITCH, FLUX_BANK_ACTIVE, FLUX_USER_ACTIVE },
	{ "RawShares", "RawShares", CELL_NUMBER, FLUX_BANK_SHARES, FLUX_USER_SHARES },
	{ "RawUsage", "RawUsage", CELL_NUMBER, FLUX_BANK_USAGE, FLUX_USER_USAGE },
	{ "Fairshare", "Fairshare", CELL_NUMBER, NO_CELL, FLUX_FAIRSHARE },
};

#define TREE_COLUMNS (sizeof(tree_columns) / sizeof(*tree_columns))

/* What a line is of. */
enum line { HEADINGS, BANK, USER };

const char *flux_active_text(const struct value *value)
{
	return value->kind == VALUE_INTEGER && value->integer == 1 ? "true" : "false";
}

/* Returns the text of a cell, in `buffer` of PYTHON_SIZE or elsewhere. */
static const char *cell_text(const struct flux_tree *tree, const struct tree_column *column,
			     const struct value *value, char *buffer)
{
	if (column->kind == CELL_NAME)
		return flux_text_of(value);
	if (column->kind == CELL_SWITCH)
		return flux_active_text(value);
	if (!tree->is_early || (value->kind != VALUE_INTEGER && value->kind != VALUE_REAL))
		return python_str(value, buffer);
	snprintf(buffer, PYTHON_SIZE, value->kind == VALUE_INTEGER ? "%.0f" : "%g",
		 flux_number_of(value));
	return buffer;
}

/* Prints the cell of column i: behind a separator, or in columns of one width. The first column, or
 * in later releases the second, is narrower by the indentation of the line. */
static void put_cell(const struct flux_tree *tree, size_t i, int indent, const char *text)
{
	size_t narrowed = tree->is_early ? 0 : 1;
	int width = i != narrowed ? WIDTH : indent < WIDTH ? WIDTH - indent : 0;

	if (tree->separator)
		print_behind(i ? tree->separator : "", text);
	else
		python_pad(text, i ? width : -width);
}

/* Prints a line. value: the values of a row; NULL for HEADINGS. The line of a bank ends before the
 * column Fairshare. */
static void print_line(const struct flux_tree *tree, enum line line, const struct value *value,
		       int indent)
{
	size_t count = TREE_COLUMNS - (line == BANK);
	char buffer[PYTHON_SIZE];

	printf("%*s", indent, "");
	for (size_t i = 0; i < count; i++) {
		const struct tree_column *column = &tree_columns[i];
		int number = line == BANK ? column->of_bank : column->of_user;

		if (tree->is_early && !column->early)
			continue;
		if (line == HEADINGS)
			put_cell(tree, i, indent, tree->is_early ? column->early : column->heading);
		else
			put_cell(tree, i, indent,
				 number == NO_CELL ? "" : cell_text(tree, column, &value[number],
								    buffer));
	}
	putchar('\n');
}

/* Prints the line of a bank. The usage of the bank at the top has at most two decimals, as in
 * view-bank. */
static void print_bank(const struct flux_tree *tree, size_t bank, int indent)
{
	struct value value[FLUX_BANK_COLUMNS];
	struct value *usage = &value[FLUX_BANK_USAGE];

	memcpy(value, tree->accounts->bank[bank].value, sizeof(value));
	if (bank == tree->bank && usage->kind == VALUE_REAL && !tree->is_early)
		usage->real = python_round(usage->real, 2);
	print_line(tree, BANK, value, indent);
}

bool flux_tree_shows(const struct flux_tree *tree, const struct flux_user *user)
{
	double active = flux_number_of(&user->value[FLUX_USER_ACTIVE]);

	if (tree->is_early)
		return active != 0;
	return (!tree->concise || flux_number_of(&user->value[FLUX_USER_USAGE]) > 0) &&
	       (!tree->active || active == 1);
}

/* A bank or association below a bank. */
struct sibling {
	const char *name;
	size_t index;		/* in the accounts' bank[] or user[] */
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct sibling *)a)->name, ((const struct sibling *)b)->name);
}

/* Lists the associations of a bank that are shown: in the order of the table, or if is_early by
 * name. Returns how many. bank: the one that has the list, see struct flux_bank. */
static size_t list_users(const struct flux_tree *tree, size_t bank, struct sibling *list)
{
	const struct flux_user *user = tree->accounts->user;
	size_t count = 0;

	for (size_t i = tree->accounts->bank[bank].first_user; i != FLUX_NONE; i = user[i].next)
		if (flux_tree_shows(tree, &user[i]))
			list[count++] = (struct sibling){ flux_text_of(&user[i].value[FLUX_USER]),
							  i };
	if (tree->is_early)
		qsort(list, count, sizeof(*list), compare_names);
	return count;
}

/* Lists the banks below a bank: in the order of the table, or if is_early the active ones by name.
 * Returns how many. parent: the bank that has the list, see struct flux_bank. */
static size_t list_banks(const struct flux_tree *tree, size_t parent, struct sibling *list)
{
	const struct flux_bank *bank = tree->accounts->bank;
	size_t count = 0;

	for (size_t i = bank[parent].first_bank; i != FLUX_NONE; i = bank[i].next)
		if (!tree->is_early || flux_number_of(&bank[i].value[FLUX_BANK_ACTIVE]) != 0)
			list[count++] = (struct sibling){ flux_text_of(&bank[i].value[FLUX_BANK]),
							  i };
	if (tree->is_early)
		qsort(list, count, sizeof(*list), compare_names);
	return count;
}

/* Prints a bank and all below it. In flux-accounting it holds either banks or associations; in
 * other trees it may hold both. list: room for the siblings on all levels from here down. */
static void print_from(const struct flux_tree *tree, size_t bank, int indent, struct sibling *list)
{
	const struct flux_accounts *accounts = tree->accounts;
	const char *name = flux_text_of(&accounts->bank[bank].value[FLUX_BANK]);
	/* of several banks of one name, the first has all that is below */
	size_t first = flux_accounts_find(accounts, name), count = list_users(tree, first, list);

	print_bank(tree, bank, indent);
	for (size_t i = 0; i < count; i++)
		print_line(tree, USER, accounts->user[list[i].index].value, indent + 1);
	count = list_banks(tree, first, list);
	for (size_t i = 0; i < count; i++)
		print_from(tree, list[i].index, indent + 1, list + count);
}

void flux_tree_print(const struct flux_tree *tree)
{
	size_t count = tree->accounts->bank_count + tree->accounts->user_count;

	print_line(tree, HEADINGS, NULL, 0);
	print_from(tree, tree->bank, 0, need_zeros(count, sizeof(struct sibling)));
}
