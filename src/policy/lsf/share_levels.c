/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the nodes of a share tree, level by level: each list of assignments divides one node. Then
 * sorts by user the leaves that serve somebody.
 */
#include "core/array.h"
#include "policy/lsf/share_tree_layout.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NODES (1u << 22)	/* a limit, as a few groups within groups may make any number */

/* ---- members of a group ------------------------------------------------------------ */

/* Adds a user to those of the present search, unless it has been found already. */
static void add_found(struct fathom_share_tree *tree, uint32_t user)
{
	if (tree->is_found[user] == tree->stamp)
		return;
	tree->is_found[user] = tree->stamp;
	tree->found[tree->found_count++] = user;
}

/* Adds all users to those of the present search. */
static void find_all_users(struct fathom_share_tree *tree)
{
	for (size_t id = tree->group_count; id < tree->name_count; id++)
		add_found(tree, (uint32_t)id);
}

/* Begins a search, which has found no users and groups yet. */
static void begin_search(struct fathom_share_tree *tree)
{
	tree->stamp++;
	tree->found_count = 0;
}

/* Pushes a group to the stack, which has `depth` groups, unless the search has found it already.
 * Returns the new depth. */
static size_t enter_group(struct fathom_share_tree *tree, uint32_t group, size_t depth)
{
	if (tree->is_found[group] == tree->stamp)
		return depth;
	tree->is_found[group] = tree->stamp;
	tree->stack[depth] = group;
	tree->next_member[depth] = 0;
	return depth + 1;
}

void share_tree_find_members(struct fathom_share_tree *tree, uint32_t group)
{
	size_t depth;

	if (tree->searched == group)
		return;
	begin_search(tree);
	tree->searched = group;
	depth = enter_group(tree, group, 0);
	while (depth) {
		const struct range *member = &tree->group[tree->stack[depth - 1]].member;
		uint32_t next = tree->next_member[depth - 1]++, id;

		if (next == member->count) {
			depth--;
			continue;
		}
		id = tree->member[member->first + next];
		if (id == ALL_USERS)
			find_all_users(tree);
		else if (is_group(tree, id))
			depth = enter_group(tree, id, depth);
		else
			add_found(tree, id);
	}
}

/* ---- nodes ------------------------------------------------------------------------- */

/* Adds a node for a user or group, or for ALL_USERS; the first one is the root. group: the group
 * whose assignments divide the node; NO_GROUP: it is a leaf, or the root. -1: EINVAL, ENOMEM. */
static int add_node(struct fathom_share_tree *tree, size_t parent, uint32_t id, uint32_t shares,
		    uint32_t group, struct fathom_error *error)
{
	size_t node = tree->row_count, origins = node;	/* both arrays have one element a node */
	struct node_origin *origin;
	struct fathom_row *row;

	if (node == MOST_NODES)
		return fathom_error_set(error, EINVAL, "the tree has more than %u nodes: too many "
					"groups have shares of the same groups", MOST_NODES);
	origin = array_append(&tree->origin, &origins, sizeof(*origin));
	row = origin ? array_append(&tree->row, &tree->row_count, sizeof(*row)) : NULL;
	if (!row)
		return no_memory(error);
	*row = (struct fathom_row){
		.id = (int64_t)node + 1, .parent_id = (int64_t)parent + 1, .is_root = !node,
		.kind = !node || group != NO_GROUP ? FATHOM_ACCOUNT : FATHOM_USER,
		.raw_shares = shares,
	};
	*origin = (struct node_origin){ .id = id, .group = group };
	return 0;
}

/* Notes that the node which was added last serves a user. group, serves_subgroups: see struct
 * user_leaf. -1: ENOMEM. */
static int add_leaf(struct fathom_share_tree *tree, uint32_t user, uint32_t group,
		    bool serves_subgroups, struct fathom_error *error)
{
	struct user_leaf *leaf = array_append(&tree->leaf, &tree->leaf_count, sizeof(*leaf));

	if (!leaf)
		return no_memory(error);
	*leaf = (struct user_leaf){
		.user = user, .node = (uint32_t)tree->row_count - 1, .group = group,
		.serves_subgroups = serves_subgroups,
	};
	return 0;
}

/* ---- one level: the nodes of one list of assignments ------------------------------------ */

/* Returns whether an assignment names a user or a group. false: it is "default" or "others", for
 * the users that no other assignment of the level names or contains. */
static bool has_id(const struct assignment *given)
{
	return given->kind < TO_DEFAULT;
}

/* Returns the name that an assignment gives shares to, without the '@'. */
static const char *name_of(const struct fathom_share_tree *tree, const struct assignment *given)
{
	static const char *const words[] = { [TO_DEFAULT] = "default", [TO_OTHERS] = "others" };

	return has_id(given) ? tree->name[given->id] : words[given->kind];
}

/* Checks that the level has the name of an assignment for the first time, and, if a group lists it,
 * that the name is a member of that group; then notes the assignment. group: the group that lists
 * it, for which the last search was; or NO_GROUP. -1: EINVAL. */
static int check_assignment(struct fathom_share_tree *tree, const struct assignment *given,
			    uint32_t group, struct fathom_error *error)
{
	size_t row = group == NO_GROUP ? FATHOM_NO_ROW : group;
	bool is_repeated = has_id(given)
				   ? tree->is_named[given->kind][given->id] == tree->level_stamp
				   : tree->has_kind[given->kind];

	if (is_repeated)
		return fathom_error_set_row(error, EINVAL, row, "'%.64s%s' has shares twice, must "
					    "have them once", name_of(tree, given),
					    given->kind == TO_MEMBERS ? "@" : "");
	tree->has_kind[given->kind] = true;
	if (!has_id(given))
		return 0;
	tree->is_named[given->kind][given->id] = tree->level_stamp;
	if (group != NO_GROUP && tree->is_found[given->id] != tree->stamp)
		return fathom_error_set_row(error, EINVAL, row,
					    "'%.64s' has shares in group '%.64s', must be a member "
					    "of it", name_of(tree, given), tree->name[group]);
	return 0;
}

/* Begins a level: checks its assignments, and notes which names and kinds it has. group: see
 * check_assignment(). -1: EINVAL. */
static int check_level(struct fathom_share_tree *tree, const struct range *range, uint32_t group,
		       struct fathom_error *error)
{
	tree->level_stamp++;
	memset(tree->has_kind, 0, sizeof(tree->has_kind));
	for (uint32_t i = 0; i < range->count; i++)
		if (check_assignment(tree, &tree->assignment[range->first + i], group, error))
			return -1;
	return 0;
}

/* Marks the users that an assignment names or contains, as "default" and "others" leave them
 * out. */
static void mark_assigned(struct fathom_share_tree *tree, const struct assignment *given)
{
	if (given->kind == TO_USER)
		tree->is_assigned[given->id] = tree->level_stamp;
	if (given->kind != TO_GROUP && given->kind != TO_MEMBERS)
		return;
	share_tree_find_members(tree, given->id);
	for (size_t i = 0; i < tree->found_count; i++)
		tree->is_assigned[tree->found[i]] = tree->level_stamp;
}

/* Adds the nodes of an assignment to several users below `parent`: one for each user ("default",
 * "group@"), or one that serves all of them ("others", a group). The users are those of the last
 * search, or for "default" and "others" the unassigned ones of the level. group: see struct
 * user_leaf. -1: EINVAL, ENOMEM. */
static int add_users(struct fathom_share_tree *tree, size_t parent, const struct assignment *given,
		     uint32_t group, struct fathom_error *error)
{
	bool to_unassigned = !has_id(given);
	bool node_for_each = given->kind == TO_DEFAULT || given->kind == TO_MEMBERS;
	const bool serves_subgroups = true;
	const uint32_t *user = to_unassigned ? tree->level_user : tree->found;
	size_t count = to_unassigned ? tree->level_user_count : tree->found_count;

	if (given->kind == TO_OTHERS && tree->has_kind[TO_DEFAULT])
		count = 0;	/* "default" gives each of them a node */
	if (!node_for_each && add_node(tree, parent, to_unassigned ? ALL_USERS : given->id,
				       given->shares, NO_GROUP, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (to_unassigned && tree->is_assigned[user[i]] == tree->level_stamp)
			continue;
		if (node_for_each &&
		    add_node(tree, parent, user[i], given->shares, NO_GROUP, error))
			return -1;
		if (add_leaf(tree, user[i], group, serves_subgroups, error))
			return -1;
	}
	return 0;
}

/* Adds the nodes of one assignment below `parent`. group: the group that lists it, or NO_GROUP. -1:
 * EINVAL, ENOMEM. */
static int add_assigned(struct fathom_share_tree *tree, size_t parent, uint32_t group,
			const struct assignment *given, struct fathom_error *error)
{
	const bool serves_subgroups = false;	/* for one user, named as a member of `group` */

	if (given->kind == TO_USER)
		return add_node(tree, parent, given->id, given->shares, NO_GROUP, error) ||
		       add_leaf(tree, given->id, group, serves_subgroups, error) ? -1 : 0;
	/* the group's own assignments divide the node later, as a level of its own */
	if (given->kind == TO_GROUP && tree->group[given->id].assignment.count)
		return add_node(tree, parent, given->id, given->shares, given->id, error);
	if (!has_id(given))
		return add_users(tree, parent, given, group, error);
	share_tree_find_members(tree, given->id);
	return add_users(tree, parent, given, given->id, error);
}

/* Adds the children of a node, an account, by the assignments that divide it. -1: EINVAL,
 * ENOMEM. */
static int add_level(struct fathom_share_tree *tree, size_t node, struct fathom_error *error)
{
	uint32_t group = node ? tree->origin[node].group : NO_GROUP;
	const struct range *range = node ? &tree->group[group].assignment : &tree->top;
	const struct assignment *given = tree->assignment + range->first;

	if (node) {
		share_tree_find_members(tree, group);
	} else {
		begin_search(tree);
		find_all_users(tree);
	}
	tree->level_user_count = tree->found_count;
	memcpy(tree->level_user, tree->found, tree->found_count * sizeof(*tree->found));
	if (check_level(tree, range, group, error))
		return -1;
	for (uint32_t i = 0; i < range->count; i++)
		mark_assigned(tree, &given[i]);
	for (uint32_t i = 0; i < range->count; i++)
		if (add_assigned(tree, node, group, &given[i], error))
			return -1;
	return 0;
}

int share_tree_add_levels(struct fathom_share_tree *tree, struct fathom_error *error)
{
	if (add_node(tree, 0, ALL_USERS, 1, NO_GROUP, error))
		return -1;
	for (size_t node = 0; node < tree->row_count; node++)
		if (tree->row[node].kind == FATHOM_ACCOUNT && add_level(tree, node, error))
			return -1;
	return 0;
}

/* ---- leaves by user -------------------------------------------------------------------- */

int share_tree_sort_leaves(struct fathom_share_tree *tree, struct fathom_error *error)
{
	struct user_leaf *sorted = malloc((tree->leaf_count + 1) * sizeof(*sorted));
	uint32_t *first = calloc(tree->name_count + 2, sizeof(*first));

	if (!sorted || !first) {
		free(sorted);
		free(first);
		return no_memory(error);
	}
	/* first[user + 1] is the start of a user's leaves. Placing them moves it to their
	 * end, which is the start of the next user's leaves. */
	for (size_t i = 0; i < tree->leaf_count; i++)
		first[tree->leaf[i].user + 2]++;
	for (size_t id = 0; id < tree->name_count; id++)
		first[id + 2] += first[id + 1];
	for (size_t i = 0; i < tree->leaf_count; i++)
		sorted[first[tree->leaf[i].user + 1]++] = tree->leaf[i];
	free(tree->leaf);
	tree->leaf = sorted;
	tree->first_leaf = first;
	for (size_t id = 0; id < tree->name_count; id++)
		if (first[id + 1] - first[id] > tree->most_leaves)
			tree->most_leaves = first[id + 1] - first[id];
	return 0;
}
