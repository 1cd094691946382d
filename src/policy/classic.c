/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's first fair-share algorithm (PriorityFlags=NO_FAIR_TREE): usage of an
 * account's other members counts against each member by its share.
 * Source: Slurm, "Classic Fairshare Algorithm".
 */
#include "policy/policy.h"

enum { DAMPENING_FACTOR };

static void effective_usage(const struct fathom_tree *tree, const double *norm_usage,
			    double *effective)
{
	effective[0] = 1;
	for (size_t node = 1; node < tree->node_count; node++) {
		uint32_t p = tree->fs_parent[node];
		double own = norm_usage[node];

		if (!p)
			effective[node] = own;
		else if (tree_is_parent(tree, node) || !(tree->level_shares[p] > 0))
			effective[node] = effective[p];
		else
			effective[node] = own + (effective[p] - own) * tree->level_share[node];
	}
}

static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	result->norm_shares = tree->norm_shares;
	policy_norm_usage(tree, result->norm_usage);
	effective_usage(tree, result->norm_usage, result->effective_usage);
	policy_exponential_factor(tree, result->effective_usage, settings[DAMPENING_FACTOR],
				  result->factor);
}

static const struct fathom_setting settings[] = {
	[DAMPENING_FACTOR] = POLICY_DAMPENING_FACTOR,
};

const struct fathom_policy policy_classic = {
	.name = "classic",
	.summary = "Slurm's first algorithm: 2^(-effective usage / shares)",
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.evaluate = evaluate,
};
