/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/evaluated_tree.h"

#include "cli/option_values.h"
#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOT_SHOWN SIZE_MAX

/* ---- what is shown ---------------------------------------------------------- */

static bool is_shown(const struct figures *figures, const struct filter *filter, size_t node)
{
	const struct snapshot *snapshot = figures->snapshot;
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	if (figures->live && figures->live->invented[node])
		return false;
	if (filter->users_only && !user)
		return false;
	if (filter->users && user && !list_has(filter->users, snapshot_name(snapshot, node)))
		return false;
	return !filter->accounts ||
	       list_has(filter->accounts, snapshot_account(snapshot, node));
}

static int select_shown(struct figures *figures, const struct filter *filter,
			struct fathom_error *error)
{
	const struct fathom_tree *tree = figures->snapshot->tree;
	size_t count = fathom_tree_count(tree);

	figures->shown = calloc(count, sizeof(*figures->shown));
	figures->depth = calloc(count, sizeof(*figures->depth));
	if (!figures->shown || !figures->depth)
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	if (snapshot_depth_first(figures->snapshot, figures->shown, figures->depth, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		size_t node = figures->shown[i], parent = fathom_tree_parent(tree, node);
		bool hangs = node && figures->depth[parent] != NOT_SHOWN;

		figures->depth[node] = NOT_SHOWN;
		if (!is_shown(figures, filter, node))
			continue;
		figures->depth[node] = hangs ? figures->depth[parent] + 1 : 0;
		figures->shown[figures->shown_count++] = node;
	}
	return 0;
}

/* ---- figures ------------------------------------------------------------------ */

static void take(struct figures *figures, const struct json_columns *columns)
{
	const struct { const double **place, *column; } common[] = {
		{ &figures->usage, columns->usage },
		{ &figures->norm_shares, columns->norm_shares },
		{ &figures->norm_usage, columns->norm_usage },
		{ &figures->effective_usage, columns->effective_usage },
		{ &figures->factor, columns->factor },
	};

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (common[i].column)
			*common[i].place = common[i].column;
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (columns->column[i])
			figures->column[i] = columns->column[i];
}

int figures_create(struct figures *figures, const struct scheme *scheme, const struct live *live,
		   const struct filter *filter, struct fathom_error *error)
{
	struct fathom_result *result = fathom_result_create(scheme->policy, scheme->snapshot->tree,
							    error);
	struct json_columns evaluated;

	*figures = (struct figures){
		.snapshot = scheme->snapshot, .live = live, .policy = scheme->policy,
		.settings = scheme->settings, .result = result, .is_told = scheme->told.factor,
	};
	if (!result || select_shown(figures, filter, error)) {
		figures_clear(figures);
		return -1;
	}
	fathom_evaluate(result, scheme->snapshot->tree, &scheme->settings);
	evaluated = json_columns_of(scheme->policy, result);
	take(figures, &evaluated);
	take(figures, &scheme->told);
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		figures->column_is_told[i] = scheme->told.column[i];
	return 0;
}

void figures_clear(struct figures *figures)
{
	fathom_result_destroy(figures->result);
	free(figures->shown);
	free(figures->depth);
	memset(figures, 0, sizeof(*figures));
}
