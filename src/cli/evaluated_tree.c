/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/evaluated_tree.h"

#include "cli/option_values.h"
#include "cli/print_table.h"
#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds a row if the node is shown; rows of the accounts above it stand in `row`, by node. */
static void select_node(struct figures *figures, const struct filter *filter, size_t node,
			size_t *row)
{
	size_t parent = node ? row[fathom_tree_parent(figures->snapshot->tree, node)] : NO_ROW;
	size_t at = figures->shown_count;

	row[node] = NO_ROW;
	if (!is_shown(figures, filter, node))
		return;
	row[node] = at;
	figures->shown[at] = node;
	figures->parent[at] = parent;
	figures->depth[at] = parent == NO_ROW ? 0 : figures->depth[parent] + 1;
	figures->shown_count++;
}

static int select_shown(struct figures *figures, const struct filter *filter,
			struct fathom_error *error)
{
	size_t count = fathom_tree_count(figures->snapshot->tree);
	size_t *row = calloc(count, sizeof(*row));
	int status = -1;

	figures->shown = calloc(count, sizeof(*figures->shown));
	figures->parent = calloc(count, sizeof(*figures->parent));
	figures->depth = calloc(count, sizeof(*figures->depth));
	if (!row || !figures->shown || !figures->parent || !figures->depth)
		fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	else
		status = snapshot_depth_first(figures->snapshot, figures->shown, row, error);
	for (size_t i = 0; !status && i < count; i++)
		select_node(figures, filter, figures->shown[i], row);
	free(row);
	return status;
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
	free(figures->parent);
	free(figures->depth);
	memset(figures, 0, sizeof(*figures));
}
