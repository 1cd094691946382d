/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds nodes of a tree by the ids of their associations. Ids are usually dense,
 * as the database counts them up; then a table by id is quickest. Where most
 * associations have been deleted the table would be mostly empty, and a hash
 * table takes its place.
 */
#include "core/id_index.h"
#include "core/prefetch.h"
#include "fathom.h"

#include <stdlib.h>

/* A table by id has at most this many places for each id in use, which take 16 x 4 bytes. A hash
 * table takes 32 to 64 bytes for each id in use. */
#define MOST_PLACES 16

struct fathom_node_index {
	unsigned references;
	uint32_t *node_of_id;	/* node + 1; 0: unknown id. NULL: use `hash` */
	size_t id_end;		/* places in node_of_id */
	struct id_index hash;
};

/* ---- create and release -------------------------------------------------------------- */

/* Fills `hash` with all nodes. -1: out of memory. */
static int fill_hash(struct fathom_node_index *index, const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);

	if (id_index_reserve(&index->hash, count))
		return -1;
	for (uint32_t node = 0; node < count; node++)
		id_index_put(&index->hash, (uint64_t)fathom_tree_id(tree, node), node);
	return 0;
}

/* Fills `node_of_id`, which gets id_end places. -1: out of memory. */
static int fill_table(struct fathom_node_index *index, const struct fathom_tree *tree)
{
	index->node_of_id = calloc(index->id_end, sizeof(*index->node_of_id));
	if (!index->node_of_id)
		return -1;
	for (uint32_t node = 0; node < fathom_tree_count(tree); node++)
		index->node_of_id[fathom_tree_id(tree, node)] = node + 1;
	return 0;
}

static uint64_t largest_id(const struct fathom_tree *tree)
{
	uint64_t largest = 0;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if ((uint64_t)fathom_tree_id(tree, node) > largest)
			largest = (uint64_t)fathom_tree_id(tree, node);
	return largest;
}

struct fathom_node_index *fathom_node_index_create(const struct fathom_tree *tree)
{
	struct fathom_node_index *index = calloc(1, sizeof(*index));
	uint64_t largest = largest_id(tree);
	bool is_dense = largest < MOST_PLACES * (uint64_t)fathom_tree_count(tree);

	if (!index)
		return NULL;
	index->references = 1;
	index->id_end = is_dense ? (size_t)largest + 1 : 0;
	if (is_dense ? !fill_table(index, tree) : !fill_hash(index, tree))
		return index;
	free(index);
	return NULL;
}

struct fathom_node_index *fathom_node_index_share(struct fathom_node_index *index)
{
	__atomic_add_fetch(&index->references, 1, __ATOMIC_RELAXED);
	return index;
}

void fathom_node_index_release(struct fathom_node_index *index)
{
	if (!index || __atomic_sub_fetch(&index->references, 1, __ATOMIC_ACQ_REL))
		return;
	free(index->node_of_id);
	id_index_clear(&index->hash);
	free(index);
}

/* ---- finding ----------------------------------------------------------------------- */

bool fathom_node_index_find(const struct fathom_node_index *index, int64_t id, uint32_t *node)
{
	uint32_t place;

	if (!index)
		return false;
	if (!index->node_of_id)
		return id_index_find(&index->hash, (uint64_t)id, node);
	place = (uint64_t)id < index->id_end ? index->node_of_id[id] : 0;
	if (place)
		*node = place - 1;
	return place;
}

uint32_t fathom_node_index_heir(const struct fathom_node_index *index, int64_t id, int64_t account)
{
	uint32_t node = 0;	/* the root */

	if (!fathom_node_index_find(index, id, &node))
		fathom_node_index_find(index, account, &node);
	return node;
}

void fathom_node_index_prefetch(const struct fathom_node_index *index, int64_t id)
{
	if (index && index->node_of_id)
		prefetch(&index->node_of_id[(uint64_t)id < index->id_end ? id : 0]);
	else if (index)
		prefetch(id_index_home(&index->hash, (uint64_t)id));
}
