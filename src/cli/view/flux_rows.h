/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of flux-accounting's tables that are made of an evaluated tree, and printing of such rows as
 * a tree. */
#pragma once

#include "evaluate/evaluated_tree.h"
#include "format/flux/flux_accounts.h"

#define FAIRSHARE_DECIMALS 6	/* with which flux-accounting stores fair-share factors */

/* Makes rows of an evaluated tree: a bank of each account, an association of each user. Columns
 * that the tree does not have get no value. source: the name of the file or cluster, for errors. */
struct flux_accounts flux_rows_of_tree(const struct evaluated_tree *tree, const char *source);

/* A tree of banks and associations, as "flux account view-bank" or "flux shares" prints it. */
struct flux_tree {
	const struct flux_accounts *accounts;
	size_t bank;		/* the index of the bank at the top */
	const char *separator;	/* between cells; NULL: they are aligned in columns */
	bool is_early;		/* as "flux shares" of early releases: only what is active, siblings
				 * by name, numbers with six digits */
	bool concise;		/* only associations that have used something; unless is_early */
	bool active;		/* only active associations; unless is_early */
};

/* Prints headings, the bank at the top, and all below it. */
void flux_tree_print(const struct flux_tree *tree);
/* Returns whether an association is shown. */
bool flux_tree_shows(const struct flux_tree *tree, const struct flux_user *user);
/* Returns what is printed for a value of a column "active": "true" or "false". */
const char *flux_active_text(const struct value *value);
