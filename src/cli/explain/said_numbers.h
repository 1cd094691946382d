/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers rounded as a person would say them. */
#ifndef CLI_EXPLAIN_SAID_NUMBERS_H
#define CLI_EXPLAIN_SAID_NUMBERS_H

#include <stddef.h>

/* A text by value, so that several fit in one call of printf. */
struct said {
	char text[64];
};

/* "0.000049", "0.42", "3.1", "20,000"; two or three digits that matter. */
struct said say_number(double number);
/* Whole, with all digits: "4,283". */
struct said say_count(double count);
/* "12th". */
struct said say_ordinal(size_t number);
/* "0.41": a fair-share factor; 0 and 1 only if it is that. */
struct said say_factor(double factor);
/* "93 %"; fraction: 0 to 1. */
struct said say_percent(double fraction);
/* "3 days 4 hours": the two greatest units. */
struct said say_duration(double seconds);
/* "3 times its share", "40 % of its share", "about its share", "nothing".
 * times: usage over share. */
struct said say_times_share(double times);

#endif
