/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from names to numbers. It points to the names of the caller, which must live as long
 * as the table. A name may be empty, but its piece must have a text (`at` is not NULL). */
#pragma once

#include "core/piece.h"
#include "fathom.h"

#include <stdint.h>

#define NAME_INDEX_NONE SIZE_MAX	/* no value: the table does not have the name */

/* Start with all members 0. */
struct name_index {
	struct name_index_slot { struct piece name; size_t value; } *slot;
	size_t size;		/* number of slots: 0 or a power of two */
	size_t count;		/* number of names */
};

/* In the calls that may fail, -1 means ENOMEM, and nothing has changed. */

/* Makes room for `count` names in all, so that putting them in cannot fail. */
int name_index_reserve(struct name_index *names, size_t count, struct fathom_error *error);
/* Sets the value of a name, new or known. value: not NAME_INDEX_NONE. */
int name_index_put(struct name_index *names, struct piece name, size_t value,
		   struct fathom_error *error);
/* Sets the value of a name, new or known, and *before to the value that it had before, or to
 * NAME_INDEX_NONE. */
int name_index_replace(struct name_index *names, struct piece name, size_t value, size_t *before,
		       struct fathom_error *error);
/* Returns the value of a name, or NAME_INDEX_NONE. */
size_t name_index_get(const struct name_index *names, struct piece name);
/* Removes all names and frees the memory. */
void name_index_clear(struct name_index *names);
