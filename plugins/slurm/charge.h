/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From job records to charges: which seconds of which job have not been
 * charged yet, and at what rate. Each second a job holds resources is charged
 * once: [charged until, now], whoever asks first (a pass, or job_end).
 */
#ifndef SLURM_CHARGE_H
#define SLURM_CHARGE_H

#include "compat.h"
#include "ledger.h"
#include "settings.h"
#include "state.h"

struct stretch {
	double begin, end;
};

/* What one run adds to its association, the accounts above it and its QOS. */
struct charge {
	uint32_t job_id;
	uint32_t assoc_id, account_id;	/* the second if the first is gone */
	uint32_t qos_id, partition_qos_id;	/* 0: none */
	double seconds, decayed_seconds;	/* usage factor included */
	double billing;				/* a second */
	const char *partition;		/* good as long as the book; NULL: not known */
	struct stretch stretch[2];	/* before and after a pause; both may be empty */
	double ran;			/* seconds of the whole run, up to the end of these */
	double usage_factor;
	bool ends;			/* nothing more comes from this run */
	uint64_t run_seconds;	/* GrpTRESRunMins: no longer to come, factor included */
	uint32_t tres_count;
	uint64_t *tres;		/* allocated, a count a TRES */
};

struct charges {
	struct charge *list;
	size_t count, size;
	uint64_t **block;	/* what their `tres` point to */
	size_t blocks, used;	/* `used` of the last one */
};

void charges_clear(struct charges *charges);

/* The plugin's book of charged time. `lock` is innermost: inside slurmctld's
 * and assoc_mgr's. */
struct book {
	pthread_mutex_t lock;
	struct ledger ledger;
	time_t marked_until;	/* the state is stock's: end_time_exp of jobs that ended until then
				 * tells of a charge; 0: it is not */
	bool unread;		/* the state cannot be read yet: nothing is charged */
	uint32_t run_seconds_round;	/* grows when slurmctld counts these anew */
};

/*
 * Charges all jobs up to `now`, as seen at `now`. Takes job read in slices;
 * the caller holds no lock. Jobs that ended, were requeued or resized since
 * are charged up to that moment at the rate they had then.
 */
void book_gather(struct book *book, const struct settings *settings, time_t now,
		 struct charges *charges, uint32_t *run_seconds_round);
/*
 * Charges a job that ends (or is resized) now. The caller holds job write and
 * assoc, qos write, tres read; `seen` is the time that the records are true
 * at. False: nothing left to charge.
 */
bool book_end_job(struct book *book, const struct settings *settings, job_record_t *job,
		  time_t now, time_t seen, struct charges *charges);
/* A run that is under way, as it was when it was last charged. */
struct running {
	uint32_t assoc_id, account_id;
	const char *partition;
	time_t charged_until;
	double ran, limit;	/* seconds; limit below 0: none */
	double cpus, memory;
	double usage_factor;
};

/* All of them, and how many; to be freed. NULL: there are none, or no memory. */
struct running *book_list_running(struct book *book, const struct settings *settings,
				  size_t *count);
/* What the book knows beyond its base, for the state file, and back. */
void book_copy_jobs(struct book *book, struct usage_image *image);
/* Which of the first TRES any of it is about. */
void book_mark_tres(struct book *book, bool *used, uint32_t tres_count);
void book_restore_jobs(struct book *book, const struct usage_image *image);
/* What the book knows is complete. */
void book_begin_charging(struct book *book);
/* A job that runs by the book gets a new priority: has it been requeued? */
void book_note_requeue(struct book *book, const job_record_t *job);
/* slurmctld has set GrpTRESRunMins anew, from whole time limits. */
void book_reset_run_seconds(struct book *book);
/* Has it not done so since book_gather told `round`? If it has, the seconds
 * gathered then must not be taken off, and are gathered again. */
bool book_counts_from(struct book *book, uint32_t round);

#endif
