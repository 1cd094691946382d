/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin's ledger of charged time, with its lock: job records go in, charges
 * come out. Each second that a job holds resources is charged once, whoever
 * asks first, a pass or job_end.
 */
#ifndef SLURM_BOOK_H
#define SLURM_BOOK_H

#include "base/compat.h"
#include "settings/settings.h"
#include "state/state.h"

/* `lock` is innermost: inside slurmctld's and assoc_mgr's. */
struct book {
	pthread_mutex_t lock;
	struct fathom_ledger *ledger;
	time_t marked_until;	/* with multifactor's state: of jobs that ended by then, those with
				 * end_time_exp NO_VAL have been charged; 0: marks tell nothing */
	bool unread;		/* the state cannot be read yet: nothing is charged */
	uint32_t run_seconds_round;	/* grows when slurmctld counts these anew */
};

/* -1: out of memory. */
int book_init(struct book *book);
void book_clear(struct book *book);

/* Up to when everything has been charged; 0: not known. */
time_t book_base(struct book *book);
/* Whoever has charged jobs until now has done so up to `base`; a known one stays. */
void book_begin(struct book *book, time_t base);

/* How charges are worked out that are seen at `seen`. */
struct fathom_charge_rules book_rules(const struct settings *settings, time_t seen);
/* For the log, where it is to have each charge. */
void book_log_charges(const struct fathom_charges *charges);

/*
 * Charges a job that ends (or is resized) now. The caller holds job write and
 * assoc, qos write, tres read; `seen` is the time that the records are true at,
 * 0: not known. To be destroyed; NULL: nothing left to charge.
 */
struct fathom_charges *book_end_job(struct book *book, const struct settings *settings,
				    job_record_t *job, time_t now, time_t seen);
/* A job that runs by the book gets a new priority: has it been requeued? */
void book_note_requeue(struct book *book, const job_record_t *job);

/* slurmctld has set GrpTRESRunMins anew, from whole time limits. */
void book_reset_run_seconds(struct book *book);
/* Are running seconds still counted as they were in this round of book_gather()?
 * If slurmctld has counted them anew, what was gathered must not be taken off:
 * the next pass gathers it again. */
bool book_counts_from(struct book *book, uint32_t round);

/* A run that is under way, as it was when it was last charged. */
struct running {
	struct fathom_run run;
	double charged_until, ran;	/* time; seconds of the whole run until then */
};

/* All of them, and how many; to be freed in one. NULL: there are none, or no memory. */
struct running *book_list_running(struct book *book, const struct settings *settings,
				  size_t *count);

/* What the book knows beyond its base, for the state file, and back. */
void book_copy_jobs(struct book *book, struct usage_image *image);
void book_restore_jobs(struct book *book, const struct usage_image *image);
/* The state has been read: from now on jobs are charged. */
void book_begin_charging(struct book *book);
/* Which of the first TRES any of it is about. */
void book_mark_tres(struct book *book, bool *used, uint32_t tres_count);

#endif
