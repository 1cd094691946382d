/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the tree as "flux shares" of early releases of flux-accounting does: only what is active,
 * siblings by name, numbers with six digits.
 */
#include "cli/views.h"

#include "cli/view/flux_rows.h"
#include "cli/view/python_format.h"
#include "cli/complain.h"
#include "cli/tree_comparison.h"
#include "memory/need_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 5
#define NUMBER_SIZE 32

struct shares_options {
	const char *separator;	/* NULL: columns are aligned */
	const char *ignored;
};

static const struct option_row option_rows[] = {
	{ 'P', "parsable", "TEXT", "this text between columns, such as ,", option_text,
	  offsetof(struct shares_options, separator), 0 },
	{ 'p', "path", "FILE", "has no effect: --from names the database", option_text,
	  offsetof(struct shares_options, ignored), 0 },
	VIEW_OPTIONS,
	{ 'h', "usage", NULL, NULL, option_help, 0, 0 },
};

static const struct option_table option_table = {
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view flux-shares -- [OPTION]...\n"
		 "Show banks and associations as \"flux shares\" of early releases does.\n\n",
};

static const char *const headings[COLUMNS] = {
	"Account", "Username", "RawShares", "RawUsage", "Fairshare",
};

/* ---- lines ------------------------------------------------------------------------------ */

static const char *number(const struct flux_value *value, char *text)
{
	if (value->kind != FLUX_INTEGER && value->kind != FLUX_REAL)
		return python_str(value, text);
	snprintf(text, NUMBER_SIZE, value->kind == FLUX_INTEGER ? "%.0f" : "%g",
		 flux_number_of(value));
	return text;
}

static void print_bank(const char *separator, const struct flux_value *value, int indent)
{
	char text[2][NUMBER_SIZE];
	const char *const cells[] = { flux_text_of(&value[FLUX_BANK]), "",
				      number(&value[FLUX_BANK_SHARES], text[0]),
				      number(&value[FLUX_BANK_USAGE], text[1]) };

	flux_rows_print_line(separator, indent, 0, cells, COLUMNS - 1);
}

static void print_user(const char *separator, const struct flux_value *value, int indent)
{
	char text[3][NUMBER_SIZE];
	const char *const cells[COLUMNS] = {
		flux_text_of(&value[FLUX_USER_BANK]), flux_text_of(&value[FLUX_USER]),
		number(&value[FLUX_USER_SHARES], text[0]),
		number(&value[FLUX_USER_USAGE], text[1]),
		number(&value[FLUX_FAIRSHARE], text[2]),
	};

	flux_rows_print_line(separator, indent, 0, cells, COLUMNS);
}

/* ---- siblings by name ---------------------------------------------------------------------- */

/* A bank or association in a list that is sorted by name. */
struct sibling {
	const char *name;
	size_t at;
};

static int compare(const void *a, const void *b)
{
	const struct sibling *one = a, *other = b;

	return strcmp(one->name, other->name);
}

static bool is_active(const struct flux_value *value)
{
	return flux_number_of(value) != 0;
}

/* Lists the active associations of a bank in list[], sorted by name. Returns their number. */
static size_t list_users(const struct flux_accounts *accounts, size_t bank, struct sibling *list)
{
	const struct flux_user *user = accounts->user;
	size_t count = 0;

	for (size_t i = accounts->bank[bank].first_user; i != FLUX_NONE; i = user[i].next)
		if (is_active(&user[i].value[FLUX_USER_ACTIVE]))
			list[count++] = (struct sibling){ flux_text_of(&user[i].value[FLUX_USER]),
							  i };
	qsort(list, count, sizeof(*list), compare);
	return count;
}

/* Does the same with the banks below it. */
static size_t list_banks(const struct flux_accounts *accounts, size_t at, struct sibling *list)
{
	const struct flux_bank *bank = accounts->bank;
	size_t count = 0;

	for (size_t i = bank[at].first_bank; i != FLUX_NONE; i = bank[i].next)
		if (is_active(&bank[i].value[FLUX_BANK_ACTIVE]))
			list[count++] = (struct sibling){ flux_text_of(&bank[i].value[FLUX_BANK]),
							  i };
	qsort(list, count, sizeof(*list), compare);
	return count;
}

/* Prints a bank and all below it. list: room for all siblings on the path. */
static void print_below(const struct shares_options *options, const struct flux_accounts *accounts,
			size_t bank, int indent, struct sibling *list)
{
	size_t first = flux_accounts_find(
		accounts, flux_text_of(&accounts->bank[bank].value[FLUX_BANK]));
	size_t count = list_users(accounts, first, list);

	print_bank(options->separator, accounts->bank[bank].value, indent);
	for (size_t i = 0; i < count; i++)
		print_user(options->separator, accounts->user[list[i].at].value, indent + 1);
	count = list_banks(accounts, first, list);
	for (size_t i = 0; i < count; i++)
		print_below(options, accounts, list[i].at, indent + 1, list + count);
}

static void print(const void *given, const struct flux_accounts *accounts, const char *source)
{
	const struct shares_options *options = given;
	size_t root = flux_accounts_root(accounts), count;

	if (root == FLUX_NONE)
		refuse("%s: has no root bank", source);
	count = accounts->bank_count + accounts->user_count;
	flux_rows_print_line(options->separator, 0, 0, headings, COLUMNS);
	print_below(options, accounts, root, 0, need_zeros(count, sizeof(struct sibling)));
}

const struct view view_flux_shares = {
	.tool = "flux-shares",
	.policy = "flux",
	.options = &option_table,
	.size = sizeof(struct shares_options),
	.print_accounts = print,
};
