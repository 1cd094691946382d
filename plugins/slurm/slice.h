/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stretch of work under a lock, short enough that nobody notices it. */
#ifndef SLURM_SLICE_H
#define SLURM_SLICE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SLICE_NANOSECONDS 500000	/* half of the millisecond that is allowed */
#define SLICE_STRIDE 32			/* jobs between two looks at the clock */

struct slice {
	struct timespec begin;
	uint32_t count;
};

static inline struct slice slice_begin(void)
{
	struct slice slice = { .count = 0 };

	clock_gettime(CLOCK_MONOTONIC, &slice.begin);
	return slice;
}

static inline bool slice_is_over(struct slice *slice)
{
	struct timespec now;

	if (++slice->count % SLICE_STRIDE)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - slice->begin.tv_sec) * 1000000000L +
		       (now.tv_nsec - slice->begin.tv_nsec) > SLICE_NANOSECONDS;
}

#endif
