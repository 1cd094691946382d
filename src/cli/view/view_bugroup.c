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

struct member {
	const char *name;
	size_t group;		/* its index among the groups; NO_GROUP: a user */
	uint32_t shares;	/* of an account's member */
};

struct listed_group {
	const char *name;	/* NULL: a user of a tree, which is no group */
	struct member *member;
	size_t member_count;
	char *shares;		/* such as "[ada,2] [theory,1]"; NULL: those of the members */
};

/* The groups of a configuration; or the nodes of a tree, whose accounts are groups. */
struct listed_groups {
	struct listed_group *group;
	size_t count;
};

/* ---- where they come from ---------------------------------------------------------------- */

/* Returns assignments of fathom.conf as LSF prints them: [ada, 2] as [ada,2]. */
static char *lsf_assignments(const char *text)
{
	char *copy = need_text(text), *end = copy;
	bool is_inside = false;

	for (const char *at = copy; *at; at++) {
		is_inside = (is_inside || *at == '[') && *at != ']';
		if (!is_inside || !strchr(BLANKS, *at))
			*end++ = *at;
	}
	*end = '\0';
	return copy;
}

/* Lists the groups of a configuration. */
static void list_groups(struct listed_groups *groups, const struct scope_group *from, size_t count)
{
	struct name_index *numbers = need_index();

	*groups = (struct listed_groups){ need_zeros(count, sizeof(*groups->group)), count };
	for (size_t i = 0; i < count; i++)
		need_put(numbers, piece_of(from[i].name), i);
	for (size_t i = 0; i < count; i++) {
		struct listed_group *group = &groups->group[i];

		group->name = from[i].name;
		group->shares = lsf_assignments(from[i].user_shares ? from[i].user_shares
								    : LSF_UNKNOWN);
		for (size_t j = 0; j < from[i].member_count; j++) {
			const char *name = from[i].member[j];

			NEED_ADD(group->member, group->member_count, (struct member){
				name, .group = name_index_get(numbers, piece_of(name)) });
		}
	}
}

/* Fills a group with the users and accounts directly below an account. */
static void list_members(struct listed_group *group, const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t first = fathom_tree_first_child(tree, node);

	group->name = snapshot_name(snapshot, node);
	for (size_t i = first; i < first + fathom_tree_child_count(tree, node); i++) {
		bool is_user = fathom_tree_kind(tree, i) == FATHOM_USER;

		NEED_ADD(group->member, group->member_count, (struct member){
			snapshot_name(snapshot, i), is_user ? NO_GROUP : i,
			fathom_tree_raw_shares(tree, i) });
	}
}

/* Lists the accounts of a tree as groups. The index of a group is that of the node. */
static void list_accounts(struct listed_groups *groups, const struct snapshot *snapshot)
{
	groups->count = fathom_tree_count(snapshot->tree);
	groups->group = need_zeros(groups->count, sizeof(*groups->group));
	for (size_t node = 0; node < groups->count; node++)
		if (fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT)
			list_members(&groups->group[node], snapshot, node);
}

/* Finds the groups of a source: those of the scope that is shown, else of the first one that has
 * some; else those of a configuration, of UserGroup lines or lsb.users; else accounts. */
static void find_groups(struct listed_groups *groups, const struct tree_source *source)
{
	const struct scope_head *head = source->shown_scope;
	const struct conf_user_groups *conf =
		source->rule.conf ? &source->rule.conf->fathom.user_groups : NULL;

	/* up to the first scope that has groups */
	for (size_t i = 0; (!head || !head->group_count) && i < source->scope_count; i++)
		head = &source->scope[i].head;
	if (head && head->group_count)
		list_groups(groups, head->group, head->group_count);
	else if (conf && conf->count)
		list_groups(groups, need_made(scope_groups_create(conf->group, conf->count)),
			    conf->count);
	else
		list_accounts(groups, source->snapshot);
}

/* ---- members ---------------------------------------------------------------------------- */

/* Prints the users of a group and its subgroups, each once. printed: names that have been printed.
 * most_depth: how deep subgroups are looked at: it ends the search if groups contain each other by
 * mistake. */
static void print_users(const struct listed_groups *groups, const struct listed_group *group,
			size_t most_depth, struct name_index *printed)
{
	for (size_t i = 0; most_depth && i < group->member_count; i++) {
		const struct member *member = &group->member[i];

		if (member->group != NO_GROUP) {
			print_users(groups, &groups->group[member->group], most_depth - 1, printed);
			continue;
		}
		if (name_index_get(printed, piece_of(member->name)) != NAME_INDEX_NONE)
			continue;
		need_put(printed, piece_of(member->name), 0);
		print_plain(member->name);
		putchar(' ');
	}
}

/* Prints the members of a group, or "all users". */
static void print_members(const struct bugroup_options *options, const struct listed_groups *groups,
			  const struct listed_group *group)
{
	if (group->member_count == 1 && !strcmp(group->member->name, EVERYBODY)) {
		fputs(options->is_long ? EVERYBODY : "all users", stdout);
		return;
	}
	if (options->is_recursive) {
		print_users(groups, group, groups->count, need_index());
		return;
	}
	for (size_t i = 0; i < group->member_count; i++) {
		print_plain(group->member[i].name);
		fputs(group->member[i].group == NO_GROUP ? " " : "/ ", stdout);
	}
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

/* Returns the shares of an account's members. */
static const char *member_shares(const struct listed_group *group)
{
	const char **word = NULL;
	size_t count = 0;

	for (size_t i = 0; i < group->member_count; i++) {
		uint32_t raw = group->member[i].shares;

		NEED_ADD(word, count, need_print("[%s,%s]", group->member[i].name,
						 raw == FATHOM_SHARES_PARENT ? LSF_UNKNOWN
						 : need_print("%" PRIu32, raw)));
	}
	return need_join(word, count, " ");
}

/* Prints a group: a line, or with -l a paragraph, before which an empty line stands unless
 * is_first. */
static void print_group(const struct bugroup_options *options, const struct listed_groups *groups,
			const struct listed_group *group, bool is_first)
{
	if (options->is_long)
		print_labelled(is_first ? "GROUP_NAME: " : "\nGROUP_NAME: ", group->name);
	else
		print_name(group->name, options->is_wide);
	fputs(options->is_long ? "USERS: " : " ", stdout);
	print_members(options, groups, group);
	putchar('\n');
	if (options->is_long)
		print_labelled("SHARES: ", group->shares ? group->shares : member_shares(group));
}

/* Returns the name of group i, "" for a user; NULL: there are no more. For struct name_list. */
static const char *group_at(const void *context, size_t i)
{
	const struct listed_groups *groups = context;

	if (i >= groups->count)
		return NULL;
	return groups->group[i].name ? groups->group[i].name : "";
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
		const struct listed_group *group = &groups.group[i];

		if (!group->name || !lsf_is_wanted(options->name, group->name))
			continue;
		print_group(options, &groups, group, is_first);
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
