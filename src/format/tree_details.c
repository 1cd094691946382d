/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of details: for each, whether a node has it, and the words for its loss. */
#include "core/plural.h"
#include "core/small_letters.h"
#include "format/tree_details.h"
#include "format/tree_writer.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_usage(const struct snapshot *snapshot, size_t node)
{
	return fathom_tree_own_usage(snapshot->tree, node) > 0;
}

static bool has_fraction(const struct snapshot *snapshot, size_t node)
{
	double usage = fathom_tree_own_usage(snapshot->tree, node);

	return usage != trunc(usage);
}

static bool has_parent_shares(const struct snapshot *snapshot, size_t node)
{
	return node && fathom_tree_raw_shares(snapshot->tree, node) == FATHOM_SHARES_PARENT;
}

static bool has_partition(const struct snapshot *snapshot, size_t node)
{
	return snapshot_partition(snapshot, node);
}

/* A format that does not keep such an account may take it for a user. An account without shares is
 * not counted, as that makes no difference. */
static bool is_empty_account(const struct snapshot *snapshot, size_t node)
{
	return node && fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT &&
	       !fathom_tree_child_count(snapshot->tree, node) &&
	       fathom_tree_raw_shares(snapshot->tree, node);
}

static bool has_resource(const struct snapshot *snapshot, size_t node)
{
	return tree_writer_has_resource(snapshot->tree, node);
}

static bool has_default_account(const struct snapshot *snapshot, size_t node)
{
	return snapshot_default_account(snapshot, node);
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
		count += has_default_account(snapshot, node) &&
			 name_index_get(users, piece_of(snapshot_name(snapshot, node))) ==
				 NAME_INDEX_NONE;
	return count;
}

static bool is_capital_account(const struct snapshot *snapshot, size_t node)
{
	return node && fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT &&
	       has_capitals(snapshot_name(snapshot, node));
}

static bool has_unknown_shares(const struct snapshot *snapshot, size_t node)
{
	return pbs_unknown_group_is(snapshot, node) &&
	       fathom_tree_raw_shares(snapshot->tree, node);
}

/* The time belongs to the tree; the root stands for it, so that it is counted once. */
static bool has_time(const struct snapshot *snapshot, size_t node)
{
	return !node && snapshot->has_time;
}

static const struct {
	enum tree_detail detail;
	const char *text;	/* for printf(), with the number of nodes and a plural's "s" */
	/* NULL: count_other_defaults() counts them */
	bool (*has)(const struct snapshot *snapshot, size_t node);
} table[] = {
	{ KEEPS_USAGE, "the usage of %zu node%s", has_usage },
	{ KEEPS_FRACTIONS, "fractions of a second in the usage of %zu node%s", has_fraction },
	{ KEEPS_PARENT_SHARES, "shares \"parent\" of %zu node%s", has_parent_shares },
	{ KEEPS_PARTITIONS, "the partition of %zu association%s", has_partition },
	{ KEEPS_EMPTY_ACCOUNTS, "the kind of %zu account%s without members", is_empty_account },
	{ KEEPS_RESOURCES, "times, slots, memory or adjustment of %zu node%s", has_resource },
	{ KEEPS_DEFAULTS, "the default account of %zu association%s", has_default_account },
	{ KEEPS_OTHER_DEFAULTS, "the default account of %zu association%s, in which the user has "
	  "none", NULL },
	{ KEEPS_CAPITALS, "capitals in the name of %zu account%s", is_capital_account },
	{ KEEPS_UNKNOWN_SHARES, "the shares of group unknown; set unknown_shares",
	  has_unknown_shares },
	{ KEEPS_TIME, "the time of the tree", has_time },
};

/* Returns whether a detail is part of another one that a format does not keep. */
static bool is_lost_with(enum tree_detail detail, unsigned keeps)
{
	return (detail == KEEPS_FRACTIONS && !(keeps & KEEPS_USAGE)) ||
	       (detail == KEEPS_OTHER_DEFAULTS && !(keeps & KEEPS_DEFAULTS));
}

/* Returns the number of nodes that have detail i of the table. */
static size_t count_nodes(const struct snapshot *snapshot, size_t i)
{
	size_t count = 0;

	if (!table[i].has)
		return count_other_defaults(snapshot);
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		count += table[i].has(snapshot, node);
	return count;
}

size_t tree_details_lost(const struct snapshot *snapshot, unsigned keeps,
			 void (*note)(void *context, const char *text), void *context)
{
	size_t lost = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		size_t count;
		char text[128];

		if (keeps & table[i].detail || is_lost_with(table[i].detail, keeps))
			continue;
		count = count_nodes(snapshot, i);
		if (!count)
			continue;
		snprintf(text, sizeof(text), table[i].text, count, PLURAL(count));
		note(context, text);
		lost++;
	}
	return lost;
}
