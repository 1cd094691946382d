/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions by id: a hash table that finds where something with an id stands
 * in an array of the caller's. Any id will do, 0 too.
 */
#ifndef CORE_ID_INDEX_H
#define CORE_ID_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id_slot {
	uint64_t id;
	uint32_t place;		/* position + 1; 0: the slot is free */
};

/* Begin with one that is all 0. */
struct id_index {
	struct id_slot *slot;
	size_t slots;		/* 0, or a power of two */
	size_t count;
};

/* Room for so many ids, so that putting them in cannot fail. -1: out of memory. */
int id_index_reserve(struct id_index *index, size_t count);
/* Puts the id in, or moves it to another position. -1: out of memory, the index
 * is as it was. */
int id_index_put(struct id_index *index, uint64_t id, uint32_t position);
/* False: the id is not there, *position stays. */
bool id_index_find(const struct id_index *index, uint64_t id, uint32_t *position);
void id_index_remove(struct id_index *index, uint64_t id);
/* Removes all ids; the memory stays. */
void id_index_empty(struct id_index *index);
/* Gives the memory back. */
void id_index_clear(struct id_index *index);
/* Where a search for the id begins, for asking for its memory; NULL: no memory. */
const struct id_slot *id_index_home(const struct id_index *index, uint64_t id);

#endif
