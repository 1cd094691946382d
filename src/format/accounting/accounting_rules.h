/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to make of records of accounting. */
#ifndef FORMAT_ACCOUNTING_RULES_H
#define FORMAT_ACCOUNTING_RULES_H

#include "core/piece.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVERY_STATE UINT64_MAX
#define MOST_HALF_LIVES 64

/* Who says the half-life: nobody, so that it is the standard one; slurm.conf; fathom.conf; the
 * user. Each goes before those in front of it. */
enum half_life_of {
	HALF_LIFE_STANDARD, HALF_LIFE_OF_SLURM, HALF_LIFE_OF_FATHOM, HALF_LIFE_OF_USER
};

struct accounting_rules {
	double half_life[MOST_HALF_LIVES];	/* of usage; seconds, 0: no decay */
	size_t half_life_count;	/* 1 or more: usage is added up with each alone */
	enum half_life_of half_life_of;
	uint64_t states;	/* jobs are kept in these, 1 << state for each, and in those of
				 * jobs that wait or run */
	/* Returns whether the usage of jobs in these partitions counts; NULL: it always does. */
	bool (*counts)(const void *context, struct piece partitions);
	const void *context;
};

#endif
