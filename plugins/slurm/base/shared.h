/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects that never change, that many threads read, and that are freed with their last reference:
 * settings, the order of partitions, trees of scopes, evaluations, places of jobs. The newest
 * settings, evaluation and places are published, so that any thread may get a reference to them:
 *
 *	struct evaluation *evaluation = published_get(&results->evaluation);
 *	... read it ...
 *	shared_release(evaluation);
 *
 * The last reader may be a request that holds slurmctld's locks, and freeing megabytes takes
 * milliseconds. So the last reference only retires the object, and the plugin's thread frees it
 * later.
 */
#pragma once

#include <stddef.h>

/* The first member of such an object. */
struct shared {
	unsigned references;
	struct shared *next;		/* of those that are retired */
	void (*destroy)(void *object);
};

/* Returns a new object of `size` bytes, of which only `shared` is not 0. The caller has the first
 * reference. NULL: out of memory. */
void *shared_create(size_t size, void (*destroy)(void *object));
/* Adds a reference to an object and returns it. For both, NULL is allowed. */
void *shared_reference(const void *object);
void shared_release(void *object);
/* Frees all retired objects. The caller holds none of slurmctld's locks. */
void shared_free_retired(void);

/* The newest object of a kind, or NULL. */
struct published {
	struct shared *object;		/* guarded by a lock of base/shared.c's */
};

/* Returns a reference, which the caller releases. */
void *published_get(const struct published *published);
/* Takes the caller's reference to a new object, or NULL. */
void published_set(struct published *published, void *fresh);
