/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from names to numbers. It points to the names, which have to live as long. */
#ifndef CORE_NAME_INDEX_H
#define CORE_NAME_INDEX_H

#include "core/piece.h"
#include "fathom.h"

#include <stdint.h>

#define NAME_INDEX_NONE SIZE_MAX

/* Start with all members 0. */
struct name_index {
	struct name_index_slot { struct piece name; size_t value; } *slot;
	size_t size;		/* number of slots: 0 or a power of two */
	size_t count;		/* number of names */
};

/* Sets the value of a name, new or known. -1: ENOMEM. */
int name_index_put(struct name_index *names, struct piece name, size_t value,
		   struct fathom_error *error);
/* Returns the value of a name, or NAME_INDEX_NONE. */
size_t name_index_get(const struct name_index *names, struct piece name);
/* Removes all names and frees the memory. */
void name_index_clear(struct name_index *names);

#endif
