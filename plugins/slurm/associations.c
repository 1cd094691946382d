/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "associations.h"

#include "log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_TOLERANCE 1e-12	/* what summing in another order may do */

bool associations_exist(void)
{
	return assoc_mgr_root_assoc && assoc_mgr_root_assoc->usage && assoc_mgr_assoc_list;
}

uint32_t associations_parent_id(const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_rec_t *parent = record->usage->parent_assoc_ptr;

	return parent ? parent->id : record->parent_id;
}

/* ---- the walk ---------------------------------------------------------------- */

/* The lines of a record that are read, then those that it points to. */
static void fetch_ahead(slurmdb_assoc_rec_t *const *block, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const slurmdb_assoc_rec_t *record = block[i];

		__builtin_prefetch(&record->id);
		__builtin_prefetch(&record->leaf_usage);
		__builtin_prefetch(&record->parent_id);
		__builtin_prefetch(&record->shares_raw);
		__builtin_prefetch(&record->usage);
		__builtin_prefetch(&record->user);
	}
	for (size_t i = 0; i < count; i++) {
		const slurmdb_assoc_usage_t *usage = block[i]->usage;

		__builtin_prefetch(&usage->usage_raw);
		__builtin_prefetch(&usage->usage_efctv);
		__builtin_prefetch(&usage->grp_used_wall);
		__builtin_prefetch(&usage->fs_factor);
		__builtin_prefetch(&usage->parent_assoc_ptr);
		__builtin_prefetch(&usage->usage_tres_raw);
	}
}

bool record_walk_next(struct record_walk *walk)
{
	slurmdb_assoc_rec_t *record = NULL;

	walk->position += walk->count;
	walk->count = 0;
	if (walk->iterator && walk->list != assoc_mgr_assoc_list)
		walk->iterator = NULL;	/* went with its list, which was read anew */
	if (!walk->iterator) {
		walk->list = assoc_mgr_assoc_list;
		if (!walk->list)
			return false;
		walk->iterator = list_iterator_create(walk->list);
	}
	while (walk->count < WALK_BLOCK && (record = list_next(walk->iterator)))
		walk->block[walk->count++] = record;
	fetch_ahead(walk->block, walk->count);
	if (!walk->count)
		record_walk_end(walk);
	return walk->count;
}

void record_walk_end(struct record_walk *walk)
{
	if (walk->iterator && walk->list == assoc_mgr_assoc_list)
		list_iterator_destroy(walk->iterator);
	walk->iterator = NULL;
}

/* ---- building ---------------------------------------------------------------- */

void associations_forget(struct associations *associations)
{
	fathom_tree_destroy(associations->tree);
	id_map_release(associations->map);
	free(associations->node_of_position);
	free(associations->excess);
	*associations = (struct associations){ 0 };
}

static uint32_t shares_of(const slurmdb_assoc_rec_t *record)
{
	return record->shares_raw == SLURMDB_FS_USE_PARENT ? FATHOM_SHARES_PARENT
							   : record->shares_raw;
}

static struct fathom_row row_of(const slurmdb_assoc_rec_t *record)
{
	return (struct fathom_row){
		.id = record->id,
		.parent_id = associations_parent_id(record),
		.is_root = record == assoc_mgr_root_assoc,
		.kind = record->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.raw_shares = shares_of(record),
	};
}

/*
 * Rows in the order in which slurmctld keeps siblings, as that decides between
 * equals where a policy goes by position. Returns how many.
 */
static size_t list_rows(struct fathom_row *rows, slurmdb_assoc_rec_t **queue, size_t size)
{
	size_t count = 0;

	queue[count++] = assoc_mgr_root_assoc;
	for (size_t at = 0; at < count; at++) {
		compat_list children = queue[at]->usage->children_list;
		compat_iterator iterator;
		slurmdb_assoc_rec_t *child;

		rows[at] = row_of(queue[at]);
		if (!children)
			continue;
		iterator = list_iterator_create(children);
		while (count < size && (child = list_next(iterator)))
			queue[count++] = child;
		list_iterator_destroy(iterator);
	}
	return count;
}

static struct fathom_tree *create_tree(size_t size, struct fathom_error *problem)
{
	struct fathom_row *rows = calloc(size, sizeof(*rows));
	slurmdb_assoc_rec_t **queue = calloc(size, sizeof(*queue));
	struct fathom_tree *tree = NULL;
	size_t count;

	if (rows && queue) {
		count = list_rows(rows, queue, size);
		if (count < size)
			error(LOG_PREFIX "%zu associations have no parent and get no factor",
			      size - count);
		tree = fathom_tree_create(rows, count, problem);
	}
	free(rows);
	free(queue);
	return tree;
}

static void map_positions(struct associations *associations)
{
	struct record_walk walk = { 0 };

	while (record_walk_next(&walk))
		for (size_t i = 0; i < walk.count; i++) {
			uint32_t node = 0;

			if (walk.position + i < associations->position_count &&
			    id_map_find(associations->map, walk.block[i]->id, &node))
				associations->node_of_position[walk.position + i] = node;
		}
}

static bool build(struct associations *associations)
{
	size_t size = (size_t)list_count(assoc_mgr_assoc_list);
	struct fathom_error problem = { .text = "out of memory" };

	associations_forget(associations);
	associations->tree = create_tree(size, &problem);
	if (associations->tree) {
		associations->position_count = size;
		associations->node_count = fathom_tree_count(associations->tree);
		associations->orphans = associations->node_count < size;
		associations->map = id_map_create(associations->tree);
		associations->node_of_position =
			calloc(size, sizeof(*associations->node_of_position));
		associations->excess = calloc(size, sizeof(*associations->excess));
		if (associations->map && associations->node_of_position && associations->excess) {
			map_positions(associations);
			return true;
		}
	}
	error(LOG_PREFIX "associations: %s; factors stay as they were", problem.text);
	associations_forget(associations);
	return false;
}

/* ---- reading ----------------------------------------------------------------- */

bool associations_node(const struct associations *associations, const slurmdb_assoc_rec_t *record,
		       size_t position, uint32_t *node)
{
	if (position < associations->position_count) {
		*node = associations->node_of_position[position];
		if (fathom_tree_id(associations->tree, *node) == record->id)
			return true;
	}
	return id_map_find(associations->map, record->id, node);
}

/* False: the tree is another one by now. */
static bool read_record(struct associations *associations, const slurmdb_assoc_rec_t *record,
			size_t position, const struct usage_copy *copy)
{
	struct fathom_tree *tree = associations->tree;
	const slurmdb_assoc_usage_t *own = record->leaf_usage;
	uint32_t node;

	if (!associations_node(associations, record, position, &node))
		return associations->orphans;
	if ((node && fathom_tree_id(tree, fathom_tree_parent(tree, node)) !=
			     associations_parent_id(record)))
		return false;
	fathom_tree_set_raw_shares(tree, node, shares_of(record));
	fathom_tree_set_own_usage(tree, node, own ? (double)own->usage_raw : 0);
	associations->excess[node] = (double)record->usage->usage_raw;
	if (copy)
		copy->add(copy->context, record);
	return true;
}

static bool read_all(struct associations *associations, const struct usage_copy *copy)
{
	struct record_walk walk = { 0 };
	bool same = associations->tree;
	size_t count = 0;

	if (copy)
		copy->begin(copy->context);
	while (same && record_walk_next(&walk))
		for (size_t i = 0; same && i < walk.count; i++, count++)
			same = read_record(associations, walk.block[i], walk.position + i, copy);
	record_walk_end(&walk);
	return same && count == associations->position_count;
}

static void find_excess(struct associations *associations)
{
	const struct fathom_tree *tree = associations->tree;

	for (size_t node = 0; node < associations->node_count; node++) {
		double sum = fathom_tree_usage(tree, node);
		double excess = associations->excess[node] - sum;

		associations->excess[node] = fabs(excess) > TOTAL_TOLERANCE * sum ? excess : 0;
	}
}

bool associations_read(struct associations *associations, const struct usage_copy *copy)
{
	if (!associations_exist())
		return false;
	/* one that hangs on nothing may have found its place since */
	if ((associations->orphans || !read_all(associations, copy)) &&
	    (!build(associations) || !read_all(associations, copy)))
		return false;
	fathom_tree_settle(associations->tree);
	find_excess(associations);
	return true;
}
