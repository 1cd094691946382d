/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LSF's HIST_HOURS, the hours after which a tenth of usage is left, as a half-life. */
#include "fathom.h"

static const double log10_2 = 0.301029995663981195214;

double fathom_hist_half_life(double hist_hours)
{
	return hist_hours * log10_2 * 3600;
}
