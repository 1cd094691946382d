/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts the figures of users, and finds ranks among them by bisection. */
#include "core/user_ranks.h"

#include <math.h>
#include <stdlib.h>

/* Compares two numbers for qsort(): the greater goes first. */
static int compare_down(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left < right) - (left > right);
}

double *user_ranks_sort(const struct fathom_tree *tree, const double *figure, size_t *count)
{
	double *sorted = malloc((fathom_tree_count(tree) + 1) * sizeof(*sorted));

	*count = 0;
	for (size_t node = 0; sorted && node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_USER && !isnan(figure[node]))
			sorted[(*count)++] = figure[node];
	if (sorted)
		qsort(sorted, *count, sizeof(*sorted), compare_down);
	return sorted;
}

size_t user_ranks_of(double figure, const double *sorted, size_t count)
{
	size_t low = 0, high = count;	/* all figures before low are greater, none from high on */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] > figure)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1;
}
