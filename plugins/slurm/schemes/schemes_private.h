/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields and functions that the files of this room share.
 *   evaluate.c   evaluates the policies and publishes the results
 *   scheme_trees.c  the tree of a scheme, with its sums and what runs hold
 *   scheme_state.c  the sums that a policy keeps beside usage
 *   run_leaves.c the leaf of a scope's own tree at which a run counts
 *   saved_sums.c the same in the image that is saved
 *   entities.c   evaluates PBS's entities, whose figures associations get
 * A file calls only files below it.
 */
#pragma once

#include "core/numbered_names.h"
#include "results/evaluation.h"
#include "results/scope_tree.h"
#include "schemes/schemes.h"

struct entities;

/* What a scheme (the policy in force, a shadow, a scope) has from one evaluation to the next. */
struct scheme_state {
	struct fathom_policy_sums *sums;	/* NULL: its policy looks at usage_raw alone */
	struct fathom_tree *tree;	/* a copy of the tree of associations, with these sums */
	struct fathom_node_index *map;	/* of the tree that was copied; a new one: copy again */
	struct entities *entities;	/* PBS's; NULL: none, or not made yet */
	struct numbered_names queues;	/* names of partitions; the leaf of a row of `sums` without
					 * an association is the number of one of them */
	struct scope_tree *own;		/* of a scope with UserShares; NULL: not made yet */
};

struct schemes {
	struct book *book;
	struct results *results;
	const struct associations *associations;
	const time_t *time;		/* of usage */
	struct settings *settings;
	struct scheme_state *state;	/* by scheme of these settings */
	struct usage_image unclaimed;	/* saved sums of all schemes */
	struct global_usage *global;	/* of other clusters; or NULL */
	struct own_usage *own;		/* of the rows; NULL: nobody wants it */
};

/* NULL: the scheme's policy looks at usage_raw alone. */
static inline struct fathom_policy_sums *sums_of(const struct schemes *schemes, size_t scheme)
{
	return schemes->state[scheme].sums;
}

/* Returns the partition that the row belongs to; "": it is not known. NULL: to none. */
static inline const char *queue_of_row(const struct scheme_state *state,
				       const struct fathom_policy_sums_row *row)
{
	/* rows from before a change of the settings are 0, and may have no name */
	return row->association == FATHOM_NO_ASSOCIATION && row->leaf < state->queues.count
		       ? state->queues.name[row->leaf] : NULL;
}

static inline double half_life_of(const struct schemes *schemes, size_t scheme)
{
	const struct scheme *of = &schemes->settings->scheme[scheme];

	return fathom_policy_half_life(of->policy, &of->settings, schemes->settings->half_life);
}

static inline bool has_own_tree(const struct schemes *schemes, size_t scheme)
{
	return schemes->settings->scheme[scheme].scope->user_shares;
}

/* Evaluates PBS's entities, if the scheme has them, and gives their figures to the associations, in
 * a result that was evaluated on `tree`, and to partitions: to those in `order`, unless NULL, and
 * to those that have used something. Takes assoc read in slices, and may ask the system for groups.
 * -1: *problem. */
int entities_evaluate(struct schemes *schemes, size_t scheme, const struct partition_order *order,
		      const struct fathom_tree *tree, struct scheme_results *results,
		      struct fathom_error *problem);
void entities_destroy(struct entities *entities);	/* NULL is allowed */
/* Returns the rules by which the scheme's policy adds charges up. gpu_tres: slurmctld's index of
 * GPUs; without GPUs any number beyond its TRES. */
struct fathom_sum_rules sum_rules(const struct settings *settings, size_t scheme,
				  uint32_t gpu_tres);
/* Copies all sums of a scheme into the image; and takes them from there, or only those of
 * partitions. */
void saved_sums_copy(const struct scheme_state *state, const struct scheme *scheme,
		     struct usage_image *image);
void saved_sums_restore(struct scheme_state *state, const struct scheme *scheme,
			const struct usage_image *image, bool only_queues);

/* What tells the leaves of runs, for one scheme. */
struct run_leaves {
	const struct schemes *schemes;
	size_t scheme;
	const struct book *book;	/* or NULL */
	struct places *places;
	struct evaluation *evaluation;
};

/* Takes references. book: the ledger; NULL: it does not tell. */
struct run_leaves run_leaves_begin(const struct schemes *schemes, size_t scheme,
				   const struct book *book);
void run_leaves_end(struct run_leaves *leaves);
/* Returns the key of the run's leaf; 0: not known, or the scheme has no tree of its own. */
uint32_t run_leaves_find(const struct run_leaves *leaves, const struct fathom_run_id *id);
/* Does the same for a charge, and notes the leaf for the rest of the run. */
uint32_t run_leaves_charge(const struct run_leaves *leaves, const struct fathom_charge *charge);
/* Whether a run counts in the scheme: by its partition, or by the hosts that it uses. */
bool schemes_count_run(const struct settings *settings, size_t scheme,
		       const struct fathom_run *run);
