/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints groups of users as LSF's bugroup does, with -l their shares: the groups of
 * fathom.conf or lsb.users, else the accounts of the tree with what is below them. A member that is
 * a group itself ends in '/'.
 */
#include "cli/views.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "cli/view/listed_groups.h"
#include "cli/view/lsf_places.h"
#include "memory/need_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 12
#define BLANKS " \t"
#define EVERYBODY "all"

struct bugroup_options {
	const char *name[LSF_MOST_NAMES];	/* up to a NULL */
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
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bugroup -- [-l] [-r] [-w] [GROUP]...\n"
		 "Show groups of users as LSF's bugroup shows them.\n\n",
	.most_operands = LSF_MOST_NAMES, .operand_offset = offsetof(struct bugroup_options, name),
	.operand = "GROUP",
};

/* ---- members ---------------------------------------------------------------------------- */

static void print_members(const struct listed_groups *groups, size_t i)
{
	for (size_t j = 0; j < listed_groups_member_count(groups, i); j++) {
		bool is_inner = listed_groups_group_of(groups, i, j) != NO_GROUP;

		print_plain(listed_groups_member(groups, i, j));
		printf("%s ", is_inner ? "/" : "");
	}
}

/* Prints the users of a group and its subgroups, each once. printed: those that have been. A group
 * is defined before those that contain it; `below` ends the search in a list with a mistake. */
static void print_users(const struct listed_groups *groups, size_t group, size_t below,
			struct name_index *printed)
{
	for (size_t j = 0; below && j < listed_groups_member_count(groups, group); j++) {
		const char *name = listed_groups_member(groups, group, j);
		size_t inner = listed_groups_group_of(groups, group, j);

		if (inner != NO_GROUP) {
			print_users(groups, inner, below - 1, printed);
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
	return listed_groups_member_count(groups, i) == 1 &&
	       !strcmp(listed_groups_member(groups, i, 0), EVERYBODY);
}

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

/* Prints assignments of fathom.conf, without the blanks inside brackets. */
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

/* Prints a name, which is cut unless is_wide. */
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
	const char *name = listed_groups_name(groups, i);

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

static const char *group_at(const void *context, size_t i)
{
	const struct listed_groups *groups = context;

	if (i >= groups->count)
		return NULL;
	return listed_groups_has(groups, i) ? listed_groups_name(groups, i) : "";
}

static void check_name(const struct listed_groups *groups, const char *source, const char *wanted)
{
	struct suggestion near = { .word = wanted, .length = strlen(wanted) };

	if (!names_have((struct name_list){ group_at, groups }, false, &near))
		refuse_unknown(&near, "%s: %s has no such group", wanted, source);
}

static void print(const void *given, const struct tree_source *source,
		  const struct tree_options *how)
{
	const struct bugroup_options *options = given;
	struct listed_groups groups;
	bool is_first = true;

	listed_groups_create(&groups, source);
	for (size_t i = 0; i < LSF_MOST_NAMES && options->name[i]; i++)
		check_name(&groups, source->name, options->name[i]);
	if (!options->is_long)
		printf("%-*s  USERS\n", NAME_WIDTH, "GROUP_NAME");
	for (size_t i = 0; i < groups.count; i++) {
		if (!listed_groups_has(&groups, i) ||
		    !lsf_is_wanted(options->name, listed_groups_name(&groups, i)))
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
