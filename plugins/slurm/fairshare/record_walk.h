/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visits the record of each association once, in slices. slurmctld sorts its list by emptying and
 * refilling it; when it does so between two slices, the walk begins again and skips the records
 * that it has visited. Associations that have come or gone are noted in update->changes.
 */
#ifndef SLURM_RECORD_WALK_H
#define SLURM_RECORD_WALK_H

#include "fairshare/fairshare_private.h"
#include "walk/list_walk.h"

struct record_walk {
	struct update *update;
	uint8_t bit;			/* of progress, WRITTEN or SUMMED: marks visited nodes */
	void *context;			/* the caller's */
	struct list_walk list;
	size_t listed;			/* records in the list when the walk last began */
	size_t visited;			/* records so far */
	size_t visited_before;		/* the same when the walk last began again */
};

/* Finds the node of the record at place `at` of the current block. Returns false if the walk has
 * visited it already, or if the tree does not have it. */
static inline bool record_walk_visit(struct record_walk *walk, const slurmdb_assoc_rec_t *record,
				     size_t at, uint32_t *node)
{
	struct fairshare *fairshare = walk->update->fairshare;

	if (!associations_find_at(&fairshare->associations, record, walk->list.position + at,
				  node)) {
		if (!fairshare->associations.orphans)
			walk->update->changes |= ASSOCIATION_PLACE;
		return false;
	}
	if (fairshare->progress.of_node[*node] & walk->bit)
		return false;
	fairshare->progress.of_node[*node] |= walk->bit;
	walk->visited++;
	return true;
}

/* At the end of the list: begins again if records are missing and the last time has met some.
 * False: the walk is over. */
bool record_walk_continue(struct record_walk *walk);

/* Fills the next block. Newer slurmctlds append associations: the walk does not run after them. */
static inline bool record_walk_next(struct record_walk *walk)
{
	compat_list list = assoc_mgr_assoc_list;

	if (!walk->list.begun || walk->list.list != list)
		walk->listed = list ? (size_t)list_count(list) : 0;
	else if (walk->list.position + walk->list.count >= walk->listed)
		return list_walk_end(&walk->list);
	return list_walk_next(&walk->list, list);
}

/* Works on the next block; `walk` is the context of the stages. False: the walk is over. Inline, so
 * that the compiler knows the stages. */
static inline __attribute__((always_inline)) bool
record_walk_block(struct record_walk *walk, struct list_walk_stages stages)
{
	if (!record_walk_next(walk))
		return record_walk_continue(walk);
	list_walk_each(&walk->list, stages, walk);
	return true;
}

/* Walks over all records. In each slice it holds assoc write and tres read, calls `begin_slice`
 * once and `block` until the slice is over, or until `block` returns false: then the walk is
 * over. */
void record_walk_run(struct record_walk *walk, void (*begin_slice)(struct record_walk *walk),
		     bool (*block)(struct record_walk *walk));

#endif
