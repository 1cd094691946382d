/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over one of slurmctld's lists without holding its locks for long: a slice of the list is
 * worked on for about half a millisecond, then the locks are given back for a moment.
 *
 *	before_slice, lock, begin_slice, block, block, ..., end_slice, unlock, pause,
 *	before_slice, lock, ...
 *
 * Between two slices items may come, go and move, so an item may be met twice or not at
 * all. A caller for whom that matters must notice it by itself.
 */
#ifndef SLURM_SLICED_WALK_H
#define SLURM_SLICED_WALK_H

#include "walk/list_walk.h"
#include "walk/slice.h"

#define TRAIL_OF_SLICE 65536	/* steps, more than a slice has */

struct sliced_walk {
	const compat_list *list;	/* read for each block, as slurmctld may replace the list */
	/* Either may be NULL. If both are, the caller holds the locks: the list is one slice. */
	const slurmctld_lock_t *locks;
	const assoc_mgr_lock_t *assoc_locks;	/* taken after `locks` */
	/* Each is called with the context of the stages, or is NULL: without the locks, */
	void (*before_slice)(void *context);
	/* under the locks, */
	void (*begin_slice)(void *context);
	void (*next_block)(void *context, size_t position);	/* of its first item in the list */
	void (*end_slice)(void *context);
	/* and under the locks before the first item, again if slurmctld has replaced the list. */
	void (*begin_list)(void *context);
	struct list_trail *trail;	/* of earlier walks over the list; or NULL */
	/* Tells by an item's first line (stages.touch) whether the stages get it; NULL: all. */
	bool (*is_wanted)(const void *item, const void *context);
};

static inline void sliced_walk_lock(const struct sliced_walk *walk)
{
	if (walk->locks)
		lock_slurmctld(*walk->locks);
	if (walk->assoc_locks) {
		assoc_mgr_lock_t locks = *walk->assoc_locks;

		assoc_mgr_lock(&locks);
	}
}

static inline void sliced_walk_unlock(const struct sliced_walk *walk)
{
	if (walk->assoc_locks) {
		assoc_mgr_lock_t locks = *walk->assoc_locks;

		assoc_mgr_unlock(&locks);
	}
	if (walk->locks)
		unlock_slurmctld(*walk->locks);
}

/* False: the list has ended. */
static inline __attribute__((always_inline)) bool
sliced_walk_block(const struct sliced_walk *walk, struct list_walk *list,
		  struct list_walk_stages stages, void *context)
{
	bool more = list_walk_next(list, *walk->list);

	if (!list->position && walk->begin_list)
		walk->begin_list(context);
	if (walk->is_wanted)
		list_walk_select(list, walk->is_wanted, context);
	if (walk->next_block)
		walk->next_block(context, list->position);
	list_walk_each(list, stages, context);
	return more;
}

/* Calls the stages on each item of the list. Inline, so that stages that are constants are too. */
static inline __attribute__((always_inline)) void
sliced_walk(const struct sliced_walk *walk, struct list_walk_stages stages, void *context)
{
	bool is_sliced = walk->locks || walk->assoc_locks, more = true;
	struct list_walk list = { .touch = stages.touch, .trail = walk->trail };

	while (more) {
		struct slice slice;

		if (walk->before_slice)
			walk->before_slice(context);
		if (walk->trail)
			list_trail_make_room(walk->trail, TRAIL_OF_SLICE);
		sliced_walk_lock(walk);
		slice = slice_begin();
		if (walk->begin_slice)
			walk->begin_slice(context);
		do
			more = sliced_walk_block(walk, &list, stages, context);
		while (more && !(is_sliced && slice_is_over(&slice)));
		if (walk->end_slice)
			walk->end_slice(context);
		sliced_walk_unlock(walk);
		if (more)
			slice_pause();
	}
}

#endif
