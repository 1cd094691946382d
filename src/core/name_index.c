/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table with open addressing, as in id_index.c: a name stands in its home slot, or in
 * the next slot that was free. Names are never removed one by one. */
#include "core/name_index.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 64	/* slots; this and all later numbers of slots are powers of two */

/* Returns a hash of a name whose low bits choose its home slot. */
static size_t hash_name(struct piece name)
{
	uint64_t hash = piece_hash(name);

	return (size_t)(hash ^ hash >> 29);	/* mixes high bits into the low ones */
}

/* Returns the name's slot, or the free slot where it belongs. The table must have slots. */
static struct name_index_slot *find_slot(const struct name_index *names, struct piece name)
{
	size_t at = hash_name(name) & (names->size - 1);
	struct name_index_slot *slot;

	for (;; at = (at + 1) & (names->size - 1)) {
		slot = &names->slot[at];
		if (!slot->name.at || (slot->name.length == name.length &&
				       !memcmp(slot->name.at, name.at, name.length)))
			return slot;
	}
}

/* Moves all names to a table of `size` slots. -1: ENOMEM, nothing has changed. */
static int set_size(struct name_index *names, size_t size, struct fathom_error *error)
{
	struct name_index grown = { .size = size };

	grown.slot = calloc(grown.size, sizeof(*grown.slot));
	if (!grown.slot)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < names->size; i++)
		if (names->slot[i].name.at)
			*find_slot(&grown, names->slot[i].name) = names->slot[i];
	grown.count = names->count;
	free(names->slot);
	*names = grown;
	return 0;
}

/* At most half of the slots are in use, so that searches are short and end. */
int name_index_reserve(struct name_index *names, size_t count, struct fathom_error *error)
{
	size_t size = names->size ? names->size : FIRST_SIZE;

	while (count > size / 2)
		size *= 2;
	return size == names->size ? 0 : set_size(names, size, error);
}

int name_index_replace(struct name_index *names, struct piece name, size_t value, size_t *before,
		       struct fathom_error *error)
{
	struct name_index_slot *slot;

	if (name_index_reserve(names, names->count + 1, error))
		return -1;
	slot = find_slot(names, name);
	*before = slot->name.at ? slot->value : NAME_INDEX_NONE;
	names->count += !slot->name.at;
	*slot = (struct name_index_slot){ name, value };
	return 0;
}

int name_index_put(struct name_index *names, struct piece name, size_t value,
		   struct fathom_error *error)
{
	size_t before;

	return name_index_replace(names, name, value, &before, error);
}

size_t name_index_get(const struct name_index *names, struct piece name)
{
	const struct name_index_slot *slot = names->count ? find_slot(names, name) : NULL;

	return slot && slot->name.at ? slot->value : NAME_INDEX_NONE;
}

void name_index_clear(struct name_index *names)
{
	free(names->slot);
	memset(names, 0, sizeof(*names));
}
