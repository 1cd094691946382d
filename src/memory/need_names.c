/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists and tables of names in the command's memory. */
#include "memory/need_names.h"

#include "memory/need_memory.h"

NEED_DESTROYER(clear_names, numbered_names_clear)
NEED_DESTROYER(clear_index, name_index_clear)

struct numbered_names *need_names(void)
{
	return need_owned(need_object(sizeof(struct numbered_names)), clear_names);
}

struct name_index *need_index(void)
{
	return need_owned(need_object(sizeof(struct name_index)), clear_index);
}

size_t need_name(struct numbered_names *list, const char *name)
{
	size_t number = numbered_names_add(list, name);

	need_done(number == NAME_INDEX_NONE);
	return number;
}

void need_put(struct name_index *names, struct piece name, size_t value)
{
	need_done(name_index_put(names, name, value, NULL));
}
