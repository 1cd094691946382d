/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The addresses of a list's nodes, in the order in which the last walk met them. Only a node tells
 * where the next one is, so a walk without a trail waits for the memory of each node in turn. Most
 * nodes are still where they were at the last walk, so a walk can prefetch a node some steps before
 * it gets there. Addresses are only prefetched and compared: nothing breaks if they are out of
 * date.
 */
#pragma once

#include "core/prefetch.h"

#include <stddef.h>
#include <stdlib.h>

#define LIST_TRAIL_AHEAD 16	/* nodes between the present one and the one to prefetch */
#define LIST_TRAIL_SEARCH 16	/* nodes in a row that may be gone since the last walk */

/* Start with all members 0. One thread walks with it at a time. A walk writes the nodes that it
 * meets over those of the last walk. */
struct list_trail {
	const void **node;	/* node[i], i < count: of this walk; from there on: of the last */
	size_t room;		/* elements that `node` has room for */
	size_t old_count;	/* nodes that the last walk met */
	size_t old_at;		/* the index in the last walk of the node that comes next */
	size_t count;		/* nodes that this walk has met */
};

/* Frees the memory of a trail, and sets all members to 0. */
static inline void list_trail_clear(struct list_trail *trail)
{
	free(trail->node);
	*trail = (struct list_trail){ NULL };
}

/* Makes room for this many more nodes. Without memory for them the walk is slower, no more. */
static inline void list_trail_make_room(struct list_trail *trail, size_t more)
{
	size_t room = 2 * (trail->count + more);
	const void **node;

	if (trail->count + more <= trail->room)
		return;
	node = realloc(trail->node, room * sizeof(*node));
	if (!node)
		return;
	trail->node = node;
	trail->room = room;
}

/* Begins another walk: what the walk before has noted are now the nodes of the last walk. */
static inline void list_trail_begin(struct list_trail *trail)
{
	trail->old_count = trail->count;
	trail->old_at = trail->count = 0;
}

/* Notes the next node of the list, and prefetches the node that came LIST_TRAIL_AHEAD nodes later
 * in the last walk. If the last walk did not meet this node, nodes have come since: old_at goes on
 * all the same, and a later node is looked for from there. */
static inline void list_trail_follow(struct list_trail *trail, const void *next)
{
	size_t at = trail->old_at;
	size_t end = at + LIST_TRAIL_SEARCH;

	if (end > trail->old_count)
		end = trail->old_count;
	while (at < end && trail->node[at] != next)
		at++;
	if (at < end)
		trail->old_at = at;
	if (trail->old_at + LIST_TRAIL_AHEAD < trail->old_count)
		prefetch(trail->node[trail->old_at + LIST_TRAIL_AHEAD]);
	trail->old_at++;
	if (trail->count < trail->room)
		trail->node[trail->count++] = next;
}
