/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stretch of work under a lock, so short that other threads of slurmctld hardly wait. */
#ifndef SLURM_SLICE_H
#define SLURM_SLICE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SLICE_NANOSECONDS 500000	/* half of the one millisecond allowed */
#define SLICE_PAUSE_NANOSECONDS 20000	/* else this thread would take the lock again first */

struct slice {
	struct timespec begin;
};

static inline struct slice slice_begin(void)
{
	struct slice slice;

	clock_gettime(CLOCK_MONOTONIC, &slice.begin);
	return slice;
}

/* Call it after each block of some dozens of items. */
static inline bool slice_is_over(const struct slice *slice)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - slice->begin.tv_sec) * 1000000000L +
		       (now.tv_nsec - slice->begin.tv_nsec) > SLICE_NANOSECONDS;
}

/* Call it between two slices, so that a waiting thread gets the lock. */
static inline void slice_pause(void)
{
	const struct timespec pause = { .tv_nsec = SLICE_PAUSE_NANOSECONDS };

	nanosleep(&pause, NULL);
}

#endif
