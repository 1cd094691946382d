/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks by value, such as users by factor and jobs by priority. */
#include "core/error.h"
#include "fathom.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-12		/* values that differ by less, in proportion, are equal */

struct ranked {
	double value;
	size_t index;
};

static int compare(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;

	return (a->value < b->value) - (a->value > b->value);
}

/* Returns whether two neighbours in the order share a rank. */
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
		rank[i] = NAN;
		if (!isnan(value[i]))
			order[known++] = (struct ranked){ value[i], i };
	}
	qsort(order, known, sizeof(*order), compare);
	for (size_t i = 0; i < known; i++) {
		bool shares_rank = i && is_equal(&order[i - 1], &order[i]);

		rank[order[i].index] = shares_rank ? rank[order[i - 1].index] : (double)i + 1;
	}
	free(order);
	return 0;
}
