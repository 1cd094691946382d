/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/shared.h"

#include "base/lock_order.h"

#include <stdbool.h>
#include <stdlib.h>

/* The first of the retired objects, a list that threads change by atomic operations alone. */
static struct shared *retired;
/* Guards the pointers to published objects, so that none is freed between the reading of its
 * address and the counting of a reference. */
static struct ordered_lock publishing = ORDERED_LOCK(LOCK_PUBLISHING);

void *shared_create(size_t size, void (*destroy)(void *object))
{
	struct shared *object = calloc(1, size);

	if (object)
		*object = (struct shared){ .references = 1, .destroy = destroy };
	return object;
}

void *shared_reference(const void *object)
{
	struct shared *shared = (struct shared *)object;	/* only the count changes */

	if (shared)
		__atomic_add_fetch(&shared->references, 1, __ATOMIC_RELAXED);
	return shared;
}

void shared_release(void *object)
{
	struct shared *shared = object;

	if (!shared || __atomic_sub_fetch(&shared->references, 1, __ATOMIC_ACQ_REL))
		return;
	/* put it at the head of the list; the loop repeats if another thread does so meanwhile */
	shared->next = __atomic_load_n(&retired, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&retired, &shared->next, shared, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void shared_free_retired(void)
{
	struct shared *object;

	/* repeat: to destroy an object may retire another, to which it had the last reference */
	while ((object = __atomic_exchange_n(&retired, NULL, __ATOMIC_ACQUIRE)))
		while (object) {
			struct shared *next = object->next;

			object->destroy(object);
			object = next;
		}
}

void *published_get(const struct published *published)
{
	void *object;

	ordered_lock_take(&publishing);
	object = shared_reference(published->object);
	ordered_lock_release(&publishing);
	return object;
}

void published_set(struct published *published, void *fresh)
{
	void *stale;

	ordered_lock_take(&publishing);
	stale = published->object;
	published->object = fresh;
	ordered_lock_release(&publishing);
	shared_release(stale);
}
