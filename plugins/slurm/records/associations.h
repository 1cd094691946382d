/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld's associations as fathom's tree. Records come and go; between two
 * holds of assoc_mgr's lock only ids are good. What each record had when it
 * was last looked at is kept, so that a pass need not read them all before it
 * writes them: it computes from what it knows, and notices while writing what
 * somebody else has changed meanwhile.
 */
#ifndef SLURM_ASSOCIATIONS_H
#define SLURM_ASSOCIATIONS_H

#include "base/compat.h"
#include "fathom.h"
#include "walk/prefetch_fields.h"

/* A record as it was last seen. */
struct association_seen {
	const slurmdb_assoc_rec_t *parent;	/* to be compared, never followed */
	double own, own_wall;			/* billing seconds and seconds, without members */
	double priority_norm;
	uint32_t id, priority, raw_shares;
};

struct associations {
	struct fathom_tree *tree;
	struct fathom_node_index *map;
	size_t node_count;
	struct association_seen *seen;	/* by node; changes under an assoc lock */
	uint32_t *node_of_position;	/* guesses: place in slurmctld's list to node */
	bool orphans;			/* some hang on nothing, and are left out */
	const slurmdb_assoc_rec_t *root;	/* to be compared, never followed */
};

bool associations_exist(void);
uint32_t associations_parent_id(const slurmdb_assoc_rec_t *record);
/* NULL: it is gone. The caller holds an assoc lock. */
slurmdb_assoc_rec_t *associations_record(uint32_t id);

/* Asks for the memory of what is read of a record, and written to it. */
static inline void associations_fetch(const slurmdb_assoc_rec_t *record)
{
	prefetch_fields(record, id, leaf_usage);
	prefetch_fields(record, priority, usage);
}

/* Then, as that is where it is found, for its usage. */
static inline void associations_fetch_usage(const slurmdb_assoc_rec_t *record)
{
	prefetch_fields(record->usage, children_list, level_fs);
}

/*
 * Reads all records as rows, in the order in which slurmctld keeps siblings,
 * as that decides between equals where a policy goes by position. The caller
 * holds assoc read; the tree is then made without a lock.
 */
struct association_rows {
	struct fathom_row *row;
	struct association_seen *seen;
	slurmdb_assoc_rec_t **record;	/* good within the caller's hold */
	size_t count, size;
};

/* False: there are none, or out of memory. To be given to _rows_clear. */
bool association_rows_read(struct association_rows *rows);
void association_rows_clear(struct association_rows *rows);

/* False: no tree can be built, which is logged. */
bool associations_create(struct associations *associations, const struct association_rows *rows);
void associations_forget(struct associations *associations);

/* The record's node; false: it is none of the tree's. */
bool associations_find(const struct associations *associations, uint32_t id, uint32_t *node);
/* The same for a record met at `position` of slurmctld's list, which is remembered. */
bool associations_find_at(struct associations *associations, const slurmdb_assoc_rec_t *record,
			  size_t position, uint32_t *node);

/* Most likely that node, for asking for its memory. */
static inline uint32_t associations_guess(const struct associations *associations, size_t position)
{
	return position < associations->node_count ? associations->node_of_position[position] : 0;
}

/* What is not as it was last seen. */
enum {
	ASSOCIATION_VALUE = 1 << 0,	/* shares, usage or priority */
	ASSOCIATION_PLACE = 1 << 1,	/* the tree is another one */
	ASSOCIATION_CLEARED = 1 << 2,	/* its own usage has become 0 */
	ASSOCIATION_INHERITED = 1 << 3,	/* an account got the usage of a deleted member */
};

unsigned associations_changes(const struct associations *associations,
			      const slurmdb_assoc_rec_t *record, uint32_t node);
/* Whether the record hangs on the account that it has in the tree. */
bool associations_has_place(const struct associations *associations,
			    const slurmdb_assoc_rec_t *record, uint32_t node);
/* False: an association has come or gone. The caller holds an assoc lock. */
bool associations_are_as_many(const struct associations *associations);
/* Remembers the record as it is now. */
void associations_see(struct associations *associations, const slurmdb_assoc_rec_t *record,
		      uint32_t node);
/* Remembers its usage alone, so that other changes are still noticed. */
void associations_see_usage(struct associations *associations, const slurmdb_assoc_rec_t *record,
			    uint32_t node);

#endif
