/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When usage is reset (PriorityUsageResetPeriod). The calendar counts days only, so
 * that time zones and changes of the clock do not matter. For a last reset on
 * Thursday 2026-10-15 the next one is:
 *
 *	daily 2026-10-16, weekly (Sundays) 2026-10-18, monthly 2026-11-01,
 *	quarterly and yearly 2027-01-01
 */
#include "core/calendar.h"
#include "fathom/usage.h"

/* Returns 0 for a Sunday, 6 for a Saturday (Sakamoto's method). */
static int day_of_week(struct fathom_date date)
{
	static const int shift[] = { 0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4 };
	int year = date.month < 3 ? date.year - 1 : date.year;

	return (year + year / 4 - year / 100 + year / 400 + shift[date.month - 1] + date.day) % 7;
}

/* Returns the date `days` days, 0 or more, after another. */
static struct fathom_date add_days(struct fathom_date date, int days)
{
	date.day += days;
	while (date.day > days_in_month(date.year, date.month)) {
		date.day -= days_in_month(date.year, date.month);
		if (++date.month > 12) {
			date.month = 1;
			date.year++;
		}
	}
	return date;
}

/* Returns the first day of the next period of `months` months, 1, 3 or 12; periods begin in
 * January. */
static struct fathom_date next_months(struct fathom_date date, int months)
{
	/* counted from 0; 12 is January of the next year */
	int month = (date.month - 1) / months * months + months;

	return (struct fathom_date){ date.year + month / 12, month % 12 + 1, 1 };
}

struct fathom_date fathom_next_reset(enum fathom_reset period, struct fathom_date last)
{
	static const int months[] = {
		[FATHOM_RESET_MONTHLY] = 1, [FATHOM_RESET_QUARTERLY] = 3,
		[FATHOM_RESET_YEARLY] = 12,
	};

	if (period == FATHOM_RESET_DAILY)
		return add_days(last, 1);
	if (period == FATHOM_RESET_WEEKLY)
		return add_days(last, 7 - day_of_week(last));
	return period >= FATHOM_RESET_MONTHLY ? next_months(last, months[period]) : last;
}

/* Returns whether `a` is an earlier day than `b`. */
static bool is_before(struct fathom_date a, struct fathom_date b)
{
	if (a.year != b.year)
		return a.year < b.year;
	return a.month != b.month ? a.month < b.month : a.day < b.day;
}

bool fathom_reset_is_due(enum fathom_reset period, struct fathom_date last,
			 struct fathom_date today, bool requested)
{
	if (period == FATHOM_RESET_NONE || period == FATHOM_RESET_NOW)
		return period == FATHOM_RESET_NOW && requested;
	return !is_before(today, fathom_next_reset(period, last));
}
