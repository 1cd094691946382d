/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "id_map.h"

#include "ask_for.h"

#include <stdlib.h>

#define PLACES_MAX 16		/* for each id in use */

/* The database counts associations up, so that an id is a good place by
 * itself; where most of them are gone, a hash gives it one. */
struct id_map {
	unsigned references;
	uint32_t *node_of_id;	/* from 1; 0: none. NULL: see the slots */
	size_t id_end, mask;
	struct { uint32_t id, node; } slot[];	/* id 0: free */
};

/* ---- by hash, open addressing ------------------------------------------------------ */

static size_t hash(const struct id_map *map, uint32_t id)
{
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & map->mask;
}

static size_t slot_of(const struct id_map *map, uint32_t id)
{
	size_t at = hash(map, id);

	while (map->slot[at].id && map->slot[at].id != id)
		at = (at + 1) & map->mask;
	return at;
}

static struct id_map *create_hash(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree), size = 16;
	struct id_map *map;

	while (size < 2 * count)
		size *= 2;
	map = calloc(1, sizeof(*map) + size * sizeof(*map->slot));
	if (!map)
		return NULL;
	map->mask = size - 1;
	for (uint32_t node = 0; node < count; node++) {
		uint32_t id = (uint32_t)fathom_tree_id(tree, node);
		size_t at = slot_of(map, id);

		map->slot[at].id = id;
		map->slot[at].node = node;
	}
	return map;
}

/* ---- by id ------------------------------------------------------------------------- */

static struct id_map *create_table(const struct fathom_tree *tree, size_t id_end)
{
	struct id_map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	map->id_end = id_end;
	map->node_of_id = calloc(id_end, sizeof(*map->node_of_id));
	if (!map->node_of_id) {
		free(map);
		return NULL;
	}
	for (uint32_t node = 0; node < fathom_tree_count(tree); node++)
		map->node_of_id[fathom_tree_id(tree, node)] = node + 1;
	return map;
}

/* ---- either ------------------------------------------------------------------------ */

static size_t end_of_ids(const struct fathom_tree *tree)
{
	size_t end = 0;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if ((uint32_t)fathom_tree_id(tree, node) >= end)
			end = (size_t)(uint32_t)fathom_tree_id(tree, node) + 1;
	return end;
}

struct id_map *id_map_create(const struct fathom_tree *tree)
{
	size_t id_end = end_of_ids(tree);
	struct id_map *map = id_end <= PLACES_MAX * fathom_tree_count(tree)
				     ? create_table(tree, id_end) : create_hash(tree);

	if (map)
		map->references = 1;
	return map;
}

struct id_map *id_map_share(struct id_map *map)
{
	__atomic_add_fetch(&map->references, 1, __ATOMIC_RELAXED);
	return map;
}

void id_map_release(struct id_map *map)
{
	if (!map || __atomic_sub_fetch(&map->references, 1, __ATOMIC_ACQ_REL))
		return;
	free(map->node_of_id);
	free(map);
}

bool id_map_find(const struct id_map *map, uint32_t id, uint32_t *node)
{
	size_t at;

	if (!map || !id)
		return false;
	if (map->node_of_id) {
		at = id < map->id_end ? map->node_of_id[id] : 0;
		*node = (uint32_t)at - 1;
		return at;
	}
	at = slot_of(map, id);
	*node = map->slot[at].node;
	return map->slot[at].id;
}

void id_map_fetch(const struct id_map *map, uint32_t id)
{
	if (map && map->node_of_id)
		ask_for(&map->node_of_id[id < map->id_end ? id : 0]);
	else if (map)
		ask_for(&map->slot[hash(map, id)]);
}
