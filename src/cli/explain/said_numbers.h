/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers rounded as a person would say them, as texts that belong to the command's memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define HOUR 3600.

#define USUAL_DIGITS 0	/* two digits that matter, three where the first is a 1 */
#define MOST_DIGITS 13	/* beyond which doubles differ by rounding alone */

/* Returns a number as a text. digits: the number of significant digits, from 1; or USUAL_DIGITS. */
typedef const char *say_with_digits(double number, int digits);

/* Returns the number of digits with which `say` makes different texts of two numbers: USUAL_DIGITS
 * if these are enough, or if the numbers are equal but for rounding; else 3 to MOST_DIGITS. */
int said_digits(say_with_digits *say, double one, double other);

/* "0.000049", "0.42", "3.1", "20,000"; "unknown" for NAN. */
say_with_digits say_digits;
/* Returns a number with the usual digits: "0.42". */
const char *say_number(double number);
/* Returns a number with the usual digits, rounded down: "92" for 92.7. */
const char *say_at_most(double number);
/* Returns a number rounded to a whole one, with all digits: "4,283"; from 1e18 on, as
 * say_number() does. */
const char *say_count(double count);
/* Returns seconds of usage as a number of hours, with the usual digits, or as a whole number of
 * seconds. */
const char *say_usage(double seconds, bool in_hours);
/* "1 second", "20,000 seconds"; noun: in the singular. */
const char *say_counted(double count, const char *noun);
/* "12th". */
const char *say_ordinal(size_t number);
/* "0.41": a fair-share factor; 0 and 1 only if it is that. */
say_with_digits say_factor;
/* Points of a term. USUAL_DIGITS: rounded to whole ones, "4,283"; else also with decimals. */
say_with_digits say_points;
/* "93 %", "almost 100 %"; fraction: 1 is 100 %. */
const char *say_percent(double fraction);
/* "3 days 4 hours": in the two greatest units, from days down; from 30 of the first, without the
 * second. */
const char *say_duration(double seconds);
/* "3 times its share", "40 % of its share", "about its share", "nothing".
 * times: usage over share. */
say_with_digits say_times_share;
