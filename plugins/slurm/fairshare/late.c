/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What jobs that have ended since the rows were charged have added to the records:
 *
 *	row of anna 100, of physics 300	job of hers ends: 10	-> records 110 and 310
 *	late: anna 10, physics 10				-> published again: 110 and 310
 *	the thread takes the charge: rows 110 and 310, nothing is late
 */
#include "fairshare/fairshare_private.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

static size_t width_of(const struct late *late)
{
	return 2 + (size_t)late->tres_count;
}

int late_create(struct late *late, size_t node_count)
{
	size_t values;

	*late = (struct late){ .tres_count = (uint32_t)MAX(slurmctld_tres_cnt, 0) };
	values = node_count * width_of(late);
	late->own = calloc(values, sizeof(*late->own));		/* most of it is never touched */
	late->total = calloc(values, sizeof(*late->total));
	late->is_late = calloc(node_count, sizeof(*late->is_late));
	late->node = calloc(node_count, sizeof(*late->node));
	if (late->own && late->total && late->is_late && late->node)
		return 0;
	late_free(late);
	return -1;
}

void late_free(struct late *late)
{
	free(late->own);
	free(late->total);
	free(late->is_late);
	free(late->node);
	free(late->cleared);
	*late = (struct late){ 0 };
}

void late_clear(struct late *late)
{
	size_t width = width_of(late), size = width * sizeof(*late->own);

	for (size_t i = 0; i < late->count; i++) {
		memset(late->own + late->node[i] * width, 0, size);
		memset(late->total + late->node[i] * width, 0, size);
		late->is_late[late->node[i]] = false;
	}
	late->count = late->cleared_count = 0;
}

static void add(struct late *late, double *to, uint32_t node, const double *amount, double factor)
{
	size_t width = width_of(late);

	if (!late->is_late[node]) {
		late->is_late[node] = true;
		late->node[late->count++] = node;
	}
	for (size_t i = 0; i < width; i++)
		to[node * width + i] += amount[i] * factor;
}

static void add_above(struct late *late, const struct associations *associations, uint32_t node,
		      const double *amount, double factor)
{
	for (;; node = (uint32_t)fathom_tree_parent(associations->tree, node)) {
		add(late, late->total, node, amount, factor);
		if (!node)
			return;
	}
}

void late_add(struct late *late, const struct associations *associations,
	      const struct fathom_charges *charges, size_t first)
{
	for (size_t i = first; charges && i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		const struct fathom_run_id *id = &charge->run.id;
		uint32_t node = fathom_node_index_heir(associations->map, id->association,
						       id->account);
		double value[width_of(late)];
		struct fathom_amount amount = { .tres = value + 2 };

		memset(value, 0, sizeof(value));
		fathom_amount_add_charge(&amount, charge, true, late->tres_count);
		value[0] = amount.billing;
		value[1] = amount.wall;
		add(late, late->own, node, value, 1);
		add_above(late, associations, node, value, 1);
	}
}

bool late_has_own(const struct late *late, uint32_t node)
{
	const double *own = late->own + node * width_of(late);

	for (size_t i = 0; late->is_late[node] && i < width_of(late); i++)
		if (own[i] != 0)
			return true;
	return false;
}

int late_note_cleared(struct late *late, const struct associations *associations, uint32_t node,
		      size_t charges)
{
	uint32_t id = associations->seen[node].id;
	struct cleared *cleared = array_grow(late->cleared, &late->cleared_room,
					     late->cleared_count + 1, sizeof(*cleared));
	double before[width_of(late)];

	if (!cleared)
		return -1;
	late->cleared = cleared;
	cleared[late->cleared_count++] = (struct cleared){ id, charges };
	memcpy(before, late->own + node * width_of(late), sizeof(before));
	add(late, late->own, node, before, -1);
	add_above(late, associations, node, before, -1);
	return 0;
}
