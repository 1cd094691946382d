/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for the names of partitions, and for names that are made of numbers of queues. */
#include "format/trace/trace_partitions.h"

#include "document/text.h"

#include <stdio.h>
#include <string.h>

/* Returns the index of the first partition of a list that the site has, or NAME_INDEX_NONE. */
static size_t find_first(const struct name_index *index, struct piece list)
{
	size_t found = NAME_INDEX_NONE;
	struct piece name;

	while (found == NAME_INDEX_NONE && piece_next(&list, ',', &name))
		found = name_index_get(index, name);
	return found;
}

/* Returns the index of the partition that has the name of a queue, such as queue5, or
 * NAME_INDEX_NONE. */
static size_t find_queue(const struct name_index *index, struct piece number)
{
	char name[64];
	int length = snprintf(name, sizeof(name), "queue%.*s", PIECE(number));

	if (!number.length || length < 0 || (size_t)length >= sizeof(name))
		return NAME_INDEX_NONE;
	return name_index_get(index, (struct piece){ name, (size_t)length });
}

struct trace_place trace_place_of(const struct trace_site *site, const struct name_index *index,
				  const struct trace_names *names)
{
	size_t found = find_first(index, names->partitions);

	if (found == NAME_INDEX_NONE && names->has_numbers)
		found = find_queue(index, names->queue);
	if (found != NAME_INDEX_NONE)
		return (struct trace_place){ found, true };
	if (names->partitions.length && !names->has_numbers && site->has_nodes)
		return (struct trace_place){ site->count, false };
	if (names->partitions.length)
		return (struct trace_place){ site->count, true };
	return (struct trace_place){ site->standard, true };
}
