/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/ranks.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdbool.h>
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

double *ranks_of(const double *value, size_t count)
{
	struct ranked *order = need_zeros(count, sizeof(*order));
	double *rank = need_zeros(count, sizeof(*rank));
	size_t known = 0;

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
	return rank;
}
