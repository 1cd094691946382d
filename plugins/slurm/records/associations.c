/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/associations.h"

#include "base/log.h"
#include "core/valid_usage.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_AHEAD 16	/* prefetch for this many records later */

bool associations_exist(void)
{
	return assoc_mgr_root_assoc && assoc_mgr_root_assoc->usage && assoc_mgr_assoc_list;
}

uint32_t associations_parent_id(const slurmdb_assoc_rec_t *record)
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
		.own_wall = own ? valid_usage(own->grp_used_wall) : 0,
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
		.parent_id = associations_parent_id(record),
		.is_root = record == assoc_mgr_root_assoc,
		.kind = record->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.raw_shares = seen->raw_shares,
		.usage = seen->own,
	};
}

/* Adds a child to the queue; -1: there are more records than the list had. */
static int queue_record(void *item, void *context)
{
	struct association_rows *rows = context;

	if (rows->count == rows->size)
		return -1;
	associations_fetch(item);
	rows->record[rows->count++] = item;
	return 0;
}

/* Fills the rows breadth first: rows->record is the queue. */
static void walk_tree(struct association_rows *rows)
{
	queue_record(assoc_mgr_root_assoc, rows);
	for (size_t at = 0; at < rows->count; at++) {
		const slurmdb_assoc_rec_t *record = rows->record[at];
		compat_list children = record->usage->children_list;

		if (at + ROWS_AHEAD < rows->count)
			associations_fetch_usage(rows->record[at + ROWS_AHEAD]);
		rows->seen[at] = seen_of(record);
		rows->row[at] = row_of(record, &rows->seen[at]);
		if (children)
			list_for_each(children, queue_record, rows);
	}
}

bool association_rows_read(struct association_rows *rows)
{
	*rows = (struct association_rows){ 0 };
	if (!associations_exist())
		return false;
	rows->size = (size_t)list_count(assoc_mgr_assoc_list);
	rows->row = calloc(rows->size, sizeof(*rows->row));
	rows->seen = calloc(rows->size, sizeof(*rows->seen));
	rows->record = calloc(rows->size, sizeof(*rows->record));
	if (!rows->row || !rows->seen || !rows->record) {
		error(LOG_PREFIX "associations: out of memory; factors stay as they were");
		association_rows_clear(rows);
		return false;
	}
	walk_tree(rows);
	return true;
}

void association_rows_clear(struct association_rows *rows)
{
	free(rows->row);
	free(rows->seen);
	free(rows->record);
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
	associations->root = rows->record[0];
	associations->orphans = rows->count < rows->size;
	if (associations->orphans)
		error(LOG_PREFIX "%zu associations have no parent and get no factor",
		      rows->size - rows->count);
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

bool associations_has_place(const struct associations *associations,
			    const slurmdb_assoc_rec_t *record, uint32_t node)
{
	return !node || fathom_tree_id(associations->tree,
				       fathom_tree_parent(associations->tree, node)) ==
				associations_parent_id(record);
}

unsigned associations_changes(const struct associations *associations,
			      const slurmdb_assoc_rec_t *record, uint32_t node)
{
	const struct association_seen *seen = &associations->seen[node];
	struct association_seen now = seen_of(record);
	unsigned changes = 0;

	if (now.own != seen->own || now.own_wall != seen->own_wall ||
	    now.raw_shares != seen->raw_shares || now.priority != seen->priority ||
	    now.priority_norm != seen->priority_norm)
		changes |= ASSOCIATION_VALUE;
	if (now.own != seen->own && now.own == 0)
		changes |= ASSOCIATION_CLEARED;
	if (now.own > seen->own && !record->user)
		changes |= ASSOCIATION_INHERITED;
	/* another pointer may be another record of the same account */
	if (now.parent != seen->parent && !associations_has_place(associations, record, node))
		changes |= ASSOCIATION_PLACE;
	return changes;
}

bool associations_are_as_many(const struct associations *associations)
{
	return associations->orphans ||
	       (size_t)list_count(assoc_mgr_assoc_list) == associations->node_count;
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
	associations->seen[node].own_wall = now.own_wall;
}
