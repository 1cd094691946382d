/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The round of a pass: charges all jobs for the seconds that nobody has charged yet.
 *
 *   1. A walk over slurmctld's job list, in slices, reports each job that runs or has ended to the
 *      ledger, which adds a charge (gather_job).
 *   2. Runs of the ledger that the walk has not met are looked up by their ids (gather_rest): their
 *      jobs have moved in the list, wait again, or are gone.
 *   3. The round is closed: all jobs are charged up to the time of the pass (close_round).
 */
#include "charging/book.h"

#include "base/log.h"
#include "charging/book_private.h"
#include "charging/observed_job.h"
#include "walk/sliced_walk.h"

#include <math.h>

#define UNSEEN_AT_ONCE 64	/* jobs looked up while the locks are held once */

/* A round that is under way. */
struct gathering {
	struct book *book;
	const struct settings *settings;
	struct fathom_charges *charges;		/* of this round */
	time_t now;		/* time of the pass, up to which jobs are charged */
	time_t clock;		/* the time when the slice began, for job_requeue_time() */
	size_t next_row;	/* the ledger's row that the next job of the list probably has */
};

/* ---- prefetching ------------------------------------------------------------------- */

/* Returns whether a job may have to be charged. Most jobs wait: of them only the state is read,
 * which spares the wait for the rest of their records. */
static bool may_be_charged(const void *item, const void *context)
{
	const job_record_t *job = item;

	return !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job);
}

/* Prefetches the fields of a record that job_observe() reads. Add a field here when that begins to
 * read it: without that a pass is slower, not wrong. prefetch_fields() prefetches all fields
 * between two. */
static void fetch_run(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	prefetch_fields(job, array_job_id, assoc_ptr);
	if (!IS_JOB_RUNNING(job) || job_limits_are_enforced())
		prefetch_fields(job, end_time, end_time_exp);
	prefetch(&job->job_id);
	prefetch_fields(job, part_ptr, resize_time);
	prefetch_fields(job, start_time, total_cpus);
	prefetch(&job->tres_alloc_cnt);
}

/* Prefetches the job's TRES, and the row of the ledger that it probably has. */
static void fetch_rate(void *item, size_t at, void *context)
{
	const job_record_t *job = item;
	const struct gathering *gathering = context;

	if (job->tres_alloc_cnt)
		prefetch_all(job->tres_alloc_cnt, OBSERVED_TRES * sizeof(*job->tres_alloc_cnt));
	/* gather_job() is two stages behind this one */
	fathom_ledger_prefetch(gathering->book->ledger, job->job_id,
			       gathering->next_row + LIST_WALK_AHEAD * 2);
}

/* ---- jobs ---------------------------------------------------------------------------- */

/* Returns whether the end of a job has been charged: by an earlier pass, or by multifactor. In the
 * first pass multifactor's mark, end_time_exp NO_VAL, counts for jobs that the ledger does not
 * have; but not if book_end_job() has set it without charging the job. */
static bool is_charged(const struct book *book, const job_record_t *job, time_t now)
{
	uint32_t unused;
	bool is_marked;

	if (fathom_ledger_has_charged(book->ledger, job->job_id, (double)MIN(job->end_time, now)))
		return true;
	is_marked = job->end_time <= book->marked_until && job->end_time_exp == (time_t)NO_VAL;
	return is_marked && !fathom_ledger_find(book->ledger, job->job_id) &&
	       !id_index_find(&book->uncharged, job->job_id, &unused);
}

/* Charges a job up to the time of the pass or to its end, whichever is earlier; at: unused. See
 * list_walk_stage. */
static void gather_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;
	struct gathering *gathering = context;
	struct fathom_ledger *ledger = gathering->book->ledger;
	bool has_ended = job_has_ended(job);
	struct fathom_observed_job observed;
	uint64_t tres[OBSERVED_TRES];
	struct fathom_run_part part[RUN_PARTS(gathering->settings)];
	double now = (double)gathering->now;
	int status;

	if (!has_ended && !job_is_running(job))
		return;
	/* `ended` still has the run, as memory is short, and alone tells until when it is
	 * charged */
	if (fathom_ledger_count(gathering->book->ended) &&
	    fathom_ledger_find(gathering->book->ended, job->job_id))
		return;
	if (has_ended && is_charged(gathering->book, job, gathering->now))
		return;
	job_observe(&observed, job, gathering->settings,
		    fathom_ledger_find_from(ledger, job->job_id, &gathering->next_row),
		    gathering->clock, tres, part);
	status = has_ended ? fathom_ledger_observe_end(ledger, &observed, (double)job->end_time,
						       now, gathering->charges)
			   : fathom_ledger_observe(ledger, &observed, now, gathering->charges);
	if (status)
		error(LOG_PREFIX "out of memory; JobId=%u is charged by the next pass",
		      job->job_id);
}

/* ---- slices ------------------------------------------------------------------------ */

/* Takes the lock, and the runs that have ended since the last slice into the ledger. */
static void begin_slice(void *context)
{
	struct gathering *gathering = context;

	ordered_lock_take(&gathering->book->lock);
	book_take_runs(gathering->book);
	gathering->clock = time(NULL);
}

/* Releases the lock. */
static void end_slice(void *context)
{
	struct gathering *gathering = context;

	ordered_lock_release(&gathering->book->lock);
}

/* ---- jobs that the walk has not met -------------------------------------------------- */

/* Returns when a run of the ledger has ended for which gather_job() did nothing, because its job
 * waits or runs again, has lost its association, or is gone (job NULL). Returns the time of the
 * pass if the run goes on, and 0 if its end is not known. */
static double lost_end(const struct fathom_ledger_row *row, const job_record_t *job,
		       const struct gathering *gathering)
{
	double now = (double)gathering->now;
	bool is_over;		/* otherwise end_time is that of its time limit */

	if (!job) {
		debug(LOG_PREFIX "slurmctld forgot JobId=%"PRIu64" before its end was seen",
		      row->run.id.job);
		return 0;
	}
	if (IS_JOB_PENDING(job) || (double)job->start_time != row->start)
		return job_requeue_time(job, row->start, gathering->clock);
	is_over = (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) && job->end_time;
	return is_over ? fmin((double)job->end_time, now) : now;
}

/* Charges a run that the walk has not met. Its job may still be in the list, at a place where the
 * walk had been before slurmctld moved it there. */
static void gather_unseen(struct gathering *gathering, uint64_t id)
{
	const struct fathom_ledger_row *row = fathom_ledger_find(gathering->book->ledger, id);
	job_record_t *job = find_job_record((uint32_t)id);

	if (job)
		gather_job(job, 0, gathering);
	/* close_round() logs if memory is short */
	fathom_ledger_end_unseen(gathering->book->ledger, id,
				 row->over ? 0 : lost_end(row, job, gathering), gathering->charges);
}

/* Gathers the runs that the walk has not met. Lists some of them without a lock, as there may be a
 * hundred thousand runs, and this thread alone changes the ledger; then looks their jobs up. */
static void gather_rest(struct gathering *gathering, const struct sliced_walk *walk)
{
	const struct fathom_ledger *ledger = gathering->book->ledger;
	const struct fathom_ledger_row *row;
	uint64_t job[UNSEEN_AT_ONCE];
	size_t at = 0, count;

	while (true) {
		count = 0;
		while (count < UNSEEN_AT_ONCE && (row = fathom_ledger_next_unseen(ledger, &at)))
			job[count++] = row->run.id.job;
		if (!count)
			return;
		slice_pause();
		locks_take(walk->locks, walk->assoc_locks);
		begin_slice(gathering);
		for (size_t i = 0; i < count; i++)
			gather_unseen(gathering, job[i]);
		end_slice(gathering);
		locks_release(walk->locks, walk->assoc_locks);
	}
}

/* Ends the round: from now on all jobs are charged up to the time of the pass. */
static void close_round(struct gathering *gathering)
{
	struct book *book = gathering->book;
	int status;

	ordered_lock_take(&book->lock);
	/* NULL: a run that is still unseen ends where it is charged */
	status = fathom_ledger_close_round(book->ledger, (double)gathering->now, NULL,
					   gathering->charges);
	book->marked_until = 0;
	id_index_clear(&book->uncharged);
	ordered_lock_release(&book->lock);
	if (status)
		error(LOG_PREFIX "out of memory; the next pass charges what this one could not");
}

struct fathom_charges *book_gather(struct book *book, const struct settings *settings, time_t now,
				   struct list_trail *trail)
{
	const struct sliced_walk walk = {
		.list = &job_list,
		.locks = WALK_LOCKS(.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK),
		.assoc_locks = WALK_ASSOC_LOCKS(.assoc = READ_LOCK, .qos = READ_LOCK,
						.tres = READ_LOCK),
		.begin_slice = begin_slice, .end_slice = end_slice,
		.is_wanted = may_be_charged, .trail = trail,
		.small_blocks = settings->has_hosts,	/* run_parts() looks at all nodes */
	};
	static const struct list_walk_stages stages = {
		.fetch = fetch_run, .follow = fetch_rate, .work = gather_job,
		.touch = offsetof(job_record_t, job_state),
	};
	struct fathom_charge_rules rules = book_rules(settings, now);
	struct gathering gathering = { .book = book, .settings = settings, .now = now,
				       .charges = fathom_charges_create(&rules) };

	if (!gathering.charges)
		return NULL;
	ordered_lock_take(&book->lock);
	book->run_seconds_are_new = false;
	ordered_lock_release(&book->lock);
	book_take_most_runs(book);
	sliced_walk(&walk, stages, &gathering);
	gather_rest(&gathering, &walk);
	close_round(&gathering);
	book_log_charges(gathering.charges, 0);
	return gathering.charges;
}
