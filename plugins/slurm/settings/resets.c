/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When usage is reset (PriorityUsageResetPeriod): at local midnight, also if a pass comes later. */
#include "settings/settings.h"

#include "history/history.h"

#define DAYS_MOST 366	/* from one reset to the next */

/* Returns the local date `days_ago` days before `now`. Sets *midnight to the time when that day
 * began. */
static struct fathom_date local_day(time_t now, int days_ago, time_t *midnight)
{
	struct tm day;

	*midnight = history_midnight(now, -days_ago);
	localtime_r(midnight, &day);
	return (struct fathom_date){ day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
}

/* Goes back day by day until a reset is due between a day and the one before it. */
time_t reset_midnight(enum fathom_reset period, time_t now)
{
	const bool is_requested = false;
	time_t midnight, midnight_before;	/* at which `day` and the day before it began */
	struct fathom_date day = local_day(now, 0, &midnight);

	for (int days = 1; days <= DAYS_MOST; days++) {
		struct fathom_date before = local_day(now, days, &midnight_before);

		if (fathom_reset_is_due(period, before, day, is_requested))
			return midnight;
		day = before;
		midnight = midnight_before;
	}
	return 0;
}

time_t reset_due(enum fathom_reset period, time_t last, time_t now, bool is_requested)
{
	time_t unused, midnight;

	if (!fathom_reset_is_due(period, local_day(last, 0, &unused),
				 local_day(now, 0, &unused), is_requested))
		return 0;
	midnight = reset_midnight(period, now);
	return midnight ? midnight : now;	/* no midnight: the reset was only requested */
}
