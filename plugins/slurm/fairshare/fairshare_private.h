/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields and functions that the files of this room share.
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

/* To follow what others change; then the next pass goes on, or one would last for ever. */
#define ATTEMPTS_MAX 4

/* An association whose usage somebody has set to 0, which a job's end has found. */
struct cleared {
	uint32_t association;
	size_t charges;		/* late ones before it */
};

/*
 * The rows are the truth, and the decay thread's own: usage of each association (image), by node of
 * the tree. A job's end is charged in the records at once, and is late (book_late()) until the
 * thread takes it into the rows: until then a record is its row and what is late.
 *
 * One thread works here at a time: the decay thread, or where there is none, as without slurmdbd,
 * the one in which slurmctld starts. Where a job ends, and where sshare's figures are asked for,
 * others read and write the fields that are "under assoc write"; the thread alone may read these
 * without a lock unless they change them.
 */
struct fairshare {
	struct book *book;
	struct results *results;
	struct schemes *schemes;
	bool must_reread;	/* read the tree before the next pass */
	bool has_rows;		/* usage has been restored */
	bool must_clear;	/* records have usage that is in no row */
	struct usage_image image;	/* rows by node; what is saved */
	double *total;		/* by node: its row with all below it, and what is late */
	uint8_t *marks;		/* by node: ROW_* */
	struct list_trail trail;	/* of slurmctld's list of records */
	bool records_are_new;	/* slurmctld has replaced all records, see publish.c */

	/* under assoc write */
	struct associations associations;
	struct cleared *cleared;	/* since late charges were taken */
	size_t cleared_count, cleared_room;
	time_t time;		/* of usage: it is decayed and charged up to it; 0: not known */
	long double root_total;	/* of fairshare_note_total() */

	struct pending pending;		/* as listed the last time */
	bool weight_told;		/* the log says that PriorityWeightFairshare is too small */
};

/* Marks of a pass. */
enum {
	ROW_INHERITED = 1 << 0,	/* an account got the usage of a deleted member */
	ROW_RELEASED = 1 << 1,	/* the seconds that have run are off the running ones */
	ROW_PUBLISHED = 1 << 2,	/* in this walk */
	ROW_OVERFLOWS = 1 << 3,	/* it has been charged more than USAGE_RAW_MOST: to be logged */
	ROW_WRITTEN = 1 << 4,	/* the record has the row, with the charges of the pass */
};

/* A pass on its way, or an evaluation without one. */
struct update {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct accounting *accounting;	/* NULL: only evaluate; usage stays as it is */
	struct fathom_charge_totals *charged;	/* this pass's charges by node; NULL: none */
	uint32_t tres_count;		/* when it began; slurmctld may add TRES meanwhile */
	bool take_run_seconds;		/* take the seconds that have run off GrpTRESRunMins */
	const struct sshare_columns *columns;	/* figures to write; NULL: none */
	bool looks;			/* the walk only notes changes */
	unsigned changes;		/* ASSOCIATION_*: what others have changed */
	size_t late;			/* charges that are late and in the totals */
	size_t visited;			/* records */
	size_t position;		/* in slurmctld's list, if that does not change; guesses the
					 * node */
};

/* Reads which associations there are. They keep their rows, or get those of a saved image, and its
 * sums. Rows of those that are gone go to the nearest account above that is left. saved: or NULL.
 * Returns false if there are none, or if out of memory; the old tree stays then. Takes assoc and
 * tres read in slices, and assoc write. */
bool fairshare_read_tree(struct fairshare *fairshare, const struct usage_image *saved);
/* Finds which associations inherit the rows of an image. -1: out of memory, or a row's association
 * is there though the tree lacks it, as slurmctld has sorted its list while that was read. The
 * caller calls heirs_clear() in each case. */
int fairshare_find_heirs(struct heirs *heirs, const struct associations *associations,
			 const struct usage_image *image);
/* Returns the id of an association's heir, for the policies' sums; context is a struct heirs **. If
 * the association has no row, the heir is the account that its sums name, or that account's own
 * heir. */
uint32_t fairshare_heir_of(uint32_t id, uint32_t account_id, const void *context);
/* Puts own usage and shares into the tree. */
void fairshare_fill_tree(struct fairshare *fairshare);
/* Does the same, and adds the usage of other clusters. */
void fairshare_fill_global_tree(struct fairshare *fairshare);

/* Whether the tree has the associations of all charges. If not, one came since the tree was read,
 * and must be read first, or its account would be charged. */
bool fairshare_knows(const struct fairshare *fairshare, const struct fathom_charges *charges);

/* Returns the node that is charged: of the association, or of the nearest that there is. */
static inline uint32_t fairshare_charged_node(const struct fairshare *fairshare,
					      const struct fathom_charge *charge)
{
	return fathom_node_index_heir(fairshare->associations.map, charge->run.id.association,
				      charge->run.id.account);
}

/* Adds an amount with tres_count TRES to a row of the image, or to a total. */
void fairshare_add(const struct usage_image *image, double *row, const struct fathom_amount *amount,
		   uint32_t tres_count);
/* Notes that somebody has set usage of an association to 0: of its late charges only those after
 * the first `charges` count. The caller holds assoc write. */
void fairshare_note_cleared(struct fairshare *fairshare, uint32_t association, size_t charges);
/* Returns the amount of one charge, in the caller's arrays of tres_count; released: or NULL. */
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

/* Which TRES are used, of as many as there were when it was made; slurmctld may add some. */
struct used_tres {
	bool *is_used;
	uint32_t count;
};

/* Marks those TRES of a record that it has used. The caller holds tres read. */
void fairshare_mark_tres(const long double *tres, uint32_t count, const struct used_tres *used);

/* Decays rows and sums to the time of the pass and charges them. Takes assoc, QOS write and tres
 * read. */
void update_charge(struct update *update);
/* Counts this pass's charges by node, for a new tree. */
void update_count_charges(struct update *update);
/* Own usage of a node's association has become 0: by `sacctmgr modify user set RawUsage=0`, or as
 * it was deleted and added again. In the second case it goes to the account to which assoc_mgr has
 * given it, with its sums. charged: what stays, as it has been charged since; or NULL. The caller
 * holds an assoc lock. */
void fairshare_clear_row(struct fairshare *fairshare, uint32_t node,
			 const struct fathom_amount *charged, uint32_t tres_count);

/*
 * `sacctmgr modify user set RawUsage=0` takes usage off a record and off all totals above it. If
 * the pass has visited that record already, only the root's total tells. So fathom notes this total
 * whenever it has changed it; fairshare_total_is_known() returns false if somebody else has changed
 * it since. The caller holds an assoc lock.
 */
static inline long double fairshare_root_total(void)
{
	return assoc_mgr_root_assoc ? assoc_mgr_root_assoc->usage->usage_raw : 0;
}

static inline void fairshare_note_total(struct fairshare *fairshare)
{
	fairshare->root_total = fairshare_root_total();
}

static inline bool fairshare_total_is_known(const struct fairshare *fairshare)
{
	return fairshare_root_total() == fairshare->root_total;
}

/* Makes the changes of imports and requests in rows and sums, and logs who gets what. half_life: of
 * usage. Takes assoc read in slices. -1: nothing has changed, as memory is short, or associations
 * are gone since the tree was read. */
int usage_edits_make(struct fairshare *fairshare, const struct usage_changes *changes,
		     double half_life);
/* Writes usage and figures into all records; notes in update->changes what others have changed. */
void update_publish(struct update *update);
/* Only notes what others have changed. */
void update_look(struct update *update);

/* Takes off the reserved seconds that the charges from `first` on release. The caller holds assoc
 * read, qos write, tres read. */
void qos_run_seconds_release(const struct fathom_charges *charges, size_t first);
/* Like qos_run_seconds_release(), for all charges, in slices; the caller holds no lock. */
void qos_run_seconds_release_sliced(const struct fathom_charges *charges);
