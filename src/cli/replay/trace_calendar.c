/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/trace_calendar.h"

#include <math.h>
#include <time.h>

struct fathom_date trace_day_of(double time, const void *calendar)
{
	const struct trace_calendar *of = calendar;
	bool is_known = !isnan(of->epoch);
	time_t seconds = (time_t)floor(is_known ? of->epoch + time : time);
	struct tm day = { 0 };

	if (is_known)
		localtime_r(&seconds, &day);
	else
		gmtime_r(&seconds, &day);
	return (struct fathom_date){ day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
}
