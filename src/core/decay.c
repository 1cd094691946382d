/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decay by a half-life. With a half-life of 60 s, usage of 100 is 50 after 60 s
 * and 25 after 120 s. PBS decays in steps instead (policy/decay_steps.c).
 */
#include "fathom.h"

#include <math.h>

static const double ln_2 = 0.693147180559945309417;

double fathom_decay(double elapsed, double half_life)
{
	return half_life > 0 && elapsed > 0 ? exp2(-elapsed / half_life) : 1;
}

/* The integral of 2^((t - seen) / half_life) over t from begin to end. */
double fathom_decayed_seconds(double begin, double end, double seen, double half_life)
{
	if (!(end > begin))
		return 0;
	if (!(half_life > 0))
		return end - begin;
	/* expm1 is exact where a run is short and the half-life long: 1 - exp2 would cancel */
	return exp2((end - seen) / half_life) * half_life / ln_2 *
	       -expm1((begin - end) / half_life * ln_2);
}
