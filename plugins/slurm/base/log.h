/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages in slurmctld's log, and the durations of a pass's steps (SlurmctldDebug=debug2). */
#pragma once

#include "base/compat.h"

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

/* Returns the present time, for the first call of log_step(). */
static inline struct timespec log_step_begin(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now;
}

/* Logs how long a step of the pass took that began at *since. Sets *since to the present time, at
 * which the next step begins. */
static inline void log_step(const char *step, struct timespec *since)
{
	struct timespec now = log_step_begin();

	debug2(LOG_PREFIX "%s took %.3f ms", step,
	       (double)(now.tv_sec - since->tv_sec) * 1e3 +
		       (double)(now.tv_nsec - since->tv_nsec) / 1e6);
	*since = now;
}
