/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scheme's policy looks at beside usage_raw: of each association a row
 * of sums over its jobs, which decay as the policy has it. Each row has a time
 * of its own that it is true at, and only moves forward; so it makes no
 * difference in which order charges come, and rows may be brought forward in
 * slices.
 */
#ifndef SLURM_INPUTS_H
#define SLURM_INPUTS_H

#include "charge.h"
#include "settings.h"
#include "usage_image.h"

struct inputs_row {
	uint32_t id, account_id;	/* the second where the first is gone */
	time_t time;
	struct fathom_sums own;
};

struct inputs {
	pthread_mutex_t lock;		/* of what follows; innermost */
	time_t since;			/* the last reset; 0: never */
	struct inputs_row *row;		/* in no order */
	uint32_t count, size;
	uint32_t *slot;			/* rows by id, from 1; open addressing */
	size_t slots;			/* a power of two */
};

struct inputs *inputs_create(void);	/* NULL: out of memory */
void inputs_destroy(struct inputs *inputs);

/* Adds what a charge is under the scheme. `gpu_tres`: where slurmctld counts
 * GPUs, or more than it has. */
void inputs_add(struct inputs *inputs, const struct settings *settings,
		const struct scheme *scheme, const struct charge *charge, uint32_t gpu_tres);
/* Nothing has been used before `time`. */
void inputs_reset(struct inputs *inputs, time_t time);
/* The association has used nothing. */
void inputs_clear(struct inputs *inputs, uint32_t id);
/* The association that a row is of from now on: its own, or the nearest one left. */
typedef uint32_t inputs_heir(uint32_t id, uint32_t account_id, const void *context);
void inputs_move(struct inputs *inputs, double half_life, inputs_heir *heir_of,
		 const void *context);
/* Brings rows up to `time`, and adds each to its node of `own`; what is of
 * nobody any more, to its account's or the root's. */
void inputs_collect(struct inputs *inputs, double half_life, time_t time,
		    const struct fathom_node_index *map, struct fathom_sums *own);
/* What a run holds, as a policy asks for it. */
void inputs_hold(const struct settings *settings, const struct scheme *scheme,
		 const struct running *running, time_t since, struct fathom_holdings *holdings);

/* Into a state's image as the section of the scheme, and back. */
void inputs_copy(struct inputs *inputs, const struct scheme *scheme, struct usage_image *image);
void inputs_restore(struct inputs *inputs, const struct scheme *scheme,
		    const struct usage_image *image);

#endif
