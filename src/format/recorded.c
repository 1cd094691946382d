/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds figures that were computed elsewhere, and copies them from one tree to another by
 * the ids of associations. */
#include "format/recorded.h"

#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double *recorded_column(const struct recorded *recorded, size_t count, size_t which)
{
	return recorded->values + which * count;
}

int recorded_create_columns(struct recorded *recorded, size_t count, struct fathom_error *error)
{
	recorded->values = malloc(RECORDED_MOST * count * sizeof(*recorded->values));
	if (!recorded->values)
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < RECORDED_MOST * count; i++)
		recorded->values[i] = NAN;
	recorded->columns = (struct json_columns){
		.usage = recorded_column(recorded, count, RECORDED_USAGE),
		.norm_shares = recorded_column(recorded, count, RECORDED_NORM_SHARES),
		.norm_usage = recorded_column(recorded, count, RECORDED_NORM_USAGE),
		.effective_usage = recorded_column(recorded, count, RECORDED_EFFECTIVE_USAGE),
		.factor = recorded_column(recorded, count, RECORDED_FACTOR),
	};
	for (size_t i = 0; i < fathom_policy_column_count(recorded->policy); i++)
		recorded->columns.column[i] = recorded_column(recorded, count, RECORDED_OWN + i);
	return 0;
}

#define NO_NODE SIZE_MAX

/* ---- from tree to tree -------------------------------------------------------- */

struct node_of_id {
	int64_t id;
	size_t node;
};

static int compare_ids(const void *one, const void *other)
{
	const struct node_of_id *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

/* Lists the nodes of a tree, sorted by id. NULL: ENOMEM. */
static struct node_of_id *list_ids(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);
	struct node_of_id *ids = malloc(count * sizeof(*ids));

	for (size_t node = 0; ids && node < count; node++)
		ids[node] = (struct node_of_id){ fathom_tree_id(tree, node), node };
	if (ids)
		qsort(ids, count, sizeof(*ids), compare_ids);
	return ids;
}

/* Returns, by node of `tree`, the node with the same id in `from`, or NO_NODE. NULL: ENOMEM. */
static size_t *match_nodes(const struct fathom_tree *tree, const struct fathom_tree *from)
{
	size_t count = fathom_tree_count(tree), from_count = fathom_tree_count(from);
	struct node_of_id *ids = list_ids(from);
	size_t *match = malloc(count * sizeof(*match));

	for (size_t node = 0; ids && match && node < count; node++) {
		struct node_of_id wanted = { fathom_tree_id(tree, node), 0 };
		const struct node_of_id *found = bsearch(&wanted, ids, from_count, sizeof(*ids),
							 compare_ids);

		match[node] = found ? found->node : NO_NODE;
	}
	if (!ids) {
		free(match);
		match = NULL;
	}
	free(ids);
	return match;
}

int recorded_copy_to(struct recorded *to, const struct fathom_tree *tree,
		     const struct recorded *from, struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree), from_count = fathom_tree_count(from->snapshot.tree);
	struct recorded fresh = { .policy = from->policy, .settings = from->settings };
	size_t *match = match_nodes(tree, from->snapshot.tree);

	if (!match || recorded_create_columns(&fresh, count, NULL)) {
		free(match);
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	}
	for (size_t node = 0; node < count; node++)
		for (size_t i = 0; match[node] != NO_NODE && i < RECORDED_MOST; i++)
			recorded_column(&fresh, count, i)[node] =
				recorded_column(from, from_count, i)[match[node]];
	for (size_t node = 0; node < count; node++)
		if (match[node] == NO_NODE)
			recorded_column(&fresh, count, RECORDED_USAGE)[node] =
				fathom_tree_usage(tree, node);
	free(match);
	recorded_clear(to);
	*to = fresh;
	return 0;
}

int recorded_give_resources(struct fathom_tree *tree, const struct fathom_tree *from,
			    struct fathom_error *error)
{
	size_t *match = match_nodes(tree, from);
	int status = match ? 0 : fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));

	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource which = (enum fathom_resource)i;
		bool has = fathom_tree_has_resource(from, which);

		for (size_t node = 0; has && !status && node < fathom_tree_count(tree); node++)
			if (match[node] != NO_NODE)
				status = fathom_tree_set_own_resource(
					tree, node, which,
					fathom_tree_own_resource(from, match[node], which), error);
	}
	free(match);
	fathom_tree_settle(tree);
	return status;
}

/* ---- freeing --------------------------------------------------------------------- */

void recorded_give_usage(struct fathom_tree *tree, const double *usage)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		size_t first = fathom_tree_first_child(tree, node);
		double own = isnan(usage[node]) ? 0 : usage[node];

		for (size_t i = 0; i < fathom_tree_child_count(tree, node); i++)
			own -= isnan(usage[first + i]) ? 0 : usage[first + i];
		/* rounding must not leave less than nothing */
		fathom_tree_set_own_usage(tree, node, own > 0 ? own : 0);
	}
	fathom_tree_settle(tree);
}

void recorded_clear(struct recorded *recorded)
{
	snapshot_clear(&recorded->snapshot);
	free(recorded->values);
	*recorded = (struct recorded){ 0 };
}

static void free_names(const char *const *name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)name[i]);
	free((void *)name);
}

void recorded_clear_head(struct scope_head *head)
{
	free_names(head->partition, head->partition_count);
	for (size_t i = 0; i < head->group_count; i++) {
		free((char *)head->group[i].name);
		free_names(head->group[i].member, head->group[i].member_count);
	}
	scope_groups_destroy((struct scope_group *)head->group, head->group_count);
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		free((char *)head->text[i]);
	free((char *)head->name);
	*head = (struct scope_head){ 0 };
}

void recorded_free_scopes(struct recorded_scope *scope, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		recorded_clear(&scope[i].recorded);
		recorded_clear_head(&scope[i].head);
	}
	free(scope);
}

void recorded_pass_clear(struct recorded_pass *pass)
{
	recorded_clear(&pass->in_force);
	recorded_clear(&pass->shadow);
	recorded_free_scopes(pass->scope, pass->scope_count);
	free(pass->cluster);
	free(pass->fault);
	*pass = (struct recorded_pass){ 0 };
}
