/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of different names, with an index to find their numbers. */
#include "core/numbered_names.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

size_t numbered_names_find(const struct numbered_names *list, const char *name)
{
	return name_index_get(&list->index, piece_of(name));
}

size_t numbered_names_add(struct numbered_names *list, const char *name)
{
	size_t known = numbered_names_find(list, name);
	char **grown, *copy;

	if (known != NAME_INDEX_NONE)
		return known;
	grown = array_grow(list->name, &list->size, list->count + 1, sizeof(*grown));
	copy = strdup(name);
	if (grown)
		list->name = grown;
	if (!grown || !copy || name_index_put(&list->index, piece_of(copy), list->count, NULL)) {
		free(copy);
		return NAME_INDEX_NONE;
	}
	list->name[list->count] = copy;
	return list->count++;
}

void numbered_names_clear(struct numbered_names *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->name[i]);
	free(list->name);
	name_index_clear(&list->index);
	*list = (struct numbered_names){ 0 };
}
