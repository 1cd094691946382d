/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/told.h"

#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double *told_column(const struct told *told, size_t count, size_t which)
{
	return told->values + which * count;
}

int told_create_columns(struct told *told, size_t count, struct fathom_error *error)
{
	told->values = malloc(TOLD_MOST * count * sizeof(*told->values));
	if (!told->values)
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < TOLD_MOST * count; i++)
		told->values[i] = NAN;
	told->columns = (struct json_columns){
		.usage = told_column(told, count, TOLD_USAGE),
		.norm_shares = told_column(told, count, TOLD_NORM_SHARES),
		.norm_usage = told_column(told, count, TOLD_NORM_USAGE),
		.effective_usage = told_column(told, count, TOLD_EFFECTIVE_USAGE),
		.factor = told_column(told, count, TOLD_FACTOR),
	};
	for (size_t i = 0; i < fathom_policy_column_count(told->policy); i++)
		told->columns.column[i] = told_column(told, count, TOLD_OWN + i);
	return 0;
}

#define NO_NODE SIZE_MAX

/* ---- from tree to tree -------------------------------------------------------- */

struct place {
	int64_t id;
	size_t node;
};

static int compare_places(const void *one, const void *other)
{
	const struct place *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

/* By id. NULL: ENOMEM. */
static struct place *list_places(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);
	struct place *places = malloc(count * sizeof(*places));

	for (size_t node = 0; places && node < count; node++)
		places[node] = (struct place){ fathom_tree_id(tree, node), node };
	if (places)
		qsort(places, count, sizeof(*places), compare_places);
	return places;
}

/* By node of `tree`: the node of the same id in `from`, or NO_NODE. NULL: ENOMEM. */
static size_t *match_nodes(const struct fathom_tree *tree, const struct fathom_tree *from)
{
	size_t count = fathom_tree_count(tree), from_count = fathom_tree_count(from);
	struct place *places = list_places(from);
	size_t *match = malloc(count * sizeof(*match));

	for (size_t node = 0; places && match && node < count; node++) {
		struct place wanted = { fathom_tree_id(tree, node), 0 };
		const struct place *found = bsearch(&wanted, places, from_count, sizeof(*places),
						    compare_places);

		match[node] = found ? found->node : NO_NODE;
	}
	if (!places) {
		free(match);
		match = NULL;
	}
	free(places);
	return match;
}

int told_copy_to(struct told *to, const struct fathom_tree *tree, const struct told *from,
		 struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree), from_count = fathom_tree_count(from->snapshot.tree);
	struct told fresh = { .policy = from->policy, .settings = from->settings };
	size_t *match = match_nodes(tree, from->snapshot.tree);

	if (!match || told_create_columns(&fresh, count, NULL)) {
		free(match);
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	}
	for (size_t node = 0; node < count; node++)
		for (size_t i = 0; match[node] != NO_NODE && i < TOLD_MOST; i++)
			told_column(&fresh, count, i)[node] =
				told_column(from, from_count, i)[match[node]];
	for (size_t node = 0; node < count; node++)
		if (match[node] == NO_NODE)
			told_column(&fresh, count, TOLD_USAGE)[node] =
				fathom_tree_usage(tree, node);
	free(match);
	told_clear(to);
	*to = fresh;
	return 0;
}

int told_give_resources(struct fathom_tree *tree, const struct fathom_tree *from,
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

/* ---- ends ----------------------------------------------------------------------- */

void told_clear(struct told *told)
{
	snapshot_clear(&told->snapshot);
	free(told->values);
	*told = (struct told){ 0 };
}

void told_free_scopes(struct told_scope *scope, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		told_clear(&scope[i].told);
		free(scope[i].name);
	}
	free(scope);
}

void told_pass_clear(struct told_pass *pass)
{
	told_clear(&pass->in_force);
	told_clear(&pass->shadow);
	told_free_scopes(pass->scope, pass->scope_count);
	free(pass->cluster);
	*pass = (struct told_pass){ 0 };
}
