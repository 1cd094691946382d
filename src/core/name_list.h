/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names, each once, with a number: its place in the list. */
#ifndef CORE_NAME_LIST_H
#define CORE_NAME_LIST_H

#include "core/name_index.h"

/* Start with all members 0. */
struct name_list {
	char **name;		/* copies */
	size_t count, size;
	struct name_index index;	/* of numbers by name */
};

/* Returns the number of a name, or NAME_INDEX_NONE. */
size_t name_list_find(const struct name_list *list, const char *name);
/* Returns the number of a name, which is added if the list lacks it; NAME_INDEX_NONE: ENOMEM. */
size_t name_list_add(struct name_list *list, const char *name);
void name_list_clear(struct name_list *list);

#endif
