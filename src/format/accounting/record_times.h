/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads times and durations in the forms that sacct prints; other accounting uses them, too. */
#pragma once

#include "core/piece.h"

#include <stdint.h>

/* A cache of local days whose beginning has been computed. Start with all members 0. */
struct local_days {
	struct {
		int32_t day;		/* year, month and day in one number; 0: empty entry */
		int64_t begin;		/* seconds since 1970 */
		int64_t length;		/* seconds */
	} day[64];
};

/* Reads a local time, "2023-05-09T19:50:03", or seconds since 1970. *time: seconds since 1970; NAN
 * for "Unknown", "None" and "". -1: the text has another form, or no calendar has the day. */
int record_time_parse(struct local_days *days, struct piece text, double *time);
/* Reads a duration, "[D-]HH:MM:SS" or "[D-]MM:SS", whose seconds may have a fraction; "" is 0
 * seconds. -1: the text has another form. */
int record_duration_parse(struct piece text, double *seconds);
