/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields and functions that the files of this room share.
 *   evaluate.c       evaluates the policies and publishes the results
 *   scheme_trees.c   makes the tree of a scheme, with its sums and what runs hold
 *   scheme_state.c   keeps the sums of each scheme from pass to pass
 *   run_leaves.c     finds the leaf of a scope's own tree at which a run counts
 *   saved_sums.c     copies sums into the image that is saved, and back
 *   entities.c       evaluates PBS's entities, whose figures associations get
 *   user_groups.c    asks the system for the groups of users
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
	struct fathom_tree *tree;	/* a copy of the tree of associations, with these sums;
					 * NULL: not made yet, or a scope has its own tree */
	struct fathom_node_index *map;	/* that of the tree which was copied: if the associations
					 * have another one now, their tree must be copied again */
	struct entities *entities;	/* entities of policy pbs; NULL: the scheme has none, or
					 * they are not made yet */
	struct numbered_names queues;	/* names of the partitions that are charged; a row of `sums`
					 * without an association has in `leaf` the number of one of
					 * them */
	struct scope_tree *own_tree;	/* that of a scope with UserShares; NULL: not made yet */
};

/* The groups of the users whose groups were wanted. Start with all members 0. */
struct user_groups {
	struct numbered_names users;
	struct user_group *entry;		/* by number of the user */
	size_t count;			/* elements of `entry` */
	char *answer;			/* room for what the system says */
	size_t answer_size;		/* bytes */
	size_t failed;			/* how often, since the last user_groups_ask_again(),
					 * user_groups_find() had to do without an answer of the
					 * system */
	bool is_slow;			/* the system took long: it is not asked until the next
					 * user_groups_ask_again() */
	bool is_logged;			/* the log says that the system could not tell a group */
};

/* All schemes, see schemes.h. */
struct schemes {
	/* the caller's, see schemes_create() */
	struct book *book;
	struct results *results;
	const struct associations *associations;
	const time_t *time;		/* up to which usage is decayed and charged */

	struct settings *settings;	/* a reference to those that were followed last */
	struct scheme_state *state;	/* by scheme of these settings */
	struct usage_image unclaimed;	/* saved sums, of which the settings may lack the schemes;
					 * and SECTION_OF_RESET */
	struct global_usage *global;	/* usage of other clusters; or NULL */
	struct own_usage *own_usage;	/* usage without that, for evaluations; NULL: no file gets
					 * it, or it is not known */
	struct user_groups groups;
};

/* Returns the sums of a scheme; NULL: its policy looks at usage_raw alone. */
static inline struct fathom_policy_sums *sums_of(const struct schemes *schemes, size_t scheme)
{
	return schemes->state[scheme].sums;
}

/* Returns the partition that a row of sums belongs to, "" if that is not known; NULL: the row
 * belongs to an association. */
static inline const char *queue_of_row(const struct scheme_state *state,
				       const struct fathom_policy_sums_row *row)
{
	/* if the scheme charges partitions no more, the names are gone; rows keep their numbers,
	 * with sums of 0 */
	return row->association == FATHOM_NO_ASSOCIATION && row->leaf < state->queues.count
		       ? state->queues.name[row->leaf] : NULL;
}

/* Returns the half-life of the scheme's sums, in seconds. */
static inline double half_life_of(const struct schemes *schemes, size_t scheme)
{
	const struct scheme *definition = &schemes->settings->scheme[scheme];

	return fathom_policy_half_life(definition->policy, &definition->settings,
				       schemes->settings->half_life);
}

/* Returns whether the scheme is a scope with UserShares, which has a tree of its own. */
static inline bool has_own_tree(const struct schemes *schemes, size_t scheme)
{
	return schemes->settings->scheme[scheme].scope->user_shares;
}

/* Evaluates PBS's entities, if the scheme has them. Gives their figures to the associations, in
 * results->result, which was evaluated on `tree`; and to partitions, in results->queues: those of
 * `order`, unless NULL, and those that have used something. Takes assoc read in slices, and may ask
 * the system for groups. Returns 0; or -1 and *problem, unless out of memory. */
int entities_evaluate(struct schemes *schemes, size_t scheme, const struct partition_order *order,
		      const struct fathom_tree *tree, struct scheme_results *results,
		      struct fathom_error *problem);
void entities_destroy(struct entities *entities);	/* NULL is allowed */

/* Returns the name of the user's own group, which is valid until the next call for this user. Asks
 * the system once for each user. If the system does not know the user or the group, returns a name
 * that no group has. If the system cannot tell, logs that, counts it in groups->failed, and returns
 * the group that the user had before. */
const char *user_groups_find(struct user_groups *groups, const char *user);
enum ask_again { ASK_FAILED, ASK_ALL };
/* Lets user_groups_find() ask the system again, ASK_FAILED: for users whose groups it could not
 * tell; ASK_ALL: for all users. Call it before each pass over the users. */
void user_groups_ask_again(struct user_groups *groups, enum ask_again whom);
void user_groups_clear(struct user_groups *groups);

/* Returns the rules by which the scheme's policy adds charges to sums; they point to the settings.
 * gpu_tres: slurmctld's index of GPUs; without GPUs any number beyond its TRES. */
struct fathom_sum_rules sum_rules(const struct settings *settings, size_t scheme,
				  uint32_t gpu_tres);
/* Copies all sums of a scheme into the image. */
void saved_sums_copy(const struct scheme_state *state, const struct scheme *scheme,
		     struct usage_image *image);
/* Adds the sums that an image has of a scheme, also under its other name, to state->sums, which are
 * empty. If out of memory, logs that some are missing. */
void saved_sums_restore(struct scheme_state *state, const struct scheme *scheme,
			const struct usage_image *image);
/* Adds only the sums that an image has of a scheme's partitions, except of partitions that have
 * sums already. If out of memory, logs that some are missing. */
void saved_sums_restore_queues(struct scheme_state *state, const struct scheme *scheme,
			       const struct usage_image *image);

/* What the leaves of a scheme's runs are found by. */
struct run_leaves {
	const struct schemes *schemes;
	size_t scheme;
	struct places *places;		/* a reference, or NULL */
	struct evaluation *evaluation;	/* a reference, or NULL */
};

/* Takes references to the last places and the last evaluation, which run_leaves_end() releases. */
struct run_leaves run_leaves_begin(const struct schemes *schemes, size_t scheme);
void run_leaves_end(struct run_leaves *leaves);
/* Returns the key of the run's leaf; 0: not known, or the scheme has no tree of its own. */
uint32_t run_leaves_find(const struct run_leaves *leaves, const struct fathom_run_id *id);
/* Returns the key of the leaf for the run of a charge; if the book does not have it yet, notes it
 * there for the rest of the run. 0: not known, or the scheme has no tree of its own. */
uint32_t run_leaves_find_and_note(const struct run_leaves *leaves,
				  const struct fathom_charge *charge);
/* Returns whether a run counts in the scheme: by its partition, or by the hosts that it uses. */
bool schemes_count_run(const struct settings *settings, size_t scheme,
		       const struct fathom_run *run);
