/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a list had its nodes when it was last walked over. Each node names the next, so that a walk
 * waits for the memory of every single one; but most of them are where they were, and those some
 * steps ahead can be prefetched. Addresses are only prefetched and compared, so nothing depends on
 * their being right.
 */
#pragma once

#include "core/prefetch.h"

#include <stddef.h>
#include <stdlib.h>

#define LIST_TRAIL_AHEAD 16	/* nodes */
#define LIST_TRAIL_SEARCH 16	/* nodes in a row that may be gone since */

/* Start with all members 0. One thread walks with it at a time. */
struct list_trail {
	const void **node;
	size_t room;
	size_t count;		/* of the last walk */
	size_t before;		/* the step of the last walk where this walk is */
	size_t now;		/* steps of this walk, which replace those of the last */
};

static inline void list_trail_clear(struct list_trail *trail)
{
	free(trail->node);
	*trail = (struct list_trail){ NULL };
}

/* Makes room for so many more steps; without memory the walk is slower. */
static inline void list_trail_make_room(struct list_trail *trail, size_t steps)
{
	size_t room = 2 * (trail->now + steps);
	const void **node;

	if (trail->now + steps <= trail->room)
		return;
	node = realloc(trail->node, room * sizeof(*node));
	if (!node)
		return;
	trail->node = node;
	trail->room = room;
}

static inline void list_trail_begin(struct list_trail *trail)
{
	trail->count = trail->now;
	trail->before = trail->now = 0;
}

/* Notes the next node of the list, and prefetches one that will come. */
static inline void list_trail_follow(struct list_trail *trail, const void *next)
{
	size_t at = trail->before;
	size_t end = at + LIST_TRAIL_SEARCH < trail->count ? at + LIST_TRAIL_SEARCH : trail->count;

	while (at < end && trail->node[at] != next)
		at++;
	if (at < end)
		trail->before = at;
	if (trail->before + LIST_TRAIL_AHEAD < trail->count)
		prefetch(trail->node[trail->before + LIST_TRAIL_AHEAD]);
	trail->before++;
	if (trail->now < trail->room)
		trail->node[trail->now++] = next;
}
