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

/* Sets the ranks: those that the policy computes, else ranks of users by factor. Recorded factors
 * give no ranks of a partial tree, because the users that it lacks would count. */
static void rank_users(struct evaluated_tree *evaluated)
{
	const struct fathom_tree *tree = evaluated->snapshot->tree;
	size_t rank_column = policy_column_with(evaluated->policy, COLUMN_RANK);
	bool lacks_ranks = evaluated->recorded.factor && evaluated->is_partial;
	double *rank;

	if (rank_column != POLICY_HAS_NONE) {
		evaluated->rank = evaluated->columns.column[rank_column];
		return;
	}
	rank = need_owned(user_ranks(tree, evaluated->columns.factor), free);
	for (size_t node = 0; lacks_ranks && node < fathom_tree_count(tree); node++)
		rank[node] = NAN;
	evaluated->rank = rank;
}

void evaluated_tree_evaluate(struct evaluated_tree *evaluated)
{
	evaluated->result = need_result(evaluated->policy, evaluated->snapshot->tree);
	/* not settled first: that would sum up adjustments of an Adjust function anew */
	fathom_evaluate(evaluated->result, evaluated->snapshot->tree, &evaluated->settings);
	evaluated->columns = json_columns_of(evaluated->policy, evaluated->result);
	replace_by_recorded(&evaluated->columns, &evaluated->recorded);
	rank_users(evaluated);
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

struct evaluated_tree tried_tree_create(const struct evaluated_tree *original)
{
	const struct snapshot *fork = need_fork(original->snapshot);

	return (struct evaluated_tree){ .snapshot = fork, .policy = original->policy,
					.settings = original->settings,
					.result = need_result(original->policy, fork->tree) };
}

void tried_tree_set_idle(struct evaluated_tree *tried, const struct evaluated_tree *original,
			 size_t idle, double seconds, double half_life)
{
	const struct fathom_tree *from = original->snapshot->tree;

	for (size_t node = idle; node < fathom_tree_count(from); node++)
		if (tree_is_below(from, node, idle))
			need_done(policy_set_idle(original->policy, &original->settings,
						  tried->snapshot->tree, from, node, seconds,
						  half_life, NULL));
}

const double *tried_tree_evaluate(struct evaluated_tree *tried)
{
	fathom_tree_settle(tried->snapshot->tree);
	fathom_evaluate(tried->result, tried->snapshot->tree, &tried->settings);
	tried->columns = json_columns_of(tried->policy, tried->result);
	return tried->columns.factor;
}
