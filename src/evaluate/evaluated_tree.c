/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates a tree by a policy; figures that a cluster has computed take precedence. */
#include "evaluate/evaluated_tree.h"

#include <string.h>

/* Replaces evaluated columns by those that are recorded. */
static void replace_by_recorded(struct json_columns *columns, const struct json_columns *recorded)
{
	const struct { const double **place, *column; } common[] = {
		{ &columns->usage, recorded->usage },
		{ &columns->norm_shares, recorded->norm_shares },
		{ &columns->norm_usage, recorded->norm_usage },
		{ &columns->effective_usage, recorded->effective_usage },
		{ &columns->factor, recorded->factor },
	};

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (common[i].column)
			*common[i].place = common[i].column;
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (recorded->column[i])
			columns->column[i] = recorded->column[i];
}

int evaluated_tree_create(struct evaluated_tree *tree, const struct tree_scheme *scheme,
			  struct fathom_error *error)
{
	struct fathom_result *result = fathom_result_create(scheme->policy, scheme->snapshot->tree,
							    error);

	*tree = (struct evaluated_tree){
		.snapshot = scheme->snapshot, .policy = scheme->policy,
		.settings = scheme->settings, .result = result,
		.is_recorded = scheme->recorded.factor,
	};
	if (!result)
		return -1;
	fathom_evaluate(result, scheme->snapshot->tree, &scheme->settings);
	tree->columns = json_columns_of(scheme->policy, result);
	replace_by_recorded(&tree->columns, &scheme->recorded);
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		tree->column_is_recorded[i] = scheme->recorded.column[i];
	return 0;
}

void evaluated_tree_clear(struct evaluated_tree *tree)
{
	fathom_result_destroy(tree->result);
	memset(tree, 0, sizeof(*tree));
}
