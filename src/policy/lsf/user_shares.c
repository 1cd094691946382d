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
#include "core/small_letters.h"
#include "policy/lsf/share_tree_layout.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------- */

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

/* ---- reading the configuration --------------------------------------------------- */

/* Returns how many different names there can be at most. There are no more members, and no more
 * assignments, than that. */
static size_t count_names(const struct fathom_user_shares *given)
{
	size_t count = given->user_count + given->group_count + given->assignment_count;

	for (size_t i = 0; i < given->group_count; i++)
		count += given->group[i].member_count + given->group[i].assignment_count;
	return count;
}

/* Sets kind and id of *read, for an assignment to "group@". lister: see read_assignment(). -1:
 * EINVAL. */
static int read_members_word(struct fathom_share_tree *tree, const struct fathom_assignment *given,
			     size_t lister, struct assignment *read, struct fathom_error *error)
{
	const struct piece group = { given->name, strlen(given->name) - 1 };
	size_t id = name_index_get(&tree->ids, group);

	if (!is_group(tree, id))
		return fathom_error_set_row(error, EINVAL, lister,
					    "[%.64s, %lu]: there is no group of this name",
					    given->name, (unsigned long)given->shares);
	read->kind = TO_MEMBERS;
	read->id = (uint32_t)id;
	return 0;
}

/* Reads one assignment into *read. lister: index of the group that lists the assignment, for
 * errors; FATHOM_NO_ROW: the queue or host partition lists it. -1: EINVAL, ENOMEM. */
static int read_assignment(struct fathom_share_tree *tree, const struct fathom_assignment *given,
			   size_t lister, struct assignment *read, struct fathom_error *error)
{
	const char *name = given->name;
	size_t length = strlen(name);

	*read = (struct assignment){ .shares = given->shares };
	if (!given->shares || given->shares == FATHOM_SHARES_PARENT)
		return fathom_error_set_row(error, EINVAL, lister,
					    "[%.64s, %lu]: shares must be 1 to %lu",
					    name, (unsigned long)given->shares,
					    (unsigned long)FATHOM_SHARES_PARENT - 1);
	if (length > 1 && name[length - 1] == '@')
		return read_members_word(tree, given, lister, read, error);
	if (!strcmp(name, "default"))
		read->kind = TO_DEFAULT;
	else if (!strcmp(name, "others"))
		read->kind = TO_OTHERS;
	else if (find_or_add_id(tree, name, &read->id, error))
		return -1;
	else
		read->kind = is_group(tree, read->id) ? TO_GROUP : TO_USER;
	return 0;
}

/* Reads a list of assignments into tree->assignment from range->first on, and sets range->count.
 * lister: see read_assignment(). -1: EINVAL, ENOMEM. */
static int read_assignments(struct fathom_share_tree *tree, const struct fathom_assignment *given,
			    size_t count, size_t lister, struct range *range,
			    struct fathom_error *error)
{
	range->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		if (read_assignment(tree, &given[i], lister, &tree->assignment[range->first + i],
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

/* Gives groups their ids: their indices. -1: EINVAL, ENOMEM. */
static int read_group_names(struct fathom_share_tree *tree, const struct fathom_user_shares *given,
			    struct fathom_error *error)
{
	for (size_t i = 0; i < given->group_count; i++) {
		uint32_t id;

		if (find_or_add_id(tree, given->group[i].name, &id, error))
			return -1;
		if (id != i)
			return fathom_error_set_row(error, EINVAL, i, "group '%.64s' is defined "
						    "twice", given->group[i].name);
	}
	return 0;
}

/* Reads the members and assignments of all groups, which must have their ids, and the assignments
 * of the queue or host partition. -1: EINVAL, ENOMEM. */
static int read_groups(struct fathom_share_tree *tree, const struct fathom_user_shares *given,
		       struct fathom_error *error)
{
	uint32_t member = 0, assignment = 0;	/* how many have been read */

	for (size_t i = 0; i < given->group_count; i++) {
		const struct fathom_user_group *from = &given->group[i];

		tree->group[i].member.first = member;
		tree->group[i].assignment.first = assignment;
		if (read_members(tree, from, i, error) ||
		    read_assignments(tree, from->assignment, from->assignment_count, i,
				     &tree->group[i].assignment, error))
			return -1;
		member += (uint32_t)from->member_count;
		assignment += (uint32_t)from->assignment_count;
	}
	tree->top.first = assignment;
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

/* ---- create and destroy ---------------------------------------------------------------- */

#define EACH_ARRAY_BY_ID(DO)                                                            \
	DO(name) DO(account) DO(group) DO(member) DO(assignment) DO(found_in) DO(found) \
	DO(stack) DO(next_member) DO(assigned_in) DO(unassigned) DO(above_in)           \
	DO(named_in[TO_USER]) DO(named_in[TO_GROUP]) DO(named_in[TO_MEMBERS])

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
	if (read_group_names(tree, given, error) || read_groups(tree, given, error) ||
	    read_accounts(tree, error) || read_users(tree, given, error) ||
	    share_tree_add_levels(tree, error) || share_tree_sort_leaves(tree, error))
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
