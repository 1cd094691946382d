/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over a long list in blocks. The list is locked once for each block, and memory is
 * prefetched, as a pass mostly waits for memory. The caller holds the lock that keeps the items
 * alive while it works on a block. Between two blocks it may release the lock; items may then come,
 * go and change places.
 */
#ifndef SLURM_LIST_WALK_H
#define SLURM_LIST_WALK_H

#include "base/compat.h"
#include "walk/prefetch_fields.h"

#define LIST_WALK_BLOCK 256
#define LIST_WALK_GROUP 8	/* items that are prefetched at once */

struct list_walk {
	bool begun;
	compat_list list;
	compat_iterator iterator;
	size_t position;	/* of block[0] in the list, if nothing changed */
	size_t count;
	void *block[LIST_WALK_BLOCK];
};

static int list_walk_collect(void *item, void *context)
{
	struct list_walk *walk = context;

	walk->block[walk->count++] = item;
	return walk->count == LIST_WALK_BLOCK;
}

/* Fills the next block; false at the end. Start with a zeroed walk. If another list has taken
 * the place of the list, the walk begins anew: the iterator was freed with the old list. */
static inline bool list_walk_next(struct list_walk *walk, compat_list list)
{
	walk->position += walk->count;
	walk->count = 0;
	if (!walk->begun || walk->list != list) {
		walk->iterator = list ? list_iterator_create(list) : NULL;
		walk->list = list;
		walk->position = 0;
		walk->begun = true;
	}
	if (walk->iterator)
		list_find(walk->iterator, list_walk_collect, walk);
	if (!walk->count && walk->iterator) {
		list_iterator_destroy(walk->iterator);
		walk->iterator = NULL;
	}
	return walk->count;
}

/* What a walk does to an item; `at` is its place in the block. */
typedef void (*list_walk_stage)(void *item, size_t at, void *context);

/* The first three prefetch the memory that the next stage reads, or are NULL. */
struct list_walk_stages {
	list_walk_stage fetch, follow, follow_far, work;
};

static inline __attribute__((always_inline)) void
list_walk_group(const struct list_walk *walk, size_t begin, list_walk_stage stage, void *context)
{
	size_t end = MIN(begin + LIST_WALK_GROUP, walk->count);

	for (size_t i = begin; stage && i < end; i++)
		stage(walk->block[i], i, context);
}

/* Works in groups: the prefetches of a short loop overlap, those of a long one wait. */
static inline __attribute__((always_inline)) void
list_walk_each(const struct list_walk *walk, struct list_walk_stages stages, void *context)
{
	const size_t group = LIST_WALK_GROUP;

	for (size_t i = 0; i < walk->count + 3 * group; i += group) {
		list_walk_group(walk, i, stages.fetch, context);
		if (i >= group)
			list_walk_group(walk, i - group, stages.follow, context);
		if (i >= 2 * group)
			list_walk_group(walk, i - 2 * group, stages.follow_far, context);
		if (i >= 3 * group)
			list_walk_group(walk, i - 3 * group, stages.work, context);
	}
}

#endif
