/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of a share tree, for the files that build it and look things up in it. */
#pragma once

#include "core/error.h"
#include "core/name_index.h"
#include "policy/lsf/share_tree.h"
#include "fathom.h"

#include <errno.h>

#define ALL_USERS UINT32_MAX	/* the id of the member "all" and of the node "others" */
#define NO_GROUP UINT32_MAX	/* in place of a group's id */
#define NO_USER UINT32_MAX	/* in place of a user's id */

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

	/* The last search for members of a group, see was_found(). */
	uint32_t *found_in;	/* by id: the number of the last search that has found it */
	uint32_t search;	/* number of the last search; so nothing has to be cleared */
	uint32_t *found;	/* the users found, in the order of the lists */
	size_t found_count;
	uint32_t *stack;	/* the groups that the search is inside of */
	uint32_t *next_member;	/* by index in `stack`: index of the group's next member */
	uint32_t searched;	/* the group whose members were found; NO_GROUP: all users were */

	/* The last search for the groups that contain a group, also through others. */
	uint32_t below;		/* the group for which it was; NO_GROUP: there was no search yet */
	uint32_t *above_in;	/* by group: number of the last such search that has found it */
	uint32_t above_search;	/* number of the last such search */

	/* The present level, the nodes of one list of assignments. */
	uint32_t level;		/* its number */
	uint32_t *assigned_in;	/* by user: the last level in which some assignment names or
				 * contains the user */
	/* by kind and id: the last level in which an assignment of that kind has the id */
	uint32_t *named_in[TO_DEFAULT];
	bool has_kind[KIND_COUNT];	/* the level has an assignment of this kind */
	uint32_t *unassigned;	/* the users of the level, without those who are assigned in it */
	size_t unassigned_count;
};

/* Sets the error about memory. Returns -1. */
static inline int no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "user shares: out of memory");
}

/* Returns the id of a name, or NAME_INDEX_NONE. */
static inline size_t find_id(const struct fathom_share_tree *tree, const char *name)
{
	return name_index_get(&tree->ids, piece_of(name));
}

/* Returns whether an id is that of a group; false for NAME_INDEX_NONE, too. */
static inline bool is_group(const struct fathom_share_tree *tree, size_t id)
{
	return id < tree->group_count;
}

/* Returns whether the last search has found a user or group. */
static inline bool was_found(const struct fathom_share_tree *tree, uint32_t id)
{
	return tree->found_in[id] == tree->search;
}

/* ---- share_levels.c ---------------------------------------------------------------------- */

/* Puts the users of a group and of all its subgroups into `found`, in the order of the lists; the
 * group and its subgroups then count as found, too, see was_found(). Does nothing if the last
 * search was for this group. Searches depth first, with a stack of its own, as groups may lie deep
 * within groups. */
void share_tree_find_members(struct fathom_share_tree *tree, uint32_t group);
/* Adds all nodes in breadth-first order: the children of each account behind all nodes that were
 * added before. -1: EINVAL, ENOMEM. */
int share_tree_add_levels(struct fathom_share_tree *tree, struct fathom_error *error);
/* Sorts the leaves by user with a counting sort, which keeps the order of each user's leaves; sets
 * first_leaf and most_leaves. -1: ENOMEM. */
int share_tree_sort_leaves(struct fathom_share_tree *tree, struct fathom_error *error);
