/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers rounded as a person would say them. */
#pragma once

#include <stddef.h>

#define USUAL_DIGITS 0	/* two digits that matter, three where the first is a 1 */
#define MOST_DIGITS 13	/* beyond which doubles differ by rounding alone */

/* Says a number with so many digits that matter, or USUAL_DIGITS. */
typedef const char *say_with_digits(double number, int digits);

/* Returns with how many digits two numbers are said differently; the usual ones if these do, or if
 * the numbers are equal but for rounding. */
int said_digits(say_with_digits *say, double one, double other);

/* "0.000049", "0.42", "3.1", "20,000". */
say_with_digits say_digits;
/* Like say_digits(), with the usual digits. */
const char *say_number(double number);
/* Whole, with all digits: "4,283". */
const char *say_count(double count);
/* "1 second", "20,000 seconds"; noun: in the singular. */
const char *say_counted(double count, const char *noun);
/* "12th". */
const char *say_ordinal(size_t number);
/* "0.41": a fair-share factor; 0 and 1 only if it is that. */
say_with_digits say_factor;
/* "4,283"; with other digits than the usual ones, also decimals. */
say_with_digits say_points;
/* "93 %"; fraction: 0 to 1. */
const char *say_percent(double fraction);
/* "3 days 4 hours": the two greatest units. */
const char *say_duration(double seconds);
/* "3 times its share", "40 % of its share", "about its share", "nothing".
 * times: usage over share. */
say_with_digits say_times_share;
