/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up charges: by association and by QOS, and what associations were charged by the nodes of a
 * tree. Example, charges of 60 to ada, 30 to bob, and 5 to an account's own association:
 *
 *	node		total	own
 *	root		95	-
 *	  physics	95	5
 *	    ada		60	60
 *	    bob		30	30
 */
#include "usage/charge_amounts.h"

#include "core/array.h"
#include "core/id_index.h"
#include "core/prefetch.h"
#include "fathom.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 6		/* prefetch for this many charges later */

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
		if (rate->tres[i])
			amount->tres[i] += seconds * (double)(int64_t)rate->tres[i];
	if (!amount->released || !charge->released)
		return;
	for (uint32_t i = 0; i < count; i++)
		amount->released[i] += charge->released * rate->tres[i];
}

static void add_amount(struct fathom_amount *to, const struct fathom_amount *more,
		       uint32_t tres_count)
{
	to->billing += more->billing;
	to->wall += more->wall;
	for (uint32_t i = 0; i < tres_count; i++)
		to->tres[i] += more->tres[i];
	for (uint32_t i = 0; to->released && i < tres_count; i++)
		to->released[i] += more->released[i];
}

/* Amounts, and behind them the arrays that they point to. */
struct amount_list {
	struct fathom_amount *amount;
	size_t room, count;
	uint32_t tres_count;
	bool released;		/* they count released seconds */
};

/* Bytes of the arrays of an amount. */
static size_t width_of(const struct amount_list *list)
{
	return list->tres_count * (sizeof(double) + sizeof(uint64_t));
}

static uint64_t *arrays_of(const struct amount_list *list, size_t at)
{
	return (uint64_t *)(list->amount + list->room) + 2 * at * list->tres_count;
}

/* Moves the amounts to where there is room for more. -1: out of memory, they stay. */
static int make_room(struct amount_list *list, size_t room)
{
	size_t width = width_of(list);
	struct amount_list larger = *list;

	larger.amount = malloc((room + 1) * (sizeof(*larger.amount) + width));
	if (!larger.amount)
		return -1;
	larger.room = room;
	if (list->count)
		memcpy(arrays_of(&larger, 0), arrays_of(list, 0), list->count * width);
	for (size_t i = 0; i < list->count; i++) {
		larger.amount[i] = list->amount[i];
		larger.amount[i].tres = (double *)arrays_of(&larger, i);
		if (list->released)
			larger.amount[i].released = arrays_of(&larger, i) + list->tres_count;
	}
	free(list->amount);
	*list = larger;
	return 0;
}

/* Returns the next amount, which is 0. There must be room. */
static struct fathom_amount *next_amount(struct amount_list *list)
{
	struct fathom_amount *amount = &list->amount[list->count];
	uint64_t *arrays = memset(arrays_of(list, list->count++), 0, width_of(list));

	*amount = (struct fathom_amount){
		.tres = (double *)arrays,
		.released = list->released ? arrays + list->tres_count : NULL,
	};
	return amount;
}

/* ---- amounts by key ---------------------------------------------------------------------- */

struct keyed_amounts {
	struct id_index index;		/* from a key to its position */
	struct amount_list list;
	size_t each;			/* amounts of a key, side by side */
};

static struct keyed_amounts amounts_of(size_t each, uint32_t tres_count)
{
	return (struct keyed_amounts){ .each = each, .list = { .tres_count = tres_count,
							       .released = true } };
}

/* Finds the position of a key, which becomes known if it is not. -1: out of memory. */
static int know(struct keyed_amounts *amounts, uint64_t key, uint32_t *at)
{
	struct amount_list *list = &amounts->list;

	if (id_index_find(&amounts->index, key, at))
		return 0;
	if (list->count + amounts->each > list->room && make_room(list, 2 * list->room + 16))
		return -1;
	*at = (uint32_t)(list->count / amounts->each);
	if (id_index_put(&amounts->index, key, *at))
		return -1;
	for (size_t i = 0; i < amounts->each; i++)
		next_amount(list);
	return 0;
}

static void clear(struct keyed_amounts *amounts)
{
	id_index_clear(&amounts->index);
	free(amounts->list.amount);
}

/* ---- by QOS -------------------------------------------------------------------------------- */

#define NO_QOS UINT32_MAX

/* Each QOS has two amounts: with decayed seconds, and with seconds as run. */
struct fathom_qos_totals {
	struct keyed_amounts of_qos;
};

/* Puts the positions of the QOS that a charge counts for into at[]. -1: out of memory. */
static int know_qos(struct fathom_qos_totals *totals, const struct fathom_charge *charge,
		    uint32_t at[2])
{
	const uint32_t qos[] = { charge->run.id.qos, charge->run.id.partition_qos };

	for (int i = 0; i < 2; i++) {
		at[i] = NO_QOS;
		if (qos[i] && know(&totals->of_qos, qos[i], &at[i]))
			return -1;
	}
	return 0;
}

static void charge_qos(struct fathom_qos_totals *totals, const uint32_t at[2],
		       const struct fathom_charge *charge)
{
	struct amount_list *list = &totals->of_qos.list;

	for (int i = 0; i < 2; i++) {
		if (at[i] == NO_QOS)
			continue;
		fathom_amount_add_charge(&list->amount[2 * at[i]], charge, true, list->tres_count);
		fathom_amount_add_charge(&list->amount[2 * at[i] + 1], charge, false,
					 list->tres_count);
	}
}

struct fathom_qos_totals *fathom_qos_totals_create(const struct fathom_charges *charges,
						   uint32_t tres_count)
{
	struct fathom_qos_totals *totals = calloc(1, sizeof(*totals));
	uint32_t at[2];

	if (!totals)
		return NULL;
	totals->of_qos = amounts_of(2, tres_count);
	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		if (know_qos(totals, charge, at)) {
			fathom_qos_totals_destroy(totals);
			return NULL;
		}
		charge_qos(totals, at, charge);
	}
	return totals;
}

void fathom_qos_totals_destroy(struct fathom_qos_totals *totals)
{
	if (!totals)
		return;
	clear(&totals->of_qos);
	free(totals);
}

const struct fathom_amount *fathom_qos_totals_at(const struct fathom_qos_totals *totals,
						 uint32_t qos, bool decayed)
{
	uint32_t at;

	if (!totals || !qos || !id_index_find(&totals->of_qos.index, qos, &at))
		return NULL;
	return &totals->of_qos.list.amount[2 * at + !decayed];
}

/* ---- by association ------------------------------------------------------------------------ */

struct charge_amounts {
	struct keyed_amounts own;	/* by key_of() */
	uint64_t *key;			/* of each of them */
	size_t key_room;
	struct fathom_qos_totals of_qos;
};

/* An association that has changed its account has two amounts. */
static uint64_t key_of(const struct fathom_run_id *id)
{
	return (uint64_t)id->association << 32 | id->account;
}

struct charge_amounts *charge_amounts_create(uint32_t tres_count, size_t room)
{
	struct charge_amounts *amounts = calloc(1, sizeof(*amounts));

	if (!amounts)
		return NULL;
	amounts->own = amounts_of(1, tres_count);
	amounts->of_qos.of_qos = amounts_of(2, tres_count);
	if (!make_room(&amounts->own.list, room) && !id_index_reserve(&amounts->own.index, room))
		return amounts;
	charge_amounts_destroy(amounts);
	return NULL;
}

void charge_amounts_destroy(struct charge_amounts *amounts)
{
	if (!amounts)
		return;
	clear(&amounts->own);
	clear(&amounts->of_qos.of_qos);
	free(amounts->key);
	free(amounts);
}

/* Asks for the memory of a charge that is soon added. */
static void prefetch_slot(const struct charge_amounts *amounts, const struct fathom_charge *charge)
{
	prefetch(id_index_home(&amounts->own.index, key_of(&charge->run.id)));
}

static void prefetch_amount(const struct charge_amounts *amounts,
			    const struct fathom_charge *charge)
{
	const struct amount_list *list = &amounts->own.list;
	const char *arrays;
	uint32_t own;

	if (!id_index_find(&amounts->own.index, key_of(&charge->run.id), &own))
		return;
	prefetch(&list->amount[own]);
	arrays = (const char *)arrays_of(list, own);
	for (size_t i = 0; i < width_of(list); i += 64)
		prefetch(arrays + i);
}

/* -1: out of memory, nothing was added. */
static int add_charge(struct charge_amounts *amounts, const struct fathom_charge *charge)
{
	struct amount_list *list = &amounts->own.list;
	uint64_t *key = array_grow(amounts->key, &amounts->key_room, list->count + 1, sizeof(*key));
	uint32_t own, qos[2];

	amounts->key = key ? key : amounts->key;
	if (!key || know_qos(&amounts->of_qos, charge, qos) ||
	    know(&amounts->own, key_of(&charge->run.id), &own))
		return -1;
	key[own] = key_of(&charge->run.id);
	fathom_amount_add_charge(&list->amount[own], charge, true, list->tres_count);
	charge_qos(&amounts->of_qos, qos, charge);
	return 0;
}

int charge_amounts_add(struct charge_amounts *amounts, const struct fathom_charges *charges,
		       size_t *at)
{
	size_t count = fathom_charges_count(charges);

	for (; *at < count; ++*at) {
		if (*at + 2 * AHEAD < count)
			prefetch_slot(amounts, fathom_charges_at(charges, *at + 2 * AHEAD));
		if (*at + AHEAD < count)
			prefetch_amount(amounts, fathom_charges_at(charges, *at + AHEAD));
		if (add_charge(amounts, fathom_charges_at(charges, *at)))
			return -1;
	}
	return 0;
}

size_t charge_amounts_count(const struct charge_amounts *amounts)
{
	return amounts->own.list.count;
}

const struct fathom_amount *charge_amounts_at(const struct charge_amounts *amounts, size_t at,
					      struct fathom_run_id *id)
{
	*id = (struct fathom_run_id){ .association = (uint32_t)(amounts->key[at] >> 32),
				      .account = (uint32_t)amounts->key[at] };
	return &amounts->own.list.amount[at];
}

const struct fathom_qos_totals *charge_amounts_of_qos(const struct charge_amounts *amounts)
{
	return &amounts->of_qos;
}

/* ---- by node ------------------------------------------------------------------------------- */

struct fathom_charge_totals {
	struct fathom_amount **of_node;		/* NULL: no charge */
	struct amount_list list;
};

/* The totals of no charges. NULL: out of memory. */
static struct fathom_charge_totals *create_totals(const struct fathom_tree *tree, bool released,
						  uint32_t tres_count)
{
	struct fathom_charge_totals *totals = calloc(1, sizeof(*totals));

	if (!totals)
		return NULL;
	totals->list = (struct amount_list){ .tres_count = tres_count, .released = released };
	totals->of_node = calloc(fathom_tree_count(tree), sizeof(*totals->of_node));
	if (totals->of_node)
		return totals;
	free(totals);
	return NULL;
}

struct fathom_charge_totals *fathom_charge_totals_create(const struct fathom_tree *tree,
							 const struct fathom_node_index *index,
							 const struct fathom_charges *charges,
							 bool released, uint32_t tres_count)
{
	size_t count = fathom_charges_count(charges), nodes = fathom_tree_count(tree);
	struct fathom_charge_totals *totals = create_totals(tree, released, tres_count);

	if (totals && make_room(&totals->list, count < nodes ? count : nodes)) {
		fathom_charge_totals_destroy(totals);
		return NULL;
	}
	for (size_t i = 0; totals && i < count; i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		const struct fathom_run_id *id = &charge->run.id;
		struct fathom_amount **amount = &totals->of_node[
			fathom_node_index_heir(index, id->association, id->account)];

		if (!*amount)
			*amount = next_amount(&totals->list);
		fathom_amount_add_charge(*amount, charge, true, tres_count);
	}
	return totals;
}

/* Adds an amount to that of a node, which is a copy if it is of several associations. -1: out of
 * memory. */
static int add_to_node(struct fathom_charge_totals *totals, struct fathom_amount **of_node,
		       struct fathom_amount *more, size_t most)
{
	struct amount_list *list = &totals->list;
	struct fathom_amount *first = *of_node;
	bool is_copy = list->count && first >= list->amount && first < list->amount + list->count;

	if (!first) {
		*of_node = more;
		return 0;
	}
	if (!list->room && make_room(list, most))
		return -1;
	if (!is_copy) {
		*of_node = next_amount(list);
		add_amount(*of_node, first, list->tres_count);
	}
	add_amount(*of_node, more, list->tres_count);
	return 0;
}

struct fathom_charge_totals *charge_amounts_by_node(const struct charge_amounts *amounts,
						    const struct fathom_tree *tree,
						    const struct fathom_node_index *index)
{
	const struct amount_list *own = &amounts->own.list;
	struct fathom_charge_totals *totals = create_totals(tree, true, own->tres_count);

	for (size_t i = 0; totals && i < own->count; i++) {
		uint32_t node = fathom_node_index_heir(index, (int64_t)(amounts->key[i] >> 32),
						       (uint32_t)amounts->key[i]);

		if (add_to_node(totals, &totals->of_node[node], &own->amount[i], own->count)) {
			fathom_charge_totals_destroy(totals);
			return NULL;
		}
	}
	return totals;
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
