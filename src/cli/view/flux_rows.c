/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view/flux_rows.h"

#include "cli/view/python_format.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 20	/* of the columns of a tree */
#define FAIRSHARE_DECIMALS 6	/* with which flux-accounting stores fair-share factors */

static struct flux_value shares_of(const struct fathom_tree *tree, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	return shares == FATHOM_SHARES_PARENT ? flux_text("parent") : flux_integer(shares);
}

static void add_bank(struct flux_accounts *accounts, const struct evaluated_tree *evaluated,
		     size_t node)
{
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	const char *parent =
		node ? snapshot_name(evaluated->snapshot, fathom_tree_parent(tree, node)) : "";
	const struct flux_value values[FLUX_BANK_COLUMNS] = {
		[FLUX_BANK_ID] = flux_integer(fathom_tree_id(tree, node)),
		[FLUX_BANK] = flux_text(snapshot_name(evaluated->snapshot, node)),
		[FLUX_BANK_ACTIVE] = flux_integer(1),
		[FLUX_PARENT_BANK] = flux_text(parent),
		[FLUX_BANK_SHARES] = shares_of(tree, node),
		[FLUX_BANK_USAGE] = flux_real(evaluated->columns.usage[node]),
	};

	flux_accounts_add_bank(accounts, values);
}

static void add_user(struct flux_accounts *accounts, const struct evaluated_tree *evaluated,
		     size_t node)
{
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	double factor = evaluated->columns.factor[node];
	struct flux_value values[FLUX_USER_COLUMNS] = {
		[FLUX_USER] = flux_text(snapshot_name(evaluated->snapshot, node)),
		[FLUX_USER_ACTIVE] = flux_integer(1),
		[FLUX_USER_SHARES] = shares_of(tree, node),
		[FLUX_USER_USAGE] = flux_real(evaluated->columns.usage[node]),
		[FLUX_USER_BANK] = flux_text(snapshot_account(evaluated->snapshot, node)),
	};

	if (!isnan(factor))
		values[FLUX_FAIRSHARE] = flux_real(python_round(factor, FAIRSHARE_DECIMALS));
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

void flux_rows_print_line(const char *separator, int indent, size_t narrowed,
			  const char *const *cells, size_t count)
{
	printf("%*s", indent, "");
	for (size_t i = 0; i < count; i++) {
		int width = i == narrowed ? WIDTH - indent : WIDTH;

		if (separator)
			python_separated(i, separator, cells[i]);
		else
			(i ? python_rjust : python_ljust)(cells[i], width);
	}
	putchar('\n');
}
