/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks by value. */
#include "../unit.h"

#include "fathom.h"

#define RANKS 5

static const struct {
	double value[RANKS], rank[RANKS];
} vectors[] = {
	{ { 5, 4, 3, 2, 1 }, { 1, 2, 3, 4, 5 } },
	{ { 1, 3, 3, 2, 0 }, { 4, 1, 1, 3, 5 } },
	{ { 1, 1, 1, 1, 1 }, { 1, 1, 1, 1, 1 } },
	{ { 0, 0, 0, 0, 0 }, { 1, 1, 1, 1, 1 } },
	/* unknown values have no rank and do not count */
	{ { NAN, 1, NAN, 2, NAN }, { NAN, 2, NAN, 1, NAN } },
	{ { NAN, NAN, NAN, NAN, NAN }, { NAN, NAN, NAN, NAN, NAN } },
	{ { -1, -2, INFINITY, 0, -1 }, { 3, 5, 1, 2, 3 } },
	/* a rounding is no difference, whole priorities are one */
	{ { .1 + .2, .3, .3 - 1e-9, 0, -INFINITY }, { 1, 1, 3, 4, 5 } },
	{ { 4294967295, 4294967294, 4294967294, 1, 0 }, { 1, 2, 2, 4, 5 } },
};

TEST_EACH(equal_values_share_a_rank_and_the_next_is_skipped, vectors)
{
	double rank[RANKS];

	ck_assert_int_eq(fathom_ranks(vectors[_i].value, RANKS, rank, NULL), 0);
	for (size_t i = 0; i < RANKS; i++)
		ck_assert_msg(unit_equal_or_nan(rank[i], vectors[_i].rank[i]),
			      "value %zu: rank %g, must be %g", i, rank[i], vectors[_i].rank[i]);
}
