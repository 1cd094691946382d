/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When usage is reset (PriorityUsageResetPeriod): at local midnight, also if a pass comes later. */
#include "settings/settings.h"

#include "days/local_day.h"

#include <math.h>

time_t reset_midnight(enum fathom_reset period, time_t now)
{
	double midnight = local_reset_period(period, (double)now).begin;

	return isfinite(midnight) ? (time_t)midnight : 0;
}

time_t reset_due(enum fathom_reset period, time_t last, time_t now, bool is_requested)
{
	time_t midnight;

	if (!fathom_reset_is_due(period, local_date(last), local_date(now), is_requested))
		return 0;
	midnight = reset_midnight(period, now);
	return midnight ? midnight : now;	/* no midnight: the reset was only requested */
}
