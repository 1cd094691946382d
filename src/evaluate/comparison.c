/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds the evaluations of one tree and tells how they differ. */
#include "evaluate/comparison.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>

void comparison_create(struct comparison *comparison, size_t count)
{
	*comparison = (struct comparison){
		.tree = need_zeros(count, sizeof(*comparison->tree)),
		.label = need_zeros(count, sizeof(*comparison->label)),
		.fork = need_zeros(count, sizeof(*comparison->fork)),
		.count = count,
	};
	for (size_t i = 0; i < count; i++)
		comparison->label[i] = "";
}

void comparison_clear(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		evaluated_tree_clear(&comparison->tree[i]);
		snapshot_fork_clear(&comparison->fork[i]);
	}
	free(comparison->tree);
	free(comparison->label);
	free(comparison->fork);
}

double comparison_change(const struct comparison *comparison, size_t which, size_t node)
{
	return comparison->tree[0].rank[node] - comparison->tree[which].rank[node];
}

static bool is_same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

bool comparison_is_equal(const struct comparison *comparison, size_t one, size_t other)
{
	const double *factor = comparison->tree[one].columns.factor;
	const double *other_factor = comparison->tree[other].columns.factor;
	size_t count = fathom_tree_count(comparison->tree[one].snapshot->tree);

	for (size_t node = 0; node < count; node++)
		if (!is_same(factor[node], other_factor[node]))
			return false;
	return true;
}
