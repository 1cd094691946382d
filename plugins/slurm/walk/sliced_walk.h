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
#pragma once

#include "base/compat.h"
#include "base/slurm_locks.h"
#include "walk/list_trail.h"
#include "walk/prefetch_fields.h"
#include "walk/slice.h"

/* ---- a list in blocks --------------------------------------------------------------- */

/*
 * A list is walked over in blocks of 256 items. Its own mutex is taken once for a block, not once
 * for an item, and the records' memory is prefetched, as most of a pass is spent waiting for
 * memory. The lock that keeps the items alive may be released between two blocks; items may then
 * come, go and move.
 */
#define LIST_WALK_BLOCK 256
#define LIST_HEAD_SIZE 104	/* of struct xlist, which is slurmctld's own */
#define LIST_WALK_AHEAD 8	/* items between a stage and the next */
#define LIST_WALK_TIMES 3	/* as many items as the list has are met at most */

/* Prefetches a list that a record points to, with its lock; NULL: nothing. */
static inline void prefetch_list(compat_list list)
{
	prefetch_all(list, LIST_HEAD_SIZE);
}

struct list_walk {
	bool begun;
	compat_list list;
	compat_iterator iterator;
	size_t position;	/* of block[0] in the list, if the list has not changed */
	size_t count;
	size_t met, listed;	/* items so far, and in the list at its longest */
	size_t wanted;		/* items of the block that the stages get, the first ones */
	size_t touch;		/* of the stages, if list_walk_next() prefetches it; else 0 */
	struct list_trail *trail;	/* of earlier walks over this list; or NULL */
	void *block[LIST_WALK_BLOCK];
};

static int list_walk_collect(void *item, void *context)
{
	struct list_walk *walk = context;

	if (walk->touch)
		prefetch((const char *)item + walk->touch);
	if (walk->trail)
		list_trail_follow(walk->trail, compat_next_node(walk->iterator));
	walk->block[walk->count++] = item;
	return walk->count == LIST_WALK_BLOCK;
}

/* Whether the list has other nodes than at the last walk: slurmctld has sorted it, which it does
 * where items have come. The second node is enough to tell, if not for certain. */
static inline bool list_walk_is_anew(compat_list list, const struct list_trail *trail)
{
	compat_iterator iterator = list_iterator_create(list);
	bool is_anew;

	list_next(iterator);
	is_anew = trail->now && trail->node[0] != compat_next_node(iterator);
	list_iterator_destroy(iterator);
	return is_anew;
}

/* Ends a walk over a list that is still there. Returns false. */
static inline bool list_walk_end(struct list_walk *walk)
{
	if (walk->iterator)
		list_iterator_destroy(walk->iterator);
	walk->iterator = NULL;
	return false;
}

/* Fills the next block. False: the list has ended. The first call takes a zeroed walk. If
 * slurmctld has replaced the list, the walk starts again at the beginning of the new one; the
 * iterator was freed together with the old one. Where slurmctld sorts its list, the iterator may
 * begin again, too; a walk ends even if that happens all the while. */
static inline bool list_walk_next(struct list_walk *walk, compat_list list)
{
	walk->position += walk->count;
	walk->met += walk->count;
	walk->count = 0;
	if (!walk->begun || walk->list != list) {
		walk->iterator = list ? list_iterator_create(list) : NULL;
		walk->list = list;
		walk->position = 0;
		walk->begun = true;
		if (walk->trail)
			list_trail_begin(walk->trail);
	}
	walk->listed = MAX(walk->listed, list ? (size_t)list_count(list) : 0);
	if (walk->iterator && walk->met < LIST_WALK_TIMES * walk->listed)
		list_find(walk->iterator, list_walk_collect, walk);
	walk->wanted = walk->count;
	return walk->count || list_walk_end(walk);
}

/* Leaves the other items out of the block. */
static inline __attribute__((always_inline)) void
list_walk_select(struct list_walk *walk, bool (*is_wanted)(const void *item, const void *context),
		 const void *context)
{
	size_t wanted = 0;

	for (size_t i = 0; i < walk->count; i++) {
		void *item = walk->block[i];

		walk->block[wanted] = item;
		wanted += is_wanted(item, context);
	}
	walk->wanted = wanted;
}

/* What a walk does to an item; `at` is its index in the block. */
typedef void (*list_walk_stage)(void *item, size_t at, void *context);

/*
 * `work` does the work. The three before it, unless NULL, prefetch memory for the stages that
 * follow: `fetch` the item's own fields, `follow` what these point to, and `follow_far` what that
 * points to. Before them all, one cache line of each item is prefetched, best while the list is
 * read: the first access to an item also waits for the translation of its address, and these waits
 * then overlap.
 */
struct list_walk_stages {
	list_walk_stage fetch, follow, follow_far, work;
	size_t touch;	/* offset of a field in that line */
};

static inline __attribute__((always_inline)) void
list_walk_one(const struct list_walk *walk, size_t at, size_t count, list_walk_stage stage,
	      void *context)
{
	if (stage && at < count)
		stage(walk->block[at], at, context);
}

/* Each stage is a few items behind the stage before it, so that the memory of the items ahead is on
 * its way while one is worked on. Before the first items `at` wraps around, beyond the count. */
static inline __attribute__((always_inline)) void
list_walk_each(const struct list_walk *walk, struct list_walk_stages stages, void *context)
{
	const size_t ahead = LIST_WALK_AHEAD, count = walk->wanted;

	for (size_t i = 0; !walk->touch && i < walk->count; i++)
		prefetch((const char *)walk->block[i] + stages.touch);
	for (size_t i = 0; i < count + 3 * ahead; i++) {
		list_walk_one(walk, i, count, stages.fetch, context);
		list_walk_one(walk, i - ahead, count, stages.follow, context);
		list_walk_one(walk, i - 2 * ahead, count, stages.follow_far, context);
		list_walk_one(walk, i - 3 * ahead, count, stages.work, context);
	}
}

/* ---- slices -------------------------------------------------------------------------- */

#define TRAIL_OF_SLICE 65536	/* steps, more than a slice has */

/* .locks = WALK_LOCKS(.job = READ_LOCK) */
#define WALK_LOCKS(...) (&(const slurmctld_lock_t){ __VA_ARGS__ })
#define WALK_ASSOC_LOCKS(...) (&(const assoc_mgr_lock_t){ __VA_ARGS__ })

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
	locks_take(walk->locks, walk->assoc_locks);
}

static inline void sliced_walk_unlock(const struct sliced_walk *walk)
{
	locks_release(walk->locks, walk->assoc_locks);
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
