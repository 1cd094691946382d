/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source of the columns: LSF, "View host partition information", "View cross-queue fairshare
 * information". The blanks between columns are not those of LSF, which are not published. */
#include "cli/view/lsf_places.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "memory/need_memory.h"
#include "policy/traits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_PARTITION "host-partition"	/* a kind of scope */
#define NAME_WIDTH 10
#define VALUE_SIZE 64

/* ---- places ------------------------------------------------------------------------------ */

static bool is_host_partition(const struct recorded_scope *scope)
{
	const char *kind = scope->head.text[SCOPE_KIND];

	return kind && !strcmp(kind, HOST_PARTITION);
}

static struct lsf_place place_of_scope(const struct tree_source *source,
				       const struct recorded_scope *scope)
{
	struct lsf_place place = {
		.name = scope->head.name, .is_scope = true,
		.partition = scope->head.partition,
		.partition_count = scope->head.partition_count,
		.source = { .name = source->name, .snapshot = &scope->recorded.snapshot,
			    .in_force = &scope->recorded },
	};

	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		place.text[i] = scope->head.text[i];
	return place;
}

/* Returns the tree of a scope that files of a configuration describe, such as lsb.queues. */
static struct lsf_place place_of_conf(const struct tree_source *source,
				      const struct conf_scope *scope)
{
	return (struct lsf_place){
		.name = scope->name, .is_scope = true,
		.partition = (const char *const *)scope->partition,
		.partition_count = scope->partition_count,
		.text = { [SCOPE_KIND] = conf_scope_kinds[scope->kind],
			  [SCOPE_HOSTS] = scope->hosts.text,
			  [SCOPE_MASTER_QUEUE] = scope->master_queue,
			  [SCOPE_DISPATCH_ORDER] = scope->queue_first ? LSF_QUEUE_FIRST : NULL,
			  [SCOPE_USER_SHARES] = scope->user_shares },
		.source = *source,
	};
}

/* Returns the source's own tree, which --scope may have chosen. */
static struct lsf_place own_place(const struct tree_source *source)
{
	const struct scope_head *head = source->shown_scope;
	const struct conf_scope *scope = source->conf ? source->conf->scope : NULL;
	struct lsf_place place = { .name = head ? head->name : snapshot_name(source->snapshot, 0),
				   .is_scope = head, .source = *source };

	if (!head && scope)
		return place_of_conf(source, scope);
	if (head) {
		place.partition = head->partition;
		place.partition_count = head->partition_count;
		memcpy(place.text, head->text, sizeof(place.text));
	}
	return place;
}

/* Finds place number i. False: there are no more. */
static bool find_place(const struct lsf_request *request, const struct tree_source *source,
		       size_t i, struct lsf_place *place)
{
	size_t count = 0;

	for (size_t at = 0; at < source->scope_count; at++) {
		if (is_host_partition(&source->scope[at]) != request->host_partitions)
			continue;
		*place = place_of_scope(source, &source->scope[at]);
		if (count++ == i)
			return true;
	}
	if (count || i)
		return false;
	*place = own_place(source);
	return true;
}

const char *lsf_place_name(const struct lsf_place *place, bool host_partitions, size_t i)
{
	if (host_partitions || !place->partition_count)
		return i ? NULL : place->name;
	return i < place->partition_count ? place->partition[i] : NULL;
}

bool lsf_is_wanted(const char *const *names, const char *name)
{
	for (size_t i = 0; i < LSF_MOST_NAMES && names[i]; i++)
		if (!strcmp(names[i], name))
			return true;
	return !names[0];
}

/* The names of all places of a request. */
struct place_names {
	const struct lsf_request *request;
	const struct tree_source *source;
};

static const char *name_at(const void *context, size_t i)
{
	const struct place_names *names = context;
	bool host_partitions = names->request->host_partitions;
	struct lsf_place place;
	const char *name;

	for (size_t at = 0; find_place(names->request, names->source, at, &place); at++)
		for (size_t j = 0; (name = lsf_place_name(&place, host_partitions, j)); j++)
			if (!i--)
				return name;
	return NULL;
}

static void check_name(const struct lsf_request *request, const struct tree_source *source,
		       const char *wanted)
{
	const struct place_names names = { request, source };
	struct suggestion near = { .word = wanted, .length = strlen(wanted) };

	if (!names_have((struct name_list){ name_at, &names }, false, &near))
		refuse_unknown(&near, "%s: %s has no such %s", wanted, source->name,
			       request->host_partitions ? "host partition" : "queue");
}

void lsf_places_print(const struct lsf_request *request, const struct tree_source *source,
		      const struct tree_options *how)
{
	struct lsf_place place;

	for (size_t i = 0; i < LSF_MOST_NAMES && request->name[i]; i++)
		check_name(request, source, request->name[i]);
	for (size_t i = 0; find_place(request, source, i, &place); i++)
		request->print(request->context, &place,
			       tree_comparison_of(how, &place.source).tree);
}

/* ---- values -------------------------------------------------------------------------------- */

enum { STARTED, RESERVED, CPU_TIME, RUN_TIME, ADJUST, COLUMN_COUNT };

/* A column of the table; '-' is printed for a value that the tree does not have. */
struct lsf_column {
	const char *heading;
	int width, digits;
	const char *column;	/* of a policy */
	int resource;		/* an enum fathom_resource that stands for it; -1: none does */
};

static const struct lsf_column priority = { "PRIORITY", 9, 3, "dynamic_priority", -1 };
static const struct lsf_column columns[COLUMN_COUNT] = {
	[STARTED] = { "STARTED", 8, 0, "started", FATHOM_JOB_SLOTS },
	[RESERVED] = { "RESERVED", 9, 0, "reserved", FATHOM_RESERVED_SLOTS },
	[CPU_TIME] = { "CPU_TIME", 9, 1, "total_cpu_time", FATHOM_CPU_TIME },
	[RUN_TIME] = { "RUN_TIME", 9, 0, "total_run_time", FATHOM_RUN_TIME },
	[ADJUST] = { "ADJUST", 8, 3, "adjust", FATHOM_ADJUSTMENT },
};

/* Returns a value of a column, NAN if the tree does not have it. */
static double value_of(const struct evaluated_tree *tree, const struct lsf_column *column,
		       size_t node)
{
	const struct fathom_tree *of = tree->snapshot->tree;
	enum fathom_resource resource = (enum fathom_resource)column->resource;
	size_t own = policy_column_named(tree->policy, column->column);

	if (own != POLICY_HAS_NONE)
		return tree->columns.column[own][node];
	if (column->resource < 0 || !fathom_tree_has_resource(of, resource))
		return (double)NAN;
	return fathom_tree_resource(of, node, resource);
}

double lsf_started(const struct evaluated_tree *tree)
{
	return value_of(tree, &columns[STARTED], 0);
}

double lsf_reserved(const struct evaluated_tree *tree)
{
	return value_of(tree, &columns[RESERVED], 0);
}

void lsf_print_name(const char *name, int width, bool is_wide)
{
	if (!is_wide && strlen(name) > (size_t)width)
		print_plain_start(name, (size_t)width);
	else
		print_padded(name, -width);
}

/* ---- tables -------------------------------------------------------------------------------- */

static void print_value(const struct lsf_column *column, double value)
{
	char text[VALUE_SIZE] = LSF_UNKNOWN;

	if (!isnan(value))
		snprintf(text, sizeof(text), "%.*f", column->digits, value);
	printf(" %*s", column->width, text);
}

static void print_heading(size_t column_count)
{
	printf("%-*s %8s %*s", NAME_WIDTH, "USER/GROUP", "SHARES", priority.width,
	       priority.heading);
	for (size_t i = 0; i < column_count; i++)
		printf(" %*s", columns[i].width, columns[i].heading);
	putchar('\n');
}

static void print_node(const struct evaluated_tree *tree, size_t node, size_t column_count)
{
	uint32_t shares = fathom_tree_raw_shares(tree->snapshot->tree, node);

	print_padded(snapshot_name(tree->snapshot, node), -NAME_WIDTH);
	if (shares == FATHOM_SHARES_PARENT)
		printf(" %8s", LSF_UNKNOWN);
	else
		printf(" %8" PRIu32, shares);
	print_value(&priority, value_of(tree, &priority, node));
	for (size_t i = 0; i < column_count; i++)
		print_value(&columns[i], value_of(tree, &columns[i], node));
	putchar('\n');
}

/* Sorts nodes by priority, the highest first; equal ones, and those without, as in the tree. */
static int compare(const void *a, const void *b, void *context)
{
	const size_t *one = a, *other = b;
	double value = value_of(context, &priority, *one);
	double against = value_of(context, &priority, *other);

	if (value != against && !isnan(value) && !isnan(against))
		return value > against ? -1 : 1;
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

struct share_table {
	const struct evaluated_tree *tree;
	const char *name;
	bool is_recursive;
	size_t column_count;
};

/* Prints the level below a node and, if asked, those of its groups. node[]: room for the nodes of
 * all levels on the path. */
static void print_level(const struct share_table *table, size_t parent, size_t *node)
{
	const struct evaluated_tree *evaluated = table->tree;
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	size_t count = fathom_tree_child_count(tree, parent);

	printf("\nSHARE_INFO_FOR: ");
	print_path(evaluated, table->name, parent);
	putchar('\n');
	print_heading(table->column_count);
	for (size_t i = 0; i < count; i++)
		node[i] = fathom_tree_first_child(tree, parent) + i;
	qsort_r(node, count, sizeof(*node), compare, (void *)evaluated);
	for (size_t i = 0; i < count; i++)
		print_node(evaluated, node[i], table->column_count);
	for (size_t i = 0; table->is_recursive && i < count; i++)
		if (fathom_tree_child_count(tree, node[i]))
			print_level(table, node[i], node + count);
}

void lsf_shares_print(const struct evaluated_tree *tree, const char *name, bool is_recursive,
		      bool with_adjust)
{
	const struct share_table table = { tree, name, is_recursive,
					   with_adjust ? COLUMN_COUNT : ADJUST };
	size_t count = fathom_tree_count(tree->snapshot->tree);

	print_level(&table, 0, need_zeros(count, sizeof(count)));
}
