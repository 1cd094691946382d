/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates a tree by a policy; figures that a cluster has computed take precedence. */
#include "evaluate/evaluated_tree.h"

#include "core/ranks.h"
#include "jobs/need_trees.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

/* Replaces evaluated columns by those that are recorded. */
static void replace_by_recorded(struct json_columns *columns, const struct json_columns *recorded)
{
	const struct { const double **evaluated, *recorded; } common[] = {
		{ &columns->usage, recorded->usage },
		{ &columns->norm_shares, recorded->norm_shares },
		{ &columns->norm_usage, recorded->norm_usage },
		{ &columns->effective_usage, recorded->effective_usage },
		{ &columns->factor, recorded->factor },
	};

	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (common[i].recorded)
			*common[i].evaluated = common[i].recorded;
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (recorded->column[i])
			columns->column[i] = recorded->column[i];
}

/* Sets the ranks: those that the policy computes, else ranks of users by factor. By recorded
 * factors users that the tree lacks would count, so that ranks of a partial tree are NAN. */
static void rank_users(struct evaluated_tree *tree)
{
	const struct fathom_tree *nodes = tree->snapshot->tree;
	size_t own = policy_column_with(tree->policy, COLUMN_RANK);
	size_t count = fathom_tree_count(nodes);
	bool knows_ranks = !(tree->recorded.factor && tree->is_partial);
	double *rank;

	if (own != POLICY_HAS_NONE) {
		tree->rank = tree->columns.column[own];
		return;
	}
	rank = need_owned(user_ranks(nodes, tree->columns.factor), free);
	for (size_t node = 0; !knows_ranks && node < count; node++)
		rank[node] = NAN;
	tree->rank = rank;
}

void evaluated_tree_evaluate(struct evaluated_tree *tree)
{
	tree->result = need_result(tree->policy, tree->snapshot->tree);
	/* settles nothing, which would sum up adjustments of an Adjust function anew */
	fathom_evaluate(tree->result, tree->snapshot->tree, &tree->settings);
	tree->columns = json_columns_of(tree->policy, tree->result);
	replace_by_recorded(&tree->columns, &tree->recorded);
	rank_users(tree);
}

/* ---- comparisons ----------------------------------------------------------------------- */

double comparison_change(const struct comparison *comparison, size_t which, size_t node)
{
	return comparison->tree[0].rank[node] - comparison->tree[which].rank[node];
}

bool comparison_is_equal(const struct comparison *comparison, size_t one, size_t other)
{
	const double *factor = comparison->tree[one].columns.factor;
	const double *other_factor = comparison->tree[other].columns.factor;
	size_t count = fathom_tree_count(comparison->tree[one].snapshot->tree);

	for (size_t node = 0; node < count; node++)
		if (factor[node] != other_factor[node] &&
		    !(isnan(factor[node]) && isnan(other_factor[node])))
			return false;
	return true;
}

bool tree_is_below(const struct fathom_tree *tree, size_t node, size_t account)
{
	while (node > account)	/* nodes come after their parents */
		node = fathom_tree_parent(tree, node);
	return node == account;
}

void tree_reset_usage(struct fathom_tree *tree)
{
	static const enum fathom_resource used[] = {
		FATHOM_CPU_TIME, FATHOM_RUN_TIME, FATHOM_HIST_RUN_TIME,
	};

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		fathom_tree_set_own_usage(tree, node, 0);
		for (size_t i = 0; i < sizeof(used) / sizeof(*used); i++)
			if (fathom_tree_has_resource(tree, used[i]))
				need_done(fathom_tree_set_own_resource(tree, node, used[i], 0,
								       NULL));
	}
}

/* ---- changes that are tried ------------------------------------------------------------ */

struct evaluated_tree tried_tree_create(const struct evaluated_tree *of)
{
	const struct snapshot *fork = need_fork(of->snapshot);

	return (struct evaluated_tree){ .snapshot = fork, .policy = of->policy,
					.settings = of->settings,
					.result = need_result(of->policy, fork->tree) };
}

void tried_tree_set_idle(struct evaluated_tree *tried, const struct evaluated_tree *of, size_t idle,
			 double seconds, double site)
{
	const struct fathom_tree *from = of->snapshot->tree;

	for (size_t node = idle; node < fathom_tree_count(from); node++)
		if (tree_is_below(from, node, idle))
			need_done(policy_set_idle(of->policy, &of->settings, tried->snapshot->tree,
						  from, node, seconds, site, NULL));
}

const double *tried_tree_evaluate(struct evaluated_tree *tried)
{
	fathom_tree_settle(tried->snapshot->tree);
	fathom_evaluate(tried->result, tried->snapshot->tree, &tried->settings);
	tried->columns = json_columns_of(tried->policy, tried->result);
	return tried->columns.factor;
}
