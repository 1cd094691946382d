/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/heirs.h"

#include <stdlib.h>

bool heirs_create(struct heirs *heirs, size_t count, heirs_find_node *find_node,
		  const void *context)
{
	*heirs = (struct heirs){ .row = calloc(count + 1, sizeof(*heirs->row)),
				 .find_node = find_node, .context = context };
	return heirs->row && !id_index_reserve(&heirs->index, count);
}

void heirs_add(struct heirs *heirs, uint32_t id, uint32_t parent_id)
{
	id_index_put(&heirs->index, id, heirs->count);	/* has room */
	heirs->row[heirs->count++] = (struct heir_row){ .parent_id = parent_id };
}

void heirs_clear(struct heirs *heirs)
{
	free(heirs->row);
	id_index_clear(&heirs->index);
	*heirs = (struct heirs){ 0 };
}

static struct heir_row *find_row(const struct heirs *heirs, uint32_t id)
{
	uint32_t at;

	return id_index_find(&heirs->index, id, &at) ? &heirs->row[at] : NULL;
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
