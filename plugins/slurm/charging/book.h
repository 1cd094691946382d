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

/* NULL: out of memory. */
struct book *book_create(void);
void book_destroy(struct book *book);

/* The time up to which all jobs have been charged; 0: not known. */
time_t book_base(struct book *book);
/* Sets the time up to which all jobs have been charged, unless it is known. After a start on
 * multifactor's state: of jobs that ended up to marked_until, those with end_time_exp NO_VAL have
 * been charged. That counts until the first pass has ended. */
void book_begin(struct book *book, time_t base, time_t marked_until);

/* Returns the rules by which charges are decayed to the time `seen`. */
struct fathom_charge_rules book_rules(const struct settings *settings, time_t seen);
/* Logs each charge from `first` on, with DebugFlags=Priority. */
void book_log_charges(const struct fathom_charges *charges, size_t first);

/*
 * Charges a job that ends (or is resized) now. The caller holds job write and assoc, qos write,
 * tres read. seen: the time of usage, to which charges are decayed; 0: not known. Returns the late
 * charges, of all jobs that have ended since the decay thread took some, valid while the caller
 * holds assoc write; those of this job begin at *first. NULL: there are none.
 */
const struct fathom_charges *book_end_job(struct book *book, const struct settings *settings,
					  job_record_t *job, time_t now, time_t seen,
					  size_t *first);
/* Returns late charges, for the caller to destroy, and begins anew: the ledger has these jobs' ends
 * now. The caller is the decay thread, and holds assoc write. */
struct fathom_charges *book_take_late(struct book *book);
/* Returns late charges without taking them. The caller holds assoc write. */
const struct fathom_charges *book_late(const struct book *book);
/* Call it when a job gets a priority. A waiting job whose run is in the book has been requeued:
 * ends the run. */
void book_note_requeue(struct book *book, const job_record_t *job);

/* What follows is for the decay thread alone, except book_reset_run_seconds(). */

/*
 * Goes through slurmctld's job list and charges all jobs up to `now`. trail: of the list, or NULL.
 * *run_seconds_version is for book_counts_from(). Takes job read in slices; the caller holds no
 * lock, and destroys the result. NULL: out of memory; the next pass charges all that was due.
 */
struct fathom_charges *book_gather(struct book *book, const struct settings *settings, time_t now,
				   struct list_trail *trail, uint32_t *run_seconds_version);

/* Notes the leaf of a share tree at which a job's present run counts; and returns it, 0: not
 * known. */
void book_set_leaf(struct book *book, uint64_t job, uint32_t leaf);
uint32_t book_leaf(const struct book *book, uint64_t job);

/* slurmctld has computed running seconds (GrpTRESRunMins) anew, from whole time limits. */
void book_reset_run_seconds(struct book *book);
/* Returns whether slurmctld has not computed running seconds anew since book_gather() returned
 * `version`. If it has, they are whole time limits again: what was gathered must not be taken off
 * them, and the next pass gathers all of it once more. */
bool book_counts_from(struct book *book, uint32_t version);

/* A run that is under way, as it was when it was last charged. */
struct running {
	struct fathom_run run;
	double charged_until;	/* time */
	double ran;		/* seconds of the whole run until then */
};

/* Returns all runs that are under way, for the caller to free, with the ledger's counts and parts,
 * which are valid until it changes. NULL: out of memory, *count is 0. */
struct running *book_list_running(const struct book *book, const struct settings *settings,
				  size_t *count);

/* Copies the rows of the ledger into the image that is saved, and back. The image's time becomes 0
 * if memory runs out, or has done so when late charges were taken. */
void book_copy_jobs(const struct book *book, struct usage_image *image);
void book_restore_jobs(struct book *book, const struct usage_image *image);
/* Nothing is charged while saved usage is not in the rows yet. */
void book_set_charging(struct book *book, bool charges);
/* Sets used[i], for the first `tres_count` TRES, to whether any run in the book has used it. */
void book_mark_tres(struct book *book, bool *used, uint32_t tres_count);
