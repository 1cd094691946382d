/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What charges come to, for each node of a tree and each QOS. */
#include "core/array.h"
#include "core/id_index.h"
#include "fathom.h"

#include <stdlib.h>

#define BLOCK 256	/* amounts that are allocated at once */

/* ---- amounts ------------------------------------------------------------------- */

void fathom_amount_add_charge(struct fathom_amount *amount, const struct fathom_charge *charge,
			      bool decayed, uint32_t tres_count)
{
	const struct fathom_run_rate *rate = &charge->run.rate;
	uint32_t count = rate->tres_count < tres_count ? rate->tres_count : tres_count;
	double seconds = decayed ? charge->decayed_seconds : charge->seconds;

	amount->billing += seconds * rate->billing;
	amount->wall += seconds;
	for (uint32_t i = 0; i < count; i++)	/* signed, as that converts quicker */
		amount->tres[i] += seconds * (double)(int64_t)rate->tres[i];
	for (uint32_t i = 0; amount->released && i < count; i++)
		amount->released[i] += charge->released * rate->tres[i];
}

/* Amounts stay where they are, so that others may point to them. */
struct pool {
	struct fathom_amount **block;
	size_t count, block_count, block_size;
	uint32_t tres_count;
	bool released;
};

static void pool_clear(struct pool *pool)
{
	for (size_t i = 0; i < pool->block_count; i++)
		free(pool->block[i]);
	free(pool->block);
}

static struct fathom_amount *pool_at(const struct pool *pool, size_t at)
{
	return &pool->block[at / BLOCK][at % BLOCK];
}

/* The amounts, then what each points to, side by side. */
static struct fathom_amount *create_block(const struct pool *pool)
{
	size_t width = pool->tres_count * (sizeof(double) + sizeof(uint64_t));
	struct fathom_amount *amount = calloc(BLOCK, sizeof(*amount) + width);
	char *at = (char *)(amount + BLOCK);

	for (size_t i = 0; amount && i < BLOCK; i++, at += width) {
		amount[i].tres = (double *)at;
		if (pool->released)
			amount[i].released = (uint64_t *)(amount[i].tres + pool->tres_count);
	}
	return amount;
}

/* One more, with nothing in it, behind all others; NULL: out of memory. */
static struct fathom_amount *pool_add(struct pool *pool)
{
	struct fathom_amount **block;

	if (pool->count < pool->block_count * BLOCK)
		return pool_at(pool, pool->count++);
	block = array_grow(pool->block, &pool->block_size, pool->block_count + 1, sizeof(*block));
	if (!block)
		return NULL;
	pool->block = block;
	block[pool->block_count] = create_block(pool);
	if (!block[pool->block_count])
		return NULL;
	pool->block_count++;
	return pool_at(pool, pool->count++);
}

/* ---- of nodes ------------------------------------------------------------------------ */

struct fathom_charge_totals {
	uint32_t *row;		/* of a node's amount, from 1; 0: nothing was charged */
	struct pool pool;
};

static struct fathom_amount *find(const struct fathom_charge_totals *totals, size_t node)
{
	return totals->row[node] ? pool_at(&totals->pool, totals->row[node] - 1) : NULL;
}

static int charge_node(struct fathom_charge_totals *totals, size_t node,
		       const struct fathom_charge *charge)
{
	struct fathom_amount *amount = find(totals, node);

	if (!amount) {
		amount = pool_add(&totals->pool);
		if (!amount)
			return -1;
		totals->row[node] = (uint32_t)totals->pool.count;
	}
	fathom_amount_add_charge(amount, charge, true, totals->pool.tres_count);
	return 0;
}

static int charge_nodes(struct fathom_charge_totals *totals,
			const struct fathom_node_index *index, const struct fathom_charges *charges)
{
	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		const struct fathom_run_id *id = &charge->run.id;

		if (charge_node(totals, fathom_node_index_heir(index, id->association, id->account),
				charge))
			return -1;
	}
	return 0;
}

struct fathom_charge_totals *fathom_charge_totals_create(const struct fathom_tree *tree,
							 const struct fathom_node_index *index,
							 const struct fathom_charges *charges,
							 bool released, uint32_t tres_count)
{
	struct fathom_charge_totals *totals = calloc(1, sizeof(*totals));

	if (!totals)
		return NULL;
	totals->pool = (struct pool){ .tres_count = tres_count, .released = released };
	totals->row = calloc(fathom_tree_count(tree), sizeof(*totals->row));
	if (totals->row && !charge_nodes(totals, index, charges))
		return totals;
	fathom_charge_totals_destroy(totals);
	return NULL;
}

void fathom_charge_totals_destroy(struct fathom_charge_totals *totals)
{
	if (!totals)
		return;
	pool_clear(&totals->pool);
	free(totals->row);
	free(totals);
}

const struct fathom_amount *fathom_charge_totals_at(const struct fathom_charge_totals *totals,
						    size_t node)
{
	return totals ? find(totals, node) : NULL;
}

/* ---- of QOS -------------------------------------------------------------------------- */

struct fathom_qos_totals {
	struct id_index index;		/* of both, by QOS */
	struct pool decayed, plain;
};

/* Where the QOS stands, in both; -1: out of memory. */
static int enter_qos(struct fathom_qos_totals *totals, uint32_t qos, uint32_t *at)
{
	if (id_index_find(&totals->index, qos, at))
		return 0;
	*at = (uint32_t)totals->plain.count;
	if (!pool_add(&totals->decayed) || !pool_add(&totals->plain))
		return -1;
	return id_index_put(&totals->index, qos, *at);
}

static int charge_qos(struct fathom_qos_totals *totals, uint32_t qos,
		      const struct fathom_charge *charge)
{
	uint32_t at, tres_count = totals->plain.tres_count;

	if (!qos)
		return 0;
	if (enter_qos(totals, qos, &at))
		return -1;
	fathom_amount_add_charge(pool_at(&totals->decayed, at), charge, true, tres_count);
	fathom_amount_add_charge(pool_at(&totals->plain, at), charge, false, tres_count);
	return 0;
}

struct fathom_qos_totals *fathom_qos_totals_create(const struct fathom_charges *charges,
						   uint32_t tres_count)
{
	struct fathom_qos_totals *totals = calloc(1, sizeof(*totals));

	if (!totals)
		return NULL;
	totals->decayed = (struct pool){ .tres_count = tres_count, .released = true };
	totals->plain = totals->decayed;
	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		if (charge_qos(totals, charge->run.id.qos, charge) ||
		    charge_qos(totals, charge->run.id.partition_qos, charge)) {
			fathom_qos_totals_destroy(totals);
			return NULL;
		}
	}
	return totals;
}

void fathom_qos_totals_destroy(struct fathom_qos_totals *totals)
{
	if (!totals)
		return;
	id_index_clear(&totals->index);
	pool_clear(&totals->decayed);
	pool_clear(&totals->plain);
	free(totals);
}

const struct fathom_amount *fathom_qos_totals_at(const struct fathom_qos_totals *totals,
						 uint32_t qos, bool decayed)
{
	uint32_t at;

	if (!totals || !id_index_find(&totals->index, qos, &at))
		return NULL;
	return pool_at(decayed ? &totals->decayed : &totals->plain, at);
}
