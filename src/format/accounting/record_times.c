/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mktime() is slow, so the beginning of each local day is computed once, and kept in a table. */
#include "format/accounting/record_times.h"

#include "core/calendar.h"
#include "document/text.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define DAY 86400		/* seconds */
#define DAYS (sizeof(((struct local_days *)0)->day) / sizeof(((struct local_days *)0)->day[0]))
#define TIME_FORM "dddd-dd-ddTdd:dd:dd"	/* d: a digit */
#define MOST_NUMBER 1000000	/* of days, hours, minutes in a duration */

/* What a calendar and a clock show, in the local time zone. */
struct clock { int year, month, day, hour, minute, second; };

/* Returns seconds since 1970 of a local time. Its parts may be beyond their range, such as day
 * 32. */
static int64_t seconds_of(const struct clock *clock)
{
	struct tm broken = { .tm_year = clock->year - 1900, .tm_mon = clock->month - 1,
			     .tm_mday = clock->day, .tm_hour = clock->hour, .tm_isdst = -1,
			     .tm_min = clock->minute, .tm_sec = clock->second };

	return mktime(&broken);
}

/* Returns the same as seconds_of(), mostly from the table of days. */
static int64_t local_seconds(struct local_days *days, const struct clock *clock)
{
	/* unique for each day, as months are at most 12 and days at most 31 */
	int32_t day = (clock->year * 13 + clock->month) * 32 + clock->day;
	size_t entry = (size_t)day % DAYS;
	int64_t within = clock->hour * 3600 + clock->minute * 60 + clock->second;

	if (days->day[entry].day != day) {
		struct clock first = { clock->year, clock->month, clock->day, 0, 0, 0 };
		struct clock next = first;

		next.day++;
		days->day[entry].day = day;
		days->day[entry].begin = seconds_of(&first);
		days->day[entry].length = seconds_of(&next) - days->day[entry].begin;
	}
	/* on days of another length the clock is set forward or back, at an hour that only
	 * mktime() knows */
	return days->day[entry].length == DAY ? days->day[entry].begin + within : seconds_of(clock);
}

/* Returns the number that two digits stand for. */
static int two_digits(const char *at)
{
	return (at[0] - '0') * 10 + (at[1] - '0');
}

/* Returns whether a text stands for a time that is not known. */
static bool is_unknown(struct piece text)
{
	return !text.length || piece_is_any_case(text, "Unknown") ||
	       piece_is_any_case(text, "None");
}

/* Returns whether the parts of a time are within their ranges. */
static bool is_possible(const struct clock *clock)
{
	return clock->month >= 1 && clock->month <= 12 && clock->day >= 1 &&
	       clock->day <= days_in_month(clock->year, clock->month) && clock->hour <= 23 &&
	       clock->minute <= 59 && clock->second <= 60;	/* 60: a leap second */
}

int record_time_parse(struct local_days *days, struct piece text, double *time)
{
	bool has_form = text.length == strlen(TIME_FORM) && piece_begins_like(text, TIME_FORM);
	struct clock clock;
	uint64_t seconds;

	*time = NAN;
	if (is_unknown(text))
		return 0;
	if (!has_form) {
		if (parse_whole(text, (uint64_t)1 << 40, &seconds))
			return -1;
		*time = (double)seconds;
		return 0;
	}
	clock = (struct clock){
		two_digits(text.at) * 100 + two_digits(text.at + 2), two_digits(text.at + 5),
		two_digits(text.at + 8), two_digits(text.at + 11), two_digits(text.at + 14),
		two_digits(text.at + 17),
	};
	if (!is_possible(&clock))
		return -1;
	*time = (double)local_seconds(days, &clock);
	return 0;
}

/* Cuts a number and the separator behind it off the text. -1: the text does not begin with both,
 * and is unchanged. */
static int take_number(struct piece *text, char separator, double *number)
{
	struct piece fields[2];
	uint64_t whole;

	if (split_at(separator, *text, fields, 2) < 2 ||
	    parse_whole(fields[0], MOST_NUMBER, &whole))
		return -1;
	*number = (double)whole;
	piece_cut(text, fields[0].length + 1);
	return 0;
}

int record_duration_parse(struct piece text, double *seconds)
{
	double days = 0, first, second, third;

	*seconds = 0;
	if (!text.length)
		return 0;
	if (!take_number(&text, '-', &days))
		days *= DAY;
	if (take_number(&text, ':', &first))
		return -1;
	if (take_number(&text, ':', &second)) {	/* MM:SS */
		second = first;
		first = 0;
	}
	if (parse_amount(text, &third))
		return -1;
	*seconds = days + first * 3600 + second * 60 + third;
	return 0;
}
