/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums of one scheme's policy for each association, such as CPU time with a half-life of its
 * own, and their lock. The arithmetic is that of fathom_policy_sums (fathom/usage.h).
 */
#ifndef SLURM_SCHEME_SUMS_H
#define SLURM_SCHEME_SUMS_H

#include "charging/book.h"
#include "fairshare/scope_tree.h"
#include "fairshare/usage_edits.h"
#include "settings/settings.h"
#include "state/usage_image.h"

struct scheme_sums;

struct scheme_sums *scheme_sums_create(void);	/* NULL: out of memory */
void scheme_sums_destroy(struct scheme_sums *sums);

/* Returns the rules by which a scheme's policy adds charges up. gpu_tres: as below. */
struct fathom_sum_rules scheme_sums_rules(const struct settings *settings,
					  const struct scheme *scheme, uint32_t gpu_tres);
/* Adds a charge to the sums of its association. gpu_tres: slurmctld's index of GPUs; without GPUs
 * any number beyond its TRES. */
void scheme_sums_add(struct scheme_sums *sums, const struct settings *settings,
		     const struct scheme *scheme, const struct fathom_charge *charge,
		     uint32_t gpu_tres);
/* Sets all sums to 0; what has run before `time` counts no more. */
void scheme_sums_reset(struct scheme_sums *sums, time_t time);
/* Returns the time of the last reset; 0: none. */
double scheme_sums_since(struct scheme_sums *sums);
/* Sets the sums of one association to 0. */
void scheme_sums_clear(struct scheme_sums *sums, uint32_t association);
/* Does to the sums what `edits` do to usage; adds_usage: also adds usage that no job has used. */
void scheme_sums_edit(struct scheme_sums *sums, double half_life, time_t time,
		      const struct usage_edits *edits, bool adds_usage);
/* Moves the sums of each association to the one that heir_of() returns. */
void scheme_sums_move(struct scheme_sums *sums, double half_life, fathom_heir_function *heir_of,
		      const void *context);
/* Moves those of one association. */
void scheme_sums_move_one(struct scheme_sums *sums, double half_life, uint32_t from, uint32_t to);
/* Decays all sums to `time`, and adds those of each association to own[] of its node. */
void scheme_sums_collect(struct scheme_sums *sums, double half_life, time_t time,
			 const struct fathom_node_index *index, struct fathom_sums *own);
/* Adds all sums, as they count at `time`, to own[] of the nodes of a scope's own tree. */
void scheme_sums_collect_by_leaf(struct scheme_sums *sums, double half_life, time_t time,
				 const struct scope_tree *tree, struct fathom_sums *own);
/* Adds what a run holds now, such as slots, to what its node holds. */
void scheme_sums_hold(const struct scheme_sums *sums, const struct settings *settings,
		      const struct scheme *scheme, const struct running *running,
		      struct fathom_holdings *holdings);

/* Copies the sums into the image as the scheme's section; and takes them from there. */
void scheme_sums_copy(struct scheme_sums *sums, const struct scheme *scheme,
		      struct usage_image *image);
void scheme_sums_restore(struct scheme_sums *sums, const struct scheme *scheme,
			 const struct usage_image *image);

#endif
