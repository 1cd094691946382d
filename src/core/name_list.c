/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/name_list.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

static struct piece piece_of(const char *name)
{
	return (struct piece){ name, strlen(name) };
}

size_t name_list_find(const struct name_list *list, const char *name)
{
	return name_index_get(&list->index, piece_of(name));
}

size_t name_list_add(struct name_list *list, const char *name)
{
	size_t known = name_list_find(list, name);
	struct fathom_error error;
	char **grown, *copy;

	if (known != NAME_INDEX_NONE)
		return known;
	grown = array_grow(list->name, &list->size, list->count + 1, sizeof(*grown));
	copy = strdup(name);
	if (grown)
		list->name = grown;
	if (!grown || !copy || name_index_put(&list->index, piece_of(copy), list->count, &error)) {
		free(copy);
		return NAME_INDEX_NONE;
	}
	list->name[list->count] = copy;
	return list->count++;
}

void name_list_clear(struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->name[i]);
	free(list->name);
	name_index_clear(&list->index);
	*list = (struct name_list){ 0 };
}
