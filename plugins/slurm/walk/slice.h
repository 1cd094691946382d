/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice: work under a lock for so short a time that slurmctld's other threads hardly wait. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* No lock may be held for 1 ms. A slice ends at the first check after half of that, which leaves
 * the other half for the block that was begun before. */
#define SLICE_NANOSECONDS 500000
/* Long enough for a waiting thread to wake up and to take the lock before this one does. */
#define SLICE_PAUSE_NANOSECONDS 20000

struct slice {
	struct timespec begin;
};

static inline struct slice slice_begin(void)
{
	struct slice slice;

	clock_gettime(CLOCK_MONOTONIC, &slice.begin);
	return slice;
}

/* To be called once for each block of items, not for each item, as it reads the clock. */
static inline bool slice_is_over(const struct slice *slice)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - slice->begin.tv_sec) * 1000000000L +
		       (now.tv_nsec - slice->begin.tv_nsec) > SLICE_NANOSECONDS;
}

/* To be called between two slices, without the lock, so that a waiting thread gets it. */
static inline void slice_pause(void)
{
	const struct timespec pause = { .tv_nsec = SLICE_PAUSE_NANOSECONDS };

	nanosleep(&pause, NULL);
}
