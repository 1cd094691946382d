/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stretch of work under a lock, short enough that nobody notices it. */
#ifndef SLURM_SLICE_H
#define SLURM_SLICE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SLICE_NANOSECONDS 500000	/* half of the millisecond that is allowed */
#define SLICE_PAUSE_NANOSECONDS 20000	/* a lock let go is not handed on by itself */

struct slice {
	struct timespec begin;
};

static inline struct slice slice_begin(void)
{
	struct slice slice;

	clock_gettime(CLOCK_MONOTONIC, &slice.begin);
	return slice;
}

/* To be asked after each block of some dozens of items. */
static inline bool slice_is_over(const struct slice *slice)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - slice->begin.tv_sec) * 1000000000L +
		       (now.tv_nsec - slice->begin.tv_nsec) > SLICE_NANOSECONDS;
}

/* Between two slices, so that whoever waits for the lock gets it. */
static inline void slice_pause(void)
{
	const struct timespec pause = { .tv_nsec = SLICE_PAUSE_NANOSECONDS };

	nanosleep(&pause, NULL);
}

#endif
