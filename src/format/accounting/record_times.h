/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as records of accounting have them, in the forms of sacct. */
#pragma once

#include "core/piece.h"

#include <stdint.h>

/* Local days whose beginning has been computed. Start with all members 0. */
struct local_days {
	struct {
		int32_t day;		/* year, month and day in one number; 0: free */
		int64_t begin;		/* seconds since 1970 */
		int64_t length;		/* seconds */
	} day[64];
};

/* Reads "2023-05-09T19:50:03", local time, or seconds since 1970, into seconds since 1970;
 * "Unknown", "None" or "" is NAN. -1: it is none of these. */
int record_time_parse(struct local_days *days, struct piece text, double *time);
/* Reads "[D-]HH:MM:SS" or "MM:SS", with or without a fraction, into seconds; "" is 0. -1: it is
 * neither. */
int record_duration_parse(struct piece text, double *seconds);
/* Completes the times of a job; NAN: not known. What never started has no elapsed time, and what
 * runs ends as far as it has run. */
void record_times_settle(double start, double *end, double *elapsed);
