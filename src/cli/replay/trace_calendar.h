/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The days of a trace, at which usage is reset (PriorityUsageResetPeriod). */
#ifndef CLI_TRACE_CALENDAR_H
#define CLI_TRACE_CALENDAR_H

#include "fathom.h"

struct trace_calendar {
	double epoch;	/* seconds from 1970 to time 0 of the jobs; NAN: not known */
};

/* Returns the day of a time in the local time zone, as in the plugin. If the epoch is not known,
 * time 0 is the beginning of 1970, UTC. See struct replay_rules. */
struct fathom_date trace_day_of(double time, const void *calendar);

#endif
