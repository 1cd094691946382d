/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of fairshare.h share: what is kept between passes, and a pass
 * on its way.
 *   fairshare_pass.c  life; a pass from its beginning to its end
 *   restore.c    puts saved usage back into the records
 *   rounds.c     a pass in rounds: evaluate, write, and again if others have
 *                changed something
 *   begin.c      its beginning: the time moves on, QOS are charged
 *   write.c      decay, charges and figures into each record, in slices
 *   totals.c     the totals of accounts from what their members use
 *   record_walk.c  walks over all records, for these two
 *   evaluate.c   the policies evaluated, and what they came to
 *   place_jobs.c pending jobs in LSF's order of dispatch
 *   place_pools.c  the same in partitions of slot pools
 *   pending.c    the jobs that slurmctld has, for that
 *   schemes.c    what policies look at beside usage, and trees of that
 *   reread.c     all records read anew
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

/* What is kept for a scheme from one evaluation to the next. */
struct kept {
	struct scheme_sums *sums;	/* NULL: it goes by usage_raw, and has nothing else */
	struct fathom_tree *tree;	/* with these, same nodes as that of associations */
	struct fathom_node_index *map;	/* which one */
};

/* How far a pass has come with an association. */
enum {
	AGED = 1 << 0,		/* its own usage is true at the new time */
	WRITTEN = 1 << 1,	/* the round has been there; its row of the image is filled */
	SUMMED = 1 << 2,	/* and has written its total, if it is an account */
};

/* Of a pass; job_end adds late nodes. */
struct progress {
	uint8_t *of_node;
	uint32_t *late;		/* nodes that have used more since their rows were filled */
	bool *is_late;		/* by node */
	size_t late_count;
};

struct fairshare {
	/* held by whoever changes what follows; taken inside job locks, outside
	 * assoc_mgr's */
	pthread_mutex_t solve_lock;
	struct associations associations;	/* replaced under assoc write */
	bool must_reread;	/* records have changed in ways that no walk would notice */
	struct book *book;

	/* by scheme of these settings; replaced under assoc write with solve_lock */
	struct settings *settings;
	struct kept *kept;
	struct usage_image waiting;	/* sums as they were saved, until a good
					 * fathom.conf has told whose are wanted */

	/* These change under an assoc lock with solve_lock, and are read under
	 * assoc write. While `updating`, own usage that is not aged yet is true
	 * at the time before, when it counted 1/decay. */
	time_t time;
	bool updating;
	double decay;
	struct progress progress;
	struct usage_image *image;	/* of the last pass; NULL: there was none */

	bool published, root_has_rank;	/* which kind of policy the root's shares are of */

	/* The last one. The lock is innermost, held for the pointer alone; the holder
	 * of solve_lock, who replaces it, may read without it. */
	pthread_mutex_t evaluation_lock;
	struct evaluation *evaluation;
	struct places *places;		/* under the same lock; NULL: no policy places jobs */
	bool weight_told;		/* the log says that PriorityWeightFairshare is too small */
};

/* One pass over the associations on its way. */
struct update {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct partition_class *order;
	const struct accounting *accounting;	/* NULL: nothing but an evaluation */
	struct book *book;
	struct usage_image *image;
	uint32_t tres_count;		/* at its beginning; slurmctld may learn of more */
	const struct fathom_charges *charges;	/* that no record has got yet */
	struct fathom_charges *left;	/* these, from the second round on */
	struct fathom_charge_totals *totals;	/* of them, by node */
	bool take_run_seconds;
	bool solved;
	const struct sshare_columns *columns;	/* NULL: no figures are written */
	unsigned changes;		/* by others, that the present round has met */
};

/* A round begins, which no node has been written in. Of its progress `keep` stays.
 * The caller holds assoc write, or nobody else asks for progress. */
static inline void fairshare_begin_round(struct fairshare *fairshare, uint8_t keep)
{
	fairshare->progress.late_count = 0;
	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		fairshare->progress.of_node[node] &= keep;
		fairshare->progress.is_late[node] = false;
	}
}

/* Running seconds that were counted anew meanwhile stay as they are. */
static inline struct fathom_amount update_charged_amount(const struct update *update,
							 const struct fathom_amount *amount)
{
	struct fathom_amount charged = *amount;

	if (!update->take_run_seconds)
		charged.released = NULL;
	return charged;
}

/*
 * slurmctld replaces all records when slurmdbd is back after a start without it
 * (assoc_mgr_refresh_lists), and drops an account's own usage. This gives it back;
 * it does nothing if the records have not been replaced. The totals follow at the
 * end of the next pass. The caller holds assoc write, tres read.
 */
void fairshare_give_back_own(struct fairshare *fairshare);

/* Reads everything anew. The caller holds solve_lock, none of assoc_mgr's.
 * False: there is nothing to read, or no memory; what was there stays. */
bool fairshare_read_tree(struct fairshare *fairshare);
void progress_clear(struct progress *progress);

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
/* The same, but jobs hold what these runs say, not the book. */
const struct fathom_tree *schemes_tree_holding(struct fairshare *fairshare, size_t scheme,
					       const struct running *running, size_t count);
/* In a hold in which no job can end. */
void schemes_copy(struct fairshare *fairshare, struct usage_image *image);
/* What is saved for others than these schemes, while nobody knows whether they
 * are wanted. The caller holds solve_lock. */
void schemes_copy_waiting(struct fairshare *fairshare, struct usage_image *image);
/* Before any charge. */
void schemes_restore(struct fairshare *fairshare, const struct usage_image *image);

/* Evaluates all policies on the tree as it stands. The caller holds solve_lock. order:
 * of partitions, or NULL. False: out of memory; the last evaluation stays. */
bool fairshare_solve(struct fairshare *fairshare, const struct settings *settings,
		     const struct partition_class *order);

/* Begins at `accounting->now`, from which on job_end sees the new time. The
 * caller holds solve_lock. False: there are no associations any more. */
bool update_begin(struct update *update);

/* One walk over all records; what others have changed is noted in
 * update->changes. */
void update_write_records(struct update *update);

/* Sets the totals of all accounts to the sums of what is used below them, as the
 * image has it. Others may have changed the tree meanwhile: update->changes. */
void update_write_totals(struct update *update);
/* Copies again what has grown since it was copied: what jobs that ended meanwhile
 * were charged. The caller holds an assoc lock. `sums`: likewise, or NULL. */
void update_copy_late(struct update *update, double *sums);

/* Evaluates and writes, and again while others change something meanwhile. */
void update_run_rounds(struct update *update);

#endif
