/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields and functions that the files of this room share.
 *   fairshare_pass.c  creates and destroys; a pass from beginning to end
 *   restore.c    puts saved usage back into the records
 *   rounds.c     a pass in rounds: evaluate, write; again if others have changed something
 *   begin.c      the beginning of a pass: the time moves on, QOS are charged
 *   write.c      writes usage and figures into each record, in slices
 *   totals.c     writes the totals of accounts: the sums of what their members use
 *   record_walk.c  walks over all records, for write.c and totals.c
 *   evaluate.c   evaluates the policies and keeps the results
 *   place_jobs.c places pending jobs in LSF's order of dispatch
 *   place_pools.c  the same for jobs in partitions of slot pools
 *   pending.c    gathers the jobs that slurmctld has, for that
 *   schemes.c    the sums that a policy keeps beside usage, and its tree made of them
 *   run_leaves.c the leaf of a scope's own tree at which a run counts
 *   scope_tree.c that tree, made of UserShares
 *   entities.c   evaluates PBS's entities, whose figures associations get
 *   reread.c     reads all records anew
 *   usage_edits.c  imports and requests: what they do to each association's usage
 *   job_end.c    charges a job that ends, also in the middle of a pass
 * A file calls only files below it.
 */
#ifndef SLURM_FAIRSHARE_PRIVATE_H
#define SLURM_FAIRSHARE_PRIVATE_H

#include "fairshare/entities.h"
#include "fairshare/fairshare.h"
#include "fairshare/queue_figures.h"
#include "fairshare/queue_sums.h"
#include "fairshare/scheme_sums.h"
#include "fairshare/scope_tree.h"
#include "fairshare/usage_edits.h"
#include "records/associations.h"
#include "records/record_usage.h"
#include "records/sshare.h"

#include <pthread.h>

/* What a scheme (the policy in force, a shadow, a scope) has from one evaluation to the next. */
struct scheme_state {
	struct scheme_sums *sums;	/* NULL: its policy looks at usage_raw alone */
	struct fathom_tree *tree;	/* a copy of the tree of associations, with these sums */
	struct fathom_node_index *map;	/* of the tree that was copied; a new one: copy again */
	struct entities *entities;	/* PBS's; NULL: none, or not made yet */
	struct queue_sums *queues;	/* of partitions; NULL: none is charged */
	struct scope_tree *own;		/* of a scope with UserShares; NULL: not made yet */
};

/* How far a pass has come with an association. */
enum {
	AGED = 1 << 0,		/* its own usage is decayed (or reset) to the pass's time */
	WRITTEN = 1 << 1,	/* this round has charged it and filled its row of the image */
	SUMMED = 1 << 2,	/* this round has written its total, if it is an account */
	INHERITED = 1 << 3,	/* an account got the usage of a deleted member in this pass */
};

struct progress {
	uint8_t *of_node;	/* the bits above */
	/* Rows of the image that are out of date, as a job has ended since they were filled. */
	uint32_t *late;		/* their nodes */
	bool *is_late;		/* by node */
	size_t late_count;
};

/*
 * A pass and fairshare_evaluate() hold solve_lock from beginning to end; slurmctld's job locks are
 * outside it, assoc_mgr's inside. A field that is "read under assoc write" changes under an assoc
 * lock and solve_lock together, so that a job's end, which has no solve_lock, can read it.
 */
struct fairshare {
	pthread_mutex_t solve_lock;
	struct associations associations;	/* read under assoc write */
	bool must_reread;	/* read all records before the next pass */
	struct book *book;
	struct partition_names partitions;	/* under solve_lock; only if some scheme charges
						 * them */

	/* read under assoc write */
	struct settings *settings;
	struct scheme_state *scheme_state;	/* by scheme of these settings */

	struct usage_image unclaimed;	/* saved sums of all schemes, as long as fathom.conf
					 * may have an error and lack some of them */

	/* read under assoc write */
	time_t time;		/* of usage; see fairshare_time() */
	bool updating;		/* between update_begin() and the end of a pass */
	double decay;		/* of this pass: what usage of the pass before is multiplied by */
	struct progress progress;
	long double root_total;	/* of fairshare_note_total() */
	struct usage_image *image;	/* of the last pass; NULL: there was none */

	/* What sshare sees in the root's shares depends on the kind of policy. */
	bool published;		/* figures have been written */
	bool root_has_rank;	/* by a policy that ranks, as Fair Tree */

	pthread_mutex_t evaluation_lock;	/* innermost; for the next two pointers alone */
	struct evaluation *evaluation;	/* the last one; NULL: none */
	struct places *places;		/* the last ones; NULL: no policy places jobs */
	bool weight_told;		/* the log says that PriorityWeightFairshare is too small */
};

/* A pass on its way, or an evaluation without one. */
struct update {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct ordered_partitions *order;	/* of partitions, or NULL */
	const struct accounting *accounting;	/* NULL: only evaluate; usage stays as it is */
	struct book *book;
	struct usage_image *image;
	uint32_t tres_count;		/* when it began; slurmctld may add TRES meanwhile */
	const struct fathom_charges *charges;	/* that are not in the records yet */
	struct fathom_charges *left;	/* the same from the second round on, to be destroyed */
	struct fathom_charge_totals *totals;	/* sums of `charges` by node, for this round */
	struct usage_edits *edits;	/* of accounting->changes; NULL: none, or not made yet */
	bool take_run_seconds;		/* take the seconds that have run off GrpTRESRunMins */
	bool solved;			/* this round has evaluated the policy */
	const struct sshare_columns *columns;	/* figures to write; NULL: none */
	unsigned changes;		/* ASSOCIATION_*: what others did during this round */
};

/* Begins a round: no node has been written. `keep`: the bits of progress that stay. The caller
 * holds assoc write. */
static inline void fairshare_begin_round(struct fairshare *fairshare, uint8_t keep)
{
	fairshare->progress.late_count = 0;
	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		fairshare->progress.of_node[node] &= keep;
		fairshare->progress.is_late[node] = false;
	}
}

/* The amount without the running seconds that must not be taken off. */
static inline struct fathom_amount update_charged_amount(const struct update *update,
							 const struct fathom_amount *amount)
{
	struct fathom_amount charged = *amount;

	if (!update->take_run_seconds)
		charged.released = NULL;
	return charged;
}

/* What the pass has still to multiply a node's own usage by; 1: done. A reset also takes what an
 * account has inherited during the pass, as it may be usage from before the reset. */
static inline double update_decay(const struct update *update, size_t node)
{
	uint8_t progress = update->fairshare->progress.of_node[node];

	if (update->accounting->reset)
		return (progress & AGED) && !(progress & INHERITED);
	return progress & AGED ? 1 : update->fairshare->decay;
}

/* Returns what imports and requests still do to a node's own usage; NULL: nothing. */
static inline struct usage_edit *update_edit(const struct update *update, size_t node)
{
	return usage_edits_find(update->edits, update->fairshare->associations.seen[node].id);
}

/*
 * Gives accounts their own usage back after slurmctld has replaced all records, which it does when
 * slurmdbd is back after a start without it (assoc_mgr_refresh_lists) and which drops that usage.
 * Does nothing if the records have not been replaced. Totals are right again after the next pass.
 * The caller holds assoc write, tres read.
 */
void fairshare_give_back_own(struct fairshare *fairshare);

/* Reads all records anew. Returns false if there are none, or if out of memory; the old tree stays
 * then. The caller holds solve_lock, none of assoc_mgr's locks. */
bool fairshare_read_tree(struct fairshare *fairshare);
void progress_clear(struct progress *progress);

/* Make these settings' schemes those that have a state. A scheme that the old settings had too
 * keeps its sums; others begin with what was saved for them, or with nothing. Return false if out
 * of memory; nothing changes then. The first is for the start, when no other thread runs; for the
 * second the caller holds solve_lock, none of assoc_mgr's locks. */
bool schemes_begin(struct fairshare *fairshare, const struct settings *settings);
bool schemes_follow(struct fairshare *fairshare, const struct settings *settings);
void schemes_forget(struct fairshare *fairshare);

/* The next five change the sums of all schemes. For them the caller holds solve_lock or assoc
 * write, and tres read for the first. */
void schemes_charge(struct fairshare *fairshare, const struct fathom_charges *charges);
void schemes_reset(struct fairshare *fairshare, time_t time);
/* Does what imports and requests do to usage. */
void schemes_edit(struct fairshare *fairshare, const struct usage_edits *edits);
/* Own usage of a node's association has become 0: by `sacctmgr modify user set RawUsage=0`, or as
 * it was deleted and added again. In the second case its sums go to the account to which assoc_mgr
 * has given its usage. The caller holds an assoc lock too. */
void schemes_clear(struct fairshare *fairshare, uint32_t node);
/* Moves the sums of each association to the one that heir_of() returns. */
void schemes_move(struct fairshare *fairshare, fathom_heir_function *heir_of, const void *context);

/* Returns the tree to evaluate a scheme on, with its sums as of fairshare->time. If out of memory,
 * it is the tree of associations without these sums; NULL for a scope with a tree of its own, then
 * *problem. The caller holds solve_lock, none of assoc_mgr's locks. */
const struct fathom_tree *schemes_tree(struct fairshare *fairshare, size_t scheme,
				       struct fathom_error *problem);
/* The same, with what these runs hold instead of those of the book. */
const struct fathom_tree *schemes_tree_holding(struct fairshare *fairshare, size_t scheme,
					       const struct running *running, size_t count,
					       struct fathom_error *problem);
/* Replaces the figures in a result, which was evaluated on this tree, by those of PBS's entities,
 * if the scheme has them. -1: *problem. The caller holds solve_lock. */
int schemes_use_entities(struct fairshare *fairshare, size_t scheme, const struct fathom_tree *tree,
			 struct fathom_result *result, struct fathom_error *problem);
/* Makes the figures of partitions, or sets *figures to NULL if the scheme charges none. -1:
 * *problem. The caller holds solve_lock. */
int schemes_list_queues(struct fairshare *fairshare, size_t scheme, struct queue_figures **figures,
			struct fathom_error *problem);
/* Whether a run counts in the scheme: by its partition, or by the hosts that it uses. */
bool schemes_count_run(const struct settings *settings, size_t scheme,
		       const struct fathom_run *run);
/* Copies all sums into the image. The caller holds an assoc lock, so that no job ends meanwhile. */
void schemes_copy(struct fairshare *fairshare, struct usage_image *image);
/* Adds fairshare->unclaimed to the image. The caller holds solve_lock. */
void schemes_copy_unclaimed(struct fairshare *fairshare, struct usage_image *image);
/* Takes the sums out of a saved image. To be called before any charge. */
void schemes_restore(struct fairshare *fairshare, const struct usage_image *image);

/* Evaluates the policies of all schemes and publishes the result. order: of partitions, or NULL.
 * Returns false if out of memory; the last evaluation stays then. The caller holds solve_lock. */
bool fairshare_solve(struct fairshare *fairshare, const struct settings *settings,
		     const struct ordered_partitions *order);

/* Moves the time of usage to accounting->now: from here on a job that ends is charged as of then.
 * Returns false if there are no associations any more. The caller holds solve_lock. */
bool update_begin(struct update *update);

/* Writes usage and figures into all records; notes in update->changes what others have changed. */
void update_write_records(struct update *update);

/*
 * `sacctmgr modify user set RawUsage=0` takes usage off a record and off all totals above it. If
 * the pass has visited that record already, only the root's total tells. So fathom notes this total
 * whenever it has changed it; fairshare_total_is_known() returns false if somebody else has changed
 * it since. The caller holds an assoc lock.
 */
void fairshare_note_total(struct fairshare *fairshare);
bool fairshare_total_is_known(const struct fairshare *fairshare);

/* Sets the totals of all accounts to the sums of the image's rows below them; notes in
 * update->changes whether others have moved, added or removed associations meanwhile. */
void update_write_totals(struct update *update);
/* Fills the late rows of the image again. `sums`: totals by node, which grow by the same; or NULL.
 * The caller holds an assoc lock. */
void update_copy_late(struct update *update, double *sums);

/* Evaluates and writes, in as many rounds as it takes. */
void update_run_rounds(struct update *update);

#endif
