/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of --enable-debug (see lock_order.h). */
#include "base/lock_order.h"

#include "base/log.h"

#include <stdlib.h>

static const char *const lock_names[LOCK_RANKS] = {
	[LOCK_CONTROLLER] = "slurmctld's", [LOCK_CALLS] = "calls", [LOCK_READING] = "reading",
	[LOCK_ASSOC_MGR] = "assoc_mgr's", [LOCK_BOOK] = "book", [LOCK_FORMULA] = "formula",
	[LOCK_DUMP_WATCH] = "dump_watch", [LOCK_BACKGROUND] = "background", [LOCK_TIMER] = "timer",
	[LOCK_PUBLISHING] = "publishing",
};

/* When this thread took the lock of each rank, in nanoseconds of the monotonic clock; 0: it does
 * not hold the lock. */
static __thread int64_t taken_at[LOCK_RANKS];

/* How often threads have held each lock, and for how many nanoseconds at the longest. Each access
 * is atomic. */
static struct { uint64_t count; int64_t longest; } holds[LOCK_RANKS];

void lock_order_taking(enum lock_rank rank)
{
	for (enum lock_rank inner = rank; inner < LOCK_RANKS; inner++)
		if (taken_at[inner]) {
			error(LOG_PREFIX "lock %s is taken inside lock %s", lock_names[rank],
			      lock_names[inner]);
			abort();
		}
}

void lock_order_taken(enum lock_rank rank)
{
	taken_at[rank] = monotonic_now();
}

/* Counts a hold of `held` nanoseconds, and notes it if it is the longest. The loop repeats if
 * another thread notes one meanwhile. */
static void note_hold(enum lock_rank rank, int64_t held)
{
	int64_t longest = __atomic_load_n(&holds[rank].longest, __ATOMIC_RELAXED);

	__atomic_add_fetch(&holds[rank].count, 1, __ATOMIC_RELAXED);
	while (held > longest &&
	       !__atomic_compare_exchange_n(&holds[rank].longest, &longest, held, true,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void lock_order_releasing(enum lock_rank rank)
{
	if (!taken_at[rank]) {
		error(LOG_PREFIX "lock %s is released by a thread that does not hold it",
		      lock_names[rank]);
		abort();
	}
	note_hold(rank, monotonic_now() - taken_at[rank]);
	taken_at[rank] = 0;
}

void lock_order_report(void)
{
	for (enum lock_rank rank = 0; rank < LOCK_RANKS; rank++)
		debug(LOG_PREFIX "lock %s: held %" PRIu64 " times, for %.3f ms at the longest",
		      lock_names[rank], __atomic_load_n(&holds[rank].count, __ATOMIC_RELAXED),
		      (double)__atomic_load_n(&holds[rank].longest, __ATOMIC_RELAXED) / 1e6);
}
