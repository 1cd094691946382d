/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints groups of users as LSF's bugroup does: the groups of fathom.conf or lsb.users, else the
 * accounts of the tree with what is below them. A member that is a group itself ends with '/':
 *
 *	GROUP_NAME    USERS
 *	physics      ada theory/
 *
 * and with -l:
 *
 *	GROUP_NAME: physics
 *	USERS: ada theory/
 *	SHARES: [ada,2] [theory,1]
 */
#include "cli/views.h"

#include "cli/view/lsf_places.h"
#include "memory/need_names.h"

#include <inttypes.h>

#define NAME_WIDTH 12	/* of the column GROUP_NAME */
#define BLANKS " \t"
#define EVERYBODY "all"	/* the only member of a group of all users */

struct bugroup_options {
	const char *name[LSF_MOST_NAMES];	/* a NULL behind them if they are fewer */
	bool is_long, is_recursive, is_wide;
};

#define AT(member) offsetof(struct bugroup_options, member), 0

static const struct option_row option_rows[] = {
	{ 'l', "long", NULL, "each group with its members and their shares", option_flag,
	  AT(is_long) },
	{ 'r', "recursive", NULL, "the members of subgroups in place of these", option_flag,
	  AT(is_recursive) },
	{ 'w', "wide", NULL, "do not cut names of groups", option_flag, AT(is_wide) },
	LSF_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bugroup -- [-l] [-r] [-w] [GROUP]...\n"
		 "Show groups of users as LSF's bugroup shows them.\n\n",
	OPERANDS(LSF_MOST_NAMES, "GROUP", struct bugroup_options, name),
};

#define NO_GROUP NAME_INDEX_NONE

/* The groups that are printed: those of a configuration, or the accounts of a tree. A group has a
 * number: its index in group[], or its node. */
struct listed_groups {
	const struct snapshot *snapshot;	/* NULL: `group` */
	const struct scope_group *group;	/* NULL: the accounts of `snapshot` */
	size_t count;			/* of numbers; in a tree, users have numbers, too */
	struct name_index *numbers;	/* of groups, by name */
};

/* ---- groups and members -------------------------------------------------------------------- */

static const char *name_of(const struct listed_groups *groups, size_t i)
{
	return groups->snapshot ? snapshot_name(groups->snapshot, i) : groups->group[i].name;
}

/* Returns whether number i is a group. */
static bool is_group(const struct listed_groups *groups, size_t i)
{
	return !groups->snapshot || fathom_tree_kind(groups->snapshot->tree, i) == FATHOM_ACCOUNT;
}

static size_t member_count(const struct listed_groups *groups, size_t i)
{
	return groups->snapshot ? fathom_tree_child_count(groups->snapshot->tree, i)
				: groups->group[i].member_count;
}

static const char *member_of(const struct listed_groups *groups, size_t i, size_t member)
{
	const struct snapshot *snapshot = groups->snapshot;

	return snapshot ? snapshot_name(snapshot,
					fathom_tree_first_child(snapshot->tree, i) + member)
			: groups->group[i].member[member];
}

/* Returns the number of the group that member number `member` of group i is; NO_GROUP: it is a
 * user. */
static size_t group_of(const struct listed_groups *groups, size_t i, size_t member)
{
	size_t node;

	if (!groups->snapshot)
		return name_index_get(groups->numbers, piece_of(member_of(groups, i, member)));
	node = fathom_tree_first_child(groups->snapshot->tree, i) + member;
	return is_group(groups, node) ? node : NO_GROUP;
}

/* ---- where they come from ---------------------------------------------------------------- */

/* Sets the groups: those of the scope that is shown, else of the first one that has some; else
 * those of a configuration; else accounts. */
static void set_groups(struct listed_groups *groups, const struct tree_source *source)
{
	const struct scope_head *head = source->shown_scope;
	const struct conf_user_groups *conf;

	for (size_t i = 0; (!head || !head->group_count) && i < source->scope_count; i++)
		head = &source->scope[i].head;
	conf = source->rule.conf ? &source->rule.conf->fathom.user_groups : NULL;
	if (head && head->group_count) {
		groups->group = head->group;
		groups->count = head->group_count;
	} else if (conf && conf->count) {	/* UserGroup lines, or the groups of lsb.users */
		groups->group = need_made(scope_groups_create(conf->group, conf->count));
		groups->count = conf->count;
	} else {
		groups->snapshot = source->snapshot;
		groups->count = fathom_tree_count(source->snapshot->tree);
	}
}

/* Finds the groups of a source, which must live as long. */
static void find_groups(struct listed_groups *groups, const struct tree_source *source)
{
	*groups = (struct listed_groups){ .numbers = need_index() };
	set_groups(groups, source);
	for (size_t i = 0; i < groups->count; i++)
		if (is_group(groups, i))
			need_put(groups->numbers, piece_of(name_of(groups, i)), i);
}

/* ---- members ---------------------------------------------------------------------------- */

/* Prints the members of group i. */
static void print_members(const struct listed_groups *groups, size_t i)
{
	for (size_t j = 0; j < member_count(groups, i); j++) {
		bool is_inner = group_of(groups, i, j) != NO_GROUP;

		print_plain(member_of(groups, i, j));
		printf("%s ", is_inner ? "/" : "");
	}
}

/* Prints the users of a group and its subgroups, each once. printed: names that have been printed.
 * most_depth: how deep subgroups are looked at: it ends the search if groups contain each other by
 * mistake. */
static void print_users(const struct listed_groups *groups, size_t group, size_t most_depth,
			struct name_index *printed)
{
	for (size_t j = 0; most_depth && j < member_count(groups, group); j++) {
		const char *name = member_of(groups, group, j);
		size_t inner = group_of(groups, group, j);

		if (inner != NO_GROUP) {
			print_users(groups, inner, most_depth - 1, printed);
			continue;
		}
		if (name_index_get(printed, piece_of(name)) != NAME_INDEX_NONE)
			continue;
		need_put(printed, piece_of(name), 0);
		print_plain(name);
		putchar(' ');
	}
}

static bool is_everybody(const struct listed_groups *groups, size_t i)
{
	return member_count(groups, i) == 1 && !strcmp(member_of(groups, i, 0), EVERYBODY);
}

/* Prints who is in group i. */
static void print_list(const struct bugroup_options *options, const struct listed_groups *groups,
		       size_t i)
{
	if (is_everybody(groups, i))
		fputs(options->is_long ? EVERYBODY : "all users", stdout);
	else if (options->is_recursive)
		print_users(groups, i, groups->count, need_index());
	else
		print_members(groups, i);
}

/* ---- shares ------------------------------------------------------------------------------- */

/* Prints assignments of fathom.conf as LSF does: [ada, 2] as [ada,2]. */
static void print_assignments(const char *text)
{
	bool is_inside = false;

	while (*text) {
		size_t length;

		is_inside = (is_inside || *text == '[') && *text != ']';
		length = 1 + strcspn(text + 1, is_inside ? "]" BLANKS : "[");
		print_plain_start(text, length);
		text += length;
		if (is_inside)
			text += strspn(text, BLANKS);
	}
}

/* Prints the members of an account with their shares: [ada,2] [bob,1]. */
static void print_shares_of_tree(const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;

	for (size_t i = 0; i < fathom_tree_child_count(tree, node); i++) {
		size_t child = fathom_tree_first_child(tree, node) + i;
		uint32_t shares = fathom_tree_raw_shares(tree, child);

		printf("%s[", i ? " " : "");
		print_plain(snapshot_name(snapshot, child));
		if (shares == FATHOM_SHARES_PARENT)
			printf("," LSF_UNKNOWN "]");
		else
			printf(",%" PRIu32 "]", shares);
	}
}

/* Prints the shares of group i, for -l. */
static void print_shares(const struct listed_groups *groups, size_t i)
{
	printf("SHARES: ");
	if (groups->snapshot)
		print_shares_of_tree(groups->snapshot, i);
	else if (groups->group[i].user_shares)
		print_assignments(groups->group[i].user_shares);
	else
		fputs(LSF_UNKNOWN, stdout);
	putchar('\n');
}

/* ---- the view ------------------------------------------------------------------------------ */

/* Prints a name as the first column; cuts a long one unless is_wide. */
static void print_name(const char *name, bool is_wide)
{
	if (!is_wide && strlen(name) > NAME_WIDTH)
		print_plain_start(name, NAME_WIDTH);
	else
		print_padded(name, -NAME_WIDTH);
}

static void print_group(const struct bugroup_options *options, const struct listed_groups *groups,
			size_t i, bool is_first)
{
	const char *name = name_of(groups, i);

	if (options->is_long)
		print_labelled(is_first ? "GROUP_NAME: " : "\nGROUP_NAME: ", name);
	else
		print_name(name, options->is_wide);
	fputs(options->is_long ? "USERS: " : " ", stdout);
	print_list(options, groups, i);
	putchar('\n');
	if (options->is_long)
		print_shares(groups, i);
}

/* Returns the name of group i, "" for a user, for struct name_list. */
static const char *group_at(const void *context, size_t i)
{
	const struct listed_groups *groups = context;

	if (i >= groups->count)
		return NULL;
	return is_group(groups, i) ? name_of(groups, i) : "";
}

/* Prints the groups that are asked for; see print_source() of struct view. */
static void print(const void *given, const struct tree_source *source,
		  const struct tree_options *how)
{
	const struct bugroup_options *options = given;
	struct listed_groups groups;
	bool is_first = true;

	(void)how;
	find_groups(&groups, source);
	lsf_check_wanted(options->name, (struct name_list){ group_at, &groups },
			 need_print("%s has no such group", source->name));
	if (!options->is_long)
		printf("%-*s  USERS\n", NAME_WIDTH, "GROUP_NAME");
	for (size_t i = 0; i < groups.count; i++) {
		if (!is_group(&groups, i) || !lsf_is_wanted(options->name, name_of(&groups, i)))
			continue;
		print_group(options, &groups, i, is_first);
		is_first = false;
	}
}

const struct view view_bugroup = {
	.tool = "bugroup",
	.policy = "lsf",
	.options = &option_table,
	.size = sizeof(struct bugroup_options),
	.print_source = print,
};
