/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS puts entities that its resource_group does not list into the group "unknown". A tree
 * from a resource_group has that group as a node; for other trees the policy pbs counts the
 * group's shares as if there were such a node.
 */
#include "policy/pbs_unknown_group.h"

#include "policy/settings_layout.h"
#include "policy/traits.h"

#include <string.h>

#define UNKNOWN_NAME "unknown"
#define NO_GROUP_NODE 0	/* the root, which is never that group */

bool pbs_unknown_group_is(const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;

	return node && !fathom_tree_parent(tree, node) &&
	       fathom_tree_kind(tree, node) == FATHOM_ACCOUNT &&
	       !strcmp(snapshot_name(snapshot, node), UNKNOWN_NAME);
}

/* Returns the node of the group "unknown", or NO_GROUP_NODE. */
static size_t find_unknown(const struct snapshot *snapshot)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t first = fathom_tree_first_child(tree, 0);

	for (size_t node = first; node < first + fathom_tree_child_count(tree, 0); node++)
		if (pbs_unknown_group_is(snapshot, node))
			return node;
	return NO_GROUP_NODE;
}

bool pbs_unknown_group_set_shares(const struct snapshot *snapshot,
				  const struct fathom_policy *policy,
				  struct fathom_settings *settings)
{
	size_t setting = policy_setting_with(policy, SETTING_UNKNOWN_SHARES);
	size_t node = find_unknown(snapshot);
	double *shares;

	if (setting == POLICY_HAS_NONE || node == NO_GROUP_NODE)
		return false;
	shares = &settings->value[setting];
	if (!(*shares > 0))
		return false;
	fathom_tree_set_raw_shares(snapshot->tree, node, (uint32_t)*shares);
	fathom_tree_settle(snapshot->tree);
	*shares = 0;
	return true;
}
