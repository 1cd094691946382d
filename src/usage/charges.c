/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of charges, with copies of the TRES counts that they point to. The copies lie in
 * blocks, each filled from its beginning. */
#include "usage/charges.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_COUNTS 65536	/* TRES counts in a block; blocks never move */

struct fathom_charges {
	struct fathom_charge_rules rules;
	struct fathom_charge *charge;
	size_t count, size;
	uint64_t **block;
	size_t block_count, block_size;
	size_t used, room;		/* TRES counts in the last block, and how many fit */
};

struct fathom_charges *fathom_charges_create(const struct fathom_charge_rules *rules)
{
	struct fathom_charges *charges = calloc(1, sizeof(*charges));

	if (charges)
		charges->rules = *rules;
	return charges;
}

void fathom_charges_destroy(struct fathom_charges *charges)
{
	if (!charges)
		return;
	for (size_t i = 0; i < charges->block_count; i++)
		free(charges->block[i]);
	free(charges->block);
	free(charges->charge);
	free(charges);
}

size_t fathom_charges_count(const struct fathom_charges *charges)
{
	return charges->count;
}

const struct fathom_charge *fathom_charges_at(const struct fathom_charges *charges, size_t at)
{
	return &charges->charge[at];
}

const struct fathom_charge_rules *charges_rules(const struct fathom_charges *charges)
{
	return &charges->rules;
}

/* Adds a block with room for `count` TRES counts or more. */
static int add_block(struct fathom_charges *charges, uint32_t count)
{
	size_t room = count > BLOCK_COUNTS ? count : BLOCK_COUNTS;
	uint64_t **block = array_grow(charges->block, &charges->block_size,
				      charges->block_count + 1, sizeof(*block));

	if (!block)
		return -1;
	charges->block = block;
	block[charges->block_count] = malloc(room * sizeof(**block));
	if (!block[charges->block_count])
		return -1;
	charges->block_count++;
	charges->used = 0;
	charges->room = room;
	return 0;
}

/* The ledger's counts change later, so that a charge needs a copy. */
static int copy_tres(struct fathom_charges *charges, struct fathom_run_rate *rate)
{
	uint64_t *to;

	if (!rate->tres_count)
		return 0;
	if (charges->used + rate->tres_count > charges->room &&
	    add_block(charges, rate->tres_count))
		return -1;
	to = charges->block[charges->block_count - 1] + charges->used;
	memcpy(to, rate->tres, rate->tres_count * sizeof(*to));
	charges->used += rate->tres_count;
	rate->tres = to;
	return 0;
}

struct fathom_charge *charges_add(struct fathom_charges *charges, const struct fathom_run *run)
{
	struct fathom_charge *charge = array_grow(charges->charge, &charges->size,
						  charges->count + 1, sizeof(*charge));

	if (!charge)
		return NULL;
	charges->charge = charge;
	charge += charges->count;
	*charge = (struct fathom_charge){ .run = *run };
	if (copy_tres(charges, &charge->run.rate))
		return NULL;
	charges->count++;
	return charge;
}

struct fathom_charges *fathom_charges_select(const struct fathom_charges *charges,
					     bool (*is_wanted)(const struct fathom_charge *charge,
							       void *context),
					     void *context)
{
	struct fathom_charges *selected = fathom_charges_create(&charges->rules);

	for (size_t i = 0; selected && i < charges->count; i++) {
		struct fathom_charge *copy;

		if (!is_wanted(&charges->charge[i], context))
			continue;
		copy = charges_add(selected, &charges->charge[i].run);
		if (copy) {
			const uint64_t *tres = copy->run.rate.tres;

			*copy = charges->charge[i];
			copy->run.rate.tres = tres;
		} else {
			fathom_charges_destroy(selected);
			selected = NULL;
		}
	}
	return selected;
}
