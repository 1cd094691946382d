/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads slurmctld's associations: a walk in slices copies what the tree needs of each record
 * (read_all), and the tree is made of the copies without a lock (make_tree). Below that: what
 * others have changed in a record since it was last seen, and the names of associations.
 */
#include "records/associations.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "core/id_index.h"
#include "core/valid_usage.h"
#include "walk/sliced_walk.h"

#include <stddef.h>
#include <stdlib.h>

#define ROOM_FOR_MORE 1024	/* associations that may be added between two slices */

uint32_t associations_parent_id(const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_rec_t *parent = record->usage->parent_assoc_ptr;

	return parent ? parent->id : record->parent_id;
}

slurmdb_assoc_rec_t *associations_record(uint32_t id)
{
	slurmdb_assoc_rec_t wanted = { .id = id }, *found = NULL;
	const bool is_locked = true;

	if (id)
		assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found, is_locked);
	return found;
}

/* ---- reading ----------------------------------------------------------------- */

/* Returns what is remembered of a record, as it is now. The caller holds an assoc lock. */
static struct association_seen seen_of(const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_usage_t *usage = record->usage, *own = record->leaf_usage;

	return (struct association_seen){
		.parent = usage->parent_assoc_ptr,
		.own = own ? valid_usage((double)own->usage_raw) : 0,
		.wall = own ? valid_usage(own->grp_used_wall) : 0,
		.priority_norm = usage->priority_norm,
		.id = record->id,
		.priority = record->priority,
		.raw_shares = record->shares_raw == SLURMDB_FS_USE_PARENT ? FATHOM_SHARES_PARENT
									  : record->shares_raw,
		.usage_at = (uint32_t)((uintptr_t)usage / sizeof(max_align_t)),
	};
}

/* What has been read of the records, from which the tree is then made without a lock. */
struct reading {
	struct fathom_row *row;		/* in slurmctld's order */
	struct association_seen *seen;	/* as `row` */
	size_t count, room;		/* elements of both that are used; that there are */
	struct id_index index;		/* index of a row, by id */
	const slurmdb_assoc_rec_t *root;	/* NULL: slurmctld has no associations yet */
	bool failed;		/* out of memory */
	size_t listed;		/* records in the list when the last slice ended */
};

/* Makes room for all records before a slice, as no memory should move under the lock. */
static void make_room(void *context)
{
	struct reading *reading = context;
	size_t room = MAX(reading->count, reading->listed) + ROOM_FOR_MORE;
	struct fathom_row *row;
	struct association_seen *seen;

	if (room <= reading->room)
		return;
	row = realloc(reading->row, room * sizeof(*row));
	if (row)
		reading->row = row;
	seen = realloc(reading->seen, room * sizeof(*seen));
	if (seen)
		reading->seen = seen;
	reading->failed |= !row || !seen || id_index_reserve(&reading->index, room);
	if (!reading->failed)
		reading->room = room;
}

/* Copies what the tree needs of a record, unless the walk has met the record before. Without room
 * leaves the record to another walk. */
static void read_record(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	struct reading *reading = context;
	struct association_seen *seen;
	uint32_t known;

	if (reading->failed || reading->count == reading->room ||
	    id_index_find(&reading->index, record->id, &known))
		return;
	/* cannot fail, as make_room() has reserved the room */
	id_index_put(&reading->index, record->id, (uint32_t)reading->count);
	seen = &reading->seen[reading->count];
	*seen = seen_of(record);
	reading->row[reading->count++] = (struct fathom_row){
		.id = record->id,
		.parent_id = associations_parent_id(record),
		.is_root = record == assoc_mgr_root_assoc,
		.kind = record->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.raw_shares = seen->raw_shares,
		.usage = seen->own,
	};
}

/* A stage of the walk: prefetches what seen_of() reads of the usage. */
static void fetch_usage(void *item, size_t at, void *context)
{
	associations_fetch_usage(item);
}

/* Notes the root and the length of slurmctld's list. The caller holds an assoc lock. */
static void note_list(void *context)
{
	struct reading *reading = context;

	reading->root = assoc_mgr_root_assoc;
	reading->listed = assoc_mgr_assoc_list ? (size_t)list_count(assoc_mgr_assoc_list) : 0;
}

/* Puts associations whose account is missing below the root, and logs how many there are. slurmctld
 * says that this should never happen. */
static void adopt_orphans(struct reading *reading)
{
	int64_t root = 0;
	size_t orphans = 0;
	uint32_t account;

	for (size_t at = 0; at < reading->count; at++)
		if (reading->row[at].is_root)
			root = reading->row[at].id;
	for (size_t at = 0; at < reading->count; at++) {
		struct fathom_row *row = &reading->row[at];

		if (row->is_root ||
		    id_index_find(&reading->index, (uint64_t)row->parent_id, &account))
			continue;
		row->parent_id = root;
		orphans++;
	}
	if (orphans)
		error(LOG_PREFIX "slurmctld has no accounts of %zu associations; they count below "
				 "the root", orphans);
}

/* Reads all records. slurmctld sorts its list by emptying and refilling it; if it does so between
 * two slices, the walk ends early, and another walk meets the rest. Returns false if some were not
 * met, or if out of memory. */
static bool read_all(struct reading *reading)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const struct sliced_walk sliced = {
		.list = &assoc_mgr_assoc_list, .assoc_locks = &locks,
		.before_slice = make_room, .end_slice = note_list,
	};
	static const struct list_walk_stages stages = {
		.fetch = associations_fetch, .follow = fetch_usage, .work = read_record,
		.touch = offsetof(slurmdb_assoc_rec_t, id),
	};
	size_t before;

	locks_take(NULL, &locks);
	note_list(reading);
	locks_release(NULL, &locks);
	do {
		before = reading->count;
		sliced_walk(&sliced, stages, reading);
	} while (!reading->failed && reading->count < reading->listed && reading->count > before);
	return !reading->failed && reading->count >= reading->listed;
}

/* ---- the tree ------------------------------------------------------------------ */

void associations_forget(struct associations *associations)
{
	fathom_tree_destroy(associations->tree);
	fathom_node_index_release(associations->map);
	free(associations->seen);
	free(associations->node_of_position);
	*associations = (struct associations){ 0 };
}

/* Makes the tree of what has been read. Returns false if that cannot be a tree (two accounts may be
 * in each other), or if out of memory; this is logged. */
static bool make_tree(struct associations *associations, const struct reading *reading)
{
	struct fathom_error problem = { .text = "out of memory" };
	size_t count = reading->count;

	*associations = (struct associations){ .node_count = count, .root = reading->root };
	associations->tree = fathom_tree_create(reading->row, count, &problem);
	if (associations->tree)
		associations->map = fathom_node_index_create(associations->tree);
	associations->seen = calloc(count, sizeof(*associations->seen));
	associations->node_of_position = calloc(count, sizeof(uint32_t));
	if (!associations->map || !associations->seen || !associations->node_of_position) {
		error(LOG_PREFIX "cannot read the associations: %s; factors stay as they were",
		      problem.text);
		associations_forget(associations);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		associations->seen[fathom_tree_node_of_row(associations->tree, i)] =
			reading->seen[i];
	return true;
}

bool associations_read(struct associations *associations)
{
	struct reading reading = { NULL };
	bool done = read_all(&reading) && reading.root;

	if (done) {
		adopt_orphans(&reading);
		done = make_tree(associations, &reading);
	} else if (reading.root) {	/* without a root, slurmctld has none yet */
		error(LOG_PREFIX "cannot read the associations: %s; factors stay as they were",
		      reading.listed > reading.count ? "they keep changing" : "out of memory");
	}
	free(reading.row);
	free(reading.seen);
	id_index_clear(&reading.index);
	return done;
}

bool associations_have(uint32_t id)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const slurmdb_assoc_rec_t *record;

	locks_take(NULL, &locks);
	record = associations_record(id);
	while (record && record != assoc_mgr_root_assoc)
		record = record->usage->parent_assoc_ptr;
	locks_release(NULL, &locks);
	return record;		/* the root, so all accounts between are there */
}

bool associations_find(const struct associations *associations, uint32_t id, uint32_t *node)
{
	return fathom_node_index_find(associations->map, id, node);
}

bool associations_find_at(struct associations *associations, const slurmdb_assoc_rec_t *record,
			  size_t position, uint32_t *node)
{
	if (position >= associations->node_count)
		return associations_find(associations, record->id, node);
	*node = associations->node_of_position[position];	/* 0, the root, until it is noted */
	if (associations->seen[*node].id == record->id)
		return true;
	if (!associations_find(associations, record->id, node))
		return false;
	associations->node_of_position[position] = *node;
	return true;
}

/* ---- what others have changed ---------------------------------------------------------- */

/* Returns whether the record's account is still the one that the tree has above the node; true for
 * the root. */
static bool has_same_parent(const struct associations *associations,
			    const slurmdb_assoc_rec_t *record, uint32_t node)
{
	return !node || fathom_tree_id(associations->tree,
				       fathom_tree_parent(associations->tree, node)) ==
				associations_parent_id(record);
}

/* Returns whether the record has replaced the one that was seen: its usage has another address; or,
 * as memory may be used again, its usage_norm has not been set yet by a pass or for sshare. */
static bool is_new(const slurmdb_assoc_rec_t *record, const struct association_seen *seen,
		   const struct association_seen *now)
{
	return now->usage_at != seen->usage_at ||
	       record->usage->usage_norm == (long double)NO_VAL;
}

unsigned associations_changes(const struct associations *associations,
			      const slurmdb_assoc_rec_t *record, uint32_t node)
{
	const struct association_seen *seen = &associations->seen[node];
	struct association_seen now = seen_of(record);
	unsigned changes = 0;

	if (now.own != seen->own || now.raw_shares != seen->raw_shares ||
	    now.priority != seen->priority || now.priority_norm != seen->priority_norm)
		changes |= ASSOCIATION_VALUE;
	if (association_had_usage(seen) && !association_had_usage(&now))
		changes |= ASSOCIATION_VALUE | ASSOCIATION_CLEARED;
	if (!record->user || (changes & ASSOCIATION_CLEARED))
		changes |= is_new(record, seen, &now) ? ASSOCIATION_NEW : 0;
	/* what fathom itself adds to an account is seen already: more is a deleted member's */
	if (!record->user && (now.own > seen->own || now.wall > seen->wall))
		changes |= ASSOCIATION_INHERITED;
	/* another pointer may be another record of the same account */
	if (now.parent != seen->parent && !has_same_parent(associations, record, node))
		changes |= ASSOCIATION_MOVED;
	return changes;
}

bool associations_are_as_many(const struct associations *associations)
{
	return (size_t)list_count(assoc_mgr_assoc_list) == associations->node_count;
}

void associations_see(struct associations *associations, const slurmdb_assoc_rec_t *record,
		      uint32_t node)
{
	associations->seen[node] = seen_of(record);
}

void associations_see_usage(struct associations *associations, const slurmdb_assoc_rec_t *record,
			    uint32_t node)
{
	struct association_seen now = seen_of(record);

	associations->seen[node].own = now.own;
	associations->seen[node].wall = now.wall;
}

/* ---- names ---------------------------------------------------------------------------- */

/* Names that are being copied from the records. */
struct name_copy {
	const struct fathom_node_index *nodes;	/* by association id */
	struct snapshot *names;	/* the result */
	size_t found;		/* nodes whose name has been copied */
	bool failed;		/* out of memory */
};

/* Copies the names of a record, unless the walk has met it before, or it is newer than the
 * nodes. */
static void copy_names(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const char *name = record->user ? record->user : record->acct;
	struct name_copy *copy = context;
	struct snapshot *names = copy->names;
	uint32_t node;

	if (copy->failed || !name || !fathom_node_index_find(copy->nodes, record->id, &node) ||
	    names->name[node] != SNAPSHOT_NO_TEXT)
		return;
	names->name[node] = snapshot_add_text(names, name);
	copy->failed = names->name[node] == SNAPSHOT_NO_TEXT;
	if (record->partition && *record->partition) {
		names->partition[node] = snapshot_add_text(names, record->partition);
		copy->failed |= names->partition[node] == SNAPSHOT_NO_TEXT;
	}
	names->listed[copy->found++] = node;
}

/* Returns an array of `count` times SNAPSHOT_NO_TEXT, for the caller to free; NULL: out of
 * memory. */
static size_t *create_offsets(size_t count)
{
	size_t *offset = malloc(count * sizeof(*offset));

	for (size_t i = 0; offset && i < count; i++)
		offset[i] = SNAPSHOT_NO_TEXT;
	return offset;
}

int association_names_read(struct snapshot *names, const struct fathom_node_index *map,
			   size_t count)
{
	const struct sliced_walk walk = { .list = &assoc_mgr_assoc_list,
					  .assoc_locks = WALK_ASSOC_LOCKS(.assoc = READ_LOCK) };
	struct name_copy copy = { .nodes = map, .names = names };

	names->name = create_offsets(count);
	names->partition = create_offsets(count);
	names->listed = malloc(count * sizeof(*names->listed));	/* in slurmctld's order */
	if (!names->name || !names->partition || !names->listed)
		return -1;
	sliced_walk(&walk, (struct list_walk_stages){ .work = copy_names }, &copy);
	return copy.failed ? -1 : copy.found < count;
}
