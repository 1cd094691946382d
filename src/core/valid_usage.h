/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage that is not an amount: infinite, not a number, below 0. */
#pragma once

#include <math.h>

/* Infinite usage counts as this much: more than any real usage, but a sum of it over millions of
 * nodes is finite, and it decays. */
#define USAGE_MOST 1e300

/* Usage that is not a number says nothing, and counts as 0. */
static inline double valid_usage(double usage)
{
	if (usage > 0)
		return isinf(usage) ? USAGE_MOST : usage;
	return 0;
}
