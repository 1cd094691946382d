/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the tree as "flux shares" of early releases of flux-accounting does. */
#include "cli/views.h"

#include "cli/view/flux_rows.h"

struct shares_options {
	const char *separator;	/* NULL: columns are aligned */
	const char *ignored;	/* --path */
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
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view flux-shares -- [OPTION]...\n"
		 "Show banks and associations as \"flux shares\" of early releases does.\n\n",
};

/* Prints the whole tree; see print_accounts() of struct view. */
static void print(const void *given, const struct flux_accounts *accounts, const char *source)
{
	const struct shares_options *options = given;
	const struct flux_tree tree = { .accounts = accounts, .bank = flux_accounts_root(accounts),
					.separator = options->separator, .is_early = true };

	if (tree.bank == FLUX_NONE)
		refuse("%s: has no root bank", source);
	flux_tree_print(&tree);
}

const struct view view_flux_shares = {
	.tool = "flux-shares",
	.policy = "flux",
	.options = &option_table,
	.size = sizeof(struct shares_options),
	.print_accounts = print,
};
