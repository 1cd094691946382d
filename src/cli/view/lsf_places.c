/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the places of a source, and prints share trees:
 *
 *	SHARE_INFO_FOR: hpart1/
 *	USER/GROUP   SHARES  PRIORITY  STARTED ...
 *	ada              10     3.333        0
 *
 * Source of the columns: LSF, "View host partition information", "View cross-queue fairshare
 * information". LSF's blanks between columns are not published, and may be others.
 */
#include "cli/view/lsf_places.h"

#include "cli/complain.h"
#include "cli/print_table.h"
#include "cli/print_text.h"
#include "memory/need_memory.h"
#include "policy/traits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_PARTITION "host-partition"	/* a kind of scope */

/* ---- places ------------------------------------------------------------------------------ */

/* Returns a scope that files of a configuration describe, such as lsb.queues. source: of its
 * tree. */
static struct lsf_place place_of_conf(const struct tree_source *source,
				      const struct conf_scope *scope)
{
	return (struct lsf_place){
		.head = { .name = scope->name,
			  .partition = (const char *const *)scope->partition,
			  .partition_count = scope->partition_count,
			  .text = { [SCOPE_KIND] = conf_scope_kinds[scope->kind],
				    [SCOPE_HOSTS] = scope->hosts.text,
				    [SCOPE_MASTER_QUEUE] = scope->master_queue,
				    [SCOPE_DISPATCH_ORDER] =
					    scope->queue_first ? SCOPE_QUEUE_FIRST : NULL,
				    [SCOPE_USER_SHARES] = scope->user_shares } },
		.is_scope = true, .source = *source,
	};
}

/* Returns the source's own tree: that of all jobs, or of the scope that --scope or the files have
 * chosen. */
static struct lsf_place own_place(const struct tree_source *source)
{
	const struct scope_head *head = source->shown_scope;
	const struct conf_scope *scope = source->rule.conf ? source->rule.conf->scope : NULL;

	if (head)
		return (struct lsf_place){ .head = *head, .is_scope = true, .source = *source };
	if (scope)
		return place_of_conf(source, scope);
	return (struct lsf_place){ .head.name = snapshot_name(source->snapshot, 0),
				   .source = *source };
}

/* Adds a place if it is of the wanted kind. host_partitions: whether host partitions are wanted, or
 * all other places. */
static void add_place(struct lsf_places *places, struct lsf_place place, bool host_partitions)
{
	const char *kind = place.head.text[SCOPE_KIND];
	bool is_host_partition = kind && !strcmp(kind, HOST_PARTITION);

	if (is_host_partition == host_partitions)
		places->place[places->count++] = place;
}

struct lsf_places lsf_places_of(const struct tree_source *source, const struct tree_options *how,
				bool host_partitions)
{
	size_t most = source->scope_count + source->part_count + 1;
	struct lsf_places places = { .place = need_zeros(most, sizeof(*places.place)), .how = how };
	struct lsf_place own;

	for (size_t i = 0; i < source->scope_count; i++)
		add_place(&places, (struct lsf_place){
			.head = source->scope[i].head, .is_scope = true,
			.source = { .name = source->name,
				    .snapshot = &source->scope[i].recorded.snapshot,
				    .rule.in_force = &source->scope[i].recorded } },
			  host_partitions);
	for (size_t i = 0; i < source->part_count; i++)
		add_place(&places,
			  place_of_conf(&source->part[i], source->part[i].rule.conf->scope),
			  host_partitions);
	if (!source->snapshot)
		return places;
	own = own_place(source);
	if (own.is_scope && !source->shown_scope)	/* files describe it */
		add_place(&places, own, host_partitions);
	/* the tree of all jobs counts as either kind, and so does the scope of --scope */
	else if (!own.is_scope || !places.count)
		places.place[places.count++] = own;
	return places;
}

const struct evaluated_tree *lsf_place_tree(const struct lsf_places *places, size_t i)
{
	struct lsf_place *place = &places->place[i];

	if (!place->tree)
		place->tree = tree_comparison_of(places->how, &place->source).tree;
	return place->tree;
}

bool lsf_place_is_rest(const struct lsf_places *places, size_t i)
{
	return i && !places->place[i].is_scope;
}

bool lsf_is_wanted(const char *const *names, const char *name)
{
	for (size_t i = 0; i < LSF_MOST_NAMES && names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return !names[0];
}

void lsf_check_wanted(const char *const *names, struct name_list list, const char *lacks)
{
	for (size_t i = 0; i < LSF_MOST_NAMES && names[i]; i++) {
		struct suggestion near = { .word = names[i], .length = strlen(names[i]) };

		if (!names_have(list, false, &near))
			refuse_unknown(&near, "%s: %s", names[i], lacks);
	}
}

/* ---- values -------------------------------------------------------------------------------- */

/* A figure of LSF. */
struct figure {
	const char *column;	/* of the policy, which may lack it */
	int resource;		/* enum fathom_resource in place of the column; -1: none */
	int digits;		/* after the point */
};

/* Indices in figures[]. */
enum { PRIORITY, STARTED, RESERVED, CPU_TIME, RUN_TIME, ADJUST, FIGURE_COUNT };

static const struct figure figures[FIGURE_COUNT] = {
	[PRIORITY] = { "dynamic_priority", -1, 3 },
	[STARTED] = { "started", FATHOM_JOB_SLOTS, 0 },
	[RESERVED] = { "reserved", FATHOM_RESERVED_SLOTS, 0 },
	[CPU_TIME] = { "total_cpu_time", FATHOM_CPU_TIME, 1 },
	[RUN_TIME] = { "total_run_time", FATHOM_RUN_TIME, 0 },
	[ADJUST] = { "adjust", FATHOM_ADJUSTMENT, 3 },
};

/* Two columns, then those of figures[]. */
static const struct lsf_heading headings[] = {
	{ "USER/GROUP", -10 }, { "SHARES", 8 }, { "PRIORITY", 9 }, { "STARTED", 8 },
	{ "RESERVED", 9 }, { "CPU_TIME", 9 }, { "RUN_TIME", 9 }, { "ADJUST", 8 },
};

/* Returns a figure of a node and all below it: from the policy's own column, else from the
 * resource that stands for it. NAN: the tree has neither. */
static double figure_of(const struct evaluated_tree *tree, const struct figure *figure, size_t node)
{
	const struct fathom_tree *nodes = tree->snapshot->tree;
	enum fathom_resource resource = (enum fathom_resource)figure->resource;
	size_t own = policy_column_named(tree->policy, figure->column);

	if (own != POLICY_HAS_NONE)
		return tree->columns.column[own][node];
	if (figure->resource < 0 || !fathom_tree_has_resource(nodes, resource))
		return (double)NAN;
	return fathom_tree_resource(nodes, node, resource);
}

double lsf_slots(const struct evaluated_tree *tree, bool is_reserved)
{
	return figure_of(tree, &figures[is_reserved ? RESERVED : STARTED], 0);
}

/* ---- tables -------------------------------------------------------------------------------- */

struct text_table lsf_table(const struct lsf_heading *heading, size_t count)
{
	struct text_table table = { .count = 0 };

	for (size_t i = 0; i < count; i++) {
		struct table_column *column = text_table_add_column(&table, heading[i].name);

		column->least = abs(heading[i].width);
		column->right = heading[i].width > 0;
		column->missing = LSF_UNKNOWN;
	}
	return table;
}

/* For qsort_r() of nodes: by priority, the highest first; nodes with equal or unknown priorities
 * stay as in the tree. context: the evaluated tree. */
static int compare_priorities(const void *a, const void *b, void *context)
{
	const size_t *one = a, *other = b;
	double priority = figure_of(context, &figures[PRIORITY], *one);
	double other_priority = figure_of(context, &figures[PRIORITY], *other);

	if (priority != other_priority && !isnan(priority) && !isnan(other_priority))
		return priority > other_priority ? -1 : 1;
	return (*one > *other) - (*one < *other);
}

/* Prints the path of a group below the place: "NAME/group1/group2/". */
static void print_path(const struct evaluated_tree *tree, const char *name, size_t node)
{
	if (node)
		print_path(tree, name, fathom_tree_parent(tree->snapshot->tree, node));
	print_plain(node ? snapshot_name(tree->snapshot, node) : name);
	putchar('/');
}

/* Prints the table of nodes, with the first `count` of figures[]. */
static void print_nodes(const struct evaluated_tree *tree, const size_t *node, size_t node_count,
			size_t count)
{
	struct text_table table = lsf_table(headings, 2 + count);

	for (size_t i = 0; i < node_count; i++) {
		uint32_t shares = fathom_tree_raw_shares(tree->snapshot->tree, node[i]);

		text_table_put(&table, snapshot_name(tree->snapshot, node[i]));
		text_table_put_value(&table, shares == FATHOM_SHARES_PARENT
						     ? value_none() : value_of_integer(shares));
		for (size_t j = 0; j < count; j++)
			text_table_put_value(&table, value_of_real(
				figure_of(tree, &figures[j], node[i]), figures[j].digits));
	}
	print_fixed(text_table_finish(&table));
}

/* What is printed of a tree; see lsf_shares_print(). */
struct share_table {
	const struct evaluated_tree *tree;
	const char *name;	/* of the place */
	bool is_recursive;
	size_t figure_count;	/* the first ones of figures[] */
};

/* Prints the level below a node and, if is_recursive, those of its groups. node[]: room for the
 * nodes of all levels from here down. */
static void print_level(const struct share_table *table, size_t parent, size_t *node)
{
	const struct evaluated_tree *evaluated = table->tree;
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	size_t count = fathom_tree_child_count(tree, parent);

	for (size_t i = 0; i < count; i++)
		node[i] = fathom_tree_first_child(tree, parent) + i;
	qsort_r(node, count, sizeof(*node), compare_priorities, (void *)evaluated);
	printf("\nSHARE_INFO_FOR: ");
	print_path(evaluated, table->name, parent);
	putchar('\n');
	print_nodes(evaluated, node, count, table->figure_count);
	for (size_t i = 0; table->is_recursive && i < count; i++)
		if (fathom_tree_child_count(tree, node[i]))
			print_level(table, node[i], node + count);
}

void lsf_shares_print(const struct evaluated_tree *tree, const char *name, bool is_recursive,
		      bool with_adjust)
{
	/* ADJUST is the last figure */
	const struct share_table table = { tree, name, is_recursive, FIGURE_COUNT - !with_adjust };
	size_t count = fathom_tree_count(tree->snapshot->tree);

	print_level(&table, 0, need_zeros(count, sizeof(size_t)));
}
