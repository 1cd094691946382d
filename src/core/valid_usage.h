/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts in place of usage that is not an amount: infinite, not a number, below 0. */
#pragma once

#include <math.h>

/* Infinite usage counts as this much: more than any real usage, but a sum of it over millions of
 * nodes is finite, and it decays. */
#define USAGE_MOST 1e300

/* Returns the usage that counts: 0 in place of a negative value or NAN, USAGE_MOST in place of
 * infinity. */
static inline double valid_usage(double usage)
{
	if (usage > 0)
		return isinf(usage) ? USAGE_MOST : usage;
	return 0;
}
