/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy.h"

#include <math.h>
#include <string.h>

void policy_norm_usage(const struct fathom_tree *tree, double *norm_usage)
{
	double root = tree->usage[0];

	if (!(root > 0)) {
		memset(norm_usage, 0, tree->node_count * sizeof(*norm_usage));
		return;
	}
	for (size_t node = 0; node < tree->node_count; node++) {
		double part = tree->usage[node] / root;

		norm_usage[node] = part < 1 ? part : 1;
	}
}

void policy_exponential_factor(const struct fathom_tree *tree, const double *effective_usage,
			       double dampening_factor, double *factor)
{
	/* children of the root that have its place see the whole machine used */
	double of_root = exp2(-1 / dampening_factor);

	factor[0] = NAN;
	for (size_t node = 1; node < tree->node_count; node++) {
		double share = tree->norm_shares[node];
		uint32_t p = tree->fs_parent[node];

		if (tree_is_parent(tree, node))
			factor[node] = p ? factor[p] : of_root;
		else if (share > 0)
			factor[node] = exp2(-(effective_usage[node] / share) / dampening_factor);
		else
			factor[node] = 0;
	}
}
