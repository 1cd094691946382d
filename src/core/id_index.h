/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table from ids to positions: it finds the element with an id in an
 * array of the caller's. An id is any number, including 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An element of the hash table. */
struct id_slot {
	uint64_t id;
	uint32_t place;		/* position + 1; 0: the slot is free */
};

/* Start with all members 0. */
struct id_index {
	struct id_slot *slot;
	size_t slots;		/* number of slots: 0, or a power of two */
	size_t count;		/* number of ids */
};

/* Makes room for `count` ids in all, so that putting them in cannot fail. -1: out of memory, or
 * more ids than positions; nothing has changed. */
int id_index_reserve(struct id_index *index, size_t count);
/* Sets the position of an id, new or known. -1: out of memory, nothing has changed. */
int id_index_put(struct id_index *index, uint64_t id, uint32_t position);
/* Puts the position of an id into *position. False: the id is unknown, *position is
 * unchanged. */
bool id_index_find(const struct id_index *index, uint64_t id, uint32_t *position);
/* Removes an id; an unknown id is ignored. */
void id_index_remove(struct id_index *index, uint64_t id);
/* Removes all ids and keeps the memory. */
void id_index_empty(struct id_index *index);
/* Removes all ids and frees the memory. */
void id_index_clear(struct id_index *index);
/* Returns the slot where a search for the id starts, for prefetch(). NULL: the index has
 * no slots. */
const struct id_slot *id_index_home(const struct id_index *index, uint64_t id);
