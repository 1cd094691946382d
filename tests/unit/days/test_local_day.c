/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Local days where clocks go forward or back around midnight. */
#include "../../suite.h"
#include "days/local_day.h"

/* At 00:00 the clock goes forward to 01:00, at 01:00 back to 00:00: midnight comes twice then. Both
 * zones have that on the last Sundays of March and of October. */
#define GAZA "<+02>-2<+03>,M3.5.0/0,M10.5.0/1"
#define AZORES "<-01>1<+00>,M3.5.0/0,M10.5.0/1"

/* mktime() tends to the offset that it has given last: here to that of the `month`. */
static void set_zone(const char *zone, int month)
{
	struct tm first = { .tm_year = 130, .tm_mon = month - 1, .tm_mday = 1, .tm_isdst = -1 };

	setenv("TZ", zone, 1);
	tzset();
	mktime(&first);
}

static const struct { const char *zone; time_t time; int days; time_t midnight; } midnights[] = {
	{ "UTC", 1704589200, 0, 1704585600 },
	{ "UTC", 1704589200, -7, 1703980800 },	/* in the year before */
	{ "UTC", 1704589200, 25, 1706745600 },	/* in the next month */
	{ GAZA, 1919289600, 0, 1919278800 },	/* 2030-10-27 */
	{ GAZA, 1919278800, 0, 1919278800 },	/* the first midnight, and half an hour later */
	{ GAZA, 1919280600, 0, 1919278800 },
	{ GAZA, 1919282400, 0, 1919278800 },	/* the second */
	{ GAZA, 1919278799, 1, 1919278800 },	/* from the day before, and from the next one */
	{ GAZA, 1919368800, -1, 1919278800 },
	{ AZORES, 1730007600, 0, 1729987200 },	/* 2024-10-27 */
	{ GAZA, 1901174400, 0, 1901138400 },	/* 2030-03-31: 01:00 is the first hour */
	{ GAZA, 1901174400, 1, 1901221200 },
};

TEST_EACH(day_begins_with_its_first_midnight, midnights)
{
	for (int month = 1; month <= 7; month += 6) {
		set_zone(midnights[_i].zone, month);
		ck_assert_int_eq(local_midnight(midnights[_i].time, midnights[_i].days),
				 midnights[_i].midnight);
	}
}

static const struct {
	const char *zone;
	enum fathom_reset reset;
	double time, begin, end;
} periods[] = {
	{ "UTC", FATHOM_RESET_NONE, 1704589200, -INFINITY, INFINITY },
	{ "UTC", FATHOM_RESET_NOW, 1704589200, -INFINITY, INFINITY },
	{ "UTC", FATHOM_RESET_DAILY, 1704585600, 1704585600, 1704672000 },
	{ "UTC", FATHOM_RESET_DAILY, 1704585599.5, 1704499200, 1704585600 },
	{ "UTC", FATHOM_RESET_WEEKLY, 1704585600, 1704585600, 1705190400 },	/* a Sunday */
	{ "UTC", FATHOM_RESET_MONTHLY, 1709251200 - 1, 1706745600, 1709251200 },
	{ "UTC", FATHOM_RESET_QUARTERLY, 1706745600, 1704067200, 1711929600 },
	{ "UTC", FATHOM_RESET_YEARLY, 1735689600 - 1, 1704067200, 1735689600 },
	{ GAZA, FATHOM_RESET_DAILY, 1919289600, 1919278800, 1919368800 },
	{ GAZA, FATHOM_RESET_DAILY, 1919278799, 1919192400, 1919278800 },
	/* over an October in which a midnight comes twice */
	{ AZORES, FATHOM_RESET_YEARLY, 1700003600, 1672534800, 1704070800 },
};

TEST_EACH(period_lies_between_two_resets, periods)
{
	struct reset_period period;

	for (int month = 1; month <= 7; month += 6) {
		set_zone(periods[_i].zone, month);
		period = local_reset_period(periods[_i].reset, periods[_i].time);
		ck_assert_double_eq(period.begin, periods[_i].begin);
		ck_assert_double_eq(period.end, periods[_i].end);
	}
}
