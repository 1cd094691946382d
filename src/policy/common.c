/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps that several policies share. */
#include "policy/policy.h"

void policy_norm_usage(const struct fathom_tree *tree, double *norm_usage)
{
	for (size_t node = 0; node < tree->node_count; node++)
		norm_usage[node] = policy_norm_usage_of(tree->usage, node);
}

#define NOTHING_LEFT (-1075.)	/* for x up to this, 2^x is 0 as a double, and exp2 would be slow */

/* The policies compute exponents in one sweep and call this afterwards: a call of exp2 inside
 * the sweep would force its variables out of registers. */
void policy_exponentials(const struct fathom_tree *tree, double *exponent)
{
	exponent[0] = NAN;
	for (size_t node = 1; node < tree->node_count; node++)
		exponent[node] = exponent[node] > NOTHING_LEFT ? exp2(exponent[node]) : 0;
}
