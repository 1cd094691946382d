/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/policy.h"

void policy_norm_usage(const struct fathom_tree *tree, double *norm_usage)
{
	for (size_t node = 0; node < tree->node_count; node++)
		norm_usage[node] = policy_norm_usage_of(tree->usage, node);
}

#define NOTHING_LEFT (-1075.)	/* from here on 2^x is 0, which exp2 is slow to find out */

/* Apart from the sweep over the tree, which calls of a function would keep from registers. */
void policy_exponentials(const struct fathom_tree *tree, double *exponent)
{
	exponent[0] = NAN;
	for (size_t node = 1; node < tree->node_count; node++)
		exponent[node] = exponent[node] > NOTHING_LEFT ? exp2(exponent[node]) : 0;
}
