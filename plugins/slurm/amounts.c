/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "amounts.h"

#include <stdlib.h>

/* ---- one amount ---------------------------------------------------------------- */

static struct amount *amount_create(uint32_t tres_count, bool run_seconds)
{
	size_t size = sizeof(struct amount) + tres_count * (sizeof(double) + sizeof(uint64_t));
	struct amount *amount = calloc(1, size);

	if (!amount)
		return NULL;
	amount->tres = (double *)(amount + 1);
	if (run_seconds)
		amount->run_seconds = (uint64_t *)(amount->tres + tres_count);
	return amount;
}

void amount_free(struct amount *amount)
{
	free(amount);
}

struct amount *amount_of_qos(const struct charges *charges, uint32_t qos_id, bool decayed,
			     bool run_seconds, uint32_t tres_count)
{
	struct amount *amount = NULL;

	for (size_t i = 0; i < charges->count; i++) {
		const struct charge *charge = &charges->list[i];

		if (charge->qos_id != qos_id && charge->partition_qos_id != qos_id)
			continue;
		if (!amount && !(amount = amount_create(tres_count, run_seconds)))
			return NULL;
		amount_add_charge(amount, charge, decayed, tres_count);
	}
	return amount;
}

/* ---- the tree's ---------------------------------------------------------------- */

static int grow(struct amounts *amounts)
{
	size_t size = amounts->size ? 2 * amounts->size : 256;
	struct amount **row = realloc(amounts->row, size * sizeof(*row));

	if (!row)
		return -1;
	amounts->row = row;
	amounts->size = size;
	return 0;
}

/* The node's amount, made if there is none. */
static struct amount *enter(struct amounts *amounts, uint32_t node, bool run_seconds)
{
	struct amount *amount;

	if (amounts->row_of_node[node])
		return amounts->row[amounts->row_of_node[node] - 1];
	if (amounts->count == amounts->size && grow(amounts))
		return NULL;
	amount = amount_create(amounts->tres_count, run_seconds);
	if (!amount)
		return NULL;
	amounts->row[amounts->count++] = amount;
	amounts->row_of_node[node] = (uint32_t)amounts->count;
	return amount;
}

static uint32_t node_of(const struct associations *associations, const struct charge *charge)
{
	uint32_t node = 0;

	if (!id_map_find(associations->map, charge->assoc_id, &node) &&
	    !id_map_find(associations->map, charge->account_id, &node))
		return 0;	/* the root, which all usage belongs to */
	return node;
}

/* An account's own share of what it is charged has to be known by itself. */
static int note_alone(struct amounts *amounts, uint32_t node, const struct charge *charge)
{
	size_t i = 0;

	while (i < amounts->alone_count && amounts->alone[i].node != node)
		i++;
	if (i == amounts->alone_count) {
		void *grown = realloc(amounts->alone, (i + 1) * sizeof(*amounts->alone));

		if (!grown)
			return -1;
		amounts->alone = grown;
		amounts->alone[i].node = node;
		amounts->alone[i].amount = amount_create(amounts->tres_count, false);
		if (!amounts->alone[i].amount)
			return -1;
		amounts->alone_count++;
	}
	amount_add_charge(amounts->alone[i].amount, charge, true, amounts->tres_count);
	return 0;
}

/* Backwards, as parents come first: a member's amount is whole before it is added. */
static int roll_up(struct amounts *amounts, const struct fathom_tree *tree, bool run_seconds)
{
	for (uint32_t node = (uint32_t)fathom_tree_count(tree) - 1; node > 0; node--) {
		struct amount *above;

		if (!amounts->row_of_node[node])
			continue;
		above = enter(amounts, (uint32_t)fathom_tree_parent(tree, node), run_seconds);
		if (!above)
			return -1;
		amount_add(above, amounts->row[amounts->row_of_node[node] - 1],
			   amounts->tres_count);
	}
	return 0;
}

int amounts_create(struct amounts *amounts, const struct associations *associations,
		   const struct charges *charges, bool run_seconds, uint32_t tres_count)
{
	*amounts = (struct amounts){ .tres_count = tres_count };
	if (!charges->count)
		return 0;
	amounts->row_of_node = calloc(associations->node_count, sizeof(*amounts->row_of_node));
	if (!amounts->row_of_node)
		return -1;
	for (size_t i = 0; i < charges->count; i++) {
		const struct charge *charge = &charges->list[i];
		uint32_t node = node_of(associations, charge);
		struct amount *amount = enter(amounts, node, run_seconds);

		if (!amount)
			return -1;
		amount_add_charge(amount, charge, true, tres_count);
		if (fathom_tree_kind(associations->tree, node) == FATHOM_ACCOUNT &&
		    note_alone(amounts, node, charge))
			return -1;
	}
	return roll_up(amounts, associations->tree, run_seconds);
}

void amounts_clear(struct amounts *amounts)
{
	for (size_t i = 0; i < amounts->count; i++)
		amount_free(amounts->row[i]);
	for (size_t i = 0; i < amounts->alone_count; i++)
		amount_free(amounts->alone[i].amount);
	free(amounts->row);
	free(amounts->alone);
	free(amounts->row_of_node);
	*amounts = (struct amounts){ 0 };
}

const struct amount *amounts_total(const struct amounts *amounts, uint32_t node)
{
	if (!amounts->row_of_node || !amounts->row_of_node[node])
		return NULL;
	return amounts->row[amounts->row_of_node[node] - 1];
}

const struct amount *amounts_own(const struct amounts *amounts,
				 const struct associations *associations, uint32_t node)
{
	if (fathom_tree_kind(associations->tree, node) == FATHOM_USER)
		return amounts_total(amounts, node);
	for (size_t i = 0; i < amounts->alone_count; i++)
		if (amounts->alone[i].node == node)
			return amounts->alone[i].amount;
	return NULL;
}
