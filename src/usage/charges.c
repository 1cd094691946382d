/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of charges, with copies of the TRES counts and parts that they point to. The copies lie in
 * blocks, each filled from its beginning. */
#include "usage/charges.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_WORDS 65536	/* in a block; blocks never move */

struct fathom_charges {
	struct fathom_charge_rules rules;
	struct fathom_charge *charge;
	size_t count, size;
	uint64_t **block;
	size_t block_count, block_size;
	size_t used, room;		/* words in the last block, and how many fit */
	/* Most runs go on from one round to the next, so that their charges have the same interval.
	 * This is the last one, and its decayed seconds. */
	struct fathom_interval last;
	double last_seconds;
};

struct fathom_charges *fathom_charges_create(const struct fathom_charge_rules *rules)
{
	struct fathom_charges *charges = calloc(1, sizeof(*charges));

	if (charges)
		charges->rules = *rules;
	return charges;
}

void charges_empty(struct fathom_charges *charges, const struct fathom_charge_rules *rules)
{
	while (charges->block_count > 1)
		free(charges->block[--charges->block_count]);
	/* a single count may have made the first block a large one */
	charges->room = charges->block_count ? BLOCK_WORDS : 0;
	charges->count = charges->used = 0;
	charges->last = (struct fathom_interval){ 0, 0 };
	charges->last_seconds = 0;
	charges->rules = *rules;
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

double charges_decay(struct fathom_charges *charges, const struct fathom_interval *interval)
{
	if (interval->begin != charges->last.begin || interval->end != charges->last.end) {
		charges->last = *interval;
		charges->last_seconds = fathom_decayed_seconds(interval->begin, interval->end,
							       charges->rules.seen,
							       charges->rules.half_life);
	}
	return charges->last_seconds;
}

/* Adds a block with room for `count` words or more. */
static int add_block(struct fathom_charges *charges, size_t count)
{
	size_t room = count > BLOCK_WORDS ? count : BLOCK_WORDS;
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

/* Returns a copy that lives as long as the list. NULL: out of memory. */
static void *copy_array(struct fathom_charges *charges, const void *array, size_t size)
{
	size_t words = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
	uint64_t *to;

	if (charges->used + words > charges->room && add_block(charges, words))
		return NULL;
	to = charges->block[charges->block_count - 1] + charges->used;
	charges->used += words;
	return memcpy(to, array, size);
}

/* The ledger's counts and parts change later, so that a charge needs copies. */
static int copy_rate(struct fathom_charges *charges, struct fathom_run_rate *rate)
{
	if (rate->tres_count &&
	    !(rate->tres = copy_array(charges, rate->tres,
				      rate->tres_count * sizeof(*rate->tres))))
		return -1;
	if (rate->part_count &&
	    !(rate->part = copy_array(charges, rate->part,
				      rate->part_count * sizeof(*rate->part))))
		return -1;
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
	if (copy_rate(charges, &charge->run.rate))
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
			struct fathom_run_rate rate = copy->run.rate;

			*copy = charges->charge[i];
			copy->run.rate = rate;
		} else {
			fathom_charges_destroy(selected);
			selected = NULL;
		}
	}
	return selected;
}
