/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes of a tree by the id of their association. */
#ifndef SLURM_ID_MAP_H
#define SLURM_ID_MAP_H

#include "fathom.h"

struct id_map;

/* NULL: out of memory. */
struct id_map *id_map_create(const struct fathom_tree *tree);
/* One more user of the same map; each releases it, in any thread. */
struct id_map *id_map_share(struct id_map *map);
void id_map_release(struct id_map *map);
/* False: no such association (or no map). */
bool id_map_find(const struct id_map *map, uint32_t id, uint32_t *node);
/* Asks for the memory that id_map_find reads. */
void id_map_fetch(const struct id_map *map, uint32_t id);

#endif
