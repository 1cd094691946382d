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

/* A table by id may have this many elements for each node, which take 16 x 4 bytes. A hash table
 * takes 32 to 64 bytes for each node. */
#define MOST_ELEMENTS 16

/* A table by id, or a hash table. */
struct fathom_node_index {
	unsigned references;	/* owners, changed by atomic accesses */
	uint32_t *node_of_id;	/* by id: node + 1; 0: unknown id. NULL: `hash` has the nodes */
	size_t id_end;		/* elements of node_of_id: the largest id + 1 */
	struct id_index hash;	/* from ids to nodes; empty beside node_of_id */
};

/* ---- create and release -------------------------------------------------------------- */

/* Fills `hash` with all nodes. -1: out of memory, `hash` is empty. */
static int fill_hash(struct fathom_node_index *index, const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);

	if (id_index_reserve(&index->hash, count))
		return -1;
	for (uint32_t node = 0; node < count; node++)
		id_index_put(&index->hash, (uint64_t)fathom_tree_id(tree, node), node);
	return 0;
}

/* Makes `node_of_id`, with id_end elements, and fills it. -1: out of memory, it is NULL. */
static int fill_table(struct fathom_node_index *index, const struct fathom_tree *tree)
{
	index->node_of_id = calloc(index->id_end, sizeof(*index->node_of_id));
	if (!index->node_of_id)
		return -1;
	for (uint32_t node = 0; node < fathom_tree_count(tree); node++)
		index->node_of_id[fathom_tree_id(tree, node)] = node + 1;
	return 0;
}

/* Returns the largest id of the tree; a negative id counts as above all others. */
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
	bool is_dense = largest < MOST_ELEMENTS * (uint64_t)fathom_tree_count(tree);
	int status;

	if (!index)
		return NULL;
	index->references = 1;
	index->id_end = is_dense ? (size_t)largest + 1 : 0;
	status = is_dense ? fill_table(index, tree) : fill_hash(index, tree);
	if (!status)
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
	uint32_t found;		/* node + 1; 0: unknown id */

	if (!index)
		return false;
	if (!index->node_of_id)
		return id_index_find(&index->hash, (uint64_t)id, node);
	found = (uint64_t)id < index->id_end ? index->node_of_id[id] : 0;
	if (found)
		*node = found - 1;
	return found;
}

uint32_t fathom_node_index_heir(const struct fathom_node_index *index, int64_t id, int64_t account)
{
	uint32_t node = 0;	/* the root, unless one of the two ids is found */

	if (!fathom_node_index_find(index, id, &node))
		fathom_node_index_find(index, account, &node);
	return node;
}

void fathom_node_index_prefetch(const struct fathom_node_index *index, int64_t id)
{
	/* an unknown id reads nothing; any valid address will do for it */
	if (index && index->node_of_id)
		prefetch(&index->node_of_id[(uint64_t)id < index->id_end ? id : 0]);
	else if (index)
		prefetch(id_index_home(&index->hash, (uint64_t)id));
}
