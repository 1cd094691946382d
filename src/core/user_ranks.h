/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks of a tree's users by one of their figures: 1 for the greatest; equal figures share a rank,
 * and the ranks after it are skipped: 1, 2, 2, 4.
 *
 *	double *sorted = user_ranks_sort(tree, factor, &count);
 *
 *	if (sorted)
 *		... user_ranks_of(factor[node], sorted, count) ...
 *	free(sorted);
 */
#pragma once

#include "fathom.h"

/* Returns the figures of all users, the greatest first, without NAN; the caller frees them. figure:
 * by node. *count: how many figures there are. NULL: out of memory. */
double *user_ranks_sort(const struct fathom_tree *tree, const double *figure, size_t *count);
/* Returns the rank of a figure, which must be one of the sorted ones: 1 plus the number of greater
 * ones. */
size_t user_ranks_of(double figure, const double *sorted, size_t count);
