/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice: work under a lock for so short a time that slurmctld's other threads hardly wait. */
#pragma once

#include "base/monotonic.h"
#include "base/slurm_locks.h"

#include <stdbool.h>

/* No lock may be held for 1 ms. A slice ends at the first check after half of that, which leaves
 * the other half for the block that was begun before. */
#define SLICE_NANOSECONDS 500000
/* The pause between two slices: long enough for a waiting thread to wake up and to take the lock
 * before this thread does. */
#define SLICE_PAUSE_NANOSECONDS 20000

/* A slice that is under way. */
struct slice {
	int64_t begin;		/* by base/monotonic.h */
};

/* Returns a slice that begins now. Call it when the lock has been taken. */
static inline struct slice slice_begin(void)
{
	return (struct slice){ monotonic_now() };
}

/* Returns whether the slice must end. Call it once for each block of items, not for each item, as
 * it reads the clock. */
static inline bool slice_is_over(const struct slice *slice)
{
	return monotonic_now() - slice->begin > SLICE_NANOSECONDS;
}

/* Call it between two slices, without the lock, so that a waiting thread gets the lock. */
static inline void slice_pause(void)
{
	const struct timespec pause = { .tv_nsec = SLICE_PAUSE_NANOSECONDS };

	nanosleep(&pause, NULL);
}

/* Calls `work` for each number from 0 to count - 1, in slices under these locks. block: after how
 * many calls to look at the clock. */
static inline void slice_numbers(size_t count, size_t block, const assoc_mgr_lock_t *locks,
				 void (*work)(void *context, size_t at), void *context)
{
	for (size_t at = 0; at < count;) {
		struct slice slice;

		locks_take(NULL, locks);
		slice = slice_begin();
		do
			for (size_t end = MIN(count, at + block); at < end; at++)
				work(context, at);
		while (at < count && !slice_is_over(&slice));
		locks_release(NULL, locks);
		if (at < count)
			slice_pause();
	}
}
