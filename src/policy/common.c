/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy.h"

void policy_norm_usage(const struct fathom_tree *tree, double *norm_usage)
{
	for (size_t node = 0; node < tree->node_count; node++)
		norm_usage[node] = policy_norm_usage_of(tree->usage, node);
}
