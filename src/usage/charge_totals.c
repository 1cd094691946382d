/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up charges: for each node of a tree, and for each QOS. Example, charges of
 * 60 to ada, 30 to bob, and 5 to an account's own association:
 *
 *	node		total	own
 *	root		95	-
 *	  physics	95	5
 *	    ada		60	60
 *	    bob		30	30
 */
#include "core/array.h"
#include "core/id_index.h"
#include "fathom.h"

#include <stdlib.h>

#define BLOCK 256	/* number of amounts that are allocated at once */

/* ---- amounts ------------------------------------------------------------------- */

void fathom_amount_add_charge(struct fathom_amount *amount, const struct fathom_charge *charge,
			      bool decayed, uint32_t tres_count)
{
	const struct fathom_run_rate *rate = &charge->run.rate;
	uint32_t count = rate->tres_count < tres_count ? rate->tres_count : tres_count;
	double seconds = decayed ? charge->decayed_seconds : charge->seconds;

	amount->billing += seconds * rate->billing;
	amount->wall += seconds;
	for (uint32_t i = 0; i < count; i++)	/* signed integers convert quicker */
		amount->tres[i] += seconds * (double)(int64_t)rate->tres[i];
	for (uint32_t i = 0; amount->released && i < count; i++)
		amount->released[i] += charge->released * rate->tres[i];
}

/* A growing list of amounts, which never move, so that pointers to them stay valid. */
struct amount_list {
	struct fathom_amount **block;
	size_t count, block_count, block_size;
	uint32_t tres_count;
	bool released;		/* the amounts count released seconds */
};

static void list_clear(struct amount_list *list)
{
	for (size_t i = 0; i < list->block_count; i++)
		free(list->block[i]);
	free(list->block);
}

static struct fathom_amount *list_at(const struct amount_list *list, size_t at)
{
	return &list->block[at / BLOCK][at % BLOCK];
}

/* Allocates amounts and, behind them, the arrays that they point to. */
static struct fathom_amount *create_block(const struct amount_list *list)
{
	size_t width = list->tres_count * (sizeof(double) + sizeof(uint64_t));
	struct fathom_amount *amount = calloc(BLOCK, sizeof(*amount) + width);
	char *at = (char *)(amount + BLOCK);

	for (size_t i = 0; amount && i < BLOCK; i++, at += width) {
		amount[i].tres = (double *)at;
		if (list->released)
			amount[i].released = (uint64_t *)(amount[i].tres + list->tres_count);
	}
	return amount;
}

/* Adds an amount of 0 at the end. NULL: out of memory. */
static struct fathom_amount *list_add(struct amount_list *list)
{
	struct fathom_amount **block;

	if (list->count < list->block_count * BLOCK)
		return list_at(list, list->count++);
	block = array_grow(list->block, &list->block_size, list->block_count + 1, sizeof(*block));
	if (!block)
		return NULL;
	list->block = block;
	block[list->block_count] = create_block(list);
	if (!block[list->block_count])
		return NULL;
	list->block_count++;
	return list_at(list, list->count++);
}

/* ---- totals by node -------------------------------------------------------------------- */

struct fathom_charge_totals {
	uint32_t *row;		/* by node: index of its amount in `list`, plus 1; 0: no charge */
	struct amount_list list;
};

static struct fathom_amount *find(const struct fathom_charge_totals *totals, size_t node)
{
	return totals->row[node] ? list_at(&totals->list, totals->row[node] - 1) : NULL;
}

static int charge_node(struct fathom_charge_totals *totals, size_t node,
		       const struct fathom_charge *charge)
{
	struct fathom_amount *amount = find(totals, node);

	if (!amount) {
		amount = list_add(&totals->list);
		if (!amount)
			return -1;
		totals->row[node] = (uint32_t)totals->list.count;
	}
	fathom_amount_add_charge(amount, charge, true, totals->list.tres_count);
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
	totals->list = (struct amount_list){ .tres_count = tres_count, .released = released };
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
	list_clear(&totals->list);
	free(totals->row);
	free(totals);
}

const struct fathom_amount *fathom_charge_totals_at(const struct fathom_charge_totals *totals,
						    size_t node)
{
	return totals ? find(totals, node) : NULL;
}

/* ---- totals by QOS --------------------------------------------------------------------- */

struct fathom_qos_totals {
	struct id_index index;		/* from QOS to the place in both lists */
	struct amount_list decayed, plain;	/* with decayed seconds, and with seconds as run */
};

/* Finds a QOS, made if necessary; *at is its index in both lists. -1: out of memory. */
static int find_or_add_qos(struct fathom_qos_totals *totals, uint32_t qos, uint32_t *at)
{
	if (id_index_find(&totals->index, qos, at))
		return 0;
	*at = (uint32_t)totals->plain.count;
	if (!list_add(&totals->decayed) || !list_add(&totals->plain))
		return -1;
	return id_index_put(&totals->index, qos, *at);
}

static int charge_qos(struct fathom_qos_totals *totals, uint32_t qos,
		      const struct fathom_charge *charge)
{
	uint32_t at, tres_count = totals->plain.tres_count;

	if (!qos)
		return 0;
	if (find_or_add_qos(totals, qos, &at))
		return -1;
	fathom_amount_add_charge(list_at(&totals->decayed, at), charge, true, tres_count);
	fathom_amount_add_charge(list_at(&totals->plain, at), charge, false, tres_count);
	return 0;
}

struct fathom_qos_totals *fathom_qos_totals_create(const struct fathom_charges *charges,
						   uint32_t tres_count)
{
	struct fathom_qos_totals *totals = calloc(1, sizeof(*totals));

	if (!totals)
		return NULL;
	totals->decayed = (struct amount_list){ .tres_count = tres_count, .released = true };
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
	list_clear(&totals->decayed);
	list_clear(&totals->plain);
	free(totals);
}

const struct fathom_amount *fathom_qos_totals_at(const struct fathom_qos_totals *totals,
						 uint32_t qos, bool decayed)
{
	uint32_t at;

	if (!totals || !id_index_find(&totals->index, qos, &at))
		return NULL;
	return list_at(decayed ? &totals->decayed : &totals->plain, at);
}
