/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The monotonic clock, which does not jump when somebody sets the time. Times are nanoseconds in 64
 * bits. */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <time.h>

#define MONOTONIC_SECOND INT64_C(1000000000)
#define MONOTONIC_NEVER INT64_MAX	/* a time that does not come */

/* Returns the present time. */
static inline int64_t monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * MONOTONIC_SECOND + now.tv_nsec;
}

/* Makes a condition for ordered_lock_wait(), whose times are of this clock. */
static inline void monotonic_condition_init(pthread_cond_t *condition)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &attributes);
	pthread_condattr_destroy(&attributes);
}
