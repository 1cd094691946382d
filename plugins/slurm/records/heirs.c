/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/heirs.h"

#include <stdlib.h>

bool heirs_create(struct heirs *heirs, size_t count, heirs_find_node *find_node,
		  const void *context)
{
	*heirs = (struct heirs){ .row = calloc(count + 1, sizeof(*heirs->row)), .count = count,
				 .find_node = find_node, .context = context };
	return heirs->row;
}

void heirs_clear(struct heirs *heirs)
{
	free(heirs->row);
	*heirs = (struct heirs){ 0 };
}

static int by_id(const void *a, const void *b)
{
	const struct heir_row *first = a, *second = b;

	return (first->id > second->id) - (first->id < second->id);
}

void heirs_sort(struct heirs *heirs)
{
	qsort(heirs->row, heirs->count, sizeof(*heirs->row), by_id);
}

static struct heir_row *find_row(const struct heirs *heirs, uint32_t id)
{
	struct heir_row wanted = { .id = id };

	return bsearch(&wanted, heirs->row, heirs->count, sizeof(wanted), by_id);
}

/* Climbs from row to row, up to the first whose account exists or to one that is settled. Returns
 * the number of rows on the way, and the heir of all of them in *node. They become settled, so that
 * none is climbed from twice. Rows in a cycle, which only a damaged file has, go to the root: the
 * climb comes back to a row that it has settled itself, whose node is still HEIRS_ROOT. */
static size_t climb(const struct heirs *heirs, struct heir_row *row, uint32_t *node)
{
	size_t climbed = 0;

	for (; row && !row->settled; row = find_row(heirs, row->parent_id)) {
		row->settled = true;
		climbed++;
		if (heirs->find_node(heirs->context, row->parent_id, node))
			return climbed;
	}
	*node = row ? row->node : HEIRS_ROOT;
	return climbed;
}

/* Finds the heir of a row, and sets it in all rows on the way to it. */
static void settle(const struct heirs *heirs, struct heir_row *row)
{
	uint32_t node;

	for (size_t left = climb(heirs, row, &node); left > 0; left--) {
		row->node = node;
		row = find_row(heirs, row->parent_id);
	}
}

bool heirs_find(struct heirs *heirs, uint32_t id, uint32_t *node)
{
	struct heir_row *row;

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
