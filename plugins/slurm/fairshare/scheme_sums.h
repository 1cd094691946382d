/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums that a scheme's policy keeps beside usage_raw, with their lock. */
#ifndef SLURM_SCHEME_SUMS_H
#define SLURM_SCHEME_SUMS_H

#include "charging/book.h"
#include "settings/settings.h"
#include "state/usage_image.h"

struct scheme_sums;

struct scheme_sums *scheme_sums_create(void);	/* NULL: out of memory */
void scheme_sums_destroy(struct scheme_sums *sums);

/* Adds what a charge is under the scheme. `gpu_tres`: where slurmctld counts
 * GPUs, or more than it has. */
void scheme_sums_add(struct scheme_sums *sums, const struct settings *settings,
		     const struct scheme *scheme, const struct fathom_charge *charge,
		     uint32_t gpu_tres);
/* Nothing has been used before `time`. */
void scheme_sums_reset(struct scheme_sums *sums, time_t time);
/* The association has used nothing. */
void scheme_sums_clear(struct scheme_sums *sums, uint32_t association);
void scheme_sums_move(struct scheme_sums *sums, double half_life, fathom_heir_function *heir_of,
		      const void *context);
/* Brings all up to `time`, and adds them to the nodes of `own`. */
void scheme_sums_collect(struct scheme_sums *sums, double half_life, time_t time,
			 const struct fathom_node_index *index, struct fathom_sums *own);
/* Adds what a run holds, as the policy asks for it. */
void scheme_sums_hold(const struct scheme_sums *sums, const struct settings *settings,
		      const struct scheme *scheme, const struct running *running,
		      struct fathom_holdings *holdings);

/* Into a state's image as the section of the scheme, and back. */
void scheme_sums_copy(struct scheme_sums *sums, const struct scheme *scheme,
		      struct usage_image *image);
void scheme_sums_restore(struct scheme_sums *sums, const struct scheme *scheme,
			 const struct usage_image *image);

#endif
