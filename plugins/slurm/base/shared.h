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

/* The first member of such an object. Only the functions below use its fields. */
struct shared {
	unsigned references;		/* changed by atomic operations; 0: it is retired */
	struct shared *next;		/* in the list of retired objects */
	void (*destroy)(void *object);	/* frees the object with all that it has */
};

/* Returns a new object of `size` bytes: its first member is a struct shared, all others are 0. The
 * caller has the first reference. Returns NULL if out of memory. */
void *shared_create(size_t size, void (*destroy)(void *object));
/* Adds a reference to an object, and returns the object. Does nothing with NULL. */
void *shared_reference(const void *object);
/* Gives a reference back. The last one retires the object. Does nothing with NULL. */
void shared_release(void *object);
/* Frees all retired objects. The caller holds none of slurmctld's locks. */
void shared_free_retired(void);

/* The newest object of a kind. Start with NULL. */
struct published {
	struct shared *object;		/* or NULL; guarded by the lock in base/shared.c */
};

/* Returns a reference to the newest object, which the caller releases; NULL: there is none. */
void *published_get(const struct published *published);
/* Publishes a new object, or NULL, in place of the present one. The caller's reference to it
 * becomes that of `published`. */
void published_set(struct published *published, void *fresh);
