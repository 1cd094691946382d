/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of fairshare.h share: what is kept, and one update of it.
 *   fairshare.c  life, the entry points
 *   restore.c    what was saved, back into the records
 *   rounds.c     one pass in rounds: evaluate, write, and again if others
 *                have changed something
 *   account.c    its beginning and end: decay and charges
 *   write.c      its writing into the records, in slices
 *   evaluate.c   the policy evaluated, for whoever asks
 *   schemes.c    what policies look at beside usage, and trees of that
 *   reread.c     all records read anew
 *   copy.c       a copy of what it came to
 *   job_end.c    what a job's end adds at any time
 * Calls among them go down this list.
 */
#ifndef SLURM_FAIRSHARE_PRIVATE_H
#define SLURM_FAIRSHARE_PRIVATE_H

#include "fairshare/fairshare.h"
#include "fairshare/scheme_sums.h"
#include "records/associations.h"
#include "records/record_usage.h"
#include "records/sshare.h"

#include <pthread.h>

/* What one scheme came to, by node. */
struct evaluation {
	enum scheme_role role;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool ranks;		/* sshare_shows_ranks() of it */
	struct fathom_result *result;
	struct fairshare_scoped *scoped;	/* of a scope, by node: the tree may go on */
};

/* What all schemes came to, by association. */
struct figures {
	struct fathom_node_index *map;
	struct settings *settings;	/* of this evaluation */
	struct evaluation *scheme;	/* the first is the one in force */
	size_t scheme_count;
	struct fairshare_inputs *inputs;	/* of that, by node */
	struct fairshare_details *details;	/* likewise, where a formula wants them */
};

/* What is kept for a scheme from one evaluation to the next. */
struct kept {
	struct scheme_sums *sums;	/* NULL: it goes by usage_raw, and has nothing else */
	struct fathom_tree *tree;	/* with these, same nodes as that of associations */
	struct fathom_node_index *map;	/* which one */
};

/* How far an update has come with a record. */
enum {
	AGED = 1 << 0,		/* its usage is true at the new time */
	WRITTEN = 1 << 1,	/* its figures are there, and what the image wants of it */
	CHANGED = 1 << 2,	/* since the last whole image, otherwise than by decay */
};

struct fairshare {
	/* held by whoever changes what follows; taken inside job locks, outside
	 * assoc_mgr's */
	pthread_mutex_t solve_lock;
	struct associations associations;	/* replaced under assoc write */
	bool unread;		/* records have changed in ways that no walk would notice */
	bool fresh;		/* the tree is new since the last whole image */
	struct figures spare;	/* where the next evaluation is written */
	struct book *book;

	/* by scheme of these settings; replaced under assoc write with solve_lock */
	struct settings *settings;
	struct kept *kept;
	struct usage_image waiting;	/* sums as they were saved, until a good
					 * fathom.conf has told whose are wanted */

	/* These change under an assoc lock with solve_lock, and are read under
	 * assoc write. While `updating`, records that are not aged yet are true
	 * at the time before, when usage counted 1/decay. */
	time_t time;
	bool updating, settled;	/* settled: no record will be aged any more */
	double decay;
	uint8_t *progress;		/* by node */
	struct usage_image *image;	/* of the update */
	uint32_t *row_of_node;		/* the image's, from 1; 0: none */
	bool resummed;			/* a job's end has met sums that others had made */
	bool published, root_has_rank;	/* which kind of policy the root's shares are of */

	/* the last evaluation, for whoever asks; replaced by the spare in one
	 * go. The lock is innermost; only the holder of solve_lock replaces, and
	 * may read without it. */
	pthread_rwlock_t figures_lock;
	struct figures figures;
};

/* One pass over the associations on its way. */
struct update {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct accounting *accounting;	/* NULL: nothing but an evaluation */
	struct book *book;
	struct usage_image *image;
	uint32_t tres_count;		/* at its beginning; slurmctld may learn of more */
	struct fathom_charge_totals *totals;
	struct fathom_qos_totals *qos_totals;
	double *excess;			/* by node: what an account has beyond its members */
	double decay;
	bool take_run_seconds;
	bool solved;
	const struct sshare_columns *columns;	/* NULL: no figures are written */
	unsigned changes;		/* that the present round has met */
	size_t aged, written;		/* records, in all rounds and in the present one */
	bool mixed;		/* accounts were summed up while some members were aged */
	bool corrected;		/* by `excess`, which is none if others change usage */
};

/* Running seconds that were counted anew meanwhile stay as they are. */
static inline struct fathom_amount update_charged_amount(const struct update *update,
							 const struct fathom_amount *amount)
{
	struct fathom_amount charged = *amount;

	if (!update->take_run_seconds)
		charged.released = NULL;
	return charged;
}

/* Reads everything anew. The caller holds solve_lock, none of assoc_mgr's.
 * False: there is nothing to read, or no memory; what was there stays. */
bool fairshare_read_tree(struct fairshare *fairshare);

/* From now on these settings' schemes are kept: what there is of them stays,
 * others begin with nothing. False: out of memory, it stays as it was. Nobody
 * else runs yet; or the caller of the second holds solve_lock, none of assoc_mgr's. */
bool schemes_begin(struct fairshare *fairshare, const struct settings *settings);
bool schemes_follow(struct fairshare *fairshare, const struct settings *settings);
void schemes_forget(struct fairshare *fairshare);
/* The caller holds tres read, and solve_lock or assoc write. */
void schemes_charge(struct fairshare *fairshare, const struct fathom_charges *charges);
void schemes_reset(struct fairshare *fairshare, time_t time);
/* Somebody has cleared an association's usage. The caller holds assoc write. */
void schemes_clear(struct fairshare *fairshare, uint32_t association);
/* What is of associations that are gone goes to the nearest account left. */
void schemes_move(struct fairshare *fairshare, fathom_heir_function *heir_of, const void *context);
/* The tree that a scheme is evaluated on, as of fairshare->time. The caller
 * holds solve_lock. */
const struct fathom_tree *schemes_tree(struct fairshare *fairshare, size_t scheme);
/* The same as it was when that was last done. */
const struct fathom_tree *schemes_last_tree(const struct fairshare *fairshare, size_t scheme);
/* In a hold in which no job can end. */
void schemes_copy(struct fairshare *fairshare, struct usage_image *image);
/* What is saved for others than these schemes, while nobody knows whether they
 * are wanted. The caller holds solve_lock. */
void schemes_copy_waiting(struct fairshare *fairshare, struct usage_image *image);
/* Before any charge. */
void schemes_restore(struct fairshare *fairshare, const struct usage_image *image);

void figures_forget(struct figures *figures);
/* Evaluates the policy on the tree as it stands. The caller holds solve_lock. */
bool figures_solve(struct fairshare *fairshare, const struct settings *settings);

/* Begins at `accounting->now`, from which on job_end sees the new time. The
 * caller holds solve_lock. False: there are no associations any more. */
bool update_begin(struct update *update);
/* Own usage as it is now, in the tree; what accounts have beyond the sum of it. */
void update_bring_to_now(struct update *update);
/* The rows of associations begin anew; all of them, if the tree is another one. */
void update_begin_image_again(struct update *update);
/* What the book knows, into the image, which is complete then. */
void update_end(struct update *update);

/* One round over all records; what others have changed is noted in
 * update->changes. */
void update_write_back(struct update *update, bool last);

/* Evaluates and writes, and again while others change something meanwhile. */
void update_run_rounds(struct update *update);

#endif
