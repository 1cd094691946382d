/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table with open addressing: an id stands in its home slot, or in the
 * next slot that was free. With 8 slots, where ids 5 and 9 both have home 2:
 *
 *	slot	0  1  2  3  4  5  6  7
 *	id	-  -  5  9  -  -  -  -
 *
 * A search for 9 looks at slots 2 and 3; a search for an unknown id ends at the
 * first free slot.
 */
#include "core/id_index.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16	/* a power of two */

/* Returns the number of an id's home slot. The table must have slots. */
static size_t home_of(const struct id_index *index, uint64_t id)
{
	/* Fibonacci hashing: 2^64 over the golden ratio; the upper bits of the product are mixed */
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (index->slots - 1);
}

/* Returns the number of the id's slot, or of the free slot where it belongs. The table must have
 * slots. */
static size_t slot_of(const struct id_index *index, uint64_t id)
{
	size_t at = home_of(index, id);

	while (index->slot[at].place && index->slot[at].id != id)
		at = (at + 1) & (index->slots - 1);
	return at;
}

/* At most half of the slots are in use, so that searches are short and end. */
int id_index_reserve(struct id_index *index, size_t count)
{
	struct id_index grown = { .slots = index->slots ? index->slots : FIRST_SLOTS,
				  .count = index->count };

	if (index->slots && 2 * count <= index->slots)
		return 0;
	if (count > UINT32_MAX)		/* positions have 32 bits */
		return -1;
	while (grown.slots < 2 * count)
		grown.slots *= 2;
	grown.slot = calloc(grown.slots, sizeof(*grown.slot));
	if (!grown.slot)
		return -1;
	for (size_t i = 0; i < index->slots; i++)
		if (index->slot[i].place)
			grown.slot[slot_of(&grown, index->slot[i].id)] = index->slot[i];
	free(index->slot);
	*index = grown;
	return 0;
}

int id_index_put(struct id_index *index, uint64_t id, uint32_t position)
{
	size_t at = index->slots ? slot_of(index, id) : 0;

	if (!index->slots || !index->slot[at].place) {
		if (id_index_reserve(index, index->count + 1))
			return -1;
		at = slot_of(index, id);
		index->count++;
	}
	index->slot[at] = (struct id_slot){ id, position + 1 };
	return 0;
}

bool id_index_find(const struct id_index *index, uint64_t id, uint32_t *position)
{
	const struct id_slot *slot;

	if (!index->slots)
		return false;
	slot = &index->slot[slot_of(index, id)];
	if (!slot->place)
		return false;
	*position = slot->place - 1;
	return true;
}

/* Frees the id's slot, and moves a later id into this hole, because a search for it that passes the
 * hole would now end there. That leaves another hole, and so on up to the next free slot. In the
 * example, 9 moves to slot 2 when 5 is removed. */
void id_index_remove(struct id_index *index, uint64_t id)
{
	size_t mask = index->slots - 1, hole = index->slots ? slot_of(index, id) : 0;

	if (!index->slots || !index->slot[hole].place)
		return;
	for (size_t at = (hole + 1) & mask; index->slot[at].place; at = (at + 1) & mask) {
		size_t from_home = (at - home_of(index, index->slot[at].id)) & mask;
		size_t from_hole = (at - hole) & mask;

		if (from_home < from_hole)
			continue;	/* its search begins after the hole */
		index->slot[hole] = index->slot[at];
		hole = at;
	}
	index->slot[hole].place = 0;
	index->count--;
}

void id_index_empty(struct id_index *index)
{
	if (index->slots)
		memset(index->slot, 0, index->slots * sizeof(*index->slot));
	index->count = 0;
}

void id_index_clear(struct id_index *index)
{
	free(index->slot);
	*index = (struct id_index){ 0 };
}

const struct id_slot *id_index_home(const struct id_index *index, uint64_t id)
{
	return index->slots ? &index->slot[home_of(index, id)] : NULL;
}
