/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table from names to numbers. It does not copy names. */
#ifndef CORE_NAME_INDEX_H
#define CORE_NAME_INDEX_H

#include "core/piece.h"
#include "fathom.h"

#include <stdint.h>

#define NAME_INDEX_NONE SIZE_MAX

struct name_index {
	struct name_index_slot { struct piece name; size_t value; } *slot;
	size_t size, count;
};

/* Of a name that is there already, its value changes. -1: ENOMEM. */
int name_index_put(struct name_index *names, struct piece name, size_t value,
		   struct fathom_error *error);
/* Or NAME_INDEX_NONE. */
size_t name_index_get(const struct name_index *names, struct piece name);
void name_index_clear(struct name_index *names);

#endif
