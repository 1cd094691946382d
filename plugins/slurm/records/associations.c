/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/associations.h"

#include "base/log.h"
#include "core/valid_usage.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_OF_SLICE 65536	/* made before each slice, more than are read in it */

bool associations_exist(void)
{
	return assoc_mgr_root_assoc && assoc_mgr_root_assoc->usage && assoc_mgr_assoc_list;
}

static uint32_t parent_id_of(const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_rec_t *parent = record->usage->parent_assoc_ptr;

	return parent ? parent->id : record->parent_id;
}

slurmdb_assoc_rec_t *associations_record(uint32_t id)
{
	slurmdb_assoc_rec_t wanted = { .id = id }, *found = NULL;

	if (id)
		assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, 0, &found, true);
	return found;
}

/* ---- reading ----------------------------------------------------------------- */

static uint32_t shares_of(const slurmdb_assoc_rec_t *record)
{
	return record->shares_raw == SLURMDB_FS_USE_PARENT ? FATHOM_SHARES_PARENT
							   : record->shares_raw;
}

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
		.raw_shares = shares_of(record),
	};
}

static struct fathom_row row_of(const slurmdb_assoc_rec_t *record,
				const struct association_seen *seen)
{
	return (struct fathom_row){
		.id = record->id,
		.parent_id = parent_id_of(record),
		.is_root = record == assoc_mgr_root_assoc,
		.kind = record->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.raw_shares = seen->raw_shares,
		.usage = seen->own,
	};
}

struct reading {
	struct association_rows *rows;
	bool failed;
	size_t listed;		/* records in the list at the end of the walk */
};

/* No memory should move under the lock. */
static void make_room(void *context)
{
	struct reading *reading = context;
	struct association_rows *rows = reading->rows;
	size_t room = rows->count + ROOM_OF_SLICE;
	struct fathom_row *row;
	struct association_seen *seen;

	if (room <= rows->room)
		return;
	room += rows->room;
	row = realloc(rows->row, room * sizeof(*row));
	rows->row = row ? row : rows->row;
	seen = realloc(rows->seen, room * sizeof(*seen));
	rows->seen = seen ? seen : rows->seen;
	reading->failed |= !row || !seen || id_index_reserve(&rows->index, room);
	if (!reading->failed)
		rows->room = room;
}

/* Leaves out a record that the walk has met before. */
static void read_record(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	struct reading *reading = context;
	struct association_rows *rows = reading->rows;
	uint32_t known;

	(void)at;
	if (reading->failed || rows->count == rows->room ||
	    id_index_find(&rows->index, record->id, &known))
		return;
	id_index_put(&rows->index, record->id, (uint32_t)rows->count);	/* has room */
	rows->seen[rows->count] = seen_of(record);
	rows->row[rows->count] = row_of(record, &rows->seen[rows->count]);
	rows->count++;
}

static void fetch_usage(void *item, size_t at, void *context)
{
	(void)at, (void)context;
	associations_fetch_usage(item);
}

static void end_slice(void *context, bool is_last)
{
	struct reading *reading = context;

	reading->rows->root = assoc_mgr_root_assoc;
	if (is_last)
		reading->listed = (size_t)list_count(assoc_mgr_assoc_list);
}

static void walk(struct reading *reading)
{
	static const assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	static const struct sliced_walk sliced = {
		.list = &assoc_mgr_assoc_list, .assoc_locks = &locks,
		.before_slice = make_room, .end_slice = end_slice,
	};
	static const struct list_walk_stages stages = { associations_fetch, fetch_usage, NULL,
						       read_record,
						       offsetof(slurmdb_assoc_rec_t, id) };

	sliced_walk(&sliced, stages, reading);
}

/* Leaves out rows whose accounts do not lead to the root. (slurmctld itself would not survive a
 * cycle of accounts.) -1: out of memory. */
static int leave_out_orphans(struct association_rows *rows)
{
	bool *is_orphan = calloc(rows->count + 1, sizeof(*is_orphan)), more = is_orphan;
	size_t left = 0;
	uint32_t parent;

	while (more) {
		more = false;
		for (size_t at = 0; at < rows->count; at++)
			if (!is_orphan[at] && !rows->row[at].is_root &&
			    (!id_index_find(&rows->index, (uint64_t)rows->row[at].parent_id,
					    &parent) || is_orphan[parent]))
				more = is_orphan[at] = true;
	}
	for (size_t at = 0; is_orphan && at < rows->count; at++)
		if (!is_orphan[at]) {
			rows->row[left] = rows->row[at];
			rows->seen[left++] = rows->seen[at];
		}
	rows->orphans = rows->count - left;
	rows->count = left;
	free(is_orphan);
	return is_orphan ? 0 : -1;
}

/* slurmctld sorts its list by emptying and refilling it. Between two slices this ends the walk, and
 * another one meets the rest. False: it has not, or memory is short. */
static bool walk_all(struct reading *reading)
{
	const struct association_rows *rows = reading->rows;
	size_t before;

	do {
		before = rows->count;
		walk(reading);
	} while (!reading->failed && rows->count < reading->listed && rows->count > before);
	return !reading->failed && rows->count >= reading->listed;
}

bool association_rows_read(struct association_rows *rows)
{
	struct reading reading = { .rows = rows };

	*rows = (struct association_rows){ NULL };
	if (walk_all(&reading) && rows->root && !leave_out_orphans(rows))
		return rows->count;
	if (rows->root)
		error(LOG_PREFIX "associations: %s; factors stay as they were",
		      reading.listed > rows->count ? "they change all the while"
						   : "out of memory");
	return false;
}

bool association_rows_miss(const struct association_rows *rows, uint32_t id)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	uint32_t unused;
	bool exists;

	if (id_index_find(&rows->index, id, &unused))
		return false;
	assoc_mgr_lock(&locks);
	exists = associations_record(id);
	assoc_mgr_unlock(&locks);
	return exists;
}

void association_rows_clear(struct association_rows *rows)
{
	free(rows->row);
	free(rows->seen);
	id_index_clear(&rows->index);
	*rows = (struct association_rows){ 0 };
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

bool associations_create(struct associations *associations, const struct association_rows *rows)
{
	struct fathom_error problem = { .text = "out of memory" };

	*associations = (struct associations){ .node_count = rows->count };
	associations->tree = fathom_tree_create(rows->row, rows->count, &problem);
	if (associations->tree)
		associations->map = fathom_node_index_create(associations->tree);
	associations->seen = calloc(rows->count, sizeof(*associations->seen));
	associations->node_of_position = calloc(rows->count, sizeof(uint32_t));
	if (!associations->map || !associations->seen || !associations->node_of_position) {
		error(LOG_PREFIX "associations: %s; factors stay as they were", problem.text);
		associations_forget(associations);
		return false;
	}
	for (size_t i = 0; i < rows->count; i++)
		associations->seen[fathom_tree_node_of_row(associations->tree, i)] = rows->seen[i];
	associations->root = rows->root;
	associations->orphans = rows->orphans;
	if (associations->orphans)
		error(LOG_PREFIX "%zu associations have no parent and get no factor",
		      associations->orphans);
	return true;
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
	*node = associations->node_of_position[position];	/* 0 the first time */
	if (associations->seen[*node].id == record->id)
		return true;
	if (!associations_find(associations, record->id, node))
		return false;
	associations->node_of_position[position] = *node;
	return true;
}

/* ---- what others have changed ---------------------------------------------------------- */

static bool has_same_parent(const struct associations *associations,
			    const slurmdb_assoc_rec_t *record, uint32_t node)
{
	return !node || fathom_tree_id(associations->tree,
				       fathom_tree_parent(associations->tree, node)) ==
				parent_id_of(record);
}

/* Wall time tells where billing is free. */
static bool has_usage(const struct association_seen *seen)
{
	return seen->own != 0 || seen->wall != 0;
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
	if (has_usage(seen) && !has_usage(&now))
		changes |= ASSOCIATION_VALUE | ASSOCIATION_CLEARED;
	if (now.own > seen->own && !record->user)
		changes |= ASSOCIATION_INHERITED;
	/* another pointer may be another record of the same account */
	if (now.parent != seen->parent && !has_same_parent(associations, record, node))
		changes |= ASSOCIATION_MOVED;
	return changes;
}

bool associations_are_as_many(const struct associations *associations)
{
	return (size_t)list_count(assoc_mgr_assoc_list) ==
	       associations->node_count + associations->orphans;
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
