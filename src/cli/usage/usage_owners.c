/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds whose usage a word of the command line means. A word is one of these:
 *
 *	physics			the account, if no user has this name
 *	ada			the user, if it is in one account and no account has this name
 *	physics/		the account
 *	physics/ada		the user in this account, in all partitions
 *	physics/ada/gpu		the user's association of this partition
 *	all			the root
 */
#include "cli/usage/usage_owners.h"

#include "cli/complain.h"
#include "memory/need_memory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NO_NODE SIZE_MAX

/* Which nodes are searched for. */
struct wanted_node {
	const struct owner_names *names;
	enum fathom_kind kind;
	size_t account;		/* node of the parent; NO_NODE: any */
	const char *name;	/* `length` bytes; NULL: any */
	size_t length;
	bool in_any_case;	/* the name may differ in capitals */
	const char *partition;	/* NULL: any, or no partition */
};

/* Returns whether a node is wanted and may be seen. */
static bool is_wanted(const struct wanted_node *wanted, size_t node)
{
	const struct snapshot *snapshot = wanted->names->snapshot;
	const char *name = snapshot_name(snapshot, node);
	const char *partition = snapshot_partition(snapshot, node);

	if (fathom_tree_kind(snapshot->tree, node) != wanted->kind)
		return false;
	if (wanted->names->is_hidden && wanted->names->is_hidden[node])
		return false;
	if (wanted->account != NO_NODE &&
	    fathom_tree_parent(snapshot->tree, node) != wanted->account)
		return false;
	if (wanted->partition && (!partition || strcmp(partition, wanted->partition)))
		return false;
	if (!wanted->name)
		return true;
	return strlen(name) == wanted->length &&
	       !(wanted->in_any_case ? strncasecmp : strncmp)(name, wanted->name, wanted->length);
}

/* Returns the first wanted node from `node` on; NO_NODE: there is no more. */
static size_t find_node(const struct wanted_node *wanted, size_t node)
{
	for (; node < fathom_tree_count(wanted->names->snapshot->tree); node++)
		if (is_wanted(wanted, node))
			return node;
	return NO_NODE;
}

/* Returns the account of this name, of `length` bytes; NO_NODE: there is none. An account of just
 * this name goes before one whose name differs in capitals, as Slurm stores names of accounts in
 * lower case. */
static size_t find_account(const struct owner_names *names, const char *name, size_t length)
{
	struct wanted_node wanted = { .names = names, .kind = FATHOM_ACCOUNT, .account = NO_NODE,
				      .name = name, .length = length };
	size_t node = find_node(&wanted, 0);

	wanted.in_any_case = true;
	return node != NO_NODE ? node : find_node(&wanted, 0);
}

/* ---- errors ---------------------------------------------------------------------------- */

/* Lists the accounts that have a wanted user, "a, b and c", and sets *count. A user's associations
 * for several partitions follow each other, and count once. */
static const char *accounts_of(const struct wanted_node *wanted, size_t *count)
{
	const struct snapshot *snapshot = wanted->names->snapshot;
	const char **names = NULL;
	size_t last = NO_NODE;

	*count = 0;
	for (size_t node = 0; (node = find_node(wanted, node)) != NO_NODE; node++) {
		size_t account = fathom_tree_parent(snapshot->tree, node);

		if (account != last)
			NEED_ADD(names, *count, snapshot_name(snapshot, account));
		last = account;
	}
	return need_words(names, *count, " and ", 512);
}

/* Considers the names of all accounts or users as suggestions. account: only its users; NO_NODE:
 * all of this kind. */
static void consider_all(const struct owner_names *names, enum fathom_kind kind, size_t account,
			 struct suggestion *suggestion)
{
	const struct wanted_node any = { .names = names, .kind = kind, .account = account };

	for (size_t node = 0; (node = find_node(&any, node)) != NO_NODE; node++)
		suggestion_consider(suggestion, snapshot_name(names->snapshot, node));
}

/* Refuses an unknown owner. what: what is missing: "account", "user in account physics". */
static _Noreturn void refuse_owner(const struct owner_names *names, const char *option,
				   const char *word, const char *what,
				   const struct suggestion *suggestion)
{
	refuse_unknown(suggestion, "--%s: %s: %s has no such %s", option, word, names->source,
		       what);
}

/* ---- ACCOUNT/USER ------------------------------------------------------------------------ */

/* Sets user and partition of *owner, whose account is set. user: the user of that account, and the
 * partition if the word has one. Refuses an unknown one by what is wrong: the partition, the
 * account or the name. */
static void find_in_account(const struct owner_names *names, const char *option, const char *word,
			    struct wanted_node user, struct usage_owner *owner)
{
	struct suggestion suggestion = { .word = user.name, .length = user.length };
	struct wanted_node anywhere = user;
	size_t node = find_node(&user, 0), count;
	char what[256];

	if (node != NO_NODE) {
		owner->user = snapshot_name(names->snapshot, node);
		owner->partition = user.partition ? snapshot_partition(names->snapshot, node)
						  : NULL;
		return;
	}
	anywhere.partition = NULL;
	if (user.partition && find_node(&anywhere, 0) != NO_NODE)
		refuse("--%s: %s: %s has no such association of this partition", option, word,
		       names->source);
	anywhere.account = NO_NODE;
	if (find_node(&anywhere, 0) != NO_NODE)
		refuse("--%s: %s: %s has no such user there; %.*s is in account %s", option, word,
		       names->source, (int)user.length, user.name, accounts_of(&anywhere, &count));
	consider_all(names, FATHOM_USER, user.account, &suggestion);
	snprintf(what, sizeof(what), "user in account %.100s", owner->account);
	refuse_owner(names, option, word, what, &suggestion);
}

/* Finds the owner of "physics/", "physics/ada" or "physics/ada/gpu". slash: the first one. */
static void find_path(const struct owner_names *names, const char *option, const char *word,
		      const char *slash, struct usage_owner *owner)
{
	struct suggestion suggestion = { .word = word, .length = (size_t)(slash - word) };
	struct wanted_node user = { .names = names, .kind = FATHOM_USER, .name = slash + 1,
				    .length = strcspn(slash + 1, "/") };

	user.account = find_account(names, word, suggestion.length);
	if (user.account == NO_NODE) {
		consider_all(names, FATHOM_ACCOUNT, NO_NODE, &suggestion);
		refuse_owner(names, option, word, "account", &suggestion);
	}
	owner->account = snapshot_name(names->snapshot, user.account);
	if (!user.length && !user.name[0])	/* "physics/" */
		return;
	if (user.name[user.length])
		user.partition = user.name + user.length + 1;
	find_in_account(names, option, word, user, owner);
}

/* ---- a name alone ------------------------------------------------------------------------ */

/* Finds the owner of a word without a slash: an account or a user. Refuses a name that is both, and
 * a user in several accounts. */
static void find_name(const struct owner_names *names, const char *option, const char *word,
		      struct usage_owner *owner)
{
	const struct wanted_node user = { .names = names, .kind = FATHOM_USER,
					  .account = NO_NODE, .name = word,
					  .length = strlen(word) };
	struct suggestion suggestion = { .word = word, .length = user.length };
	size_t node = find_account(names, word, user.length), of_user = find_node(&user, 0), count;
	const char *accounts = accounts_of(&user, &count);

	if (node != NO_NODE && of_user != NO_NODE)
		refuse("--%s: %s: is an account and a user of %s, must be %s/ or ACCOUNT/%s",
		       option, word, names->source, word, word);
	if (node == NO_NODE && of_user == NO_NODE) {
		consider_all(names, FATHOM_ACCOUNT, NO_NODE, &suggestion);
		consider_all(names, FATHOM_USER, NO_NODE, &suggestion);
		refuse_owner(names, option, word, "account or user", &suggestion);
	}
	if (count > 1)
		refuse("--%s: %s: is in several accounts, %s; must be ACCOUNT/%s", option, word,
		       accounts, word);
	if (of_user != NO_NODE)
		owner->user = snapshot_name(names->snapshot, of_user);
	owner->account = snapshot_account(names->snapshot, node == NO_NODE ? of_user : node);
}

struct usage_owner usage_owner_find(const struct owner_names *names, const char *option,
				    const char *word)
{
	struct usage_owner owner = { NULL };
	const char *slash = strchr(word, '/');

	if (!strcmp(word, OWNER_ALL))
		owner.account = snapshot_name(names->snapshot, 0);
	else if (slash)
		find_path(names, option, word, slash, &owner);
	else
		find_name(names, option, word, &owner);
	return owner;
}

size_t usage_owner_account(const struct owner_names *names, const char *account)
{
	return find_account(names, account, strlen(account));
}
