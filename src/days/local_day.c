/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "days/local_day.h"

#include "core/calendar.h"

#include <math.h>
#include <stdbool.h>

struct fathom_date local_date(time_t time)
{
	struct tm day;

	localtime_r(&time, &day);
	return (struct fathom_date){ day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
}

/* Returns when a local day begins; it may be beyond its month, such as day 0 or 32. Where clocks go
 * forward at midnight, that is at 01:00: mktime() corrects 00:00 to it. Where they go back over
 * midnight, it comes twice, and mktime() gives either: the day begins with the first. */
static time_t begin_of(struct fathom_date day)
{
	const time_t half_hour = 1800;
	struct tm first = { .tm_year = day.year - 1900, .tm_mon = day.month - 1,
			    .tm_mday = day.day, .tm_isdst = -1 };
	time_t begin = mktime(&first);

	while (local_date(begin - half_hour).day == first.tm_mday)
		begin -= half_hour;
	return begin;
}

time_t local_midnight(time_t time, int days)
{
	struct fathom_date day = local_date(time);

	day.day += days;
	return begin_of(day);
}

/* Returns the date before another one. */
static struct fathom_date day_before(struct fathom_date day)
{
	if (--day.day)
		return day;
	if (!--day.month)
		day = (struct fathom_date){ day.year - 1, 12, 0 };
	day.day = days_in_month(day.year, day.month);
	return day;
}

/* Looks for the first day of the period, day by day backwards: the day before it has another next
 * reset. */
struct reset_period local_reset_period(enum fathom_reset reset, double time)
{
	struct fathom_date first = local_date((time_t)floor(time)), before = day_before(first);
	struct fathom_date next = fathom_next_reset(reset, first);
	const bool is_requested = false;

	if (reset <= FATHOM_RESET_NOW)
		return (struct reset_period){ -INFINITY, INFINITY };
	while (!fathom_reset_is_due(reset, before, first, is_requested)) {
		first = before;
		before = day_before(before);
	}
	return (struct reset_period){ (double)begin_of(first), (double)begin_of(next) };
}
