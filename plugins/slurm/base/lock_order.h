/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of all locks that the plugin takes. Each of its own has a rank; slurmctld's locks
 * together have one, because one call takes them all, and so have assoc_mgr's. A plugin that is
 * configured with --enable-debug ends slurmctld if a thread takes a lock inside one that comes
 * after it, and measures how long each lock is held.
 */
#pragma once

#include "src/common/macros.h"

#include "base/monotonic.h"
#include "config.h"

/* Outermost first: a thread that holds a lock takes only locks of the lines below. */
enum lock_rank {
	LOCK_CONTROLLER,	/* slurmctld's: configuration, jobs, nodes, partitions */
	LOCK_CALLS,		/* calls of entry points that are under way */
	LOCK_READING,		/* files of settings, while they are read */
	LOCK_ASSOC_MGR,		/* assoc_mgr's: associations, QOS, TRES */
	LOCK_BOOK,		/* the ledger and late charges */
	LOCK_FORMULA,		/* a formula's memory */
	LOCK_DUMP_WATCH,	/* multifactor's file */
	LOCK_BACKGROUND,	/* the state of work that may hang (report/background.h) */
	LOCK_TIMER,		/* when the next turn is due; not held during a turn */
	LOCK_PUBLISHING,	/* pointers to what a pass has published */
	LOCK_RANKS
};

/* One of the plugin's own locks. */
struct ordered_lock {
	pthread_mutex_t mutex;
	enum lock_rank rank;
};

/* The initialiser of a static lock. */
#define ORDERED_LOCK(rank) { PTHREAD_MUTEX_INITIALIZER, rank }

#ifdef LOCK_CHECKS	/* --enable-debug */
/* A thread calls the first before it takes a lock of this rank, the second once it has the lock,
 * and the third before it releases the lock. The first ends slurmctld if the thread has a lock of
 * this or of a later rank, the third if the thread does not have the lock. */
void lock_order_taking(enum lock_rank rank);
void lock_order_taken(enum lock_rank rank);
void lock_order_releasing(enum lock_rank rank);
/* Logs how often each lock was taken, and its longest hold. */
void lock_order_report(void);
#else
static inline void lock_order_taking(enum lock_rank rank) { }
static inline void lock_order_taken(enum lock_rank rank) { }
static inline void lock_order_releasing(enum lock_rank rank) { }
static inline void lock_order_report(void) { }
#endif

/* Makes a lock that is not taken; ordered_lock_destroy() frees it. */
static inline void ordered_lock_init(struct ordered_lock *lock, enum lock_rank rank)
{
	pthread_mutex_init(&lock->mutex, NULL);
	lock->rank = rank;
}

static inline void ordered_lock_destroy(struct ordered_lock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

/* Takes the lock, and waits for it if need be. A thread cannot take it twice. */
static inline void ordered_lock_take(struct ordered_lock *lock)
{
	lock_order_taking(lock->rank);
	slurm_mutex_lock(&lock->mutex);
	lock_order_taken(lock->rank);
}

static inline void ordered_lock_release(struct ordered_lock *lock)
{
	lock_order_releasing(lock->rank);
	slurm_mutex_unlock(&lock->mutex);
}

/* Releases the lock, waits until another thread signals the condition, and takes the lock again.
 * until: when to end the wait at the latest, for a condition of base/monotonic.h; or
 * MONOTONIC_NEVER. Returns 0 or, at that time, ETIMEDOUT. */
static inline int ordered_lock_wait(struct ordered_lock *lock, pthread_cond_t *condition,
				    int64_t until)
{
	const struct timespec end = { until / MONOTONIC_SECOND, until % MONOTONIC_SECOND };
	int status;

	lock_order_releasing(lock->rank);
	status = until == MONOTONIC_NEVER
			 ? pthread_cond_wait(condition, &lock->mutex)
			 : pthread_cond_timedwait(condition, &lock->mutex, &end);
	lock_order_taking(lock->rank);
	lock_order_taken(lock->rank);
	return status;
}
