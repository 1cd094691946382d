/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "charge.h"

#include "list_walk.h"
#include "log.h"
#include "slice.h"

#include <stdlib.h>
#include <string.h>

/* ---- charges ----------------------------------------------------------------- */

#define TRES_BLOCK 65536	/* counts */

void charges_clear(struct charges *charges)
{
	for (size_t i = 0; i < charges->blocks; i++)
		free(charges->block[i]);
	free(charges->block);
	free(charges->list);
	*charges = (struct charges){ 0 };
}

static struct charge *charges_add(struct charges *charges)
{
	if (charges->count == charges->size) {
		size_t size = charges->size ? 2 * charges->size : 64;
		struct charge *list = realloc(charges->list, size * sizeof(*list));

		if (!list)
			return NULL;
		charges->list = list;
		charges->size = size;
	}
	charges->list[charges->count] = (struct charge){ 0 };
	return &charges->list[charges->count++];
}

/* Memory that stays where it is until all charges go; NULL: there is none. */
static uint64_t *keep_tres(struct charges *charges, const uint64_t *tres, uint32_t count)
{
	uint64_t **grown, *to;

	if (!tres || !count)
		return NULL;
	if (!charges->blocks || charges->used + count > TRES_BLOCK) {
		grown = realloc(charges->block, (charges->blocks + 1) * sizeof(*grown));
		if (!grown)
			return NULL;
		charges->block = grown;
		grown[charges->blocks] = malloc(MAX(count, TRES_BLOCK) * sizeof(*to));
		if (!grown[charges->blocks])
			return NULL;
		charges->blocks++;
		charges->used = 0;
	}
	to = charges->block[charges->blocks - 1] + charges->used;
	charges->used += count;
	return memcpy(to, tres, count * sizeof(*to));
}

/* ---- what a job is ----------------------------------------------------------- */

static bool is_running(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && !IS_JOB_POWER_UP_NODE(job) &&
	       job->start_time > 0 && job->assoc_ptr;
}

/* Completing covers a job on its way back to the queue. */
static bool is_ended(const job_record_t *job)
{
	return (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) && job->start_time > 0 &&
	       job->end_time > job->start_time && job->assoc_ptr;
}

static double usage_factor(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = job->qos_ptr;

	return qos && qos->usage_factor >= 0 ? qos->usage_factor : 1;
}

static uint32_t partition_qos_id(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;

	return qos && qos != job->qos_ptr ? qos->id : 0;
}

/* Worked out at every charge: the record's own copy outlives a requeue into
 * another partition. The caller holds tres read. */
static double billing_rate(const job_record_t *job)
{
	if (!job->tres_alloc_cnt)
		return 0;
	if (!job->part_ptr || !job->part_ptr->billing_weights)
		return job->total_cpus;
	return assoc_mgr_tres_weighted(job->tres_alloc_cnt, job->part_ptr->billing_weights,
				       slurm_conf.priority_flags, true);
}

/*
 * Seconds the job has spent suspended until `when`: all but those it ran until
 * it was last suspended or resumed, and since then. tot_sus_time is no help:
 * where a suspended job is cancelled, it has what came after the job's end.
 */
static double suspended_seconds(const job_record_t *job, time_t when)
{
	double ran = (double)job->pre_sus_time;

	if (!job->suspend_time)
		return 0;
	if (!IS_JOB_SUSPENDED(job) && when > job->suspend_time)
		ran += difftime(when, job->suspend_time);
	return MAX(difftime(when, job->start_time) - ran, 0);
}

/* ---- the entry of a run ------------------------------------------------------ */

static uint32_t account_id(const job_record_t *job)
{
	const slurmdb_assoc_rec_t *account = job->assoc_ptr->usage->parent_assoc_ptr;

	return account ? account->id : job->assoc_id;
}

static double limit_of(const job_record_t *job)
{
	return job->time_limit == INFINITE || job->time_limit == NO_VAL
		? -1 : (double)job->time_limit * 60;
}

/* Rate and place as they are now. The caller holds assoc, qos, tres read. */
static void remember(struct ledger_entry *entry, const job_record_t *job)
{
	uint32_t count = slurmctld_tres_cnt > 0 ? (uint32_t)slurmctld_tres_cnt : 0;

	entry->stale = false;
	if (entry->assoc_id != job->assoc_id || !entry->account_id)	/* far away in memory */
		entry->account_id = account_id(job);
	entry->assoc_id = job->assoc_id;
	entry->qos_id = job->qos_ptr ? job->qos_ptr->id : 0;
	entry->partition_qos_id = partition_qos_id(job);
	entry->usage_factor = usage_factor(job);
	entry->billing = billing_rate(job);
	entry->limit = limit_of(job);
	if (!job->tres_alloc_cnt)
		count = 0;
	if (entry->tres_count != count) {
		free(entry->tres);
		entry->tres = count ? malloc(count * sizeof(*entry->tres)) : NULL;
		entry->tres_count = entry->tres ? count : 0;
	}
	if (entry->tres_count)
		memcpy(entry->tres, job->tres_alloc_cnt, entry->tres_count * sizeof(*entry->tres));
}

static void begin_run(struct ledger_entry *entry, const job_record_t *job, time_t base)
{
	entry->ended = false;
	entry->partition = NULL;
	entry->requeued = 0;
	entry->start = job->start_time;
	entry->charged_until = MAX(job->start_time, base);
	entry->run_seconds_until = 0;
	/* what was suspended before it was first seen is not known by time */
	entry->suspended = suspended_seconds(job, entry->charged_until);
	if (entry->charged_until == job->start_time)
		entry->suspended = 0;
	entry->resized = job->resize_time;
	remember(entry, job);
}

/* GrpTRESRunMins counted `limit` seconds at the start; of these, the part up
 * to `when`. Differences of this add up to the whole. */
static uint64_t run_seconds_by(const struct ledger_entry *entry, double limit, time_t when)
{
	double seconds = when > entry->start ? difftime(when, entry->start) : 0;

	return (uint64_t)(MIN(seconds, limit) * entry->usage_factor);
}

/* [begin, end] without the pauses. `resumed`: when the last one ended, 0 if it
 * lasts. */
static void leave_out_pauses(time_t begin, time_t end, double paused, time_t resumed,
			     struct stretch stretch[2])
{
	double pause_end = resumed > begin && resumed < end ? (double)resumed : (double)end;
	double pause_begin = MAX(pause_end - paused, (double)begin);

	stretch[0] = (struct stretch){ (double)begin, paused > 0 ? pause_begin : (double)end };
	stretch[1] = (struct stretch){ paused > 0 ? pause_end : (double)end, (double)end };
}

/* Seconds of both, decayed to `seen`. */
static double decayed_seconds(const struct stretch stretch[2], time_t seen, double half_life)
{
	return fathom_decayed_seconds(stretch[0].begin, stretch[0].end, (double)seen, half_life) +
	       fathom_decayed_seconds(stretch[1].begin, stretch[1].end, (double)seen, half_life);
}

/* Of the whole run, up to where it has been charged. */
static double seconds_run(const struct ledger_entry *entry, const struct settings *settings)
{
	double paused = settings->charge_suspended ? 0 : entry->suspended;

	return MAX(difftime(entry->charged_until, entry->start) - paused, 0);
}

static const char *text_of(const struct ledger_name *name)
{
	return name ? name->text : NULL;
}

/* ---- charging ---------------------------------------------------------------- */

struct span {
	time_t end, seen;
	double suspended;	/* of the job's life, until `end` */
	time_t resumed;
	double limit;		/* the job's, seconds; < 0: running seconds do not count */
	bool ends;		/* all running seconds left go */
	bool over;		/* so does the run */
};

/* From where the entry stands to span->end, at the entry's rate. */
static void charge_span(struct ledger_entry *entry, const struct settings *settings,
			const struct span *span, struct charges *charges)
{
	time_t begin = entry->charged_until, end = MAX(span->end, begin);
	double paused = settings->charge_suspended ? 0 : MAX(span->suspended - entry->suspended, 0);
	double seconds = difftime(end, begin);
	uint64_t before = 0, after = 0;
	struct charge *charge;

	paused = MIN(paused, seconds);
	if (span->limit >= 0) {
		before = run_seconds_by(entry, span->limit, entry->run_seconds_until);
		after = span->ends ? (uint64_t)(span->limit * entry->usage_factor)
				   : run_seconds_by(entry, span->limit, end);
		entry->run_seconds_until = end;
	}
	entry->charged_until = end;
	entry->suspended = span->suspended;
	/* a run's end counts by itself only where a policy asks for it */
	if (end == begin && after <= before && !(span->over && settings->keeps_inputs))
		return;
	charge = charges_add(charges);
	if (!charge) {
		error(LOG_PREFIX "out of memory; JobId=%u is not charged %.0f s", entry->job_id,
		      seconds);
		return;
	}
	charge->job_id = entry->job_id;
	charge->assoc_id = entry->assoc_id;
	charge->account_id = entry->account_id;
	charge->qos_id = entry->qos_id;
	charge->partition_qos_id = entry->partition_qos_id;
	charge->billing = entry->billing;
	charge->partition = text_of(entry->partition);
	charge->ran = seconds_run(entry, settings);
	charge->usage_factor = entry->usage_factor;
	charge->ends = span->over;
	charge->seconds = (seconds - paused) * entry->usage_factor;
	leave_out_pauses(begin, end, paused, span->resumed, charge->stretch);
	charge->decayed_seconds = decayed_seconds(charge->stretch, span->seen,
						  settings->half_life) * entry->usage_factor;
	charge->run_seconds = after > before ? after - before : 0;
	charge->tres_count = entry->tres_count;
	charge->tres = keep_tres(charges, entry->tres, entry->tres_count);
	if (log_priority_detail())
		info(LOG_PREFIX "JobId=%u ran %.0f s at billing %.2f, usage factor %.2f", entry->job_id,
		     seconds - paused, entry->billing, entry->usage_factor);
}

/* slurmctld counts these only where limits are enforced, and calls job_end
 * before anybody sees that a job has ended. */
static double run_limit(const job_record_t *job)
{
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
	    job->end_time_exp == (time_t)NO_VAL)
		return -1;
	return (double)job->time_limit * 60;
}

static struct span span_of(const job_record_t *job, time_t end, time_t seen)
{
	return (struct span){
		.end = end,
		.seen = seen,
		.suspended = suspended_seconds(job, end),
		.resumed = IS_JOB_SUSPENDED(job) ? 0 : job->suspend_time,
		.limit = run_limit(job),
	};
}

/* A run that ended without being seen, known from what was remembered. Perhaps
 * while the pass was under way: then it is charged ahead, as by a job's end. */
static void charge_lost_run(struct ledger_entry *entry, const struct settings *settings,
			    time_t end, time_t seen, struct charges *charges)
{
	struct span span = { .end = MIN(end, time(NULL)), .seen = seen,
			     .suspended = entry->suspended, .limit = -1, .over = true };

	if (!entry->stale)
		charge_span(entry, settings, &span, charges);
	entry->ended = true;
}

/* When a job that now waits, or runs again, stopped running. */
static time_t requeue_time(const struct ledger_entry *entry, const job_record_t *job)
{
	if (entry->requeued)
		return entry->requeued;
	return job->details ? job->details->submit_time : entry->charged_until;
}

static struct ledger_entry *entry_of_run(struct book *book, const struct settings *settings,
					 const job_record_t *job, time_t seen,
					 struct charges *charges)
{
	struct ledger_entry *entry = ledger_find(&book->ledger, job->job_id);

	if (!entry || entry->start != job->start_time) {
		if (entry && !entry->ended)
			charge_lost_run(entry, settings, requeue_time(entry, job), seen, charges);
		entry = ledger_enter(&book->ledger, job->job_id);
		if (!entry) {
			error(LOG_PREFIX "out of memory; JobId=%u is not charged", job->job_id);
			return NULL;
		}
		begin_run(entry, job, book->ledger.base);
	}
	if (!entry->partition && job->part_ptr)
		entry->partition = ledger_name(&book->ledger, job->part_ptr->name);
	return entry;
}

/* Up to its resize at the old size, from there at the new one. What has ended
 * is charged at the rate it ran at, as its record may not have that any more. */
static void charge_run(struct ledger_entry *entry, const struct settings *settings,
		       const job_record_t *job, time_t end, time_t seen, bool ends,
		       struct charges *charges)
{
	struct span span = span_of(job, end, seen);
	bool resized = job->resize_time != entry->resized && job->resize_time <= end;
	bool is_of_later = job->resize_time > end;	/* the record's rate */

	if (resized && !entry->stale && job->resize_time > entry->charged_until) {
		struct span before = span;

		before.end = job->resize_time;
		before.suspended = entry->suspended;
		if (!entry->run_seconds_until)	/* counted since, at the new size */
			before.limit = -1;
		charge_span(entry, settings, &before, charges);
	}
	if (resized)
		entry->resized = job->resize_time;
	if (resized || (!ends && !is_of_later) || entry->stale)
		remember(entry, job);
	span.ends = ends;
	span.over = ends && !IS_JOB_RESIZING(job);
	charge_span(entry, settings, &span, charges);
	entry->ended = ends;
}

/* ---- a pass -------------------------------------------------------------------- */

static void gather_job(struct book *book, const struct settings *settings, const job_record_t *job,
		       time_t now, struct charges *charges)
{
	bool ended = is_ended(job);
	time_t end = ended ? MIN(job->end_time, now) : now;
	struct ledger_entry *entry;

	if (!ended && !is_running(job))
		return;
	if (ended && job->start_time > now)
		return;		/* of the next pass, from begin to end */
	if (ended && end <= book->ledger.base && !ledger_find(&book->ledger, job->job_id))
		return;		/* of an earlier pass */
	if (ended && job->end_time <= book->marked_until && job->end_time_exp == (time_t)NO_VAL &&
	    !ledger_find(&book->ledger, job->job_id))
		return;
	entry = entry_of_run(book, settings, job, now, charges);
	if (!entry)
		return;
	entry->seen = true;
	if (!entry->ended)
		charge_run(entry, settings, job, end, now, ended, charges);
}

/* When the run that the entry describes stopped, going by the job's record;
 * `now` while nothing says that it did. */
static time_t lost_end(const struct ledger_entry *entry, const job_record_t *job, time_t now)
{
	if (IS_JOB_PENDING(job) || entry->requeued)
		return requeue_time(entry, job);
	return job->end_time && job->end_time < now ? job->end_time : now;
}

/* Entries whose job waits again, or has lost its association, or is gone. */
static void gather_lost(struct book *book, const struct settings *settings, time_t now,
			struct charges *charges)
{
	for (size_t i = 0; i < book->ledger.count; i++) {
		struct ledger_entry *entry = &book->ledger.entry[i];
		const job_record_t *job;

		if (entry->seen || entry->ended)
			continue;
		job = find_job_record(entry->job_id);
		charge_lost_run(entry, settings,
				job ? lost_end(entry, job, now) : entry->charged_until, now,
				charges);
		if (!job)
			debug(LOG_PREFIX "JobId=%u went away before its end was seen",
			      entry->job_id);
	}
}

struct gathering {
	struct book *book;
	const struct settings *settings;
	struct charges *charges;
	time_t now;
};

static void fetch_state(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	ask_for(&job->job_state);
}

/* Most jobs wait, and need no more than their state. */
static void fetch_run(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	if (IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job))
		return;
	ask_for_fields(job, assoc_id, assoc_ptr);
	ask_for_fields(job, end_time, end_time_exp);
	ask_for(&job->job_id);
	ask_for_fields(job, part_ptr, resize_time);
	ask_for_fields(job, start_time, total_cpus);
	ask_for(&job->tres_alloc_cnt);
}

static void fetch_rate(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	if (IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job))
		return;
	ask_for(job->tres_alloc_cnt);
}

static void gather_item(void *item, size_t at, void *context)
{
	struct gathering *gathering = context;

	(void)at;
	gather_job(gathering->book, gathering->settings, item, gathering->now, gathering->charges);
}

void book_gather(struct book *book, const struct settings *settings, time_t now,
		 struct charges *charges, uint32_t *run_seconds_round)
{
	slurmctld_lock_t job_locks = { .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	assoc_mgr_lock_t assoc_locks = { .assoc = READ_LOCK, .qos = READ_LOCK,
					 .tres = READ_LOCK };
	static const struct list_walk_stages stages = { fetch_state, fetch_run, fetch_rate,
						       gather_item };
	struct gathering gathering = { book, settings, charges, now };
	struct list_walk walk = { 0 };
	bool more = true;

	while (more) {
		struct slice slice;

		lock_slurmctld(job_locks);
		assoc_mgr_lock(&assoc_locks);
		slurm_mutex_lock(&book->lock);
		slice = slice_begin();
		if (!walk.begun)
			*run_seconds_round = book->run_seconds_round;
		do {
			more = list_walk_next(&walk, job_list);
			list_walk_each(&walk, stages, &gathering);
		} while (more && !slice_is_over(&slice));
		if (!more) {	/* from here on, everybody is charged until now */
			gather_lost(book, settings, now, charges);
			ledger_move_base(&book->ledger, now);
			book->marked_until = 0;
		}
		slurm_mutex_unlock(&book->lock);
		assoc_mgr_unlock(&assoc_locks);
		unlock_slurmctld(job_locks);
		if (more)
			slice_pause();
	}
}

/* ---- what runs --------------------------------------------------------------------- */

static double tres_of(const struct ledger_entry *entry, uint32_t tres)
{
	uint64_t count = tres < entry->tres_count ? entry->tres[tres] : 0;

	return count < NO_CONSUME_VAL64 ? (double)count : 0;
}

struct running *book_list_running(struct book *book, const struct settings *settings,
				  size_t *count)
{
	struct running *running;

	*count = 0;
	slurm_mutex_lock(&book->lock);
	running = book->ledger.count ? calloc(book->ledger.count, sizeof(*running)) : NULL;
	for (size_t i = 0; running && i < book->ledger.count; i++) {
		const struct ledger_entry *entry = &book->ledger.entry[i];

		if (entry->ended)
			continue;
		running[(*count)++] = (struct running){
			.assoc_id = entry->assoc_id, .account_id = entry->account_id,
			.partition = text_of(entry->partition), .charged_until = entry->charged_until,
			.ran = seconds_run(entry, settings), .limit = entry->limit,
			.cpus = tres_of(entry, TRES_ARRAY_CPU),
			.memory = tres_of(entry, TRES_ARRAY_MEM),
			.usage_factor = entry->usage_factor,
		};
	}
	slurm_mutex_unlock(&book->lock);
	return running;
}

/* ---- what is saved ------------------------------------------------------------- */

static struct job_row row_of(const struct ledger_entry *entry)
{
	return (struct job_row){
		.job_id = entry->job_id, .ended = entry->ended,
		.assoc_id = entry->assoc_id, .account_id = entry->account_id,
		.qos_id = entry->qos_id, .partition_qos_id = entry->partition_qos_id,
		.start = entry->start, .charged_until = entry->charged_until,
		.resized = entry->resized, .suspended = entry->suspended,
		.billing = entry->billing, .usage_factor = entry->usage_factor,
	};
}

static int copy_names(const struct ledger *ledger, struct usage_image *image)
{
	char *to = usage_image_make_names(image, ledger->names_length);

	for (size_t i = 0; to && i < ledger->names; i++)
		strcpy(to + ledger->name[i]->place - 1, ledger->name[i]->text);
	return to ? 0 : -1;
}

void book_copy_jobs(struct book *book, struct usage_image *image)
{
	size_t tres = image->tres_count * sizeof(*image->job_tres);

	free(image->job);
	free(image->job_tres);
	free(image->job_partition);
	slurm_mutex_lock(&book->lock);
	image->job = calloc(book->ledger.count + 1, sizeof(*image->job));
	image->job_tres = calloc(book->ledger.count + 1, tres ? tres : 1);
	image->job_partition = calloc(book->ledger.count + 1, sizeof(*image->job_partition));
	if (!image->job || !image->job_tres || !image->job_partition ||
	    copy_names(&book->ledger, image))
		image->time = 0;
	for (size_t n = 0; image->time && n < book->ledger.count; n++) {
		const struct ledger_entry *entry = &book->ledger.entry[n];
		uint64_t *to = image->job_tres + (size_t)image->job_count * image->tres_count;

		if (entry->partition)
			image->job_partition[image->job_count] = entry->partition->place;
		image->job[image->job_count++] = row_of(entry);
		image->partition_count = image->job_count;
		for (uint32_t i = 0; i < image->tres_count && image->tres_at[i] < entry->tres_count; i++)
			to[i] = entry->tres[image->tres_at[i]];
	}
	slurm_mutex_unlock(&book->lock);
}

void book_mark_tres(struct book *book, bool *used, uint32_t tres_count)
{
	slurm_mutex_lock(&book->lock);
	for (size_t n = 0; n < book->ledger.count; n++) {
		const struct ledger_entry *entry = &book->ledger.entry[n];

		for (uint32_t i = 0; i < MIN(entry->tres_count, tres_count); i++)
			used[i] |= entry->tres[i];
	}
	slurm_mutex_unlock(&book->lock);
}

static void restore_job(struct ledger_entry *entry, const struct usage_image *image, size_t job)
{
	const struct job_row *row = &image->job[job];
	uint32_t count = (uint32_t)slurmctld_tres_cnt;

	*entry = (struct ledger_entry){
		.job_id = row->job_id, .seen = true, .ended = row->ended,
		.assoc_id = row->assoc_id, .account_id = row->account_id,
		.qos_id = row->qos_id, .partition_qos_id = row->partition_qos_id,
		.start = (time_t)row->start, .charged_until = (time_t)row->charged_until,
		.resized = (time_t)row->resized, .suspended = row->suspended,
		.billing = row->billing, .usage_factor = row->usage_factor,
		.stale = !row->assoc_id,
		.tres = calloc(count + 1, sizeof(*entry->tres)),
	};
	entry->tres_count = entry->tres ? count : 0;
	if (entry->tres)
		usage_image_job_tres(image, job, entry->tres);
}

void book_restore_jobs(struct book *book, const struct usage_image *image)
{
	slurm_mutex_lock(&book->lock);
	book->ledger.base = (time_t)image->time;
	for (uint32_t i = 0; i < image->job_count; i++) {
		struct ledger_entry *entry = ledger_enter(&book->ledger, image->job[i].job_id);

		if (!entry)
			break;
		restore_job(entry, image, i);
		if (i < image->partition_count && image->job_partition[i])
			entry->partition = ledger_name(&book->ledger, image->names +
						       image->job_partition[i] - 1);
	}
	slurm_mutex_unlock(&book->lock);
}

void book_begin_charging(struct book *book)
{
	slurm_mutex_lock(&book->lock);
	book->unread = false;
	slurm_mutex_unlock(&book->lock);
}

/* ---- single jobs ----------------------------------------------------------- */

#define FAR_AHEAD 500	/* half-lives; beyond some more, 2^n is no number */

/* All that is left of the running seconds, and nothing else. */
static void release_run_seconds(const struct ledger_entry *known, const struct settings *settings,
				const job_record_t *job, struct charges *charges)
{
	struct span span = span_of(job, job->start_time, job->start_time);
	struct ledger_entry alone = { .job_id = job->job_id };

	begin_run(&alone, job, 0);
	if (known && known->start == job->start_time)
		alone.run_seconds_until = known->run_seconds_until;
	span.ends = true;
	charge_span(&alone, settings, &span, charges);
	free(alone.tres);
}

static void end_run(struct book *book, const struct settings *settings, const job_record_t *job,
		    time_t end, time_t seen, struct charges *charges)
{
	struct ledger_entry *entry = entry_of_run(book, settings, job, seen, charges);

	if (!entry || entry->ended)
		return;
	entry->seen = true;
	charge_run(entry, settings, job, end, seen, true, charges);
	if (IS_JOB_RESIZING(job)) {	/* goes on at another size, and is counted whole again */
		entry->ended = false;
		entry->stale = true;
		entry->run_seconds_until = 0;
	}
}

/* The backfill scheduler begins and ends the components of a heterogeneous job
 * on trial, while they wait. */
static bool is_trial(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job);
}

bool book_end_job(struct book *book, const struct settings *settings, job_record_t *job,
		  time_t now, time_t seen, struct charges *charges)
{
	/* one that is resized may have run beyond its time limit */
	time_t end = job->end_time && !IS_JOB_RESIZING(job) ? MIN(job->end_time, now) : now;
	double ahead = seen ? difftime(end, seen) : 0;
	bool trial = is_trial(job);

	if (job->end_time_exp == (time_t)NO_VAL || !job->assoc_ptr || !(trial || job->start_time))
		return false;
	slurm_mutex_lock(&book->lock);
	/* what cannot be seen from so far back is left to the next pass */
	if (trial || book->unread || end <= job->start_time ||
	    (settings->half_life > 0 && ahead > FAR_AHEAD * settings->half_life))
		release_run_seconds(ledger_find(&book->ledger, job->job_id), settings, job, charges);
	else
		end_run(book, settings, job, end, seen ? seen : end, charges);
	slurm_mutex_unlock(&book->lock);
	if (!trial)
		job->end_time_exp = (time_t)NO_VAL;
	return true;
}

void book_note_requeue(struct book *book, const job_record_t *job)
{
	struct ledger_entry *entry;

	if (!IS_JOB_PENDING(job))
		return;
	slurm_mutex_lock(&book->lock);
	entry = ledger_find(&book->ledger, job->job_id);
	if (entry && !entry->ended && !entry->requeued)
		entry->requeued = job->end_time ? job->end_time : time(NULL);
	slurm_mutex_unlock(&book->lock);
}

static void recount_run_seconds(struct book *book)
{
	for (size_t i = 0; i < book->ledger.count; i++)
		book->ledger.entry[i].run_seconds_until = 0;
}

void book_reset_run_seconds(struct book *book)
{
	slurm_mutex_lock(&book->lock);
	recount_run_seconds(book);
	book->run_seconds_round++;
	slurm_mutex_unlock(&book->lock);
}

bool book_counts_from(struct book *book, uint32_t round)
{
	bool same;

	slurm_mutex_lock(&book->lock);
	same = round == book->run_seconds_round;
	if (!same)
		recount_run_seconds(book);
	slurm_mutex_unlock(&book->lock);
	return same;
}
