/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's locks as the plugin takes them:
 *
 *	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
 *
 *	locks_take(NULL, &locks);
 *	...
 *	locks_release(NULL, &locks);
 *
 * MetricsFile shows how long each of them is held. Nothing else in the plugin calls the
 * functions of Slurm for locks, so that base/lock_order.h sees each call.
 */
#pragma once

#include "base/compat.h"

#define LOCKS_MOST 16	/* elements: room for all locks, each to read and to write */

/* The longest time for which the plugin has held a lock. */
struct lock_hold {
	const char *lock, *mode;	/* such as "job"; "read" or "write" */
	double seconds;
};

/* Take and release locks of slurmctld's and of assoc_mgr's; either set may be NULL. slurmctld's are
 * taken first and released last. As Slurm's rules demand, a thread that has any lock of a set takes
 * no other of the same set. */
void locks_take(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks);
void locks_release(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks);

/* Writes the longest hold since the last call, for each lock and mode that was held, into hold[].
 * Returns their number. */
size_t locks_longest(struct lock_hold hold[LOCKS_MOST]);
