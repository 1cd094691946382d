/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of charged time with its lock: it tells until when each job is charged. Each second
 * that a job holds resources is charged once, by a pass or when the job ends, whichever comes
 * first.
 *
 *	12:00	pass		job 7 is charged until 12:00
 *	12:03	job 7 ends	book_end_job() charges 12:00 to 12:03
 *	12:05	pass		book_gather() has nothing left to charge of job 7
 */
#pragma once

#include "base/compat.h"
#include "settings/settings.h"
#include "state/state.h"
#include "walk/list_trail.h"

struct book;

/* Returns an empty book; NULL: out of memory. */
struct book *book_create(void);
/* Does nothing with NULL. */
void book_destroy(struct book *book);

/* Returns the time up to which all jobs have been charged; 0: it is not known. For the decay
 * thread. */
time_t book_base(const struct book *book);
/* Sets the time up to which all jobs have been charged, unless it is known already. marked_until:
 * multifactor has marked ended jobs that it has charged, by end_time_exp NO_VAL; in the first pass
 * this mark counts for jobs that ended up to this time. 0: it counts for no job. */
void book_begin(struct book *book, time_t base, time_t marked_until);

/* Returns the rules for charges that are decayed to the time `usage_time`. */
struct fathom_charge_rules book_rules(const struct settings *settings, time_t usage_time);
/* Logs each charge from the index `first` on, if DebugFlags=Priority is set. */
void book_log_charges(const struct fathom_charges *charges, size_t first);

/*
 * Charges a job that ends (or is resized) now. The caller holds job write and assoc, qos write,
 * tres read. usage_time: the time of usage, to which charges are decayed; 0: not known. Returns all
 * late charges, valid while the caller holds assoc write: those of jobs that have ended since the
 * decay thread last took late charges. The charges of this job begin at index *first. NULL: this
 * job is not to be charged, as it has not run or has been charged already; or out of memory.
 */
const struct fathom_charges *book_end_job(struct book *book, const struct settings *settings,
					  job_record_t *job, time_t now, time_t usage_time,
					  size_t *first);
/* Takes the ends of jobs into the ledger, some at a time. Call it before you take slurmctld's
 * locks: thousands of jobs may have ended since the last turn, and the calls that take all of them
 * under these locks then find few. The caller is the decay thread, and holds no lock. */
void book_take_most_runs(struct book *book);
/* Takes the late charges out of the book, and the ends of their jobs into the ledger. Returns the
 * charges, which the caller destroys; NULL: nothing is late. The caller is the decay thread, and
 * holds assoc write. */
struct fathom_charges *book_take_late(struct book *book);
/* Returns the late charges, and leaves them in the book; NULL: nothing is late. The caller is the
 * decay thread, and holds an assoc lock while it uses them. */
const struct fathom_charges *book_late(const struct book *book);
/* Ends the run of a waiting job that the book still has as running: the job has been requeued.
 * Called when a job gets a priority. The caller holds job write. */
void book_note_requeue(struct book *book, const job_record_t *job);

/* What follows is for the decay thread alone, except book_reset_run_seconds(). */

/*
 * Goes through slurmctld's job list and charges all jobs up to `now`. Returns the charges, which
 * the caller destroys; NULL if out of memory: the next pass charges all that was due. trail: what
 * earlier walks over the list have noted; or NULL. Takes job, node, part and assoc, QOS, TRES read
 * in slices; the caller holds no lock.
 */
struct fathom_charges *book_gather(struct book *book, const struct settings *settings, time_t now,
				   struct list_trail *trail);

/* Notes the key of the leaf of a scope's own tree at which a job's present run counts. */
void book_set_leaf(struct book *book, uint64_t job, uint32_t leaf);
/* Returns the key that book_set_leaf() has noted for a job's present run; 0: it is not known, or no
 * run of the job goes on. */
uint32_t book_leaf(const struct book *book, uint64_t job);

/* Call it when slurmctld has computed running seconds (GrpTRESRunMins) anew: they are then whole
 * time limits, as if no second had been released. Any thread may call it. */
void book_reset_run_seconds(struct book *book);
/* Returns whether slurmctld has computed running seconds anew since the last book_gather() began.
 * If so, they are whole time limits again, so that what was gathered must not be taken off them;
 * the next pass gathers it once more. */
bool book_run_seconds_are_new(struct book *book);

/* A run that goes on, as it was when it was last charged. */
struct running {
	struct fathom_run run;	/* its arrays and names are not the caller's, see below */
	double charged_until;	/* a time, in seconds since 1970 */
	double ran;		/* seconds of the whole run until then; with pauses only if
				 * suspended jobs are charged */
};

/* Returns an array of all runs that go on, which the caller frees, and sets *count to their number.
 * What they point to (TRES, parts, names) is the ledger's and valid until the ledger changes. NULL:
 * out of memory, *count is 0. */
struct running *book_list_running(const struct book *book, const struct settings *settings,
				  size_t *count);

/* Copies the rows of the ledger into the image that is saved. If memory runs out, or ran out when
 * late charges were taken, the image's time becomes 0, so that it is not saved. */
void book_copy_jobs(const struct book *book, struct usage_image *image);
/* Puts the rows of a saved image into the ledger, and sets its base to the time of the image. The
 * caller holds assoc, tres read, or no other thread runs. */
void book_restore_jobs(struct book *book, const struct usage_image *image);
/* Sets whether ends of jobs are charged: at first they are; the caller stops that until saved usage
 * is in the rows. */
void book_set_charging(struct book *book, bool is_charging);
/* Sets used[i], for the first `tres_count` TRES, to whether any run in the book has used it. */
void book_mark_tres(struct book *book, bool *used, uint32_t tres_count);
