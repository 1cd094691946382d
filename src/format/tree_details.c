/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the details of nodes, and has words for their loss. */
#include "core/plural.h"
#include "core/small_letters.h"
#include "format/tree_details.h"
#include "format/tree_writer.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"

#include <math.h>
#include <string.h>

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
		return tree_writer_has_resource(tree, node);
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

/* Returns for how many associations the user has none in the default account. */
static size_t count_other_defaults(const struct snapshot *snapshot)
{
	struct name_index *users = need_index();	/* who have one in it */
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
} table[] = {
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

size_t tree_details_lost(const struct snapshot *snapshot, unsigned keeps,
			 void (*note)(void *context, const char *text), void *context)
{
	size_t lost = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		size_t count;

		if (keeps & table[i].detail || is_lost_with(table[i].detail, keeps))
			continue;
		count = count_nodes(snapshot, table[i].detail);
		if (!count)
			continue;
		note(context, need_print(table[i].text, count, PLURAL(count)));
		lost++;
	}
	return lost;
}
