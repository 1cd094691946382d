/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the leaves of a share tree that serve a user, or a user's jobs in an account. */
#include "policy/lsf/share_tree_layout.h"

#include <stdlib.h>

uint32_t share_tree_user(const struct fathom_share_tree *tree, const char *name)
{
	size_t id = find_id(tree, name);

	return id == NAME_INDEX_NONE || is_group(tree, id) ? NO_USER : (uint32_t)id;
}

/* Sets *group to the group that a job names. It must have no subgroups, and the user must be in it.
 * Returns GROUP_RIGHT; or what is wrong, and *group is undefined. */
static enum group_fault find_group(struct fathom_share_tree *tree, uint32_t user, const char *name,
				   uint32_t *group)
{
	size_t id = find_id(tree, name);

	if (!is_group(tree, id))
		return GROUP_UNKNOWN;
	*group = (uint32_t)id;
	if (tree->group[*group].has_subgroup)
		return GROUP_HAS_SUBGROUPS;
	share_tree_find_members(tree, *group);
	return was_found(tree, user) ? GROUP_RIGHT : GROUP_WITHOUT_USER;
}

/* Sets *group to the group that a job names, see find_group(). -1: EINVAL, with a text for users of
 * the library. */
static int find_named_group(struct fathom_share_tree *tree, uint32_t user, const char *name,
			    uint32_t *group, struct fathom_error *error)
{
	enum group_fault fault = find_group(tree, user, name, group);

	if (fault == GROUP_UNKNOWN)
		return fathom_error_set(error, EINVAL, "'%.64s' is not a group", name);
	if (fault == GROUP_HAS_SUBGROUPS)
		return fathom_error_set(error, EINVAL, "group '%.64s' has subgroups; a job must "
					"name a group without subgroups", name);
	if (fault)
		return fathom_error_set(error, EINVAL, "user '%.64s' is not in group '%.64s'",
					tree->name[user], name);
	return 0;
}

/* Returns whether the group contains tree->below, as find_groups_above() has found. */
static bool is_above(const struct fathom_share_tree *tree, uint32_t group)
{
	return tree->above_in[group] == tree->above_search;
}

/* Marks the groups that contain the group `below`, also through others. A group is defined after
 * its members, so one sweep over the groups behind `below` finds them all. */
static void find_groups_above(struct fathom_share_tree *tree, uint32_t below)
{
	if (tree->below == below)
		return;
	tree->below = below;
	tree->above_search++;
	for (uint32_t id = below + 1; id < tree->group_count; id++) {
		const struct range *range = &tree->group[id].member;

		for (uint32_t i = 0; tree->group[id].has_subgroup && i < range->count; i++) {
			uint32_t member = tree->member[range->first + i];

			if (member == below || (is_group(tree, member) && is_above(tree, member)))
				tree->above_in[id] = tree->above_search;
		}
	}
}

/* Returns whether the leaf serves its user as a member of `group`. */
static bool serves_group(struct fathom_share_tree *tree, uint32_t group,
			 const struct user_leaf *leaf)
{
	if (leaf->group == group)
		return true;
	if (leaf->group == NO_GROUP || !leaf->serves_subgroups)
		return false;
	find_groups_above(tree, group);
	return is_above(tree, leaf->group);
}

int fathom_share_tree_find_leaf(struct fathom_share_tree *tree, const char *user_name,
				const char *group_name, const double *order, size_t *node,
				struct fathom_error *error)
{
	uint32_t user = share_tree_user(tree, user_name), group = NO_GROUP;

	if (user == NO_USER)
		return fathom_error_set(error, ENOENT, "'%.64s' is not a user", user_name);
	if (group_name && find_named_group(tree, user, group_name, &group, error))
		return -1;
	*node = 0;
	for (uint32_t i = tree->first_leaf[user]; i < tree->first_leaf[user + 1]; i++) {
		const struct user_leaf *leaf = &tree->leaf[i];

		if ((!*node || order[leaf->node] < order[*node]) &&
		    (!group_name || serves_group(tree, group, leaf)))
			*node = leaf->node;
	}
	if (!*node)
		return fathom_error_set(error, ENOENT, "user '%.64s' has no shares%s%.64s",
					user_name, group_name ? " in group " : "",
					group_name ? group_name : "");
	return 0;
}

/* ---- leaves of a user's jobs ------------------------------------------------------------- */

/* Continues a hash by a name: one step of FNV-1a for each byte and one for the end of the name. */
static uint32_t mix_name(uint32_t hash, const char *name)
{
	do
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	while (*name++);
	return hash;
}

/* Returns the leaf's key, never 0: a hash of the names from the leaf up to the root, and of its
 * group. State files keep keys, so that another hash would lose who has used what. */
static uint32_t leaf_key(const struct fathom_share_tree *tree, const struct user_leaf *leaf)
{
	uint32_t hash = 2166136261u;

	/* the id of a row is its node + 1, see add_node() */
	for (size_t node = leaf->node; node; node = (size_t)tree->row[node].parent_id - 1)
		hash = mix_name(hash, fathom_share_tree_name(tree, node));
	if (leaf->group != NO_GROUP)
		hash = mix_name(hash, tree->name[leaf->group]);
	return hash ? hash : 1;
}

size_t share_tree_most_leaves(const struct fathom_share_tree *tree)
{
	return tree->most_leaves;
}

/* Returns the id of the group with the account's name, as given or in small letters, if the user is
 * in it; else NO_GROUP. */
static uint32_t group_of_account(struct fathom_share_tree *tree, uint32_t user, const char *account)
{
	size_t id = find_id(tree, account);

	if (!is_group(tree, id))
		id = name_index_get(&tree->accounts, piece_of(account));
	if (!is_group(tree, id))
		return NO_GROUP;
	share_tree_find_members(tree, (uint32_t)id);
	return was_found(tree, user) ? (uint32_t)id : NO_GROUP;
}

size_t share_tree_list_leaves(struct fathom_share_tree *tree, const char *user_name,
			      const char *account, struct share_leaf *leaf)
{
	uint32_t user = share_tree_user(tree, user_name), group;
	size_t count = 0;

	if (user == NO_USER)
		return 0;
	group = group_of_account(tree, user, account);
	if (group != NO_GROUP && tree->group[group].has_subgroup)
		return 0;
	for (uint32_t i = tree->first_leaf[user]; i < tree->first_leaf[user + 1]; i++)
		if (group == NO_GROUP || serves_group(tree, group, &tree->leaf[i]))
			leaf[count++] = (struct share_leaf){
				.node = tree->leaf[i].node,
				.key = leaf_key(tree, &tree->leaf[i]),
			};
	return count;
}

const char *group_fault_text(enum group_fault fault)
{
	static const char *const texts[] = {
		[GROUP_UNSEEN] = "fairshare= has not been looked at yet",
		[GROUP_UNKNOWN] = "fairshare= names no group",
		[GROUP_HAS_SUBGROUPS] = "fairshare= names a group with subgroups",
		[GROUP_WITHOUT_USER] = "fairshare= names a group without the user",
		[GROUP_WITHOUT_SHARES] = "fairshare= names a group without shares for the job",
	};

	return fault ? texts[fault] : NULL;
}

/* Lists the nodes of an association's leaves with this key. Returns how many nodes are listed. */
static size_t list_nodes(const struct share_leaves *leaves, uint32_t association, uint32_t key,
			 uint32_t *node)
{
	size_t count = 0;

	for (uint32_t i = leaves->first[association]; i < leaves->first[association + 1]; i++)
		if (leaves->key[i] == key)
			node[count++] = leaves->node[i];
	return count;
}

size_t share_leaves_of_group(const struct share_leaves *leaves, struct fathom_share_tree *tree,
			     uint32_t association, const char *name, uint32_t *node,
			     enum group_fault *fault)
{
	uint32_t user = leaves->user[association], group;
	size_t count = 0;

	*fault = GROUP_WITHOUT_SHARES;
	if (user == NO_USER || (*fault = find_group(tree, user, name, &group)))
		return 0;
	for (uint32_t i = tree->first_leaf[user]; i < tree->first_leaf[user + 1]; i++)
		if (serves_group(tree, group, &tree->leaf[i]))
			count += list_nodes(leaves, association, leaf_key(tree, &tree->leaf[i]),
					    node + count);
	*fault = count ? GROUP_RIGHT : GROUP_WITHOUT_SHARES;
	return count;
}

void share_leaves_set_nodes(const struct share_leaves *leaves, uint32_t association,
			    struct fathom_pending_job *job)
{
	uint32_t count = share_leaves_count(leaves, association);
	uint32_t first = leaves->first[association];

	job->node = count ? leaves->node[first] : FATHOM_NO_NODE;
	job->other_node = leaves->node + first + 1;
	job->other_count = count ? count - 1 : 0;
}

uint32_t share_leaves_key(const struct share_leaves *leaves, uint32_t association, size_t node)
{
	for (uint32_t i = leaves->first[association]; i < leaves->first[association + 1]; i++)
		if (leaves->node[i] == node)
			return leaves->key[i];
	return 0;
}

uint32_t share_leaves_best(const struct share_leaves *leaves, uint32_t association,
			   const double *factor)
{
	uint32_t best = NO_SHARE_LEAF;

	for (uint32_t i = leaves->first[association]; i < leaves->first[association + 1]; i++)
		if (best == NO_SHARE_LEAF || factor[leaves->node[i]] > factor[leaves->node[best]])
			best = i;
	return best;
}

uint32_t share_leaves_charged(const struct share_leaves *leaves, uint32_t association, uint32_t key)
{
	uint32_t first = leaves->first[association], end = leaves->first[association + 1];

	for (uint32_t i = first; i < end; i++)
		if (leaves->key[i] == key)
			return leaves->node[i];
	return first < end ? leaves->node[first] : 0;
}

void share_leaves_clear(struct share_leaves *leaves)
{
	free(leaves->first);
	free(leaves->node);
	free(leaves->key);
	free(leaves->user);
	*leaves = (struct share_leaves){ NULL };
}
