/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Days of the Gregorian calendar. */
#pragma once

#include <stdbool.h>

/* Returns the number of days of a month. month: 1 to 12. */
static inline int days_in_month(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}
