/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LSF tells decay by the time after which a tenth is left, not a half. */
#include "fathom.h"

static const double log10_2 = 0.301029995663981195214;

double fathom_hist_half_life(double hist_hours)
{
	return hist_hours * log10_2 * 3600;
}
