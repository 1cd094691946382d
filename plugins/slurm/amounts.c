/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "amounts.h"

#include <stdlib.h>

/* ---- amounts in blocks --------------------------------------------------------- */

/* One block: the amounts, then what each points to, side by side. */
static struct amount *create_block(uint32_t tres_count, bool run_seconds)
{
	size_t row = tres_count * (sizeof(double) + sizeof(uint64_t));
	struct amount *amount = calloc(AMOUNT_BLOCK, sizeof(*amount) + row);
	char *at = (char *)(amount + AMOUNT_BLOCK);

	for (size_t i = 0; amount && i < AMOUNT_BLOCK; i++, at += row) {
		amount[i].tres = (double *)at;
		amount[i].run_seconds =
			run_seconds ? (uint64_t *)(amount[i].tres + tres_count) : NULL;
	}
	return amount;
}

/* One more, with nothing in it; NULL: out of memory. */
static struct amount *pool_add(struct amount_pool *pool, uint32_t tres_count, bool run_seconds)
{
	if (pool->count == pool->blocks * AMOUNT_BLOCK) {
		struct amount **grown = realloc(pool->block, (pool->blocks + 1) * sizeof(*grown));

		if (!grown)
			return NULL;
		pool->block = grown;
		grown[pool->blocks] = create_block(tres_count, run_seconds);
		if (!grown[pool->blocks])
			return NULL;
		pool->blocks++;
	}
	return amount_at(pool, pool->count++);
}

static void pool_clear(struct amount_pool *pool)
{
	for (size_t i = 0; i < pool->blocks; i++)
		free(pool->block[i]);
	free(pool->block);
}

/* ---- of QOS ---------------------------------------------------------------------- */

static uint32_t largest_qos_id(const struct charges *charges)
{
	uint32_t id = 0;

	for (size_t i = 0; i < charges->count; i++)
		id = MAX(id, MAX(charges->list[i].qos_id, charges->list[i].partition_qos_id));
	return id;
}

static int charge_qos(struct qos_amounts *amounts, uint32_t id, const struct charge *charge,
		      bool run_seconds, uint32_t tres_count)
{
	uint32_t *row = &amounts->row_of_id[id];

	if (!id)
		return 0;
	if (!*row) {
		if (!pool_add(&amounts->decayed, tres_count, run_seconds) ||
		    !pool_add(&amounts->plain, tres_count, run_seconds))
			return -1;
		*row = (uint32_t)amounts->decayed.count;
	}
	amount_add_charge(amount_at(&amounts->decayed, *row - 1), charge, true, tres_count);
	amount_add_charge(amount_at(&amounts->plain, *row - 1), charge, false, tres_count);
	return 0;
}

int qos_amounts_create(struct qos_amounts *amounts, const struct charges *charges,
		       bool run_seconds, uint32_t tres_count)
{
	*amounts = (struct qos_amounts){ .id_count = largest_qos_id(charges) + 1 };
	amounts->row_of_id = calloc(amounts->id_count, sizeof(*amounts->row_of_id));
	if (!amounts->row_of_id)
		return -1;
	for (size_t i = 0; i < charges->count; i++) {
		const struct charge *charge = &charges->list[i];

		if (charge_qos(amounts, charge->qos_id, charge, run_seconds, tres_count) ||
		    charge_qos(amounts, charge->partition_qos_id, charge, run_seconds, tres_count))
			return -1;
	}
	return 0;
}

void qos_amounts_clear(struct qos_amounts *amounts)
{
	pool_clear(&amounts->decayed);
	pool_clear(&amounts->plain);
	free(amounts->row_of_id);
	*amounts = (struct qos_amounts){ 0 };
}

const struct amount *qos_amount(const struct qos_amounts *amounts, const slurmdb_qos_rec_t *qos)
{
	uint32_t row = amounts->row_of_id && qos->id < amounts->id_count
			       ? amounts->row_of_id[qos->id]
			       : 0;

	if (!row)
		return NULL;
	return amount_at(qos->flags & QOS_FLAG_NO_DECAY ? &amounts->plain : &amounts->decayed, row - 1);
}

/* ---- the tree's ---------------------------------------------------------------- */

/* The node's amount, made if there is none. */
static struct amount *enter(struct amounts *amounts, uint32_t node, bool run_seconds)
{
	struct amount *amount;

	if (amounts->row_of_node[node])
		return amount_at(&amounts->pool, amounts->row_of_node[node] - 1);
	amount = pool_add(&amounts->pool, amounts->tres_count, run_seconds);
	if (amount)
		amounts->row_of_node[node] = (uint32_t)amounts->pool.count;
	return amount;
}

static uint32_t node_of(const struct associations *associations, const struct charge *charge)
{
	uint32_t node = 0;

	if (!fathom_node_index_find(associations->map, charge->assoc_id, &node) &&
	    !fathom_node_index_find(associations->map, charge->account_id, &node))
		return 0;	/* the root, which all usage belongs to */
	return node;
}

static struct amount *find_alone(const struct amounts *amounts, uint32_t node)
{
	for (size_t i = 0; i < amounts->alone.count; i++)
		if (amounts->alone_node[i] == node)
			return amount_at(&amounts->alone, i);
	return NULL;
}

/* An account's own share of what it is charged has to be known by itself. */
static int note_alone(struct amounts *amounts, uint32_t node, const struct charge *charge)
{
	struct amount *amount = find_alone(amounts, node);

	if (!amount) {
		void *grown = realloc(amounts->alone_node,
				      (amounts->alone.count + 1) * sizeof(*amounts->alone_node));

		if (!grown)
			return -1;
		amounts->alone_node = grown;
		amounts->alone_node[amounts->alone.count] = node;
		amount = pool_add(&amounts->alone, amounts->tres_count, false);
		if (!amount)
			return -1;
	}
	amount_add_charge(amount, charge, true, amounts->tres_count);
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
		amount_add(above, amount_at(&amounts->pool, amounts->row_of_node[node] - 1),
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
	pool_clear(&amounts->pool);
	pool_clear(&amounts->alone);
	free(amounts->alone_node);
	free(amounts->row_of_node);
	*amounts = (struct amounts){ 0 };
}

const struct amount *amounts_own(const struct amounts *amounts,
				 const struct associations *associations, uint32_t node)
{
	if (fathom_tree_kind(associations->tree, node) == FATHOM_USER)
		return amounts_total(amounts, node);
	return find_alone(amounts, node);
}
