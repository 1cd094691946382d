/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld's associations as fathom's tree. Records come and go; between two
 * holds of assoc_mgr's lock only ids are good.
 */
#ifndef SLURM_ASSOCIATIONS_H
#define SLURM_ASSOCIATIONS_H

#include "compat.h"
#include "fathom.h"
#include "id_map.h"

struct associations {
	struct fathom_tree *tree;
	struct id_map *map;
	size_t node_count;
	uint32_t *node_of_position;	/* place in slurmctld's list to node */
	size_t position_count;
	bool orphans;			/* more places than nodes: some hang on nothing */
	/* by node: what an account's record has more than the sum of its members,
	 * seen when the tree was last read; 0 but for roundings that do no harm */
	double *excess;
};

bool associations_exist(void);
uint32_t associations_parent_id(const slurmdb_assoc_rec_t *record);

/* Reads all shares and own usage, and builds the tree anew if it is another
 * one. `copy` (or NULL) is called for each association with usage of its own;
 * it may be called again from the start. The caller holds assoc read or write.
 * False: there are none, or the tree cannot be built; what was there is gone
 * then. */
struct usage_copy {
	void (*begin)(void *context);
	void (*add)(void *context, const slurmdb_assoc_rec_t *record);
	void *context;
};
bool associations_read(struct associations *associations, const struct usage_copy *copy);
void associations_forget(struct associations *associations);

/* The record's node; false: it is none of the tree's. `position` is a guess of its place in the list. */
bool associations_node(const struct associations *associations, const slurmdb_assoc_rec_t *record,
		       size_t position, uint32_t *node);

/*
 * A walk over all records in blocks whose memory has been asked for ahead:
 * most of a pass is waiting for it. The walk may pause and let go of the lock;
 * a record may then come twice (the list was sorted), none is left out.
 */
#define WALK_BLOCK 64

struct record_walk {
	compat_list list;
	compat_iterator iterator;
	size_t position;	/* of block[0] in the list, if nothing changed */
	size_t count;
	slurmdb_assoc_rec_t *block[WALK_BLOCK];
};

/* Fills the next block; false at the end, when the walk needs no end call.
 * Start with a zeroed walk. */
bool record_walk_next(struct record_walk *walk);
void record_walk_end(struct record_walk *walk);

#endif
