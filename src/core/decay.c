/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fathom.h"

#include <math.h>

static const double ln_2 = 0.693147180559945309417;

double fathom_decay(double elapsed, double half_life)
{
	return half_life > 0 && elapsed > 0 ? exp2(-elapsed / half_life) : 1;
}

double fathom_decayed_seconds(double begin, double end, double seen, double half_life)
{
	if (!(end > begin))
		return 0;
	if (!(half_life > 0))
		return end - begin;
	/* expm1: a short run in a long half-life keeps all its digits */
	return exp2((end - seen) / half_life) * half_life / ln_2 *
	       -expm1((begin - end) / half_life * ln_2);
}
