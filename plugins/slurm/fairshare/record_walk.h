/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visits each association once, in slices, though slurmctld empties and refills its list
 * meanwhile to sort it. Associations that have come or gone are noted in update->changes.
 */
#ifndef SLURM_RECORD_WALK_H
#define SLURM_RECORD_WALK_H

#include "fairshare/fairshare_private.h"
#include "walk/list_walk.h"

struct record_walk {
	struct update *update;
	uint8_t bit;			/* of progress: the walk has been at the node */
	void *context;
	struct list_walk list;
	size_t visited, visited_before;	/* records; when the walk last began again */
};

/* The node of a record that the walk has met at this place of its block, unless it was there
 * already, or the tree does not have it. */
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

/* The list has come to its end: all records have been visited, or the walk begins again.
 * False: it is over. */
bool record_walk_continue(struct record_walk *walk);

/* A block, whose stages have the walk as their context. Inline, as stages are constants. */
static inline __attribute__((always_inline)) bool
record_walk_block(struct record_walk *walk, struct list_walk_stages stages)
{
	if (!list_walk_next(&walk->list, assoc_mgr_assoc_list))
		return record_walk_continue(walk);
	list_walk_each(&walk->list, stages, walk);
	return true;
}

/* Takes assoc write, tres read for each slice, and calls `begin_slice`, then `block` until
 * the slice or the walk is over. */
void record_walk_run(struct record_walk *walk, void (*begin_slice)(struct record_walk *walk),
		     bool (*block)(struct record_walk *walk));

#endif
