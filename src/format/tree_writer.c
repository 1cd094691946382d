/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a tree for a writer, checks names, and finds the details that a format does not keep. */
#include "format/tree_writer.h"

#include "core/plural.h"
#include "core/small_letters.h"
#include "document/document.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"

#include <math.h>
#include <string.h>

void tree_writer_run(struct tree_writer *writer,
		     void (*put)(struct tree_writer *writer, size_t node, size_t depth))
{
	size_t count = fathom_tree_count(writer->snapshot->tree);
	size_t *order = need_zeros(count, sizeof(*order));
	size_t *depth = need_zeros(count, sizeof(*depth));

	need_done(snapshot_depth_first(writer->snapshot, order, depth, NULL));
	for (size_t i = 0; i < count; i++) {
		put(writer, order[i], depth[order[i]]);
		writer->count++;
	}
}

const char *tree_writer_kind(const struct tree_writer *writer, size_t node)
{
	return fathom_tree_kind(writer->snapshot->tree, node) == FATHOM_USER ? "user" : "account";
}

void tree_writer_check_shares(const struct tree_writer *writer, size_t node, const char *format)
{
	if (node && fathom_tree_raw_shares(writer->snapshot->tree, node) == FATHOM_SHARES_PARENT)
		wrong_at(NULL, 0, "%s '%.64s': has shares \"parent\", which %s cannot have; give "
			 "a number", tree_writer_kind(writer, node),
			 snapshot_name(writer->snapshot, node), format);
}

void tree_writer_check_name(const struct tree_writer *writer, size_t node, const char *name,
			    const char *refused, const char *at_start, const char *format)
{
	size_t at = strcspn(name, refused);
	bool has_refused = name[at];

	if (has_refused || !*name || strchr(at_start, *name))
		wrong_at(NULL, 0, "%s '%.64s': %s cannot have '%c' %s a name; rename it",
			 tree_writer_kind(writer, node), name, format,
			 has_refused ? name[at] : *name, has_refused ? "in" : "at the start of");
}

/* ---- formats that have each account once ------------------------------------------------ */

/* Returns the name of an account, as the format has it. */
static const char *account_name(const struct tree_writer *writer, size_t node, const char *root)
{
	return node ? snapshot_name(writer->snapshot, node) : root;
}

/* Checks the name of an account against those before it, and adds it to `accounts`. */
static void check_account(const struct tree_writer *writer, struct name_index *accounts,
			  size_t node, const char *root, const char *format)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	const char *name = snapshot_name(writer->snapshot, node);
	size_t other = name_index_get(accounts, piece_of(name));

	if (!strcmp(name, root))
		wrong_at(NULL, 0, "account '%s': the name is that of %s's root; rename it", name,
			 format);
	if (other != NAME_INDEX_NONE)
		wrong_at(NULL, 0, "account '%.64s' is in '%.64s' and in '%.64s'; %s has each "
			 "account once", name,
			 account_name(writer, fathom_tree_parent(tree, other), root),
			 account_name(writer, fathom_tree_parent(tree, node), root), format);
	need_put(accounts, piece_of(name), node);
}

void tree_writer_check_accounts(const struct tree_writer *writer, const char *root,
				const char *format)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	struct name_index *accounts = need_index();

	for (size_t node = 1; node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			check_account(writer, accounts, node, root, format);
}

/* ---- users who are several times in an account --------------------------------------------- */

/* Fails, as the user of a node is in its account once more, as `other`, but not in the format. */
_Noreturn static void refuse_second(const struct snapshot *snapshot, size_t node, size_t other,
				    const char *format, enum user_rule rule)
{
	const char *partition = snapshot_partition(snapshot, node);
	const char *of_other = snapshot_partition(snapshot, other);
	const char *user = snapshot_name(snapshot, node);
	const char *account = snapshot_account(snapshot, node);
	bool is_same = partition && of_other ? !strcmp(partition, of_other)
					     : partition == of_other;

	if (!is_same)
		wrong_at(NULL, 0, "user '%.64s' has an association for each of several "
			 "partitions in '%.64s', but only one in %s; keep one", user, account,
			 format);
	wrong_at(NULL, 0, "user '%.64s' is more than once in '%.64s'; format %s can have this user "
		 "only once; keep one%s", user, account, format,
		 rule == USER_ONCE ? "" : ", or take sshare -m, which tells partitions");
}

void tree_writer_check_users(const struct tree_writer *writer, const char *format,
			     enum user_rule rule)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	struct name_index *users = need_index();	/* by account, user and partition */

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		const char *name = snapshot_name(snapshot, node);
		const char *partition = snapshot_partition(snapshot, node);
		struct piece key;
		size_t other;

		if (fathom_tree_kind(tree, node) != FATHOM_USER ||
		    (rule == USER_ONCE_WITH_USAGE && !tree_writer_has_usage(tree, node)))
			continue;
		key = piece_of(need_print("%zu %zu %s%s", fathom_tree_parent(tree, node),
					  strlen(name), name,
					  partition && rule != USER_ONCE ? partition : ""));
		other = name_index_get(users, key);
		if (other != NAME_INDEX_NONE)
			refuse_second(snapshot, node, other, format, rule);
		need_put(users, key, node);
	}
}

/* ---- details that not every format can keep ------------------------------------------------ */

/* Returns whether a node has own resources. */
static bool has_own_resource(const struct fathom_tree *tree, size_t node)
{
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (fathom_tree_own_resource(tree, node, (enum fathom_resource)i) != 0)
			return true;
	return false;
}

bool tree_writer_has_usage(const struct fathom_tree *tree, size_t node)
{
	return fathom_tree_own_usage(tree, node) > 0 || has_own_resource(tree, node);
}

/* Returns whether a node has a detail, other than KEEPS_OTHER_DEFAULTS. */
static bool has_detail(const struct snapshot *snapshot, size_t node, enum tree_detail detail)
{
	const struct fathom_tree *tree = snapshot->tree;
	const double usage = fathom_tree_own_usage(tree, node);
	const uint32_t shares = fathom_tree_raw_shares(tree, node);
	const bool is_account = node && fathom_tree_kind(tree, node) == FATHOM_ACCOUNT;

	switch (detail) {
	case KEEPS_USAGE:
		return usage > 0;
	case KEEPS_FRACTIONS:
		return usage != trunc(usage);
	case KEEPS_PARENT_SHARES:
		return node && shares == FATHOM_SHARES_PARENT;
	case KEEPS_PARTITIONS:
		return snapshot_partition(snapshot, node);
	case KEEPS_EMPTY_ACCOUNTS:
		/* A format that does not keep such an account may take it for a user. Without
		 * shares that makes no difference. */
		return is_account && !fathom_tree_child_count(tree, node) && shares;
	case KEEPS_RESOURCES:
		return has_own_resource(tree, node);
	case KEEPS_DEFAULTS:
		return snapshot_default_account(snapshot, node);
	case KEEPS_CAPITALS:
		return is_account && has_capitals(snapshot_name(snapshot, node));
	case KEEPS_UNKNOWN_SHARES:
		return pbs_unknown_group_is(snapshot, node) && shares;
	default:	/* KEEPS_TIME: of the tree, for which the root stands */
		return !node && snapshot->has_time;
	}
}

/* Returns how many associations have a default account in which their user has none. */
static size_t count_other_defaults(const struct snapshot *snapshot)
{
	struct name_index *users = need_index();	/* with an association in the default one */
	const size_t nodes = fathom_tree_count(snapshot->tree);
	size_t count = 0;

	for (size_t node = 0; node < nodes; node++) {
		const char *account = snapshot_default_account(snapshot, node);

		if (account && !strcmp(account, snapshot_account(snapshot, node)))
			need_put(users, piece_of(snapshot_name(snapshot, node)), node);
	}
	for (size_t node = 0; node < nodes; node++)
		count += has_detail(snapshot, node, KEEPS_DEFAULTS) &&
			 name_index_get(users, piece_of(snapshot_name(snapshot, node))) ==
				 NAME_INDEX_NONE;
	return count;
}

static const struct {
	enum tree_detail detail;
	const char *text;	/* for printf(), with the number of nodes and a plural's "s" */
} detail_texts[] = {
	{ KEEPS_USAGE, "the usage of %zu node%s" },
	{ KEEPS_FRACTIONS, "fractions of a second in the usage of %zu node%s" },
	{ KEEPS_PARENT_SHARES, "shares \"parent\" of %zu node%s" },
	{ KEEPS_PARTITIONS, "the partition of %zu association%s" },
	{ KEEPS_EMPTY_ACCOUNTS, "the kind of %zu account%s without members" },
	{ KEEPS_RESOURCES, "times, slots, memory or adjustment of %zu node%s" },
	{ KEEPS_DEFAULTS, "the default account of %zu association%s" },
	{ KEEPS_OTHER_DEFAULTS, "the default account of %zu association%s, in which the user has "
	  "none" },
	{ KEEPS_CAPITALS, "capitals in the name of %zu account%s" },
	{ KEEPS_UNKNOWN_SHARES, "the shares of group unknown; set unknown_shares" },
	{ KEEPS_TIME, "the time of the tree" },
};

/* Returns whether a detail is part of another one that a format does not keep. */
static bool is_lost_with(enum tree_detail detail, unsigned keeps)
{
	return (detail == KEEPS_FRACTIONS && !(keeps & KEEPS_USAGE)) ||
	       (detail == KEEPS_OTHER_DEFAULTS && !(keeps & KEEPS_DEFAULTS));
}

/* Returns the number of nodes that have a detail. */
static size_t count_nodes(const struct snapshot *snapshot, enum tree_detail detail)
{
	size_t count = 0;

	if (detail == KEEPS_OTHER_DEFAULTS)
		return count_other_defaults(snapshot);
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		count += has_detail(snapshot, node, detail);
	return count;
}

void tree_details_lost(const struct snapshot *snapshot, unsigned keeps,
		       void (*note)(void *context, const char *text), void *context)
{
	for (size_t i = 0; i < sizeof(detail_texts) / sizeof(*detail_texts); i++) {
		size_t count;

		if (keeps & detail_texts[i].detail || is_lost_with(detail_texts[i].detail, keeps))
			continue;
		count = count_nodes(snapshot, detail_texts[i].detail);
		if (count)
			note(context, need_print(detail_texts[i].text, count, PLURAL(count)));
	}
}
