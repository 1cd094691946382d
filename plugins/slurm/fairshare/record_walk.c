/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/record_walk.h"

#include "walk/slice.h"

bool record_walk_continue(struct record_walk *walk)
{
	const struct associations *associations = &walk->update->fairshare->associations;

	if (walk->visited == associations->node_count) {
		if (!associations_are_as_many(associations))
			walk->update->changes |= ASSOCIATION_PLACE;	/* one has come */
		return false;
	}
	if (walk->visited == walk->visited_before) {
		walk->update->changes |= ASSOCIATION_PLACE;	/* one is gone */
		return false;
	}
	walk->visited_before = walk->visited;
	walk->list = (struct list_walk){ 0 };
	return true;
}

void record_walk_run(struct record_walk *walk, void (*begin_slice)(struct record_walk *walk),
		     bool (*block)(struct record_walk *walk))
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	bool more = true;

	while (more) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		fairshare_give_back_own(walk->update->fairshare);
		begin_slice(walk);
		do
			more = block(walk);
		while (more && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
		if (more)
			slice_pause();
	}
}
