/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates a tree by a policy; figures that a cluster has computed take precedence. */
#include "evaluate/evaluated_tree.h"

#include "core/error.h"
#include "evaluate/ranks.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>
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

/* Ranks users by factor. is_known: whether the factors of all users are there. */
static int rank_by_factor(struct evaluated_tree *tree, bool is_known, struct fathom_error *error)
{
	const struct fathom_tree *nodes = tree->snapshot->tree;
	size_t count = fathom_tree_count(nodes);
	double *factor = calloc(count, sizeof(*factor));
	int status;

	tree->rank = tree->computed_rank = calloc(count, sizeof(*tree->computed_rank));
	if (!factor || !tree->rank) {
		free(factor);
		return fathom_error_no_memory(error);
	}
	for (size_t node = 0; node < count; node++)
		factor[node] = is_known && fathom_tree_kind(nodes, node) == FATHOM_USER
				       ? tree->columns.factor[node] : NAN;
	status = ranks_fill(tree->computed_rank, factor, count, error);
	free(factor);
	return status;
}

/* Takes the ranks that the policy has, else ranks users by factor. */
static int rank_users(struct evaluated_tree *tree, bool is_known, struct fathom_error *error)
{
	size_t own = policy_column_with(tree->policy, COLUMN_RANK);

	if (own == POLICY_HAS_NONE)
		return rank_by_factor(tree, is_known, error);
	tree->rank = tree->columns.column[own];
	return 0;
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
	if (!rank_users(tree, !(tree->is_recorded && scheme->is_partial), error))
		return 0;
	evaluated_tree_clear(tree);
	return -1;
}

void evaluated_tree_clear(struct evaluated_tree *tree)
{
	fathom_result_destroy(tree->result);
	free(tree->computed_rank);
	memset(tree, 0, sizeof(*tree));
}
