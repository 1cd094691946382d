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
 * It is measured how long each of them is held.
 */
#pragma once

#include "base/compat.h"

#define LOCKS_MOST 16

/* The longest time for which the plugin has held a lock. */
struct lock_hold {
	const char *lock, *mode;	/* such as "job"; "read" or "write" */
	double seconds;
};

/* Either may be NULL. slurmctld's locks come before those of assoc_mgr. A thread takes no lock of
 * those that it has, as Slurm's rules say. */
void locks_take(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks);
void locks_release(const slurmctld_lock_t *locks, const assoc_mgr_lock_t *assoc_locks);

/* Returns how many kinds of locks have been held since the last call, and how long at most. */
size_t locks_longest(struct lock_hold hold[LOCKS_MOST]);
