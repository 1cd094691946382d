/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps a copy of the list in small letters, with a table of its names. */
#include "cli/name_set.h"

#include "core/name_index.h"
#include "core/small_letters.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>

struct name_set {
	const char *list;
	char *small;		/* the same in small letters */
	struct name_index *index;	/* from a name of `small` to an element of is_noted */
	bool *is_noted;		/* name_set_note() has named it */
	size_t longest;		/* bytes of the longest name */
	char *name;		/* room for a name in small letters, of `longest` bytes */
};

struct name_set *name_set_of(const char *list)
{
	struct name_set *set;
	struct list_item item;
	size_t count = 0;

	if (!list)
		return NULL;
	set = need_object(sizeof(*set));
	*set = (struct name_set){ .list = list, .small = need_text(list), .index = need_index() };
	make_small(set->small);
	for (const char *rest = set->small; list_next(&rest, ",", &item);) {
		need_put(set->index, (struct piece){ item.name, item.length }, count++);
		if (item.length > set->longest)
			set->longest = item.length;
	}
	set->is_noted = need_zeros(count + 1, sizeof(*set->is_noted));
	set->name = need_zeros(set->longest + 1, 1);
	return set;
}

/* Returns the number of a name; NAME_INDEX_NONE: the list lacks it. */
static size_t find_number(const struct name_set *set, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	if (!length || length > set->longest)
		return NAME_INDEX_NONE;
	memcpy(set->name, name, length + 1);
	make_small(set->name);
	return name_index_get(set->index, (struct piece){ set->name, length });
}

bool name_set_has(const struct name_set *set, const char *name)
{
	return !set || find_number(set, name) != NAME_INDEX_NONE;
}

void name_set_note(struct name_set *set, const char *name)
{
	size_t number = find_number(set, name);

	if (number != NAME_INDEX_NONE)
		set->is_noted[number] = true;
}

bool name_set_next_missing(const struct name_set *set, const char **rest, struct list_item *item)
{
	while (list_next(rest, ",", item)) {
		struct piece small = { set->small + (item->name - set->list), item->length };

		if (!set->is_noted[name_index_get(set->index, small)])
			return true;
	}
	return false;
}
