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
	if (was_found(tree, user))
		return;
	tree->found_in[user] = tree->search;
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
	tree->search++;
	tree->found_count = 0;
}

/* Pushes a group to the stack of the search, which has `depth` groups, unless the search has found
 * this group already. Returns the new depth. */
static size_t enter_group(struct fathom_share_tree *tree, uint32_t group, size_t depth)
{
	if (was_found(tree, group))
		return depth;
	tree->found_in[group] = tree->search;
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

/* The users whom one assignment gives shares. */
struct served_users {
	const uint32_t *user;
	size_t count;
	uint32_t group;		/* these two as in struct user_leaf */
	bool serves_subgroups;
};

/* Notes that the node which was added last serves a user, one of `users`. -1: ENOMEM. */
static int add_leaf(struct fathom_share_tree *tree, uint32_t user,
		    const struct served_users *users, struct fathom_error *error)
{
	struct user_leaf *leaf = array_append(&tree->leaf, &tree->leaf_count, sizeof(*leaf));

	if (!leaf)
		return no_memory(error);
	*leaf = (struct user_leaf){
		.user = user, .node = (uint32_t)tree->row_count - 1, .group = users->group,
		.serves_subgroups = users->serves_subgroups,
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

/* Checks that the level has the name of an assignment for the first time, and, if a group lists the
 * assignment, that the name is a member of that group; then notes the assignment. lister: the group
 * that lists the assignment, for which the last search was; NO_GROUP: the queue or host partition
 * lists it. -1: EINVAL. */
static int check_assignment(struct fathom_share_tree *tree, const struct assignment *given,
			    uint32_t lister, struct fathom_error *error)
{
	size_t row = lister == NO_GROUP ? FATHOM_NO_ROW : lister;
	bool is_repeated = has_id(given) ? tree->named_in[given->kind][given->id] == tree->level
					 : tree->has_kind[given->kind];

	if (is_repeated)
		return fathom_error_set_row(error, EINVAL, row, "'%.64s%s' has shares twice, must "
					    "have them once", name_of(tree, given),
					    given->kind == TO_MEMBERS ? "@" : "");
	tree->has_kind[given->kind] = true;
	if (!has_id(given))
		return 0;
	tree->named_in[given->kind][given->id] = tree->level;
	if (lister != NO_GROUP && !was_found(tree, given->id))
		return fathom_error_set_row(error, EINVAL, row,
					    "'%.64s' has shares in group '%.64s', must be a member "
					    "of it", name_of(tree, given), tree->name[lister]);
	return 0;
}

/* Begins a level: checks its assignments, and notes which names and kinds it has. lister: see
 * check_assignment(). -1: EINVAL. */
static int check_level(struct fathom_share_tree *tree, const struct range *range, uint32_t lister,
		       struct fathom_error *error)
{
	tree->level++;
	memset(tree->has_kind, 0, sizeof(tree->has_kind));
	for (uint32_t i = 0; i < range->count; i++)
		if (check_assignment(tree, &tree->assignment[range->first + i], lister, error))
			return -1;
	return 0;
}

/* Marks the users that an assignment names or contains as assigned in the level. */
static void mark_assigned(struct fathom_share_tree *tree, const struct assignment *given)
{
	if (given->kind == TO_USER)
		tree->assigned_in[given->id] = tree->level;
	if (given->kind != TO_GROUP && given->kind != TO_MEMBERS)
		return;
	share_tree_find_members(tree, given->id);
	for (size_t i = 0; i < tree->found_count; i++)
		tree->assigned_in[tree->found[i]] = tree->level;
}

/* Leaves in `unassigned` the users for "default" and "others": those who are not assigned. */
static void drop_assigned(struct fathom_share_tree *tree)
{
	size_t kept = 0;

	for (size_t i = 0; i < tree->unassigned_count; i++)
		if (tree->assigned_in[tree->unassigned[i]] != tree->level)
			tree->unassigned[kept++] = tree->unassigned[i];
	tree->unassigned_count = kept;
}

/* Returns the members of a group, also of its subgroups; valid until the next search. */
static struct served_users members_of(struct fathom_share_tree *tree, uint32_t group)
{
	share_tree_find_members(tree, group);
	return (struct served_users){ tree->found, tree->found_count, group, true };
}

/* Adds a node below `parent` for each of the users. -1: EINVAL, ENOMEM. */
static int add_node_for_each(struct fathom_share_tree *tree, size_t parent, uint32_t shares,
			     const struct served_users *users, struct fathom_error *error)
{
	for (size_t i = 0; i < users->count; i++)
		if (add_node(tree, parent, users->user[i], shares, NO_GROUP, error) ||
		    add_leaf(tree, users->user[i], users, error))
			return -1;
	return 0;
}

/* Adds one node below `parent` that serves all the users. id: of their group, or ALL_USERS. -1:
 * EINVAL, ENOMEM. */
static int add_node_for_all(struct fathom_share_tree *tree, size_t parent, uint32_t id,
			    uint32_t shares, const struct served_users *users,
			    struct fathom_error *error)
{
	if (add_node(tree, parent, id, shares, NO_GROUP, error))
		return -1;
	for (size_t i = 0; i < users->count; i++)
		if (add_leaf(tree, users->user[i], users, error))
			return -1;
	return 0;
}

/* Adds the nodes of one assignment below `parent`. lister: the group that lists it, or NO_GROUP.
 * -1: EINVAL, ENOMEM. */
static int add_assigned(struct fathom_share_tree *tree, size_t parent, uint32_t lister,
			const struct assignment *given, struct fathom_error *error)
{
	struct served_users users = { tree->unassigned, tree->unassigned_count, lister, true };

	switch (given->kind) {
	case TO_USER:
		users = (struct served_users){ &given->id, 1, lister, false };
		return add_node_for_each(tree, parent, given->shares, &users, error);
	case TO_GROUP:
		/* the group's own assignments divide the node later, as a level of its own */
		if (tree->group[given->id].assignment.count)
			return add_node(tree, parent, given->id, given->shares, given->id, error);
		users = members_of(tree, given->id);
		return add_node_for_all(tree, parent, given->id, given->shares, &users, error);
	case TO_MEMBERS:
		users = members_of(tree, given->id);
		return add_node_for_each(tree, parent, given->shares, &users, error);
	case TO_DEFAULT:
		return add_node_for_each(tree, parent, given->shares, &users, error);
	default:	/* TO_OTHERS, which serves nobody if "default" gives each user a node */
		if (tree->has_kind[TO_DEFAULT])
			users.count = 0;
		return add_node_for_all(tree, parent, ALL_USERS, given->shares, &users, error);
	}
}

/* Adds the children of a node, an account, by the assignments that divide it. -1: EINVAL,
 * ENOMEM. */
static int add_level(struct fathom_share_tree *tree, size_t node, struct fathom_error *error)
{
	uint32_t lister = node ? tree->origin[node].group : NO_GROUP;
	const struct range *range = node ? &tree->group[lister].assignment : &tree->top;
	const struct assignment *given = tree->assignment + range->first;

	if (node) {
		share_tree_find_members(tree, lister);
	} else {	/* the root is divided among all users */
		begin_search(tree);
		find_all_users(tree);
	}
	tree->unassigned_count = tree->found_count;
	memcpy(tree->unassigned, tree->found, tree->found_count * sizeof(*tree->found));
	if (check_level(tree, range, lister, error))
		return -1;
	for (uint32_t i = 0; i < range->count; i++)
		mark_assigned(tree, &given[i]);
	drop_assigned(tree);
	for (uint32_t i = 0; i < range->count; i++)
		if (add_assigned(tree, node, lister, &given[i], error))
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
