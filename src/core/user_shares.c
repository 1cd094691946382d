/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's user share assignments as a tree: [user, n], [group, n], [group@, n],
 * [default, n], [others, n], in a queue or host partition and again in groups
 * that have a share tree of their own.
 * Source: LSF, "User Share Assignments", "Hierarchical User-based Fairshare".
 */
#include "core/error.h"
#include "fathom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ALL UINT32_MAX		/* a member that is everybody */
#define NO_GROUP UINT32_MAX
#define MOST_NODES (1u << 22)	/* groups shared by many trees may multiply */

enum kind { TO_USER, TO_GROUP, TO_MEMBERS, TO_DEFAULT, TO_OTHERS, KIND_COUNT };

struct assignment {
	enum kind kind;
	uint32_t id;		/* of the user or group */
	uint32_t shares;
};

/* A slice of an array that holds those of all groups. */
struct range { uint32_t first, count; };

struct group {
	struct range member, assignment;
	bool has_subgroup;
};

/* A user's at a leaf, by way of a group. */
struct place {
	uint32_t user, node, group;
	bool reaches_below;	/* members of subgroups are here as well */
};

/* Groups have the ids from 0, in their order, users those behind. */
struct fathom_share_tree {
	const char **name;	/* by id; each is a copy */
	uint32_t *slot;		/* id + 1, hashed; 0: free */
	size_t mask, name_count, group_count;
	struct group *group;
	uint32_t *member;
	struct assignment *assignment;
	struct range top;	/* assignments of the queue or host partition */

	struct fathom_row *row;	/* by node, breadth first */
	uint32_t *row_id, *row_group;	/* whom it stands for; the group whose share tree it is */
	size_t row_count, row_room;
	struct place *place;	/* user by user */
	size_t place_count, place_room;
	uint32_t *first_place;	/* by id, and one more: in `place` */

	/* scratch, by id: of an expansion, of a level */
	uint32_t *mark, *taken, *named[TO_DEFAULT];
	uint32_t stamp, level_stamp;
	uint32_t *found, *universe, *stack, *stack_at;
	size_t found_count, universe_count;
	bool has[KIND_COUNT];	/* of a level */
};

/* ---- names ------------------------------------------------------------------- */

static int no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "user shares: out of memory");
}

static uint32_t *find_slot(const struct fathom_share_tree *tree, const char *text, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t at;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);	/* FNV-1a */
	at = (size_t)(hash ^ hash >> 32) & tree->mask;
	while (tree->slot[at]) {
		const char *name = tree->name[tree->slot[at] - 1];

		if (!strncmp(name, text, length) && !name[length])
			break;
		at = (at + 1) & tree->mask;
	}
	return &tree->slot[at];
}

/* The id of a name, which is a user's unless it is known. -1: ENOMEM. */
static int intern(struct fathom_share_tree *tree, const char *text, uint32_t *id,
		  struct fathom_error *error)
{
	uint32_t *slot = find_slot(tree, text, strlen(text));

	if (!*slot) {
		char *copy = strdup(text);

		if (!copy)
			return no_memory(error);
		tree->name[tree->name_count++] = copy;
		*slot = (uint32_t)tree->name_count;
	}
	*id = *slot - 1;
	return 0;
}

static bool is_group(const struct fathom_share_tree *tree, uint32_t id)
{
	return id < tree->group_count;
}

/* ---- what was configured -------------------------------------------------------- */

static size_t count_names(const struct fathom_user_shares *given)
{
	size_t count = given->user_count + given->group_count + given->assignment_count;

	for (size_t i = 0; i < given->group_count; i++)
		count += given->group[i].member_count + given->group[i].assignment_count;
	return count;
}

static int take_assignment(struct fathom_share_tree *tree, const struct fathom_assignment *given,
			   size_t group, struct assignment *taken, struct fathom_error *error)
{
	size_t length = strlen(given->name);

	*taken = (struct assignment){ .shares = given->shares };
	if (!given->shares || given->shares == FATHOM_SHARES_PARENT)
		return fathom_error_set_row(error, EINVAL, group, "[%.64s, %lu]: shares must be 1 to "
					    "%lu", given->name, (unsigned long)given->shares,
					    (unsigned long)FATHOM_SHARES_PARENT - 1);
	if (!strcmp(given->name, "default") || !strcmp(given->name, "others")) {
		taken->kind = *given->name == 'd' ? TO_DEFAULT : TO_OTHERS;
		return 0;
	}
	if (length > 1 && given->name[length - 1] == '@') {
		uint32_t slot = *find_slot(tree, given->name, length - 1);

		if (!slot || !is_group(tree, slot - 1))
			return fathom_error_set_row(error, EINVAL, group, "[%.64s, %lu]: there is "
						    "no group of this name", given->name,
						    (unsigned long)given->shares);
		taken->kind = TO_MEMBERS;
		taken->id = slot - 1;
		return 0;
	}
	if (intern(tree, given->name, &taken->id, error))
		return -1;
	taken->kind = is_group(tree, taken->id) ? TO_GROUP : TO_USER;
	return 0;
}

static int take_list(struct fathom_share_tree *tree, const struct fathom_assignment *given,
		     size_t count, size_t group, struct range *range, struct fathom_error *error)
{
	range->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		if (take_assignment(tree, &given[i], group, &tree->assignment[range->first + i],
				    error))
			return -1;
	return 0;
}

static int take_members(struct fathom_share_tree *tree, const struct fathom_user_group *given,
			size_t at, struct fathom_error *error)
{
	struct group *group = &tree->group[at];

	group->member.count = (uint32_t)given->member_count;
	for (size_t i = 0; i < given->member_count; i++) {
		uint32_t *member = &tree->member[group->member.first + i];

		if (!strcmp(given->member[i], "all")) {
			*member = ALL;
			continue;
		}
		if (intern(tree, given->member[i], member, error))
			return -1;
		if (!is_group(tree, *member))
			continue;
		group->has_subgroup = true;
		if (*member >= at)
			return fathom_error_set_row(error, EINVAL, at, "group '%.64s' has the member "
						    "'%.64s', a group that must be defined before it",
						    given->name, given->member[i]);
	}
	return 0;
}

static int take_groups(struct fathom_share_tree *tree, const struct fathom_user_shares *given,
		       struct fathom_error *error)
{
	struct range member = { 0, 0 }, assignment = { 0, 0 };
	uint32_t id;

	for (size_t i = 0; i < given->group_count; i++) {
		if (intern(tree, given->group[i].name, &id, error))
			return -1;
		if (id != i)
			return fathom_error_set_row(error, EINVAL, i, "group '%.64s' stands twice, "
						    "must be there once", given->group[i].name);
	}
	for (size_t i = 0; i < given->group_count; i++) {
		const struct fathom_user_group *from = &given->group[i];

		tree->group[i].member.first = member.first;
		tree->group[i].assignment.first = assignment.first;
		if (take_members(tree, from, i, error) ||
		    take_list(tree, from->assignment, from->assignment_count, i,
			      &tree->group[i].assignment, error))
			return -1;
		member.first += (uint32_t)from->member_count;
		assignment.first += (uint32_t)from->assignment_count;
	}
	tree->top.first = assignment.first;
	return take_list(tree, given->assignment, given->assignment_count, FATHOM_NO_ROW,
			 &tree->top, error);
}

static int take_users(struct fathom_share_tree *tree, const struct fathom_user_shares *given,
		      struct fathom_error *error)
{
	uint32_t id;

	for (size_t i = 0; i < given->user_count; i++)
		if (intern(tree, given->user[i], &id, error))
			return -1;
	return 0;
}

/* ---- members ----------------------------------------------------------------------- */

static void find_user(struct fathom_share_tree *tree, uint32_t id)
{
	if (tree->mark[id] == tree->stamp)
		return;
	tree->mark[id] = tree->stamp;
	tree->found[tree->found_count++] = id;
}

static void find_all(struct fathom_share_tree *tree)
{
	for (size_t id = tree->group_count; id < tree->name_count; id++)
		find_user(tree, (uint32_t)id);
}

static void begin_search(struct fathom_share_tree *tree)
{
	tree->stamp++;
	tree->found_count = 0;
}

/* Finds the users of a group and of all its subgroups, as they are listed;
 * marks them and the groups. */
static void find_members(struct fathom_share_tree *tree, uint32_t group)
{
	size_t depth = 1;

	begin_search(tree);
	tree->mark[group] = tree->stamp;
	tree->stack[0] = group;
	tree->stack_at[0] = 0;
	while (depth) {
		const struct range *member = &tree->group[tree->stack[depth - 1]].member;
		uint32_t at = tree->stack_at[depth - 1]++, id;

		if (at == member->count) {
			depth--;
			continue;
		}
		id = tree->member[member->first + at];
		if (id == ALL)
			find_all(tree);
		else if (!is_group(tree, id))
			find_user(tree, id);
		else if (tree->mark[id] != tree->stamp) {
			tree->mark[id] = tree->stamp;
			tree->stack[depth] = id;
			tree->stack_at[depth++] = 0;
		}
	}
}

/* ---- nodes ------------------------------------------------------------------------- */

static int grow(void *array, size_t count, size_t *room, size_t size)
{
	void **old = array, *grown;
	size_t wanted = *room ? 2 * *room : 64;

	if (count < *room)
		return 0;
	grown = realloc(*old, wanted * size);
	if (!grown)
		return -1;
	*old = grown;
	*room = wanted;
	return 0;
}

static int add_node(struct fathom_share_tree *tree, size_t parent, uint32_t id, uint32_t shares,
		    uint32_t group, struct fathom_error *error)
{
	size_t node = tree->row_count, room = tree->row_room, id_room = room;

	if (node == MOST_NODES)
		return fathom_error_set(error, EINVAL, "more than %u nodes: groups with shares of "
					"their own stand in too many others", MOST_NODES);
	if (grow(&tree->row, node, &tree->row_room, sizeof(*tree->row)) ||
	    grow(&tree->row_id, node, &room, sizeof(*tree->row_id)) ||
	    grow(&tree->row_group, node, &id_room, sizeof(*tree->row_group)))
		return no_memory(error);
	tree->row[node] = (struct fathom_row){
		.id = (int64_t)node + 1, .parent_id = (int64_t)parent + 1, .is_root = !node,
		.kind = !node || group != NO_GROUP ? FATHOM_ACCOUNT : FATHOM_USER,
		.raw_shares = shares,
	};
	tree->row_id[node] = id;
	tree->row_group[node] = group;
	tree->row_count++;
	return 0;
}

/* Of the node that was added last. */
static int add_place(struct fathom_share_tree *tree, uint32_t user, uint32_t group,
		     bool reaches_below, struct fathom_error *error)
{
	if (grow(&tree->place, tree->place_count, &tree->place_room, sizeof(*tree->place)))
		return no_memory(error);
	tree->place[tree->place_count++] = (struct place){
		.user = user, .node = (uint32_t)tree->row_count - 1, .group = group,
		.reaches_below = reaches_below,
	};
	return 0;
}

/* ---- a level ------------------------------------------------------------------------- */

static const char *name_of(const struct fathom_share_tree *tree, const struct assignment *given)
{
	static const char *const words[] = { [TO_DEFAULT] = "default", [TO_OTHERS] = "others" };

	return given->kind < TO_DEFAULT ? tree->name[given->id] : words[given->kind];
}

/* Each of a group's assignments is to somebody in it, and all are different. */
static int check_assignment(struct fathom_share_tree *tree, const struct assignment *given,
			    uint32_t group, struct fathom_error *error)
{
	size_t row = group == NO_GROUP ? FATHOM_NO_ROW : group;
	bool again = given->kind < TO_DEFAULT
			     ? tree->named[given->kind][given->id] == tree->level_stamp
			     : tree->has[given->kind];

	if (again)
		return fathom_error_set_row(error, EINVAL, row, "'%.64s%s' has shares twice, must "
					    "have them once", name_of(tree, given),
					    given->kind == TO_MEMBERS ? "@" : "");
	tree->has[given->kind] = true;
	if (given->kind >= TO_DEFAULT)
		return 0;
	tree->named[given->kind][given->id] = tree->level_stamp;
	if (group != NO_GROUP && tree->mark[given->id] != tree->stamp)
		return fathom_error_set_row(error, EINVAL, row, "'%.64s' has shares in group '%.64s', "
					    "must be a member of it", name_of(tree, given),
					    tree->name[group]);
	return 0;
}

static int check_level(struct fathom_share_tree *tree, const struct range *range, uint32_t group,
		       struct fathom_error *error)
{
	tree->level_stamp++;
	memset(tree->has, 0, sizeof(tree->has));
	for (uint32_t i = 0; i < range->count; i++)
		if (check_assignment(tree, &tree->assignment[range->first + i], group, error))
			return -1;
	return 0;
}

/* Whom `default` and `others` leave out. */
static void take_named(struct fathom_share_tree *tree, const struct assignment *given)
{
	if (given->kind == TO_USER)
		tree->taken[given->id] = tree->level_stamp;
	if (given->kind != TO_GROUP && given->kind != TO_MEMBERS)
		return;
	find_members(tree, given->id);
	for (size_t i = 0; i < tree->found_count; i++)
		tree->taken[tree->found[i]] = tree->level_stamp;
}

/* A node for each, or one in which all have their place. */
static int add_users(struct fathom_share_tree *tree, size_t parent, const struct assignment *given,
		     uint32_t via, struct fathom_error *error)
{
	bool rest = given->kind == TO_DEFAULT || given->kind == TO_OTHERS;
	bool each = given->kind == TO_DEFAULT || given->kind == TO_MEMBERS;
	const uint32_t *user = rest ? tree->universe : tree->found;
	size_t count = rest ? tree->universe_count : tree->found_count;

	if (given->kind == TO_OTHERS && tree->has[TO_DEFAULT])
		count = 0;	/* all have nodes of their own */
	if (!each && add_node(tree, parent, rest ? ALL : given->id, given->shares, NO_GROUP, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (rest && tree->taken[user[i]] == tree->level_stamp)
			continue;
		if (each && add_node(tree, parent, user[i], given->shares, NO_GROUP, error))
			return -1;
		if (add_place(tree, user[i], via, true, error))
			return -1;
	}
	return 0;
}

/* group: the one whose assignment it is, or NO_GROUP. */
static int add_assigned(struct fathom_share_tree *tree, size_t parent, uint32_t group,
			const struct assignment *given, struct fathom_error *error)
{
	if (given->kind == TO_USER)
		return add_node(tree, parent, given->id, given->shares, NO_GROUP, error) ||
		       add_place(tree, given->id, group, false, error) ? -1 : 0;
	if (given->kind == TO_GROUP && tree->group[given->id].assignment.count)
		return add_node(tree, parent, given->id, given->shares, given->id, error);
	if (given->kind == TO_DEFAULT || given->kind == TO_OTHERS)
		return add_users(tree, parent, given, group, error);
	find_members(tree, given->id);
	return add_users(tree, parent, given, given->id, error);
}

static int add_level(struct fathom_share_tree *tree, size_t node, struct fathom_error *error)
{
	uint32_t group = node ? tree->row_group[node] : NO_GROUP;
	const struct range *range = node ? &tree->group[group].assignment : &tree->top;
	const struct assignment *given = tree->assignment + range->first;

	if (node)
		find_members(tree, group);
	else {
		begin_search(tree);
		find_all(tree);
	}
	tree->universe_count = tree->found_count;
	memcpy(tree->universe, tree->found, tree->found_count * sizeof(*tree->found));
	if (check_level(tree, range, group, error))
		return -1;
	for (uint32_t i = 0; i < range->count; i++)
		take_named(tree, &given[i]);
	for (uint32_t i = 0; i < range->count; i++)
		if (add_assigned(tree, node, group, &given[i], error))
			return -1;
	return 0;
}

/* Levels of accounts in the order of these, so that nodes are breadth first. */
static int add_levels(struct fathom_share_tree *tree, struct fathom_error *error)
{
	if (add_node(tree, 0, ALL, 1, NO_GROUP, error))
		return -1;
	for (size_t node = 0; node < tree->row_count; node++)
		if (tree->row[node].kind == FATHOM_ACCOUNT && add_level(tree, node, error))
			return -1;
	return 0;
}

/* ---- places by user -------------------------------------------------------------------- */

static int sort_places(struct fathom_share_tree *tree, struct fathom_error *error)
{
	struct place *sorted = malloc((tree->place_count + 1) * sizeof(*sorted));
	uint32_t *first = calloc(tree->name_count + 2, sizeof(*first));

	if (!sorted || !first) {
		free(sorted);
		free(first);
		return no_memory(error);
	}
	/* one entry further on than they end up: placing moves each to its end */
	for (size_t i = 0; i < tree->place_count; i++)
		first[tree->place[i].user + 2]++;
	for (size_t id = 0; id < tree->name_count; id++)
		first[id + 2] += first[id + 1];
	for (size_t i = 0; i < tree->place_count; i++)
		sorted[first[tree->place[i].user + 1]++] = tree->place[i];
	free(tree->place);
	tree->place = sorted;
	tree->first_place = first;
	return 0;
}

/* ---- life ------------------------------------------------------------------------------ */

static int allocate(struct fathom_share_tree *tree, const struct fathom_user_shares *given)
{
	size_t names = count_names(given) + 1, size = 16;	/* none of no elements */

	while (size < 2 * names)
		size *= 2;
	tree->mask = size - 1;
	tree->group_count = given->group_count;
#define ARRAY(array, count) (!(tree->array = calloc(count, sizeof(*tree->array))))
	return ARRAY(slot, size) || ARRAY(name, names) || ARRAY(group, names) ||
			       ARRAY(member, names) || ARRAY(assignment, names) ||
			       ARRAY(mark, names) || ARRAY(taken, names) ||
			       ARRAY(named[TO_USER], names) || ARRAY(named[TO_GROUP], names) ||
			       ARRAY(named[TO_MEMBERS], names) || ARRAY(found, names) ||
			       ARRAY(universe, names) || ARRAY(stack, names) ||
			       ARRAY(stack_at, names)
		       ? -1
		       : 0;
#undef ARRAY
}

struct fathom_share_tree *fathom_share_tree_create(const struct fathom_user_shares *given,
						   struct fathom_error *error)
{
	struct fathom_share_tree *tree = calloc(1, sizeof(*tree));

	if (!tree || allocate(tree, given)) {
		no_memory(error);
		goto error;
	}
	if (take_groups(tree, given, error) || take_users(tree, given, error) ||
	    add_levels(tree, error) || sort_places(tree, error))
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
	free(tree->name);
	free(tree->slot);
	free(tree->group);
	free(tree->member);
	free(tree->assignment);
	free(tree->row);
	free(tree->row_id);
	free(tree->row_group);
	free(tree->place);
	free(tree->first_place);
	free(tree->mark);
	free(tree->taken);
	for (size_t i = 0; i < TO_DEFAULT; i++)
		free(tree->named[i]);
	free(tree->found);
	free(tree->universe);
	free(tree->stack);
	free(tree->stack_at);
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
	if (!node)
		return "root";
	return tree->row_id[node] == ALL ? "others" : tree->name[tree->row_id[node]];
}

/* The group that a job names: without subgroups, and the user is in it. */
static int find_named_group(struct fathom_share_tree *tree, uint32_t user, const char *name,
			    uint32_t *group, struct fathom_error *error)
{
	uint32_t slot = *find_slot(tree, name, strlen(name));

	if (!slot || !is_group(tree, slot - 1))
		return fathom_error_set(error, EINVAL, "'%.64s' is no group", name);
	*group = slot - 1;
	if (tree->group[*group].has_subgroup)
		return fathom_error_set(error, EINVAL, "group '%.64s' has subgroups; a job must name "
					"one that has none", name);
	find_members(tree, *group);
	if (tree->mark[user] != tree->stamp)
		return fathom_error_set(error, EINVAL, "user '%.64s' is not in group '%.64s'",
					tree->name[user], name);
	return 0;
}

static bool is_below(struct fathom_share_tree *tree, uint32_t group, const struct place *place)
{
	if (place->group == group)
		return true;
	if (place->group == NO_GROUP || !place->reaches_below)
		return false;
	find_members(tree, place->group);
	return tree->mark[group] == tree->stamp;
}

int fathom_share_tree_place(struct fathom_share_tree *tree, const char *user_name,
			    const char *group_name, const double *order, size_t *node,
			    struct fathom_error *error)
{
	uint32_t user = *find_slot(tree, user_name, strlen(user_name)), group = NO_GROUP;

	if (!user-- || is_group(tree, user))
		return fathom_error_set(error, ENOENT, "'%.64s' is no user", user_name);
	if (group_name && find_named_group(tree, user, group_name, &group, error))
		return -1;
	*node = 0;
	for (uint32_t i = tree->first_place[user]; i < tree->first_place[user + 1]; i++) {
		const struct place *place = &tree->place[i];

		if ((!*node || order[place->node] < order[*node]) &&
		    (!group_name || is_below(tree, group, place)))
			*node = place->node;
	}
	if (!*node)
		return fathom_error_set(error, ENOENT, "user '%.64s' has no shares%s%.64s", user_name,
					group_name ? " in group " : "", group_name ? group_name : "");
	return 0;
}
