/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over one of slurmctld's lists without holding its locks for long: a slice of the list is
 * worked on for about half a millisecond, then the locks are given back for a moment.
 *
 *	before_slice, lock, begin_slice, block, block, ..., end_slice, unlock, pause,
 *	before_slice, lock, ...
 *
 * Between two slices items may come, go and move, so an item may be met twice or not at all. A
 * caller for whom that matters must notice it by itself. A walk that adds up the CPUs of all jobs:
 *
 *	static void add_cpus(void *item, size_t at, void *context) { ... }
 *
 *	const struct sliced_walk walk = {
 *		.list = &job_list, .locks = WALK_LOCKS(.job = READ_LOCK),
 *	};
 *	sliced_walk(&walk, (struct list_walk_stages){ .work = add_cpus }, &sum);
 */
#pragma once

#include "base/compat.h"
#include "base/slurm_locks.h"
#include "walk/list_trail.h"
#include "walk/prefetch_fields.h"
#include "walk/slice.h"

/* ---- a list in blocks --------------------------------------------------------------- */

/*
 * A list is read in blocks of 256 items, or of 16: this takes the list's own mutex once for each
 * block, not once for each item. Then the block's records are prefetched and worked on, as most of
 * a pass is spent waiting for memory. The lock that keeps the items alive may be released between
 * two blocks; items may then come, go and move.
 */
#define LIST_WALK_BLOCK 256
#define LIST_WALK_SMALL_BLOCK 16	/* of items that take long, such as jobs of many nodes */
#define LIST_HEAD_SIZE 104	/* bytes of struct xlist, which is slurmctld's own */
#define LIST_WALK_AHEAD 8	/* items between a stage and the next */
#define LIST_WALK_TIMES 3	/* a walk ends once it has met this many times the items of the
				 * list */

/* Prefetches the head of a list that a record points to, with the list's mutex. Does nothing with
 * NULL. */
static inline void prefetch_list(compat_list list)
{
	prefetch_all(list, LIST_HEAD_SIZE);
}

/* A walk over a list, block by block. Start with all members 0, except most, touch and trail. */
struct list_walk {
	bool begun;
	compat_list list;	/* the list that the iterator belongs to; NULL: there was none */
	compat_iterator iterator;	/* NULL: there is no list, or it has ended */
	size_t position;	/* index in the list of block[0], if the list has not changed */
	size_t count, most;	/* items in the block; items that a block may have */
	size_t met, listed;	/* items met so far; items in the list when it was longest */
	size_t wanted;		/* the first `wanted` items of the block are for the stages */
	size_t touch;		/* offset of a field to prefetch as the list is read; 0: none */
	struct list_trail *trail;	/* what earlier walks over this list have noted; or NULL */
	void *block[LIST_WALK_BLOCK];
};

/* Adds an item to the block. For list_find(), which goes on until this returns other than 0: when
 * the block is full. */
static int list_walk_collect(void *item, void *context)
{
	struct list_walk *walk = context;

	if (walk->touch)
		prefetch((const char *)item + walk->touch);
	if (walk->trail)
		list_trail_follow(walk->trail, compat_next_node(walk->iterator));
	walk->block[walk->count++] = item;
	return walk->count == walk->most;
}

/* Returns whether the nodes of the list are others than those of the last walk with this trail, as
 * after slurmctld has sorted the list, which it does when items have come: sorting empties and
 * refills it. Only the second node is compared, the first that the trail has, as
 * list_walk_collect() notes the node after each item; after a sort it is nearly always another.
 * False if the trail is empty. list: not NULL. The caller holds the lock of the list's items. */
static inline bool list_walk_was_sorted(compat_list list, const struct list_trail *trail)
{
	compat_iterator iterator = list_iterator_create(list);
	bool has_moved;

	list_next(iterator);	/* to the first item */
	has_moved = trail->count && trail->node[0] != compat_next_node(iterator);
	list_iterator_destroy(iterator);
	return has_moved;
}

/* Fills the next block. Returns false if the list has ended, or is NULL; the block is empty then.
 * If slurmctld has replaced the list, the walk starts at the beginning of the new list; the
 * iterator was freed together with the old list. The iterator may also start again when slurmctld
 * sorts the list. LIST_WALK_TIMES ends the walk even if it always starts again. */
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
	if (!walk->count && walk->iterator) {
		list_iterator_destroy(walk->iterator);
		walk->iterator = NULL;
	}
	walk->wanted = walk->count;
	return walk->count;
}

/* Moves the items of the block that are wanted to its beginning, and sets walk->wanted to their
 * number. The stages get no others. */
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

/* A step of the work on an item. at: a guess of the item's index in the list, which is right if the
 * list has not changed and all items are wanted, and of which `at` % LIST_WALK_BLOCK always differs
 * between the items of a block, so that one stage can leave something there for another. */
typedef void (*list_walk_stage)(void *item, size_t at, void *context);

/*
 * The stages that each item goes through. `work` does the work. The others, unless NULL, prefetch
 * memory for the stages after them: `fetch` the item's own fields, `follow` what these fields point
 * to, and `follow_far` what that points to. Before them all, one cache line of each item is
 * prefetched: the first access to an item also waits for the translation of its address, and so
 * these waits overlap. That is best done while the list is read, which needs `touch`.
 */
struct list_walk_stages {
	list_walk_stage fetch, follow, follow_far, work;
	size_t touch;	/* offset of a field in that line; 0: it is prefetched for a whole block at
			 * once */
};

/* Does one stage on the block's item at index `at`, if the stage is not NULL and `at` is below
 * count. */
static inline __attribute__((always_inline)) void
list_walk_run_stage(const struct list_walk *walk, size_t at, size_t count, list_walk_stage stage,
	      void *context)
{
	if (stage && at < count)
		stage(walk->block[at], walk->position + at, context);
}

/* Does all stages on the items of the block. Each stage is LIST_WALK_AHEAD items behind the stage
 * before it, so that the memory of the items ahead is on its way while one item is worked on. In
 * the first rounds `i` minus a distance wraps around to an index beyond the count, for which
 * list_walk_run_stage() does nothing. */
static inline __attribute__((always_inline)) void
list_walk_each(const struct list_walk *walk, struct list_walk_stages stages, void *context)
{
	const size_t ahead = LIST_WALK_AHEAD, count = walk->wanted;

	for (size_t i = 0; !walk->touch && i < walk->count; i++)
		prefetch((const char *)walk->block[i] + stages.touch);
	for (size_t i = 0; i < count + 3 * ahead; i++) {
		list_walk_run_stage(walk, i, count, stages.fetch, context);
		list_walk_run_stage(walk, i - ahead, count, stages.follow, context);
		list_walk_run_stage(walk, i - 2 * ahead, count, stages.follow_far, context);
		list_walk_run_stage(walk, i - 3 * ahead, count, stages.work, context);
	}
}

/* ---- slices -------------------------------------------------------------------------- */

#define TRAIL_OF_SLICE 65536	/* items that a slice makes room for in the trail; it has fewer */

/* Locks for the members of the same names: .locks = WALK_LOCKS(.job = READ_LOCK) */
#define WALK_LOCKS(...) (&(const slurmctld_lock_t){ __VA_ARGS__ })
#define WALK_ASSOC_LOCKS(...) (&(const assoc_mgr_lock_t){ __VA_ARGS__ })

/* What to walk over, by which locks, and what to call beside the stages. */
struct sliced_walk {
	const compat_list *list;	/* read for each block, as slurmctld may replace the list */
	/* Locks that are held during a slice. Either may be NULL. If both are NULL, the caller
	 * holds the locks, and the whole list is one slice. */
	const slurmctld_lock_t *locks;
	const assoc_mgr_lock_t *assoc_locks;	/* taken after `locks` */
	/* The functions that follow may be NULL. They get the context of the stages. The first is
	 * called without the locks, all others under the locks. */
	void (*before_slice)(void *context);
	void (*begin_slice)(void *context);
	void (*end_slice)(void *context);
	/* before the first item; and again each time that slurmctld has replaced the list */
	void (*begin_list)(void *context);
	struct list_trail *trail;	/* of earlier walks over the list; or NULL */
	bool small_blocks;		/* items take long: the clock is read more often */
	/* Returns whether an item is for the stages; NULL: all are. Reads only the cache line of
	 * the item that stages.touch is in. */
	bool (*is_wanted)(const void *item, const void *context);
};

/* Works on the next block; list: the state of the walk. Returns false if the list has ended. */
static inline __attribute__((always_inline)) bool
sliced_walk_block(const struct sliced_walk *walk, struct list_walk *list,
		  struct list_walk_stages stages, void *context)
{
	bool more = list_walk_next(list, *walk->list);

	if (!list->position && walk->begin_list)
		walk->begin_list(context);
	if (walk->is_wanted)
		list_walk_select(list, walk->is_wanted, context);
	list_walk_each(list, stages, context);
	return more;
}

/* Calls the stages on each item of the list, with `context`. The function is inline so that the
 * compiler also puts stages in that are constants. */
static inline __attribute__((always_inline)) void
sliced_walk(const struct sliced_walk *walk, struct list_walk_stages stages, void *context)
{
	bool is_sliced = walk->locks || walk->assoc_locks;
	bool more = true;		/* the list has not ended */
	struct list_walk list = {
		.most = walk->small_blocks ? LIST_WALK_SMALL_BLOCK : LIST_WALK_BLOCK,
		.touch = stages.touch, .trail = walk->trail,
	};

	while (more) {
		struct slice slice;

		if (walk->before_slice)
			walk->before_slice(context);
		if (walk->trail)
			list_trail_make_room(walk->trail, TRAIL_OF_SLICE);
		locks_take(walk->locks, walk->assoc_locks);
		slice = slice_begin();
		if (walk->begin_slice)
			walk->begin_slice(context);
		do
			more = sliced_walk_block(walk, &list, stages, context);
		while (more && !(is_sliced && slice_is_over(&slice)));
		if (walk->end_slice)
			walk->end_slice(context);
		locks_release(walk->locks, walk->assoc_locks);
		if (more)
			slice_pause();
	}
}
