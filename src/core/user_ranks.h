/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks of a tree's users by one of their figures: 1 for the greatest; equal ones share a rank, and
 * the ranks after it are skipped.
 *
 *	double *sorted = user_ranks_sort(tree, factor, &count);
 *
 *	if (sorted)
 *		... user_ranks_of(factor[node], sorted, count) ...
 *	free(sorted);
 */
#pragma once

#include "fathom.h"

/* Returns the figures of users, by node in `figure`, the greatest first and without NAN. *count:
 * how many. The caller frees them. NULL: out of memory. */
double *user_ranks_sort(const struct fathom_tree *tree, const double *figure, size_t *count);
/* Returns the rank of a figure that is in the sorted ones. */
size_t user_ranks_of(double figure, const double *sorted, size_t count);
