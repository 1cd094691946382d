/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "id_map.h"

#include "ask_for.h"

#include <stdlib.h>

struct id_map {
	unsigned references;
	size_t mask;
	struct { uint32_t id, node; } slot[];	/* id 0: free */
};

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

struct id_map *id_map_create(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree), size = 16;
	struct id_map *map;

	while (size < 2 * count)
		size *= 2;
	map = calloc(1, sizeof(*map) + size * sizeof(*map->slot));
	if (!map)
		return NULL;
	map->references = 1;
	map->mask = size - 1;
	for (uint32_t node = 0; node < count; node++) {
		uint32_t id = (uint32_t)fathom_tree_id(tree, node);
		size_t at = slot_of(map, id);

		map->slot[at].id = id;
		map->slot[at].node = node;
	}
	return map;
}

struct id_map *id_map_share(struct id_map *map)
{
	map->references++;
	return map;
}

void id_map_release(struct id_map *map)
{
	if (map && !--map->references)
		free(map);
}

bool id_map_find(const struct id_map *map, uint32_t id, uint32_t *node)
{
	size_t at;

	if (!map || !id)
		return false;
	at = slot_of(map, id);
	*node = map->slot[at].node;
	return map->slot[at].id;
}

void id_map_fetch(const struct id_map *map, uint32_t id)
{
	if (map)
		ask_for(&map->slot[hash(map, id)]);
}
