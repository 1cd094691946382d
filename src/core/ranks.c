/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks values, such as factors of users and priorities of jobs: 0.5, 0.25, 0.5 have 1, 3, 1. */
#include "core/ranks.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-12		/* values that differ by less, in proportion, are equal */

/* A value that is not NAN, and its index in the caller's array. */
struct ranked {
	double value;
	size_t index;
};

/* Compares for qsort(): the greatest value first. */
static int compare(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;

	return (a->value < b->value) - (a->value > b->value);
}

/* Returns whether two neighbours in the order share a rank. next: the one with the lesser value. An
 * infinite value is equal only to itself. */
static bool is_equal(const struct ranked *one, const struct ranked *next)
{
	double most = ROUNDING * fabs(one->value);

	return one->value == next->value || (isfinite(most) && one->value - next->value <= most);
}

int fathom_ranks(const double *value, size_t count, double *rank, struct fathom_error *error)
{
	struct ranked *order = calloc(count ? count : 1, sizeof(*order));
	size_t known = 0;

	if (!order)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < count; i++) {
		if (!isnan(value[i]))
			order[known++] = (struct ranked){ value[i], i };
		rank[i] = NAN;	/* after that, as both arrays may be one */
	}
	qsort(order, known, sizeof(*order), compare);
	for (size_t i = 0; i < known; i++) {
		bool shares_rank = i && is_equal(&order[i - 1], &order[i]);

		rank[order[i].index] = shares_rank ? rank[order[i - 1].index] : (double)i + 1;
	}
	free(order);
	return 0;
}

double *user_ranks(const struct fathom_tree *tree, const double *figure)
{
	size_t count = fathom_tree_count(tree);
	double *rank = malloc(count * sizeof(*rank));	/* at first the figures */

	for (size_t node = 0; rank && node < count; node++)
		rank[node] = fathom_tree_kind(tree, node) == FATHOM_USER ? figure[node] : NAN;
	if (rank && !fathom_ranks(rank, count, rank, NULL))
		return rank;
	free(rank);
	return NULL;
}
