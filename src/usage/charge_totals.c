/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up charges: for each node of a tree, and for each QOS. Example, charges of
 * 60 to ada, 30 to bob, and 5 to an account's own association:
 *
 *	node		own
 *	root		-
 *	  physics	5
 *	    ada		60
 *	    bob		30
 */
#include "core/id_index.h"
#include "fathom.h"

#include <stdlib.h>
#include <string.h>

/* ---- amounts ------------------------------------------------------------------- */

void fathom_amount_add_charge(struct fathom_amount *amount, const struct fathom_charge *charge,
			      bool decayed, uint32_t tres_count)
{
	const struct fathom_run_rate *rate = &charge->run.rate;
	uint32_t count = rate->tres_count < tres_count ? rate->tres_count : tres_count;
	double seconds = decayed ? charge->decayed_seconds : charge->seconds;
	uint64_t *released = charge->released ? amount->released : NULL;

	amount->billing += seconds * rate->billing;
	amount->wall += seconds;
	for (uint32_t i = 0; i < count; i++) {
		if (!rate->tres[i])
			continue;
		/* the processor converts signed integers quicker; counts are below 2^63 */
		amount->tres[i] += seconds * (double)(int64_t)rate->tres[i];
		if (released)
			released[i] += charge->released * rate->tres[i];
	}
}

/* A list of amounts in one block of memory, with the arrays that they point to behind all amounts:
 * amount 0, amount 1, ... tres of 0, released of 0, tres of 1, released of 1, ... */
struct amount_list {
	struct fathom_amount *amount;	/* owned; the whole block */
	size_t room, count;	/* amounts that there is room for; amounts that were added */
	uint32_t tres_count;	/* elements of each array */
	bool released;		/* the amounts count released seconds */
};

/* Makes room for `room` amounts with their arrays, in a list that has no block yet. -1: out of
 * memory. */
static int make_room(struct amount_list *list, size_t room)
{
	size_t width = list->tres_count * (sizeof(double) + sizeof(uint64_t));

	/* room + 1, as malloc(0) may return NULL */
	list->amount = malloc((room + 1) * (sizeof(*list->amount) + width));
	list->room = room;
	return list->amount ? 0 : -1;
}

/* Adds an amount of 0 and returns it. There must be room. */
static struct fathom_amount *add_amount(struct amount_list *list)
{
	size_t at = list->count++;
	struct fathom_amount *amount = &list->amount[at];
	/* uint64_t, the type of `released`, is as large as double, the type of `tres` */
	double *arrays = (double *)(list->amount + list->room) + 2 * at * list->tres_count;

	*amount = (struct fathom_amount){ .tres = arrays };
	memset(arrays, 0, 2 * list->tres_count * sizeof(*arrays));
	if (list->released)
		amount->released = (uint64_t *)(arrays + list->tres_count);
	return amount;
}

/* ---- totals by node -------------------------------------------------------------------- */

/* The amounts of nodes that were charged. */
struct fathom_charge_totals {
	struct fathom_amount **of_node;		/* by node: its amount in `list`; NULL: no charge */
	struct amount_list list;
};

/* Adds each charge to the amount of the node that it counts for, see fathom_node_index_heir(). */
static void charge_nodes(struct fathom_charge_totals *totals, const struct fathom_node_index *index,
			 const struct fathom_charges *charges)
{
	const bool decayed = true;

	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		const struct fathom_run_id *id = &charge->run.id;
		struct fathom_amount **amount = &totals->of_node[
			fathom_node_index_heir(index, id->association, id->account)];

		if (!*amount)
			*amount = add_amount(&totals->list);
		fathom_amount_add_charge(*amount, charge, decayed, totals->list.tres_count);
	}
}

struct fathom_charge_totals *fathom_charge_totals_create(const struct fathom_tree *tree,
							 const struct fathom_node_index *index,
							 const struct fathom_charges *charges,
							 bool released, uint32_t tres_count)
{
	struct fathom_charge_totals *totals = calloc(1, sizeof(*totals));
	size_t nodes = fathom_tree_count(tree), count = fathom_charges_count(charges);

	if (!totals)
		return NULL;
	totals->list = (struct amount_list){ .tres_count = tres_count, .released = released };
	totals->of_node = calloc(nodes, sizeof(*totals->of_node));
	if (totals->of_node && !make_room(&totals->list, count < nodes ? count : nodes)) {
		charge_nodes(totals, index, charges);
		return totals;
	}
	fathom_charge_totals_destroy(totals);
	return NULL;
}

void fathom_charge_totals_destroy(struct fathom_charge_totals *totals)
{
	if (!totals)
		return;
	free(totals->list.amount);
	free(totals->of_node);
	free(totals);
}

const struct fathom_amount *fathom_charge_totals_at(const struct fathom_charge_totals *totals,
						    size_t node)
{
	return totals ? totals->of_node[node] : NULL;
}

/* ---- totals by QOS --------------------------------------------------------------------- */

/* Two amounts for each QOS that was charged. */
struct fathom_qos_totals {
	struct id_index index;		/* from a QOS to its number i */
	struct amount_list list;	/* amount 2 * i counts decayed seconds, amount 2 * i + 1
					 * seconds as they were run */
};

/* Returns the amount of a QOS with decayed seconds, or the one with seconds as they were run. NULL:
 * qos is 0, or was not charged. */
static struct fathom_amount *find_qos(const struct fathom_qos_totals *totals, uint32_t qos,
				      bool decayed)
{
	uint32_t i;

	if (!qos || !id_index_find(&totals->index, qos, &i))
		return NULL;
	return &totals->list.amount[2 * i + !decayed];
}

/* Gives each QOS that a charge names two amounts of 0. -1: out of memory. */
static int list_qos(struct fathom_qos_totals *totals, const struct fathom_charges *charges)
{
	struct id_index *index = &totals->index;
	int status = 0;

	/* each charge twice: for the QOS of its job, and for that of its partition */
	for (size_t i = 0; i < 2 * fathom_charges_count(charges); i++) {
		const struct fathom_run_id *id = &fathom_charges_at(charges, i / 2)->run.id;
		uint32_t qos = i % 2 ? id->partition_qos : id->qos, known;

		if (qos && !id_index_find(index, qos, &known))
			status |= id_index_put(index, qos, (uint32_t)index->count);
	}
	status |= make_room(&totals->list, 2 * index->count);
	for (size_t i = 0; !status && i < totals->list.room; i++)
		add_amount(&totals->list);
	return status;
}

/* Adds a charge to both amounts of a QOS; does nothing if qos is 0. */
static void charge_qos(const struct fathom_qos_totals *totals, uint32_t qos,
		       const struct fathom_charge *charge)
{
	const bool decayed = true;
	struct fathom_amount *amount = find_qos(totals, qos, decayed);

	if (!amount)
		return;
	fathom_amount_add_charge(amount, charge, decayed, totals->list.tres_count);
	/* the next amount is that with seconds as they were run */
	fathom_amount_add_charge(amount + 1, charge, !decayed, totals->list.tres_count);
}

struct fathom_qos_totals *fathom_qos_totals_create(const struct fathom_charges *charges,
						   uint32_t tres_count)
{
	struct fathom_qos_totals *totals = calloc(1, sizeof(*totals));

	if (!totals)
		return NULL;
	totals->list = (struct amount_list){ .tres_count = tres_count, .released = true };
	if (list_qos(totals, charges)) {
		fathom_qos_totals_destroy(totals);
		return NULL;
	}
	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		charge_qos(totals, charge->run.id.qos, charge);
		charge_qos(totals, charge->run.id.partition_qos, charge);
	}
	return totals;
}

void fathom_qos_totals_destroy(struct fathom_qos_totals *totals)
{
	if (!totals)
		return;
	id_index_clear(&totals->index);
	free(totals->list.amount);
	free(totals);
}

const struct fathom_amount *fathom_qos_totals_at(const struct fathom_qos_totals *totals,
						 uint32_t qos, bool decayed)
{
	return totals ? find_qos(totals, qos, decayed) : NULL;
}
