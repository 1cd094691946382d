/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assignments and groups are read line by line, as they stand. When all lines are read, groups are
 * sorted so that each comes before those that have it as a member, which also finds circles:
 *
 *	UserGroup=a Members="b ada"	b, a
 *	UserGroup=b Members="bob"
 */
#include "conf/conf_user_shares.h"

#include "core/array.h"
#include "core/duration.h"
#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define NOT_IN_NAMES BLANKS ",[]()"	/* a name ends before these */

/* ---- assignments ---------------------------------------------------------------- */

void conf_assignments_clear(struct conf_assignments *assignments)
{
	for (size_t i = 0; i < assignments->count; i++)
		free((char *)assignments->list[i].name);
	free(assignments->list);
	*assignments = (struct conf_assignments){ NULL };
}

/* Moves *at behind the character `wanted` and blanks around it. False: another character comes
 * next, and *at is there. */
static bool skip(const char **at, char wanted)
{
	*at += strspn(*at, BLANKS);
	if (**at != wanted)
		return false;
	++*at;
	*at += strspn(*at, BLANKS);
	return true;
}

/* Reads "[name, shares]" and moves behind it. */
static int parse_assignment(struct conf_assignments *assignments, const char **at,
			    struct fathom_error *error)
{
	const char *begin = *at, *name, *end;
	/* bytes of the assignment up to and with its ']', for messages */
	int shown = (int)strcspn(begin, "]") + (begin[strcspn(begin, "]")] == ']');
	struct fathom_assignment *added;
	size_t length;
	double shares;

	if (!skip(at, '['))
		return fathom_error_set(error, EINVAL, "'%s' is not an assignment, must be [NAME, "
					"SHARES], such as [user1, 10]", begin);
	name = *at;
	length = strcspn(name, NOT_IN_NAMES);
	*at += length;
	if (!length || !skip(at, ',') || number_parse(*at, &shares, &end))
		return fathom_error_set(error, EINVAL, "'%.*s' must be [NAME, SHARES], such as "
					"[user1, 10]", shown, begin);
	*at = end;
	if (!skip(at, ']'))
		return fathom_error_set(error, EINVAL, "no ']' after the shares in '%.*s'", shown,
					begin);
	if (!(shares >= 1 && shares < FATHOM_SHARES_PARENT) || shares != trunc(shares))
		return fathom_error_set(error, EINVAL, "the shares in '%.*s' must be an integer "
					"of 1 or more", shown, begin);
	if (length == 3 && !strncmp(name, "all", length))
		return fathom_error_set(error, EINVAL, "'all' cannot have shares; 'default' gives "
					"them to each user, 'others' to all users together");
	added = array_append(&assignments->list, &assignments->count, sizeof(*added));
	if (!added || !(added->name = strndup(name, length)))
		return fathom_error_no_memory(error);
	added->shares = (uint32_t)shares;
	return 0;
}

int conf_assignments_parse(struct conf_assignments *assignments, const char *text,
			   struct fathom_error *error)
{
	conf_assignments_clear(assignments);
	text += strspn(text, BLANKS);
	do {
		if (parse_assignment(assignments, &text, error))
			return -1;
	} while (*text);
	return 0;
}

/* ---- groups ----------------------------------------------------------------------- */

static void clear_members(struct fathom_user_group *group)
{
	for (size_t i = 0; i < group->member_count; i++)
		free((char *)group->member[i]);
	free((void *)group->member);
	group->member = NULL;
	group->member_count = 0;
}

/* Returns a group's assignments, to free or replace them. */
static struct conf_assignments assignments_of(const struct fathom_user_group *group)
{
	return (struct conf_assignments){
		.list = (struct fathom_assignment *)group->assignment,
		.count = group->assignment_count,
	};
}

static void clear_group(struct fathom_user_group *group)
{
	struct conf_assignments assignments = assignments_of(group);

	free((char *)group->name);
	clear_members(group);
	conf_assignments_clear(&assignments);
}

void conf_user_groups_clear(struct conf_user_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		clear_group(&groups->group[i]);
	free(groups->group);
	free(groups->line);
	*groups = (struct conf_user_groups){ NULL };
}

bool conf_name_is_reserved(const char *name)
{
	return !strcmp(name, "all") || !strcmp(name, "default") || !strcmp(name, "others");
}

int conf_user_groups_add(struct conf_user_groups *groups, const char *name, unsigned line,
			 struct fathom_error *error)
{
	/* `line` and `group` have the same number of elements; array_append() counts each */
	size_t line_count = groups->count;
	struct fathom_user_group *group;
	unsigned *line_of_group;

	if (conf_name_is_reserved(name))
		return fathom_error_set(error, EINVAL, "'%s' is reserved; must be another name",
					name);
	if (name[strcspn(name, NOT_IN_NAMES "@")])
		return fathom_error_set(error, EINVAL, "'%s' must be a name without blanks and "
					"any of ,[]()@", name);
	line_of_group = array_append(&groups->line, &line_count, sizeof(*line_of_group));
	group = line_of_group ? array_append(&groups->group, &groups->count, sizeof(*group)) : NULL;
	if (!group || !(group->name = strdup(name)))
		return fathom_error_no_memory(error);
	*line_of_group = line;
	return 0;
}

int conf_user_groups_set_members(struct conf_user_groups *groups, const char *text,
				 struct fathom_error *error)
{
	struct fathom_user_group *group = &groups->group[groups->count - 1];

	clear_members(group);
	if (!strcmp(text, CONF_NO_MEMBERS)) {	/* a list, as NULL would mean that Members lacks */
		group->member = malloc(sizeof(*group->member));
		return group->member ? 0 : fathom_error_no_memory(error);
	}
	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		size_t length = strcspn(text, NOT_IN_NAMES);
		const char **member;

		if (!length || (text[length] && !strchr(BLANKS, text[length])))
			return fathom_error_set(error, EINVAL, "'%s' must be names of users and "
						"groups with blanks between them", text);
		member = array_append(&group->member, &group->member_count, sizeof(*member));
		if (!member || !(*member = strndup(text, length)))
			return fathom_error_no_memory(error);
		text += length;
	}
	return 0;
}

int conf_user_groups_set_shares(struct conf_user_groups *groups, const char *text,
				struct fathom_error *error)
{
	struct fathom_user_group *group = &groups->group[groups->count - 1];
	struct conf_assignments assignments = assignments_of(group);
	int status = conf_assignments_parse(&assignments, text, error);

	group->assignment = assignments.list;
	group->assignment_count = assignments.count;
	return status;
}

/* ---- the check of all groups ------------------------------------------------------- */

struct fathom_user_shares conf_user_shares(const struct conf_assignments *assignments,
					   const struct conf_user_groups *groups)
{
	return (struct fathom_user_shares){
		.assignment = assignments->list, .assignment_count = assignments->count,
		.group = groups->group, .group_count = groups->count,
	};
}

/* The groups while they are sorted: depth first, by a stack instead of recursion, as they may lie
 * deep within each other. The arrays have room for all groups. */
struct sorting {
	const struct conf_user_groups *groups;
	struct name_index names;	/* gives a group's index */
	/* by group; ENTERED: on the stack */
	enum { UNSEEN, ENTERED, SORTED } *state;
	size_t *stack;			/* each group is a member of the one before it */
	size_t *next_member;		/* by group: its next member to look at */
	size_t *order;			/* the sorted groups */
	size_t count;			/* of them */
	const char **key;		/* set with an error, see conf_user_groups_check() */
	struct fathom_error *error;
};

/* Enters the names of all groups. -1: *wrong has a name of an earlier one, or lacks Members. */
static int enter_names(struct sorting *sorting, size_t *wrong)
{
	const struct conf_user_groups *groups = sorting->groups;

	for (size_t i = 0; i < groups->count; i++) {
		struct piece name = { groups->group[i].name, strlen(groups->group[i].name) };
		size_t earlier = name_index_get(&sorting->names, name);

		*wrong = i;
		if (earlier != NAME_INDEX_NONE)
			return fathom_error_set(sorting->error, EINVAL, "'%s' is already defined "
						"on line %u; must have another name", name.at,
						groups->line[earlier]);
		if (!groups->group[i].member)
			return fathom_error_set(sorting->error, EINVAL, "'%s' has no Members on "
						"this line, must name one or more, all or none",
						name.at);
		if (name_index_put(&sorting->names, name, i, sorting->error))
			return -1;
	}
	return 0;
}

/* Returns the index of a group; NAME_INDEX_NONE: the name is a user's. */
static size_t find_group(const struct sorting *sorting, const char *name)
{
	return name_index_get(&sorting->names, piece_of(name));
}

/* Adds a group to `order`, behind all groups that it contains. -1: *wrong contains itself. */
static int sort_group(struct sorting *sorting, size_t first, size_t *wrong)
{
	size_t depth = 1;

	sorting->stack[0] = first;
	while (depth) {
		size_t top = sorting->stack[depth - 1], member;
		const struct fathom_user_group *group = &sorting->groups->group[top];

		sorting->state[top] = ENTERED;
		if (sorting->next_member[top] == group->member_count) {
			sorting->state[top] = SORTED;
			sorting->order[sorting->count++] = top;
			depth--;
			continue;
		}
		member = find_group(sorting, group->member[sorting->next_member[top]++]);
		if (member == NAME_INDEX_NONE || sorting->state[member] == SORTED)
			continue;
		if (sorting->state[member] == ENTERED) {
			*wrong = top;
			*sorting->key = "Members";
			return fathom_error_set(sorting->error, EINVAL, "group '%s' is in a "
						"circle: its member '%s' contains it", group->name,
						sorting->groups->group[member].name);
		}
		sorting->stack[depth++] = member;
	}
	return 0;
}

/* Puts the groups and their lines into a new order. sorted, line: room for all of them. */
static void apply_order(struct conf_user_groups *groups, const size_t *order,
			struct fathom_user_group *sorted, unsigned *line)
{
	for (size_t i = 0; i < groups->count; i++) {
		sorted[i] = groups->group[order[i]];
		line[i] = groups->line[order[i]];
	}
	if (groups->count) {
		memcpy(groups->group, sorted, groups->count * sizeof(*sorted));
		memcpy(groups->line, line, groups->count * sizeof(*line));
	}
}

/* Sorts all groups. -1: *wrong is a group that is wrong, or ENOMEM. */
static int sort_groups(struct sorting *sorting, struct conf_user_groups *groups, size_t *wrong)
{
	struct fathom_user_group *sorted = calloc(groups->count + 1, sizeof(*sorted));
	unsigned *line = calloc(groups->count + 1, sizeof(*line));
	int status = 0;

	if (!sorted || !line || !sorting->state || !sorting->stack || !sorting->next_member ||
	    !sorting->order)
		status = fathom_error_no_memory(sorting->error);
	if (!status)
		status = enter_names(sorting, wrong);
	for (size_t i = 0; !status && i < groups->count; i++)
		if (sorting->state[i] == UNSEEN)
			status = sort_group(sorting, i, wrong);
	if (!status)
		apply_order(groups, sorting->order, sorted, line);
	free(sorted);
	free(line);
	return status;
}

/* Checks the assignments of all groups, also of those that no scope uses: makes a tree that has
 * each group. -1: *wrong is a group that is wrong, or ENOMEM. */
static int check_assignments(const struct conf_user_groups *groups, const char **key,
			     size_t *wrong, struct fathom_error *error)
{
	struct fathom_assignment *each = calloc(groups->count + 1, sizeof(*each));
	struct conf_assignments all = { .list = each, .count = groups->count };
	struct fathom_user_shares given = conf_user_shares(&all, groups);
	struct fathom_share_tree *tree = NULL;

	if (!each)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < groups->count; i++)
		each[i] = (struct fathom_assignment){ groups->group[i].name, 1 };
	tree = fathom_share_tree_create(&given, error);
	free(each);
	if (!tree) {
		*key = "UserShares";
		*wrong = error->row < groups->count ? error->row : 0;
		return -1;
	}
	fathom_share_tree_destroy(tree);
	return 0;
}

size_t conf_user_groups_check(struct conf_user_groups *groups, const char **key,
			      struct fathom_error *error)
{
	struct sorting sorting = {
		.groups = groups, .key = key, .error = error,
		.state = calloc(groups->count + 1, sizeof(*sorting.state)),
		.stack = calloc(groups->count + 1, sizeof(*sorting.stack)),
		.next_member = calloc(groups->count + 1, sizeof(*sorting.next_member)),
		.order = calloc(groups->count + 1, sizeof(*sorting.order)),
	};
	size_t wrong = 0;
	int status;

	*key = "UserGroup";
	status = groups->count ? sort_groups(&sorting, groups, &wrong) : 0;
	name_index_clear(&sorting.names);
	free(sorting.state);
	free(sorting.stack);
	free(sorting.next_member);
	free(sorting.order);
	if (!status && groups->count)
		status = check_assignments(groups, key, &wrong, error);
	return status ? wrong : groups->count;
}
