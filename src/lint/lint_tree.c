/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the tree: of shares, of usage, and of users. Each check is a function whose row, at the
 * end of the file, tells what it finds and why. */
#include "lint/lint_context.h"

#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdlib.h>
#include <string.h>

#define MUCH_OF_ACCOUNT 0.1 /* part of an account's usage that is that of deleted users */
#define MUCH_OF_LEVEL 10    /* shares: far more than the default of 1 */

/* Returns the tree that is checked. */
static const struct fathom_tree *tree_of(const struct lint *lint)
{
	return lint->site->tree->tree;
}

/* Returns the name of an account or user. */
static const char *name_of(const struct lint *lint, size_t node)
{
	return snapshot_name(lint->site->tree, node);
}

/* ---- shares ------------------------------------------------------------------------- */

static void all_parent(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	size_t count = fathom_tree_count(tree);

	for (size_t node = 1; node < count; node++)
		if (fathom_tree_raw_shares(tree, node) != FATHOM_SHARES_PARENT)
			return;
	if (count > 1)
		lint_in_tree(lint, "Fairshare", "all %zu associations have Fairshare=parent",
			     count - 1);
}

/* Returns whether several children of a node have 0 shares, and all others have shares `parent`. */
static bool children_have_none(const struct fathom_tree *tree, size_t parent)
{
	size_t first = fathom_tree_first_child(tree, parent);
	size_t end = first + fathom_tree_child_count(tree, parent), zero = 0;

	for (size_t node = first; node < end; node++) {
		uint32_t shares = fathom_tree_raw_shares(tree, node);

		if (shares && shares != FATHOM_SHARES_PARENT)
			return false;
		zero += !shares;
	}
	return zero > 1;
}

static void level_without_shares(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	struct some_names names = { .count = 0 };

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_tree_child_count(tree, node) && children_have_none(tree, node))
			some_names_add(&names, name_of(lint, node));
	if (names.count)
		lint_in_tree(lint, "Fairshare", "nobody in account %s has shares",
			     some_names_text(&names));
}

/* Adds the children of a node that have 0 shares; but not the user root, who often has 0. */
static void add_without_shares(const struct lint *lint, size_t parent, struct some_names *names)
{
	const struct fathom_tree *tree = tree_of(lint);
	size_t first = fathom_tree_first_child(tree, parent);

	for (size_t i = 0; i < fathom_tree_child_count(tree, parent); i++)
		if (!fathom_tree_raw_shares(tree, first + i) &&
		    strcmp(name_of(lint, first + i), "root"))
			some_names_add(names, name_of(lint, first + i));
}

/* Passes over levels on which nobody has shares: level_without_shares() reports these. */
static void zero_shares(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	struct some_names names = { .count = 0 };

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_tree_child_count(tree, node) && !children_have_none(tree, node))
			add_without_shares(lint, node, &names);
	if (names.count)
		lint_in_tree(lint, "Fairshare", "0 shares: %s", some_names_text(&names));
}

/* Reports users that are children of the root and have 1 % of all shares or more, unless all of its
 * children are users. sacctmgr gives the user root 1 share beside the accounts. */
static void user_beside_accounts(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	size_t first = fathom_tree_first_child(tree, 0);
	size_t end = first + fathom_tree_child_count(tree, 0);
	struct some_names names = { .count = 0 };
	double part = 0;
	bool has_accounts = false;

	for (size_t node = first; node < end; node++) {
		has_accounts |= fathom_tree_kind(tree, node) != FATHOM_USER;
		if (fathom_tree_kind(tree, node) != FATHOM_USER ||
		    !(fathom_tree_norm_shares(tree, node) >= 0.01) ||
		    fathom_tree_raw_shares(tree, node) == FATHOM_SHARES_PARENT)
			continue;
		some_names_add(&names, name_of(lint, node));
		part += fathom_tree_norm_shares(tree, node);
	}
	if (names.count && has_accounts)
		lint_in_tree(lint, "Fairshare", "user %s stands beside the accounts with %.3g%% of "
			     "all shares", some_names_text(&names), 100 * part);
}

/* Returns by node whether it is a user or has users below it. Goes from the last node to the first,
 * because children come after their parents. */
static bool *find_users(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);
	bool *has = need_zeros(count, sizeof(*has));

	for (size_t node = count; node-- > 1;) {
		has[node] |= fathom_tree_kind(tree, node) == FATHOM_USER;
		has[fathom_tree_parent(tree, node)] |= has[node];
	}
	return has;
}

/* Reports the topmost accounts without users, if they have 1 % of all shares together. Below one
 * with Fairshare=parent the accounts have the shares, and so are topmost in its place. */
static void account_empty(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	bool *is_above = find_users(tree);	/* its children may be topmost */
	struct some_names names = { .count = 0 };
	double part = 0;

	for (size_t node = 1; node < fathom_tree_count(tree); node++) {
		uint32_t shares = fathom_tree_raw_shares(tree, node);

		if (is_above[node] || !is_above[fathom_tree_parent(tree, node)] || !shares)
			continue;
		is_above[node] = shares == FATHOM_SHARES_PARENT;
		if (is_above[node])
			continue;
		some_names_add(&names, name_of(lint, node));
		part += fathom_tree_norm_shares(tree, node);
	}
	if (names.count && part >= 0.01)
		lint_in_tree(lint, "Fairshare", "%.3g%% of all shares are those of accounts "
			     "without users: %s", 100 * part, some_names_text(&names));
}

/* For qsort(). */
static int compare_shares(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Returns the median of the shares of a node's children that are accounts; 0: there are fewer than
 * three. */
static uint32_t middle_shares(const struct fathom_tree *tree, size_t parent)
{
	size_t first = fathom_tree_first_child(tree, parent);
	size_t count = fathom_tree_child_count(tree, parent), kept = 0;
	uint32_t *shares = need_zeros(count, sizeof(*shares));

	for (size_t i = 0; i < count; i++)
		if (fathom_tree_kind(tree, first + i) == FATHOM_ACCOUNT &&
		    fathom_tree_raw_shares(tree, first + i) != FATHOM_SHARES_PARENT)
			shares[kept++] = fathom_tree_raw_shares(tree, first + i);
	if (kept)
		qsort(shares, kept, sizeof(*shares), compare_shares);
	return kept > 2 ? shares[kept / 2] : 0;
}

/* Reports accounts with 1 share, which an account gets that is added without shares, if the median
 * among its siblings is far more. */
static void shares_default(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	struct some_names names = { .count = 0 };
	uint32_t middle = 0;

	for (size_t node = 1; node < fathom_tree_count(tree); node++) {
		size_t parent = fathom_tree_parent(tree, node);

		if (node == fathom_tree_first_child(tree, parent))
			middle = middle_shares(tree, parent);
		if (fathom_tree_raw_shares(tree, node) == 1 && middle >= MUCH_OF_LEVEL &&
		    fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			some_names_add(&names, name_of(lint, node));
	}
	if (names.count)
		lint_in_tree(lint, "Fairshare", "account %s has 1 share, and its siblings have far "
			     "more", some_names_text(&names));
}

/* ---- usage -------------------------------------------------------------------------- */

static void usage_none(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);

	if (fathom_tree_user_count(tree) && !(fathom_tree_usage(tree, 0) > 0))
		lint_in_tree(lint, "RawUsage", "nobody has any usage");
}

/* Own usage of an account is that of its deleted users and accounts: jobs are charged to users. But
 * sshare prints whole seconds, cut, of which each child may lose one. */
static void usage_of_deleted(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		double own = fathom_tree_own_usage(tree, node);
		double part = own / fathom_tree_usage(tree, node);

		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT && part > MUCH_OF_ACCOUNT &&
		    own > (double)fathom_tree_child_count(tree, node))
			lint_in_tree(lint, "RawUsage", "%.3g%% of the usage of account '%.60s' is "
				     "that of deleted users and accounts", 100 * part,
				     name_of(lint, node));
	}
}

/* ---- users -------------------------------------------------------------------------- */

#define NOT_MET 0			/* in place of a user's node; the root is none */
#define NAMED_ALREADY (SIZE_MAX - 1)

/* Returns an index whose names are the users without a default account. */
static struct name_index *index_users_without(const struct lint_site *site)
{
	struct name_index *without = need_index();

	for (size_t i = 0; i < site->user_count; i++)
		if (!site->user[i].account || !*site->user[i].account)
			need_put(without, piece_of(site->user[i].name), NOT_MET);
	return without;
}

/* Reports users without a default account who have associations in several accounts. */
static void default_account(struct lint *lint)
{
	const struct fathom_tree *tree = tree_of(lint);
	/* from each of these users to the node of its first association */
	struct name_index *first = index_users_without(lint->site);
	struct some_names names = { .count = 0 };

	for (size_t node = 1; node < fathom_tree_count(tree); node++) {
		struct piece name = piece_of(name_of(lint, node));
		size_t before = fathom_tree_kind(tree, node) == FATHOM_USER
					? name_index_get(first, name) : NAME_INDEX_NONE;

		if (before == NOT_MET) {
			need_put(first, name, node);
		} else if (before < NAMED_ALREADY &&
			   fathom_tree_parent(tree, before) != fathom_tree_parent(tree, node)) {
			some_names_add(&names, name.at);
			need_put(first, name, NAMED_ALREADY);
		}
	}
	if (names.count)
		lint_in_tree(lint, "DefaultAccount",
			     "in several accounts and without a DefaultAccount: %s",
			     some_names_text(&names));
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_tree_rows[] = {
	{ "all-parent", LINT_WARNING, LINT_TREE, all_parent,
	  "Fairshare=parent for all associations",
	  "All users have the share and the usage of the whole cluster, and the same factor.",
	  .fix = "give accounts shares: sacctmgr modify account NAME set fairshare=N" },
	{ "level-without-shares", LINT_WARNING, LINT_TREE, level_without_shares,
	  "an account in which nobody has shares",
	  "All below it have the lowest factor that the policy gives.",
	  .fix = "give its members shares" },
	{ "zero-shares", LINT_NOTE, LINT_TREE, zero_shares,
	  "accounts or users with 0 shares",
	  "Their factor is the lowest, and stays so however little they use.",
	  .fix = "give shares, or keep 0 for who should come last" },
	{ "user-beside-accounts", LINT_NOTE, LINT_TREE, user_beside_accounts,
	  "a user beside the accounts",
	  "sacctmgr gives each new association 1 share: root's own then takes as much as an "
		"account with 1.",
	  .fix = "set its shares to 0, or to parent" },
	{ "account-empty", LINT_NOTE, LINT_TREE, account_empty,
	  "accounts with shares and without users",
	  "Under classic policies their part is promised to nobody, and all others seem to have "
		"used more than theirs.",
	  .fix = "remove the account, or set its shares to 0" },
	{ "shares-default", LINT_NOTE, LINT_TREE, shares_default,
	  "an account with 1 share among far greater ones",
	  "An account that is added without shares has 1.",
	  .fix = "give it shares: sacctmgr modify account NAME set fairshare=N" },
	{ "usage-none", LINT_NOTE, LINT_TREE | LINT_USAGE, usage_none,
	  "a tree without usage",
	  "Fair share orders nobody as long as nobody has used anything; usage is charged by the "
		"priority plugin only.",
	  .fix = "check PriorityType, AccountingStorageType and TRESBillingWeights if jobs have "
		 "run" },
	{ "usage-of-deleted", LINT_WARNING, LINT_TREE, usage_of_deleted,
	  "much usage of deleted users in an account",
	  "It counts for the account until it has decayed, so that its present users come later "
		"than their own usage says.",
	  .fix = "wait for it to decay: rawusage=0 of the account clears the usage of its present "
		 "members, too" },
	{ "default-account", LINT_WARNING, LINT_TREE | LINT_USERS, default_account,
	  "users in several accounts without a DefaultAccount",
	  "A job without --account is rejected, or charged to an account that the user did not "
		"choose.",
	  .fix = "sacctmgr modify user NAME set defaultaccount=ACCOUNT" },
	{ .code = NULL },
};
