/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/retired.h"

#include <stdbool.h>
#include <stddef.h>

static struct retired *retired;		/* a list; each access is atomic */

void retire(struct retired *object, void (*destroy)(struct retired *object))
{
	object->destroy = destroy;
	object->next = __atomic_load_n(&retired, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&retired, &object->next, object, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void retired_free(void)
{
	struct retired *object;

	/* again, as an object may have had the last reference to another one */
	while ((object = __atomic_exchange_n(&retired, NULL, __ATOMIC_ACQUIRE)))
		while (object) {
			struct retired *next = object->next;

			object->destroy(object);
			object = next;
		}
}
