/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of different names. The number of a name is its place in the list, from 0. */
#pragma once

#include "core/name_index.h"

/* Start with all members 0. */
struct numbered_names {
	char **name;		/* by number; copies that the list owns */
	size_t count, size;	/* number of names; names that there is room for */
	struct name_index index;	/* from names to their numbers */
};

/* Returns the number of a name, or NAME_INDEX_NONE. */
size_t numbered_names_find(const struct numbered_names *list, const char *name);
/* Returns the number of a name, which is added if the list lacks it. NAME_INDEX_NONE: out of
 * memory, the list has not changed. */
size_t numbered_names_add(struct numbered_names *list, const char *name);
/* Frees the names and the list, which is empty then. */
void numbered_names_clear(struct numbered_names *list);
