/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields and functions that the files of this folder share.
 *   fairshare_pass.c  creates and destroys; a pass from beginning to end
 *   restore.c    puts saved usage into the rows
 *   publish.c    writes usage and figures of all rows into slurmctld's records, in slices
 *   usage_edits.c  imports and requests: what they do to each row
 *   charge.c     decays and charges the rows, takes late charges
 *   read_tree.c  reads which associations there are; puts usage and shares into their tree
 *   job_end.c    charges a job that ends, in its records and late for the rows
 *   qos_run_seconds.c  takes seconds that have run off the counts of QOS
 * A file calls only files below it.
 */
#pragma once

#include "fairshare/fairshare.h"
#include "placing/pending.h"
#include "records/associations.h"
#include "records/heirs.h"
#include "records/record_usage.h"
#include "records/sshare.h"
#include "schemes/schemes.h"
#include "walk/list_trail.h"

#include <string.h>

/* How often a pass tries to follow what others change, before it leaves that to the next pass. */
#define ATTEMPTS_MAX 4

/* An association whose usage somebody has set to 0, as was found while charges were late: when a
 * job of it ended, or by a pass. Its row is cleared when late charges are taken. */
struct cleared {
	uint32_t association;	/* id */
	bool is_new;		/* it was deleted and added again */
	size_t charges_before;	/* how many charges were late then: these do not count for it */
};

/*
 * The rows are the own usage of each association, by node of the tree (in `image`). They are the
 * truth, and only the decay thread uses them. A job's end is charged in the records at once. Its
 * charge is late (book_late()) until the decay thread takes it into the rows; until then the usage
 * in a record is that of its row plus its late charges.
 *
 * One thread works here at a time: the decay thread; or without slurmdbd, where there is no decay
 * thread, the thread in which slurmctld starts. When a job ends, and when sshare's figures are
 * asked for, other threads use the fields "under assoc write". The decay thread changes these
 * fields under an assoc lock, to read or to write: either keeps those threads out. The fields that
 * no other thread changes, such as the tree, it reads without a lock.
 */
struct fairshare {
	struct book *book;
	struct results *results;
	struct schemes *schemes;
	bool must_reread;	/* read the tree before the next pass */
	bool has_rows;		/* fairshare_begin() has made the rows */
	bool must_clear;	/* records may have usage of TRES for which rows have no columns:
				 * they are cleared before they are written */
	struct usage_image image;	/* rows by node; and what is saved with them */
	double *total;		/* by node, with the columns of a row: the sum of its row and all
				 * rows below it, and of late charges; NULL: out of memory */
	uint8_t *marks;		/* by node: ROW_* */
	struct list_trail trail;	/* where slurmctld's list had its records */
	bool records_are_new;	/* slurmctld has replaced all records, see publish.c */

	/* under assoc write */
	struct associations associations;	/* tree NULL: not read yet */
	struct cleared *cleared;	/* since late charges were taken the last time */
	size_t cleared_count, cleared_room;
	time_t time;		/* the time of usage, up to which it is decayed and charged; 0: not
				 * known */
	long double root_total;	/* the root's total, see fairshare_root_total() */

	/* for fairshare_place_jobs() alone */
	struct pending pending;		/* jobs as they were listed the last time */
	bool weight_told;		/* see place_jobs_warn() */
};

/* Marks of rows. They are of one pass, or of the next one too if the pass leaves changes; except
 * ROW_MET and ROW_LATE, which are of one walk, and ROW_OVERFLOWS. */
enum {
	ROW_INHERITED = 1 << 0,	/* it is an account that got the usage of a deleted member */
	ROW_MET = 1 << 1,	/* the walk has met its record */
	ROW_OVERFLOWS = 1 << 2,	/* it has been charged more than USAGE_RAW_MOST; until logged */
	ROW_WRITTEN = 1 << 3,	/* it has been written, with the charges of the pass, into its
				 * record */
	ROW_NEW = 1 << 4,	/* it was deleted and added again, or has not been published yet;
				 * see ASSOCIATION_NEW */
	ROW_LATE = 1 << 5,	/* a charge of it is late; see has_late_charge() */
};

/* A pass that is under way, or an evaluation without a pass. */
struct update {
	struct fairshare *fairshare;
	const struct accounting *accounting;	/* NULL: only evaluate; usage stays as it is */
	struct fathom_charge_totals *charged;	/* this pass's charges, added up by node; NULL:
						 * none, or out of memory */
	uint32_t tres_count;		/* TRES when the pass began; slurmctld may add some
					 * meanwhile */
	bool take_run_seconds;		/* the seconds that the charges release must be taken off
					 * the running seconds (GrpTRESRunMins) */
	bool has_released;		/* they are taken off those of associations */
	const struct sshare_columns *columns;	/* figures to write; NULL: write none */
	bool only_looks;		/* the walk writes nothing: it only notes changes */
	unsigned changes;		/* ASSOCIATION_*: what others have changed, as the last walk
					 * has found */
	size_t late_in_totals;		/* how many of the late charges are in the totals */
	size_t late_marked;		/* of how many late charges the rows have ROW_LATE */
	size_t visited;			/* records that the walk has met */
};

/* Reads which associations there are into a new tree. saved: NULL: associations keep their rows and
 * sums; else an image, from which they get these. Rows and sums of associations that are gone go to
 * the nearest account above that is left. Returns false if there are no associations, if they keep
 * changing, or if out of memory; the old tree stays then. Takes assoc and tres read in slices, and
 * assoc write. */
bool fairshare_read_tree(struct fairshare *fairshare, const struct usage_image *saved);
/* Sets *heirs to those of the rows of an image: associations of this tree, which may be newer than
 * that of fairshare. Returns -1 if out of memory; or if slurmctld has a row's association that the
 * tree lacks, as happens when slurmctld sorts its list while that is read. The caller calls
 * heirs_clear() in each case. Takes assoc read. */
int fairshare_find_heirs(const struct fairshare *fairshare, struct heirs *heirs,
			 const struct associations *associations, const struct usage_image *image);
/* Returns the nearest account above a node that has got usage of a deleted member; the node itself
 * if no account above has. The caller holds an assoc lock. */
uint32_t fairshare_find_heir(const struct fairshare *fairshare, uint32_t node);
/* Returns the id of the heir of an association's sums, for schemes_move(); its own id, if it still
 * exists. context: a struct heirs **, whose heirs are from fairshare_find_heirs(). If the
 * association has no row, the heir is the account that its sums name (account_id), or that
 * account's own heir. */
uint32_t fairshare_heir_of(uint32_t id, uint32_t account_id, const void *context);
/* Puts own usage of the rows, and shares, into the tree. Before there are rows, usage is that of
 * the records as they were last seen. */
void fairshare_fill_tree(struct fairshare *fairshare);
/* Puts own usage of the rows, shares, and the newest usage of other clusters (GlobalShare) into the
 * tree. */
void fairshare_fill_global_tree(struct fairshare *fairshare);

/* Returns whether the tree has the associations of all charges. If not, one has come since the tree
 * was read: the tree must be read anew, as otherwise its account would be charged. */
bool fairshare_knows(const struct fairshare *fairshare, const struct fathom_charges *charges);

/* Returns the node that is charged: that of the association; if the tree lacks it, that of its
 * account; else the root. */
static inline uint32_t fairshare_charged_node(const struct fairshare *fairshare,
					      const struct fathom_charge *charge)
{
	return fathom_node_index_heir(fairshare->associations.map, charge->run.id.association,
				      charge->run.id.account);
}

/* Adds an amount with tres_count TRES to `row`: a row of `image`, or a total, which has the same
 * columns. The caller keeps row[USAGE_RAW] within USAGE_RAW_MOST. */
void fairshare_add_amount(const struct usage_image *image, double *row,
			  const struct fathom_amount *amount, uint32_t tres_count);
/* Notes that usage of an association has become 0; the parameters are the members of struct
 * cleared. If out of memory, logs that. The caller holds assoc write; the decay thread may hold
 * assoc read. */
void fairshare_note_cleared(struct fairshare *fairshare, uint32_t association, bool is_new,
			    size_t charges_before);

/* Returns the amount of one charge. tres, released: the caller's arrays of tres_count, to which the
 * result points; released may be NULL. decays: whether the charge is decayed to the time of usage;
 * false for a QOS with NoDecay. */
static inline struct fathom_amount fairshare_amount(const struct fathom_charge *charge, bool decays,
						    uint32_t tres_count, double *tres,
						    uint64_t *released)
{
	struct fathom_amount amount = { .tres = tres, .released = released };

	memset(tres, 0, tres_count * sizeof(*tres));
	if (released)
		memset(released, 0, tres_count * sizeof(*released));
	fathom_amount_add_charge(&amount, charge, decays, tres_count);
	return amount;
}

/* Adds columns to the rows for all TRES that anybody uses: by the ledger and by QOS; for the first
 * rows also by the saved image that they are made of, or if that is NULL, by the records. Returns
 * -1 if out of memory. Takes assoc, QOS and tres read. */
int fairshare_make_columns(struct fairshare *fairshare, const struct usage_image *saved);
/* Decays rows, sums and QOS to the time of the pass, and charges them. Sets
 * update->take_run_seconds. Takes assoc, QOS write and tres read. */
void update_charge(struct update *update);
/* Adds this pass's charges up by node, in update->charged: once more whenever there is a new
 * tree. */
void update_count_charges(struct update *update);
/* Sets a row to 0, as own usage of its association has become 0: by `sacctmgr modify user set
 * RawUsage=0`, or, if is_new, because it was deleted and added again. In the second case row and
 * sums go to the account to which assoc_mgr has given its usage. charged: what has been charged
 * since, with tres_count TRES, which stays in the row; or NULL. The caller holds an assoc lock. */
void fairshare_clear_row(struct fairshare *fairshare, uint32_t node, bool is_new,
			 const struct fathom_amount *charged, uint32_t tres_count);

/*
 * `sacctmgr modify user set RawUsage=0` takes usage off a record and off all totals above it. If
 * the pass has met that record already, only the root's total tells. So fathom notes the root's
 * total whenever it has changed it itself; fairshare_total_is_known() returns false if somebody
 * else has changed it since. The caller of these three functions holds an assoc lock.
 */
static inline long double fairshare_root_total(void)
{
	const slurmdb_assoc_rec_t *root = assoc_mgr_root_assoc;

	/* where billing is free, only wall time tells */
	return root ? root->usage->usage_raw + root->usage->grp_used_wall : 0;
}

static inline void fairshare_note_total(struct fairshare *fairshare)
{
	fairshare->root_total = fairshare_root_total();
}

static inline bool fairshare_total_is_known(const struct fairshare *fairshare)
{
	return fairshare_root_total() == fairshare->root_total;
}

/* Makes the changes of an import and a request in rows and sums, and logs who gets what. Takes
 * assoc read in slices. Returns -1 if nothing has changed, as memory is short or associations are
 * gone since the tree was read. */
int usage_edits_make(struct fairshare *fairshare, const struct usage_changes *changes);
/* Writes usage and update->columns into all records, and sets update->changes to what others have
 * changed. Takes assoc write and tres read in slices. */
void update_publish(struct update *update);
/* Sets update->changes as update_publish() does, but writes nothing. Takes assoc and tres read in
 * slices. */
void update_find_changes(struct update *update);

/* Returns the QOS with this id; NULL: the id is 0, or slurmctld has no such QOS. The caller holds
 * qos read. */
slurmdb_qos_rec_t *qos_find(uint32_t id);
/* Takes the seconds that the charges release, from index `first` on, off the running seconds that
 * QOS count for accounts and users. The caller holds assoc read, qos write, tres read. */
void qos_run_seconds_release(const struct fathom_charges *charges, size_t first);
/* Takes the seconds that all charges release off the running seconds that QOS count for accounts
 * and users. Takes assoc read, qos write, tres read in slices; the caller holds no lock. */
void qos_run_seconds_release_sliced(const struct fathom_charges *charges);
