/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the tree as OpenPBS's pbsfs does: a line for each group and entity, the sibling that was
 * defined last first; one entity in detail; or which of two entities goes first. PBS's number
 * cresgroup of a node is its id. A figure that the policy does not have is printed as '-'.
 */
#include "cli/views.h"

#include "cli/tree_comparison.h"
#include "policy/traits.h"

#include <inttypes.h>

#define NO_NODE SIZE_MAX
#define CELL 32		/* bytes of a figure as text */
#define NONE "-"		/* in place of a figure */
#define INDENT 5	/* blanks for each level of -t */

/* ---- options --------------------------------------------------------------------------- */

enum mode { PRINT_NODES, PRINT_TREE, PRINT_ENTITY, PRINT_FIRST };

struct pbsfs_options {
	int mode;		/* enum mode */
	const char *entity[2];	/* NULL: not given */
	const char *ignored;	/* -I */
};

#define MODE(value) offsetof(struct pbsfs_options, mode), value

static const struct option_row option_rows[] = {
	{ 'p', "print", NULL, "all groups and entities with their figures; the default",
	  option_choice, MODE(PRINT_NODES) },
	{ 't', "tree", NULL, "all groups and entities as a tree", option_choice, MODE(PRINT_TREE) },
	{ 'g', "get", NULL, "all about the entity that follows, NAME or GROUP/NAME", option_choice,
	  MODE(PRINT_ENTITY) },
	{ 'c', "compare", NULL, "which of the two entities that follow goes first",
	  option_choice, MODE(PRINT_FIRST) },
	{ 'I', "scheduler", "NAME", "has no effect: one tree is shown", option_text,
	  offsetof(struct pbsfs_options, ignored), 0 },
	VIEW_OPTIONS,
	{ 's', "set", NULL, NULL, view_refuse_writing, 0, 0 },
	{ 'd', "decay", NULL, NULL, view_refuse_writing, 0, 0 },
	{ 'e', "trim", NULL, NULL, view_refuse_writing, 0, 0 },
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view pbsfs -- [OPTION OF pbsfs] [ENTITY]...\n"
		 "Show the tree as OpenPBS's pbsfs shows it.\n\n",
	OPERANDS(2, "ENTITY", struct pbsfs_options, entity),
};

/* Refuses a number of entities that the mode does not want. */
static void check(void *given)
{
	const struct pbsfs_options *options = given;
	int count = !!options->entity[0] + !!options->entity[1];

	if (options->mode == PRINT_ENTITY && count != 1)
		refuse("-g: needs one entity, such as -g scott");
	if (options->mode == PRINT_FIRST && count != 2)
		refuse("-c: needs two entities, such as -c bob scott");
	if (options->mode < PRINT_ENTITY && count)
		refuse("%s: not expected; -g shows an entity", options->entity[0]);
}

/* ---- figures ---------------------------------------------------------------------------- */

/* What is printed. */
struct pbsfs {
	const struct pbsfs_options *options;
	const struct evaluated_tree *evaluated;
	const struct fathom_tree *tree;
	const char *source;	/* name of the file or cluster */
	const char *unit;	/* of usage: the policy's formula, such as cput; or NONE */
	bool is_pbs;		/* the policy has PBS's figures */
};

/* Returns the part of all shares that a node has, 0 to 1: PBS's fairshare_perc. */
static double perc_of(const struct pbsfs *pbsfs, size_t node)
{
	return pbsfs->is_pbs ? pbsfs->evaluated->columns.norm_shares[node]
			     : fathom_tree_norm_shares(pbsfs->tree, node);
}

/* Returns the usage of a node, with that of all below it, in pbsfs->unit. */
static double usage_of(const struct pbsfs *pbsfs, size_t node)
{
	return pbsfs->evaluated->columns.usage[node];
}

/* Returns usage over shares; -1 for a node without shares. */
static double ratio_of(const struct pbsfs *pbsfs, size_t node)
{
	double perc = perc_of(pbsfs, node);

	return perc > 0 ? usage_of(pbsfs, node) / perc : -1;
}

/* Returns the id of the group that a node is in, its parent; -1 for the root, which is in none. */
static int64_t group_of(const struct pbsfs *pbsfs, size_t node)
{
	return node ? fathom_tree_id(pbsfs->tree, fathom_tree_parent(pbsfs->tree, node)) : -1;
}

/* Writes the shares, -1 for the root. text: CELL. Returns `text`. */
static const char *shares_text(const struct pbsfs *pbsfs, size_t node, char *text)
{
	uint32_t shares = fathom_tree_raw_shares(pbsfs->tree, node);

	if (!node)
		snprintf(text, CELL, "-1");
	else if (shares == FATHOM_SHARES_PARENT)
		snprintf(text, CELL, NONE);
	else
		snprintf(text, CELL, "%" PRIu32, shares);
	return text;
}

static const char *name_of(const struct pbsfs *pbsfs, size_t node)
{
	return snapshot_name(pbsfs->evaluated->snapshot, node);
}

/* Prints the name in the first column. */
static void print_name(const struct pbsfs *pbsfs, size_t node)
{
	print_padded(name_of(pbsfs, node), -10);
}

/* ---- all nodes -------------------------------------------------------------------------- */

/* Returns the node after this one, depth first, siblings from the last to the first; NO_NODE: it
 * was the last one. *level: of this node; becomes that of the next one. */
static size_t next_node(const struct fathom_tree *tree, size_t node, size_t *level)
{
	size_t children = fathom_tree_child_count(tree, node);

	if (children) {
		++*level;
		return fathom_tree_first_child(tree, node) + children - 1;
	}
	/* the first child is the last one here: go on with its parent */
	while (node && node == fathom_tree_first_child(tree, fathom_tree_parent(tree, node))) {
		node = fathom_tree_parent(tree, node);
		--*level;
	}
	return node ? node - 1 : NO_NODE;	/* siblings have consecutive numbers */
}

/* Prints the line of a node, as pbsfs -p does. */
static void print_node(const struct pbsfs *pbsfs, size_t node)
{
	char shares[CELL];

	print_name(pbsfs, node);
	printf(": Grp: %-5" PRId64 "  cgrp: %-5" PRId64 "Shares: %-6s Usage: %-6.0f Perc: "
	       "%6.3f%%\n", group_of(pbsfs, node), fathom_tree_id(pbsfs->tree, node),
	       shares_text(pbsfs, node, shares), usage_of(pbsfs, node), 100 * perc_of(pbsfs, node));
}

/* Prints a line for each node, in the order of the tree. */
static void print_nodes(const struct pbsfs *pbsfs)
{
	size_t level = 0;

	printf("Fairshare usage units are in: %s\n", pbsfs->unit);
	for (size_t node = 0; node != NO_NODE; node = next_node(pbsfs->tree, node, &level))
		print_node(pbsfs, node);
}

/* Prints the tree: each name behind INDENT blanks for each level, with its id. */
static void print_levels(const struct pbsfs *pbsfs)
{
	size_t level = 0;

	for (size_t node = 0; node != NO_NODE; node = next_node(pbsfs->tree, node, &level)) {
		printf("%*s", (int)(level ? INDENT * level : 1), "");
		print_plain(name_of(pbsfs, node));
		printf("(%" PRId64 ")\n", fathom_tree_id(pbsfs->tree, node));
	}
}

/* ---- entities ---------------------------------------------------------------------------- */

/* Returns whether a word is the node's name, or that of its group and its own: GROUP/NAME. */
static bool is_named(const struct pbsfs *pbsfs, size_t node, const char *word)
{
	const char *name = name_of(pbsfs, node), *group;
	size_t length;

	if (!strcmp(name, word))
		return true;
	if (!node)
		return false;
	group = name_of(pbsfs, fathom_tree_parent(pbsfs->tree, node));
	length = strlen(group);
	return !strncmp(word, group, length) && word[length] == '/' &&
	       !strcmp(word + length + 1, name);
}

/* Returns the name of node i, for struct name_list. */
static const char *name_at(const void *context, size_t i)
{
	const struct pbsfs *pbsfs = context;

	return i < fathom_tree_count(pbsfs->tree) ? name_of(pbsfs, i) : NULL;
}

/* Returns the node of an entity or group. Refuses a word that no node has, or several: in trees of
 * other systems a user may be in several accounts. */
static size_t find_entity(const struct pbsfs *pbsfs, const char *word)
{
	struct suggestion near = { .word = word, .length = strlen(word) };
	size_t found = NO_NODE;

	for (size_t node = 0; node < fathom_tree_count(pbsfs->tree); node++) {
		if (!is_named(pbsfs, node, word))
			continue;
		if (found != NO_NODE)
			refuse("%s: there are several in %s; must be GROUP/NAME", word,
			       pbsfs->source);
		found = node;
	}
	if (found == NO_NODE) {
		names_have((struct name_list){ name_at, pbsfs }, false, &near);
		refuse_unknown(&near, "%s: %s has no such entity", word, pbsfs->source);
	}
	return found;
}

/* Prints a line for each node from the root down to this one. */
static void print_path(const struct pbsfs *pbsfs, size_t node)
{
	if (node)
		print_path(pbsfs, fathom_tree_parent(pbsfs->tree, node));
	print_name(pbsfs, node);
	printf(": %5" PRId64 " %10.0f / %5.3f = %.0f\n", fathom_tree_id(pbsfs->tree, node),
	       usage_of(pbsfs, node), perc_of(pbsfs, node), ratio_of(pbsfs, node));
}

/* Prints all about the entity, as pbsfs -g does. */
static void print_entity(const struct pbsfs *pbsfs)
{
	char tree_usage[CELL] = NONE, shares[CELL];
	size_t node = find_entity(pbsfs, pbsfs->options->entity[0]);

	if (pbsfs->is_pbs)
		snprintf(tree_usage, CELL, "%f", pbsfs->evaluated->columns.effective_usage[node]);
	print_labelled("fairshare entity: ", name_of(pbsfs, node));
	printf("Resgroup\t\t: %" PRId64 "\n", group_of(pbsfs, node));
	printf("cresgroup\t\t: %" PRId64 "\n", fathom_tree_id(pbsfs->tree, node));
	printf("Shares\t\t\t: %s\n", shares_text(pbsfs, node, shares));
	printf("Percentage\t\t: %f%%\n", 100 * perc_of(pbsfs, node));
	printf("fairshare_tree_usage\t: %s\n", tree_usage);
	printf("usage\t\t\t: %.0f (%s)\n", usage_of(pbsfs, node), pbsfs->unit);
	printf("usage/perc\t\t: %.0f\n", ratio_of(pbsfs, node));
	printf("Path from root: \n");
	print_path(pbsfs, node);
}

/* Prints which of the two entities goes first, or "A == B". */
static void print_first(const struct pbsfs *pbsfs)
{
	size_t a = find_entity(pbsfs, pbsfs->options->entity[0]);
	size_t b = find_entity(pbsfs, pbsfs->options->entity[1]);
	int order;

	if (!pbsfs->is_pbs) {
		printf(NONE "\n");
		return;
	}
	order = fathom_path_compare(pbsfs->evaluated->result, pbsfs->tree, a, b);
	print_plain(name_of(pbsfs, order > 0 ? b : a));
	if (!order)
		print_labelled(" == ", name_of(pbsfs, b));
	else
		putchar('\n');
}

/* ---- the view ---------------------------------------------------------------------------- */

static void (*const printers[])(const struct pbsfs *pbsfs) = {
	[PRINT_NODES] = print_nodes, [PRINT_TREE] = print_levels, [PRINT_ENTITY] = print_entity,
	[PRINT_FIRST] = print_first,
};

/* Prints what the mode asks for; see print_tree() of struct view. */
static void print(const void *given, const struct tree_source *source,
		  const struct evaluated_tree *tree)
{
	const struct pbsfs_options *options = given;
	const struct pbsfs pbsfs = {
		.options = options, .evaluated = tree, .tree = tree->snapshot->tree,
		.source = source->name,
		.unit = *tree->settings.formula ? tree->settings.formula : NONE,
		.is_pbs = policy_column_with(tree->policy, COLUMN_NORM_SHARES) != POLICY_HAS_NONE,
	};

	printers[options->mode](&pbsfs);
}

const struct view view_pbsfs = {
	.tool = "pbsfs",
	.policy = "pbs",
	.options = &option_table,
	.size = sizeof(struct pbsfs_options),
	.check = check,
	.print_tree = print,
};
