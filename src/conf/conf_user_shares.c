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

/* Frees the members; a list of NULL means that the group lacks Members. */
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

/* Returns the group that the line which is being read has begun. */
static struct fathom_user_group *last_group(const struct conf_user_groups *groups)
{
	return &groups->group[groups->count - 1];
}

int conf_user_groups_set_members(void *groups, const char *text, struct fathom_error *error)
{
	struct fathom_user_group *group = last_group(groups);

	clear_members(group);
	if (!strcmp(text, CONF_NO_MEMBERS)) {	/* not NULL, which means that Members lacks */
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

int conf_user_groups_set_shares(void *groups, const char *text, struct fathom_error *error)
{
	struct fathom_user_group *group = last_group(groups);
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

int conf_assignments_check(const struct conf_assignments *assignments,
			   const struct conf_user_groups *groups, struct conf_fault *fault)
{
	struct fathom_user_shares given = conf_user_shares(assignments, groups);
	struct fathom_share_tree *tree = fathom_share_tree_create(&given, &fault->error);

	fault->key = "UserShares";
	fathom_share_tree_destroy(tree);
	return tree ? 0 : -1;
}

/* The groups while they are sorted: depth first, without recursion, as they may lie deep within
 * each other. */
struct sorting {
	const struct conf_user_groups *groups;
	const struct name_index *names;	/* gives a group's index */
	struct visit {			/* by group */
		enum { UNSEEN, ENTERED, SORTED } state;
		size_t next_member;	/* the next one to look at */
		size_t above;		/* the group from whose members it was entered */
	} *visit;
	struct conf_user_groups sorted;	/* so far; has room for all groups */
};

/* Enters the names of all groups into the index. */
static int enter_names(const struct conf_user_groups *groups, struct name_index *names,
		       struct conf_fault *fault)
{
	for (size_t i = 0, earlier; i < groups->count; i++) {
		const char *name = groups->group[i].name;

		if (name_index_replace(names, piece_of(name), i, &earlier, &fault->error))
			return -1;
		if (earlier != NAME_INDEX_NONE)
			return FAULT(fault, groups->line[i], "UserGroup", "'%s' is already defined "
				     "on line %u; must have another name", name,
				     groups->line[earlier]);
		if (!groups->group[i].member)
			return FAULT(fault, groups->line[i], "UserGroup", "'%s' has no Members on "
				     "this line, must name one or more, all or none", name);
	}
	return 0;
}

/* Returns the next member of a group that is a group and not sorted yet; NAME_INDEX_NONE: all its
 * members are users or sorted groups. */
static size_t next_unsorted_member(struct sorting *sorting, size_t index)
{
	const struct fathom_user_group *group = &sorting->groups->group[index];
	struct visit *visit = &sorting->visit[index];

	while (visit->next_member < group->member_count) {
		const char *name = group->member[visit->next_member++];
		size_t member = name_index_get(sorting->names, piece_of(name));

		if (member != NAME_INDEX_NONE && sorting->visit[member].state != SORTED)
			return member;
	}
	return NAME_INDEX_NONE;
}

/* Appends a group to the sorted ones, behind all groups that it contains. */
static int sort_group(struct sorting *sorting, size_t first, struct conf_fault *fault)
{
	const struct conf_user_groups *groups = sorting->groups;
	struct conf_user_groups *sorted = &sorting->sorted;
	size_t at = first, above = NAME_INDEX_NONE;

	while (at != NAME_INDEX_NONE) {
		struct visit *visit = &sorting->visit[at];
		size_t member;

		if (visit->state == UNSEEN)
			visit->above = above;
		visit->state = ENTERED;
		member = next_unsorted_member(sorting, at);
		if (member == NAME_INDEX_NONE) {
			visit->state = SORTED;
			sorted->line[sorted->count] = groups->line[at];
			sorted->group[sorted->count++] = groups->group[at];
			at = visit->above;
			continue;
		}
		if (sorting->visit[member].state == ENTERED)
			return FAULT(fault, groups->line[at], "Members", "group '%s' is in a "
				     "circle: its member '%s' contains it", groups->group[at].name,
				     groups->group[member].name);
		above = at;
		at = member;
	}
	return 0;
}

/* Puts all groups into order. */
static int sort_groups(struct conf_user_groups *groups, const struct name_index *names,
		       struct conf_fault *fault)
{
	struct sorting sorting = {
		.groups = groups, .names = names,
		.visit = calloc(groups->count, sizeof(*sorting.visit)),
		.sorted.group = calloc(groups->count, sizeof(*groups->group)),
		.sorted.line = calloc(groups->count, sizeof(*groups->line)),
	};
	struct conf_user_groups left = sorting.sorted;	/* what is freed: the arrays out of use */
	int status = 0;

	if (!sorting.visit || !sorting.sorted.group || !sorting.sorted.line)
		status = fathom_error_no_memory(&fault->error);
	for (size_t i = 0; !status && i < groups->count; i++)
		if (sorting.visit[i].state == UNSEEN)
			status = sort_group(&sorting, i, fault);
	if (!status) {
		left = *groups;
		*groups = sorting.sorted;
	}
	free(sorting.visit);
	free(left.group);
	free(left.line);
	return status;
}

/* Checks the assignments of all groups, also of those that no scope uses: makes a tree that has
 * each group. */
static int check_assignments(const struct conf_user_groups *groups, struct conf_fault *fault)
{
	struct fathom_assignment *each = calloc(groups->count, sizeof(*each));
	const struct conf_assignments all = { .list = each, .count = groups->count };
	int status;

	if (!each)
		return fathom_error_no_memory(&fault->error);
	for (size_t i = 0; i < groups->count; i++)
		each[i] = (struct fathom_assignment){ groups->group[i].name, 1 };
	status = conf_assignments_check(&all, groups, fault);
	if (status)
		fault->line = groups->line[fault->error.row < groups->count ? fault->error.row : 0];
	free(each);
	return status;
}

int conf_user_groups_check(struct conf_user_groups *groups, struct name_index *names,
			   struct conf_fault *fault)
{
	return groups->count && (enter_names(groups, names, fault) ||
				 sort_groups(groups, names, fault) ||
				 check_assignments(groups, fault)) ? -1 : 0;
}
