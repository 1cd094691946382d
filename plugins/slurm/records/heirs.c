/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/heirs.h"

#include <stdlib.h>

bool heirs_create(struct heirs *heirs, size_t count, heirs_find_node *find_node,
		  const void *context)
{
	*heirs = (struct heirs){ .heir = calloc(count + 1, sizeof(*heirs->heir)), .count = count,
				 .find_node = find_node, .context = context };
	return heirs->heir;
}

void heirs_clear(struct heirs *heirs)
{
	free(heirs->heir);
	*heirs = (struct heirs){ 0 };
}

static int by_id(const void *a, const void *b)
{
	const struct heir *first = a, *second = b;

	return (first->id > second->id) - (first->id < second->id);
}

void heirs_sort(struct heirs *heirs)
{
	qsort(heirs->heir, heirs->count, sizeof(*heirs->heir), by_id);
}

static struct heir *find_row(const struct heirs *heirs, uint32_t id)
{
	struct heir wanted = { .id = id };

	return bsearch(&wanted, heirs->heir, heirs->count, sizeof(wanted), by_id);
}

/* Climbs from parent to parent until an account exists or a row is settled, and settles all rows on
 * the way, so that none is climbed from twice. Rows in a cycle, which only a damaged file has, go
 * to the root. */
static void settle(const struct heirs *heirs, struct heir *first)
{
	struct heir *last = first, *next = first;
	uint32_t node = 0, found;

	while (next && !next->settled) {
		last = next;
		last->settled = true;
		if (heirs->find_node(heirs->context, last->parent_id, &found)) {
			node = found;
			break;
		}
		next = find_row(heirs, last->parent_id);
		if (next && next->settled)
			node = next->node;
	}
	for (next = first; next != last; next = find_row(heirs, next->parent_id))
		next->node = node;
	last->node = node;
}

bool heirs_find(struct heirs *heirs, uint32_t id, uint32_t *node)
{
	struct heir *row;

	if (heirs->find_node(heirs->context, id, node))
		return true;
	row = find_row(heirs, id);
	if (!row)
		return false;
	if (!row->settled)
		settle(heirs, row);
	*node = row->node;
	return true;
}
