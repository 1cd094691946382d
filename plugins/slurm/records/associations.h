/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld's associations as a tree, which is read without assoc_mgr's lock. slurmctld frees
 * records, so the tree has no pointers to them: a node is found by the id of its association.
 *
 * For each node the tree's owner remembers what the record had when it was last seen. So a pass
 * need not read all records before it writes them: it computes from what it remembers, and compares
 * while it writes. If somebody else has changed a record, associations_changes() tells.
 */
#pragma once

#include "base/compat.h"
#include "core/snapshot.h"
#include "fathom.h"
#include "walk/prefetch_fields.h"

/* What a record had when it was last seen. */
struct association_seen {
	const slurmdb_assoc_rec_t *parent;	/* may be freed: compare it, do not follow it */
	double own, wall;		/* own usage in billing seconds, and wall time in seconds;
					 * see record_usage.h */
	double priority_norm;		/* priority over the largest one, 0 to 1 */
	uint32_t id, priority;		/* priority: sacctmgr's */
	uint32_t raw_shares;		/* or FATHOM_SHARES_PARENT */
	uint32_t usage_at;		/* low bits of the address of its usage: to be compared */
};

/* Returns whether there was own usage. Where billing is free, only wall time tells. */
static inline bool association_had_usage(const struct association_seen *seen)
{
	return seen->own != 0 || seen->wall != 0;
}

/* The tree of slurmctld's associations, and what was last seen of them. Start with all members
 * 0. */
struct associations {
	struct fathom_tree *tree;	/* NULL: it has not been read */
	struct fathom_node_index *map;	/* finds nodes by the ids of associations */
	size_t node_count;
	struct association_seen *seen;	/* by node; changes under an assoc lock */
	uint32_t *node_of_position;	/* the node of each position in slurmctld's list; may be out
					 * of date */
	const slurmdb_assoc_rec_t *root;	/* may be freed: compare it, do not follow it */
};

/* Returns the record with this id; NULL: it is gone. For this call and all below that read a
 * record, the caller holds an assoc lock. */
slurmdb_assoc_rec_t *associations_record(uint32_t id);
/* Returns the id of the account that a record is in; of the root, 0. */
uint32_t associations_parent_id(const slurmdb_assoc_rec_t *record);

/* A stage of a walk: prefetches the fields of a record that a pass reads and writes. */
static inline void associations_fetch(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;

	prefetch_fields(record, id, leaf_usage);
	prefetch_fields(record, priority, usage);
}

/* Prefetches the usage that the record points to. Call it some items after associations_fetch(), as
 * it reads the record. */
static inline void associations_fetch_usage(const slurmdb_assoc_rec_t *record)
{
	prefetch_fields(record->usage, children_list, level_fs);
}

/* Reads all records into a new tree, which associations_forget() frees. Takes assoc read in slices.
 * Returns false if slurmctld has no associations yet; or if they keep changing, cannot be a tree,
 * or memory runs out, which is logged. */
bool associations_read(struct associations *associations);
/* Returns whether slurmctld has an association with this id, and all accounts above it. Takes assoc
 * read. */
bool associations_have(uint32_t id);
/* Frees the tree and what is known of it, and sets all members to 0. */
void associations_forget(struct associations *associations);

/* Sets *node to the node of an association. Returns false if the tree does not have it. */
bool associations_find(const struct associations *associations, uint32_t id, uint32_t *node);
/* Sets *node to the node of a record, and notes that this position of slurmctld's list has it.
 * Quick if the position had the same record before. Returns false if the tree does not have the
 * association; *node is undefined then. The caller holds an assoc lock, and is the only one who
 * looks up positions. */
bool associations_find_at(struct associations *associations, const slurmdb_assoc_rec_t *record,
			  size_t position, uint32_t *node);

/* Returns the node whose record associations_find_at() found at this position the last time, for
 * prefetching. For an unknown position that is the root. */
static inline uint32_t associations_guess(const struct associations *associations, size_t position)
{
	return position < associations->node_count ? associations->node_of_position[position] : 0;
}

/* How a record differs from what was last seen. */
enum {
	ASSOCIATION_VALUE = 1 << 0,	/* other shares, usage or priority */
	ASSOCIATION_MOVED = 1 << 1,	/* another parent; or some have come or gone */
	ASSOCIATION_CLEARED = 1 << 2,	/* its own usage has become 0 */
	ASSOCIATION_INHERITED = 1 << 3,	/* an account got the usage of a deleted member */
	ASSOCIATION_NEW = 1 << 4,	/* an account, or anything beside CLEARED, was deleted and
					 * added again, or has not been published yet */
};

/* Returns how a record differs from what was last seen of it, as ASSOCIATION_ bits; 0: not at all.
 * node: the record's. */
unsigned associations_changes(const struct associations *associations,
			      const slurmdb_assoc_rec_t *record, uint32_t node);
/* Returns whether slurmctld has as many associations as the tree: if not, some have come or
 * gone. */
bool associations_are_as_many(const struct associations *associations);
/* Remembers the record as it is now, in associations->seen. node: the record's. */
void associations_see(struct associations *associations, const slurmdb_assoc_rec_t *record,
		      uint32_t node);
/* Remembers only the record's usage, so that other changes are still noticed later. */
void associations_see_usage(struct associations *associations, const slurmdb_assoc_rec_t *record,
			    uint32_t node);

/* Copies the names of a tree's `count` nodes, which `map` finds, into a snapshot that has no names
 * yet. Takes assoc read in slices. Returns 0; 1 if names are missing because some associations are
 * gone since the tree was read, which the next pass will notice; or -1 if out of memory. The caller
 * clears the snapshot in each case. */
int association_names_read(struct snapshot *snapshot, const struct fathom_node_index *map,
			   size_t count);
