/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of charges. Each stands in a block of memory with copies of its arrays of TRES and parts
 * behind it, and never moves, so that a list of a hundred thousand grows by small steps. */
#include "usage/charges.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 524288	/* some thousand charges */

/* `bytes` is aligned for a struct fathom_charge, and each size that is taken is a multiple of 8. */
struct charge_block {
	struct charge_block *before;	/* the one that was made before it; NULL: it is the first */
	char *at, *end;		/* the part of `bytes` that is not in use yet */
	char bytes[];
};

/* See the head of this file. */
struct fathom_charges {
	struct fathom_charge_rules rules;
	struct fathom_charge **charge;	/* pointers into the blocks */
	size_t count, room;		/* number of charges; elements that `charge` has room for */
	struct charge_block *block;		/* the newest one, from which bytes are taken */
	/* A cache for charges_decay(): most charges of a round have the same interval. The empty
	 * interval with 0 seconds is a valid start. New rules make the cache invalid. */
	struct fathom_interval cached_interval;
	double cached_seconds;		/* its decayed seconds */
};

struct fathom_charges *fathom_charges_create(const struct fathom_charge_rules *rules)
{
	struct fathom_charges *charges = calloc(1, sizeof(*charges));

	if (charges)
		charges->rules = *rules;
	return charges;
}

/* Frees the newest block; there must be one. */
static void free_block(struct fathom_charges *charges)
{
	struct charge_block *block = charges->block;

	charges->block = block->before;
	free(block);
}

void charges_empty(struct fathom_charges *charges, const struct fathom_charge_rules *rules)
{
	while (charges->block && charges->block->before)	/* keeps the first block */
		free_block(charges);
	if (charges->block)
		charges->block->at = charges->block->bytes;
	charges->count = 0;
	charges->cached_interval = (struct fathom_interval){ 0, 0 };
	charges->cached_seconds = 0;
	charges->rules = *rules;
}

void fathom_charges_destroy(struct fathom_charges *charges)
{
	if (!charges)
		return;
	while (charges->block)
		free_block(charges);
	free(charges->charge);
	free(charges);
}

size_t fathom_charges_count(const struct fathom_charges *charges)
{
	return charges->count;
}

const struct fathom_charge *fathom_charges_at(const struct fathom_charges *charges, size_t at)
{
	return charges->charge[at];
}

const struct fathom_charge_rules *charges_rules(const struct fathom_charges *charges)
{
	return &charges->rules;
}

double charges_decay(struct fathom_charges *charges, const struct fathom_interval *interval)
{
	if (interval->begin != charges->cached_interval.begin ||
	    interval->end != charges->cached_interval.end) {
		charges->cached_interval = *interval;
		charges->cached_seconds = fathom_decayed_seconds(interval->begin, interval->end,
								 charges->rules.seen,
								 charges->rules.half_life);
	}
	return charges->cached_seconds;
}

void fathom_charges_drop_before(struct fathom_charges *charges, double when)
{
	for (size_t at = 0; at < charges->count; at++) {
		struct fathom_charge *charge = charges->charge[at];
		double seconds = 0, decayed = 0;

		for (int i = 0; i < 2; i++) {
			struct fathom_interval *part = &charge->part[i];

			part->begin = fmin(fmax(part->begin, when), part->end);
			seconds += part->end - part->begin;
			if (part->end > part->begin)
				decayed += charges_decay(charges, part);
		}
		charge->seconds = seconds * charge->run.rate.usage_factor;
		charge->decayed_seconds = decayed * charge->run.rate.usage_factor;
	}
}

/* Takes `size` bytes from the newest block, or from a new one if it has too few left. NULL: out of
 * memory. */
static void *take_bytes(struct fathom_charges *charges, size_t size)
{
	struct charge_block *block = charges->block;
	size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;

	if (!block || (size_t)(block->end - block->at) < size) {
		block = malloc(sizeof(*block) + room);
		if (!block)
			return NULL;
		*block = (struct charge_block){ charges->block, block->bytes, block->bytes + room };
		charges->block = block;
	}
	block->at += size;
	return block->at - size;
}

/* The arrays of the run belong to the ledger, which changes them later; so a charge has copies
 * behind itself. */
struct fathom_charge *charges_add(struct fathom_charges *charges, const struct fathom_run *run)
{
	size_t tres = run->rate.tres_count * sizeof(*run->rate.tres);
	size_t part = run->rate.part_count * sizeof(*run->rate.part);
	struct fathom_charge **grown = array_grow(charges->charge, &charges->room,
						  charges->count + 1, sizeof(*grown)), *charge;

	if (!grown)
		return NULL;
	charges->charge = grown;
	charge = take_bytes(charges, sizeof(*charge) + tres + part);
	if (!charge)
		return NULL;
	charge->run = *run;
	if (tres)
		charge->run.rate.tres = memcpy(charge + 1, run->rate.tres, tres);
	if (part)
		charge->run.rate.part = memcpy((char *)(charge + 1) + tres, run->rate.part, part);
	return grown[charges->count++] = charge;
}
