/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages in slurmctld's log, and the durations of a pass's steps (SlurmctldDebug=debug2). */
#pragma once

#include "base/compat.h"
#include "base/monotonic.h"

#include <time.h>

#define LOG_PREFIX "priority/fathom: "
#define LOG_TIME_SIZE 32	/* bytes, with the NUL */

/* Writes a time into `text` in the form that slurmctld's log has, and returns `text`. */
static inline const char *log_time(time_t time, char text[LOG_TIME_SIZE])
{
	struct tm local;

	localtime_r(&time, &local);
	strftime(text, LOG_TIME_SIZE, "%Y-%m-%dT%H:%M:%S", &local);
	return text;
}

/* Returns whether each job's priority and charges are logged (DebugFlags=Priority). */
static inline bool log_priority_detail(void)
{
	return slurm_conf.debug_flags & DEBUG_FLAG_PRIO;
}

/* Logs how long a step of the pass took that began at *since, by base/monotonic.h. Sets *since to
 * the present time, at which the next step begins. */
static inline void log_step(const char *step, int64_t *since)
{
	int64_t now = monotonic_now();

	debug2(LOG_PREFIX "%s took %.3f ms", step, (double)(now - *since) / 1e6);
	*since = now;
}
