/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds a share tree from LSF's user share assignments.
 *
 * A queue or host partition lists assignments: [user, n], [group, n], [group@, n],
 * [default, n], [others, n]. A group may list assignments to its members, and
 * then divides its own shares by them. Example:
 *
 *	group physics = bob cleo	queue: [ada, 10] [physics, 20] [default, 1]
 *	users ada bob cleo dan		physics: [bob, 3] [others, 1]
 *
 *	root
 *	  ada		10
 *	  physics	20
 *	    bob		3
 *	    others	1	serves cleo
 *	  dan		1	from "default"
 *
 * Source: LSF, "User Share Assignments", "Hierarchical User-based Fairshare".
 */
#include "core/array.h"
#include "core/error.h"
#include "core/name_index.h"
#include "core/small_letters.h"
#include "policy/lsf/share_tree.h"
#include "fathom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALL_USERS UINT32_MAX	/* the id of the member "all" and of the node "others" */
#define NO_GROUP UINT32_MAX	/* in place of a group's id */
#define NO_USER UINT32_MAX	/* in place of a user's id */
#define MOST_NODES (1u << 22)	/* a limit, as a few groups within groups may make any number */

/* To whom an assignment gives shares: a user, a group, "group@", "default", "others". */
enum assignment_kind { TO_USER, TO_GROUP, TO_MEMBERS, TO_DEFAULT, TO_OTHERS, KIND_COUNT };

struct assignment {
	enum assignment_kind kind;
	uint32_t id;		/* of the user or group; unused for "default" and "others" */
	uint32_t shares;
};

/* One group's part of an array that all groups share. */
struct range { uint32_t first, count; };

struct group {
	struct range member, assignment;	/* in `member` and `assignment` of the tree */
	bool has_subgroup;			/* a member is a group */
};

/* What a node of the tree stands for. */
struct node_origin {
	uint32_t id;		/* the user or group; ALL_USERS for "others" */
	uint32_t group;		/* the group whose assignments divide the node, or NO_GROUP */
};

/* A leaf of the tree that serves a user. A user may have several. */
struct user_leaf {
	uint32_t user, node;
	/* The group because of which the leaf serves the user: the one that the assignment names,
	 * else the one that lists the assignment. NO_GROUP: the queue lists it. */
	uint32_t group;
	bool serves_subgroups;	/* the leaf also serves members of the group's subgroups */
};

/* Users and groups have ids: groups from 0 in the order given, then users. */
struct fathom_share_tree {
	const char **name;	/* by id; each is a copy */
	struct name_index ids;	/* from names to ids */
	size_t name_count, group_count;
	char **account;		/* by group: its name in small letters, as Slurm writes accounts;
				 * each is a copy */
	struct name_index accounts;	/* from these to groups */
	struct group *group;		/* by id */
	uint32_t *member;		/* ids of members, or ALL_USERS, group by group */
	struct assignment *assignment;	/* group by group, then those of `top` */
	struct range top;	/* assignments of the queue or host partition */

	struct fathom_row *row;	/* by node, breadth first */
	struct node_origin *origin;	/* by node */
	size_t row_count;		/* number of nodes */
	struct user_leaf *leaf;	/* sorted by user */
	size_t leaf_count;
	uint32_t *first_leaf;	/* by user id, and one more: index into `leaf` */
	uint32_t most_leaves;	/* number of leaves of the user who has most */

	/* The last search for members of a group. It has found an id if is_found[id] equals
	 * `stamp`: each search has a stamp of its own, so that nothing has to be cleared. */
	uint32_t *is_found, stamp;
	uint32_t *found;	/* the users found, in the order of the lists */
	size_t found_count;
	uint32_t *stack;	/* the groups that the search is inside of */
	uint32_t *next_member;	/* by index in `stack`: index of the group's next member */
	uint32_t searched;	/* the group whose members were found; NO_GROUP: all users were */

	/* The groups that contain the group `below`, also through others: those for which
	 * is_above[id] equals above_stamp. NO_GROUP: they have not been searched yet. */
	uint32_t below, *is_above, above_stamp;

	/* The present level, the nodes of one list of assignments. An element of is_assigned and
	 * is_named is set if it equals level_stamp. */
	uint32_t level_stamp;
	uint32_t *is_assigned;		/* by user: some assignment names or contains the user */
	uint32_t *is_named[TO_DEFAULT];	/* by kind and id: an assignment of that kind has the id */
	bool has_kind[KIND_COUNT];	/* the level has an assignment of this kind */
	uint32_t *level_user;		/* the users that the level is for */
	size_t level_user_count;
};

/* ---- names ------------------------------------------------------------------- */

/* Sets the error about memory. Returns -1. */
static int no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "user shares: out of memory");
}

/* Returns the id of a name, or NAME_INDEX_NONE. */
static size_t find_id(const struct fathom_share_tree *tree, const char *name)
{
	return name_index_get(&tree->ids, piece_of(name));
}

/* Finds the id of a name; a new name gets the next id, as a user. -1: ENOMEM. */
static int find_or_add_id(struct fathom_share_tree *tree, const char *name, uint32_t *id,
			  struct fathom_error *error)
{
	size_t known = find_id(tree, name);
	char *copy;

	*id = (uint32_t)known;
	if (known != NAME_INDEX_NONE)
		return 0;
	copy = strdup(name);
	if (!copy)
		return no_memory(error);
	*id = (uint32_t)tree->name_count;
	tree->name[tree->name_count++] = copy;
	if (name_index_put(&tree->ids, piece_of(copy), *id, error))
		return no_memory(error);
	return 0;
}

static bool is_group(const struct fathom_share_tree *tree, size_t id)
{
	return id < tree->group_count;
}

/* ---- reading the configuration --------------------------------------------------- */

/* Returns how many names there can be at most; there are no more members or assignments either. */
static size_t count_names(const struct fathom_user_shares *given)
{
	size_t count = given->user_count + given->group_count + given->assignment_count;

	for (size_t i = 0; i < given->group_count; i++)
		count += given->group[i].member_count + given->group[i].assignment_count;
	return count;
}

/* Reads one assignment into *read. group: index of the group that lists it, for errors; or
 * FATHOM_NO_ROW. -1: EINVAL, ENOMEM. */
static int read_assignment(struct fathom_share_tree *tree, const struct fathom_assignment *given,
			   size_t group, struct assignment *read, struct fathom_error *error)
{
	size_t length = strlen(given->name);

	*read = (struct assignment){ .shares = given->shares };
	if (!given->shares || given->shares == FATHOM_SHARES_PARENT)
		return fathom_error_set_row(error, EINVAL, group,
					    "[%.64s, %lu]: shares must be 1 to %lu",
					    given->name, (unsigned long)given->shares,
					    (unsigned long)FATHOM_SHARES_PARENT - 1);
	if (!strcmp(given->name, "default") || !strcmp(given->name, "others")) {
		read->kind = strcmp(given->name, "default") ? TO_OTHERS : TO_DEFAULT;
		return 0;
	}
	if (length > 1 && given->name[length - 1] == '@') {
		size_t id = name_index_get(&tree->ids, (struct piece){ given->name, length - 1 });

		if (!is_group(tree, id))
			return fathom_error_set_row(error, EINVAL, group, "[%.64s, %lu]: there is "
						    "no group of this name", given->name,
						    (unsigned long)given->shares);
		read->kind = TO_MEMBERS;
		read->id = (uint32_t)id;
		return 0;
	}
	if (find_or_add_id(tree, given->name, &read->id, error))
		return -1;
	read->kind = is_group(tree, read->id) ? TO_GROUP : TO_USER;
	return 0;
}

/* Reads a list of assignments into tree->assignment from range->first on, and sets range->count.
 * group: see read_assignment(). -1: EINVAL, ENOMEM. */
static int read_assignments(struct fathom_share_tree *tree, const struct fathom_assignment *given,
			    size_t count, size_t group, struct range *range,
			    struct fathom_error *error)
{
	range->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		if (read_assignment(tree, &given[i], group, &tree->assignment[range->first + i],
				    error))
			return -1;
	return 0;
}

/* Reads the members of the group with this id. A member that is a group must come before it. -1:
 * EINVAL, ENOMEM. */
static int read_members(struct fathom_share_tree *tree, const struct fathom_user_group *given,
			size_t id, struct fathom_error *error)
{
	struct group *group = &tree->group[id];

	group->member.count = (uint32_t)given->member_count;
	for (size_t i = 0; i < given->member_count; i++) {
		uint32_t *member = &tree->member[group->member.first + i];

		if (!strcmp(given->member[i], "all")) {
			*member = ALL_USERS;
			continue;
		}
		if (find_or_add_id(tree, given->member[i], member, error))
			return -1;
		if (!is_group(tree, *member))
			continue;
		group->has_subgroup = true;
		if (*member >= id)
			return fathom_error_set_row(error, EINVAL, id,
						    "group '%.64s' has the member '%.64s', a group "
						    "that must be defined before it",
						    given->name, given->member[i]);
	}
	return 0;
}

/* Gives groups their ids, then reads their members and assignments, and the assignments of the
 * queue or host partition. -1: EINVAL, ENOMEM. */
static int read_groups(struct fathom_share_tree *tree, const struct fathom_user_shares *given,
		       struct fathom_error *error)
{
	struct range member = { 0, 0 }, assignment = { 0, 0 };
	uint32_t id;

	for (size_t i = 0; i < given->group_count; i++) {
		if (find_or_add_id(tree, given->group[i].name, &id, error))
			return -1;
		if (id != i)
			return fathom_error_set_row(error, EINVAL, i, "group '%.64s' is defined "
						    "twice", given->group[i].name);
	}
	for (size_t i = 0; i < given->group_count; i++) {
		const struct fathom_user_group *from = &given->group[i];

		tree->group[i].member.first = member.first;
		tree->group[i].assignment.first = assignment.first;
		if (read_members(tree, from, i, error) ||
		    read_assignments(tree, from->assignment, from->assignment_count, i,
				     &tree->group[i].assignment, error))
			return -1;
		member.first += (uint32_t)from->member_count;
		assignment.first += (uint32_t)from->assignment_count;
	}
	tree->top.first = assignment.first;
	return read_assignments(tree, given->assignment, given->assignment_count, FATHOM_NO_ROW,
				&tree->top, error);
}

/* Fills the index from names of accounts to groups. If names of groups differ only in capitals, the
 * first of these groups has the account. -1: ENOMEM. */
static int read_accounts(struct fathom_share_tree *tree, struct fathom_error *error)
{
	for (size_t i = 0; i < tree->group_count; i++) {
		char *account = tree->account[i] = strdup(tree->name[i]);
		struct piece name = { account, strlen(tree->name[i]) };

		if (!account)
			return no_memory(error);
		make_small(account);
		if (name_index_get(&tree->accounts, name) == NAME_INDEX_NONE &&
		    name_index_put(&tree->accounts, name, i, error))
			return no_memory(error);
	}
	return 0;
}

/* Gives ids to the users that no group and no assignment names. -1: ENOMEM. */
static int read_users(struct fathom_share_tree *tree, const struct fathom_user_shares *given,
		      struct fathom_error *error)
{
	uint32_t id;
	int status = 0;

	for (size_t i = 0; !status && i < given->user_count; i++)
		status = find_or_add_id(tree, given->user[i], &id, error);
	return status;
}

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

/* Puts the users of a group and of all its subgroups into `found`, in the order of the lists, and
 * marks these users and groups in `is_found`. Does nothing if the last search was for this group.
 * Searches depth first, with a stack of its own, as groups may lie deep within groups. */
static void find_members(struct fathom_share_tree *tree, uint32_t group)
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
	find_members(tree, given->id);
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
	find_members(tree, given->id);
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
		find_members(tree, group);
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

/* Adds all nodes in breadth-first order: the children of each account behind all nodes that were
 * added before. -1: EINVAL, ENOMEM. */
static int add_levels(struct fathom_share_tree *tree, struct fathom_error *error)
{
	if (add_node(tree, 0, ALL_USERS, 1, NO_GROUP, error))
		return -1;
	for (size_t node = 0; node < tree->row_count; node++)
		if (tree->row[node].kind == FATHOM_ACCOUNT && add_level(tree, node, error))
			return -1;
	return 0;
}

/* ---- leaves by user -------------------------------------------------------------------- */

/* Sorts the leaves by user with a counting sort, which keeps the order of each user's leaves; sets
 * first_leaf and most_leaves. -1: ENOMEM. */
static int sort_leaves(struct fathom_share_tree *tree, struct fathom_error *error)
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

/* ---- create and destroy ---------------------------------------------------------------- */

#define EACH_ARRAY_BY_ID(DO)                                                            \
	DO(name) DO(account) DO(group) DO(member) DO(assignment) DO(is_found) DO(found) \
	DO(stack) DO(next_member) DO(is_assigned) DO(level_user) DO(is_above)           \
	DO(is_named[TO_USER]) DO(is_named[TO_GROUP]) DO(is_named[TO_MEMBERS])

/* Allocates these arrays, with room for all names that can occur. -1: out of memory, without an
 * error text. */
static int allocate(struct fathom_share_tree *tree, const struct fathom_user_shares *given)
{
	size_t names = count_names(given) + 1;	/* + 1: no array has 0 elements */
	bool complete = true;

	tree->group_count = given->group_count;
	tree->searched = tree->below = NO_GROUP;
#define ALLOCATE(array) \
	complete = complete && (tree->array = calloc(names, sizeof(*tree->array)));
	EACH_ARRAY_BY_ID(ALLOCATE)
#undef ALLOCATE
	return complete ? 0 : -1;
}

struct fathom_share_tree *fathom_share_tree_create(const struct fathom_user_shares *given,
						   struct fathom_error *error)
{
	struct fathom_share_tree *tree = calloc(1, sizeof(*tree));

	if (!tree || allocate(tree, given)) {
		no_memory(error);
		goto error;
	}
	if (read_groups(tree, given, error) || read_accounts(tree, error) ||
	    read_users(tree, given, error) || add_levels(tree, error) || sort_leaves(tree, error))
		goto error;
	return tree;
error:
	fathom_share_tree_destroy(tree);
	return NULL;
}

void fathom_share_tree_destroy(struct fathom_share_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->name_count; i++)
		free((char *)tree->name[i]);
	for (size_t i = 0; tree->account && i < tree->group_count; i++)
		free(tree->account[i]);
#define FREE(array) free(tree->array);
	EACH_ARRAY_BY_ID(FREE)
#undef FREE
	name_index_clear(&tree->ids);
	name_index_clear(&tree->accounts);
	free(tree->row);
	free(tree->origin);
	free(tree->leaf);
	free(tree->first_leaf);
	free(tree);
}

/* ---- access ------------------------------------------------------------------------------ */

size_t fathom_share_tree_count(const struct fathom_share_tree *tree)
{
	return tree->row_count;
}

const struct fathom_row *fathom_share_tree_rows(const struct fathom_share_tree *tree)
{
	return tree->row;
}

const char *fathom_share_tree_name(const struct fathom_share_tree *tree, size_t node)
{
	uint32_t id = tree->origin[node].id;

	if (!node)
		return "root";
	return id == ALL_USERS ? "others" : tree->name[id];
}

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
	find_members(tree, *group);
	return tree->is_found[user] == tree->stamp ? GROUP_RIGHT : GROUP_WITHOUT_USER;
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
	return tree->is_above[group] == tree->above_stamp;
}

/* Marks the groups that contain the group `below`, also through others. A group is defined after
 * its members, so one sweep over the groups behind `below` finds them all. */
static void find_groups_above(struct fathom_share_tree *tree, uint32_t below)
{
	if (tree->below == below)
		return;
	tree->below = below;
	tree->above_stamp++;
	for (uint32_t id = below + 1; id < tree->group_count; id++) {
		const struct range *range = &tree->group[id].member;

		for (uint32_t i = 0; tree->group[id].has_subgroup && i < range->count; i++) {
			uint32_t member = tree->member[range->first + i];

			if (member == below || (is_group(tree, member) && is_above(tree, member)))
				tree->is_above[id] = tree->above_stamp;
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
	find_members(tree, (uint32_t)id);
	return tree->is_found[user] == tree->stamp ? (uint32_t)id : NO_GROUP;
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
