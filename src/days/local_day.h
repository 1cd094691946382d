/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Days and periods between resets of usage, by the local time zone. */
#pragma once

#include "fathom/usage.h"

#include <time.h>

/* Returns the local day of a time. */
struct fathom_date local_date(time_t time);
/* Returns the local midnight at which the day of `time` began, or the one `days` days later; days
 * may be below 0. Of two midnights, where the clock is set back, it is the first. */
time_t local_midnight(time_t time, int days);

/* Begins and ends at a reset of usage; seconds since 1970. */
struct reset_period {
	double begin, end;
};
/* Returns the period with begin <= time < end; with FATHOM_RESET_NONE or FATHOM_RESET_NOW it has no
 * begin and no end, which are infinite. */
struct reset_period local_reset_period(enum fathom_reset reset, double time);
