/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The book's calls, except book_gather(). Ends, resizes and requeues that slurmctld announces are
 * charged in a small ledger of their own, `ended`, from which the decay thread takes the runs into
 * the ledger. The second half of the file saves and restores the ledger.
 */
#include "charging/book.h"

#include "base/log.h"
#include "charging/book_private.h"
#include "charging/observed_job.h"
#include "core/array.h"
#include "core/id_index.h"
#include "walk/slice.h"

#include <stdlib.h>
#include <string.h>

#define RUNS_AT_ONCE 256	/* runs that are taken under the lock at once */

/* ---- life ---------------------------------------------------------------------- */

struct book *book_create(void)
{
	struct book *book = calloc(1, sizeof(*book));

	if (!book)
		return NULL;
	ordered_lock_init(&book->lock, LOCK_BOOK);
	book->ledger = fathom_ledger_create();
	book->ended = fathom_ledger_create();
	if (book->ledger && book->ended)
		return book;
	book_destroy(book);
	return NULL;
}

void book_destroy(struct book *book)
{
	if (!book)
		return;
	fathom_charges_destroy(book->late);
	fathom_ledger_destroy(book->ended);
	fathom_ledger_destroy(book->ledger);
	id_index_clear(&book->uncharged);
	ordered_lock_destroy(&book->lock);
	free(book);
}

/* Without the lock, as the caller is the decay thread, which alone changes the ledger. */
time_t book_base(const struct book *book)
{
	return (time_t)fathom_ledger_base(book->ledger);
}

void book_begin(struct book *book, time_t base, time_t marked_until)
{
	ordered_lock_take(&book->lock);
	book->marked_until = marked_until;
	if (!(fathom_ledger_base(book->ledger) > 0))
		fathom_ledger_set_base(book->ledger, (double)base);
	ordered_lock_release(&book->lock);
}

/* ---- charges ------------------------------------------------------------------- */

struct fathom_charge_rules book_rules(const struct settings *settings, time_t usage_time)
{
	return (struct fathom_charge_rules){
		.half_life = settings->half_life,
		.seen = (double)usage_time,
		.skip_pauses = !settings->charge_suspended,
		.note_ends = settings->keeps_sums,
	};
}

void book_log_charges(const struct fathom_charges *charges, size_t first)
{
	if (!log_priority_detail())
		return;
	for (size_t i = first; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		/* seconds by the clock: those of the charge itself are multiplied by the usage
		 * factor */
		double seconds = charge->part[0].end - charge->part[0].begin +
				 charge->part[1].end - charge->part[1].begin;

		info(LOG_PREFIX "JobId=%"PRIu64" ran %.0f s at billing %.2f, usage factor %.2f",
		     charge->run.id.job, seconds, charge->run.rate.billing,
		     charge->run.rate.usage_factor);
	}
}

/* ---- single jobs ----------------------------------------------------------------- */

/* Returns whether the end that slurmctld announces is that of a trial, of which nothing is charged
 * or released: the job waits. (A job that ends or is requeued is still COMPLETING.) When a
 * heterogeneous job is submitted, slurmctld 26.05 begins and ends its components on trial, to check
 * limits, and counts the trial apart from running seconds. It leaves the trial's time limits in the
 * running seconds of a partition's QOS, whatever the plugin does. */
static bool is_on_trial(const job_record_t *job)
{
	return IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job);
}

/* Makes `ended` go on with a job's run as the ledger has it: copies the run there, unless `ended`
 * has it already or the ledger does not have it. Returns -1 if out of memory. The caller holds
 * book->lock. */
static int copy_run_to_ended(struct book *book, uint64_t job)
{
	fathom_ledger_set_base(book->ended, fathom_ledger_base(book->ledger));
	return fathom_ledger_find(book->ended, job)
		       ? 0 : fathom_ledger_copy_run(book->ended, book->ledger, job);
}

/* Adds the charges of an end or a resize to book->late. Before saved usage is in the rows, only
 * gives the reserved seconds back, and notes in book->uncharged that a pass has to charge the job.
 * Returns -1 if out of memory. The caller holds book->lock. */
static int charge_end(struct book *book, const struct settings *settings, const job_record_t *job,
		      time_t end, time_t now)
{
	uint64_t tres[OBSERVED_TRES];
	struct fathom_run_part part[RUN_PARTS(settings)];
	bool is_in_ended = fathom_ledger_find(book->ended, job->job_id);
	struct fathom_ledger *ledger = is_in_ended ? book->ended : book->ledger;
	struct fathom_observed_job observed;

	job_observe(&observed, job, settings, fathom_ledger_find(ledger, job->job_id), now, tres,
		    part);
	if (book->waits_for_state)
		return id_index_put(&book->uncharged, job->job_id, 0) ||
		       fathom_ledger_release(ledger, &observed, book->late) ? -1 : 0;
	if (copy_run_to_ended(book, job->job_id))
		return -1;
	if (IS_JOB_RESIZING(job))
		return fathom_ledger_resize(book->ended, &observed, (double)end, book->late);
	return fathom_ledger_end(book->ended, &observed, (double)end, book->late);
}

/* Marks the job as charged by end_time_exp NO_VAL, as multifactor does, so that a second call for
 * the same end charges nothing. */
const struct fathom_charges *book_end_job(struct book *book, const struct settings *settings,
					  job_record_t *job, time_t now, time_t usage_time,
					  size_t *first)
{
	/* a job that is being resized goes on; its end_time is that of its time limit */
	time_t end = job->end_time && !IS_JOB_RESIZING(job) ? MIN(job->end_time, now) : now;
	struct fathom_charge_rules rules = book_rules(settings, usage_time ? usage_time : end);
	bool was_charged = job->end_time_exp == (time_t)NO_VAL;		/* as this call sets it */
	bool has_run = job->assoc_ptr && job->start_time && !is_on_trial(job);
	int status = -1;

	*first = 0;
	if (was_charged || !has_run)
		return NULL;
	ordered_lock_take(&book->lock);
	if (!book->late)
		book->late = fathom_charges_create(&rules);
	if (book->late) {
		*first = fathom_charges_count(book->late);
		status = charge_end(book, settings, job, end, now);
	}
	ordered_lock_release(&book->lock);
	if (status)
		error(LOG_PREFIX "out of memory; %pJ is charged by the next pass", job);
	else
		job->end_time_exp = (time_t)NO_VAL;
	if (book->late)
		book_log_charges(book->late, *first);
	return book->late;
}

void book_note_requeue(struct book *book, const job_record_t *job)
{
	const struct fathom_ledger_row *row;
	uint32_t id = job->job_id;

	if (!IS_JOB_PENDING(job))
		return;
	ordered_lock_take(&book->lock);
	if (!copy_run_to_ended(book, id) && (row = fathom_ledger_find(book->ended, id)))
		fathom_ledger_requeue(book->ended, id,
				      job_requeue_time(job, row->start, time(NULL)));
	ordered_lock_release(&book->lock);
}

bool book_take_runs(struct book *book)
{
	return fathom_ledger_move_runs(book->ledger, book->ended, SIZE_MAX);
}

void book_take_most_runs(struct book *book)
{
	bool has_more = true;

	while (has_more) {
		ordered_lock_take(&book->lock);
		has_more = !fathom_ledger_move_runs(book->ledger, book->ended, RUNS_AT_ONCE) &&
			   fathom_ledger_count(book->ended);
		ordered_lock_release(&book->lock);
		if (has_more)
			slice_pause();
	}
}

struct fathom_charges *book_take_late(struct book *book)
{
	struct fathom_charges *charges;

	ordered_lock_take(&book->lock);
	book->owes_runs = book_take_runs(book);
	charges = book->late;
	book->late = NULL;
	ordered_lock_release(&book->lock);
	return charges;
}

const struct fathom_charges *book_late(const struct book *book)
{
	return book->late;
}

void book_set_leaf(struct book *book, uint64_t job, uint32_t leaf)
{
	ordered_lock_take(&book->lock);
	fathom_ledger_set_leaf(book->ledger, job, leaf);
	fathom_ledger_set_leaf(book->ended, job, leaf);
	ordered_lock_release(&book->lock);
}

/* Without the lock, as book_base(). */
uint32_t book_leaf(const struct book *book, uint64_t job)
{
	const struct fathom_ledger_row *row = fathom_ledger_find(book->ledger, job);

	return row && !row->over ? row->run.id.leaf : 0;
}

/* ---- running seconds --------------------------------------------------------------- */

void book_reset_run_seconds(struct book *book)
{
	ordered_lock_take(&book->lock);
	fathom_ledger_reserve_anew(book->ledger);
	fathom_ledger_reserve_anew(book->ended);
	book->run_seconds_are_new = true;
	ordered_lock_release(&book->lock);
}

bool book_run_seconds_are_new(struct book *book)
{
	bool are_new;

	ordered_lock_take(&book->lock);
	are_new = book->run_seconds_are_new;
	if (are_new) {
		fathom_ledger_reserve_anew(book->ledger);
		fathom_ledger_reserve_anew(book->ended);
	}
	ordered_lock_release(&book->lock);
	return are_new;
}

/* ---- what runs --------------------------------------------------------------------- */

struct running *book_list_running(const struct book *book, const struct settings *settings,
				  size_t *count)
{
	size_t rows = fathom_ledger_count(book->ledger);
	struct running *running = malloc((rows + 1) * sizeof(*running));	/* never 0 bytes */

	*count = 0;
	for (size_t i = 0; running && i < rows; i++) {
		const struct fathom_ledger_row *row = fathom_ledger_at(book->ledger, i);

		if (!row->over)
			running[(*count)++] = (struct running){
				.run = row->run, .charged_until = row->charged_until,
				.ran = fathom_ledger_seconds_run(row,
								 !settings->charge_suspended) };
	}
	return running;
}

/* ---- what is saved ------------------------------------------------------------- */

/* The state of copying the ledger into an image. If memory runs out, the image's time becomes 0. */
struct saving {
	struct usage_image *image;
	struct id_index offset;	/* of each saved name in image->names, by the name's address: the
				 * ledger has each name once */
	size_t names_room, part_room;	/* allocated bytes of image->names, elements of ->part */
};

/* Adds a name to image->names unless it is there. Returns 1 + its offset there; 0 for NULL, or if
 * memory has run out. */
static uint32_t save_name(struct saving *saving, const char *name)
{
	struct usage_image *image = saving->image;
	uint32_t offset = image->names_length, size;
	char *names;

	if (!name)
		return 0;
	if (id_index_find(&saving->offset, (uintptr_t)name, &offset))
		return offset + 1;
	size = (uint32_t)strlen(name) + 1;
	names = array_grow(image->names, &saving->names_room, offset + size, 1);
	image->names = names ? names : image->names;
	if (!names || id_index_put(&saving->offset, (uintptr_t)name, offset)) {
		image->time = 0;
		return 0;
	}
	memcpy(names + offset, name, size);
	image->names_length += size;
	return offset + 1;
}

/* Adds a part of the run that save_job() is about to put at image->job_count. */
static void save_part(struct saving *saving, const struct fathom_run_part *part)
{
	struct usage_image *image = saving->image;
	struct part_row *rows = array_grow(image->part, &saving->part_room,
					   image->part_count + 1, sizeof(*rows));

	if (!rows) {
		image->time = 0;
		return;
	}
	image->part = rows;
	rows[image->part_count++] = (struct part_row){
		.job = image->job_count, .hosts = save_name(saving, part->hosts),
		.cpus = part->cpus, .all_cpus = part->all_cpus };
}

/* Adds a row of the ledger to the image, with its TRES, parts and names. There is room for the job
 * and its TRES. */
static void save_job(struct saving *saving, const struct fathom_ledger_row *row)
{
	const struct fathom_run_id *id = &row->run.id;
	const struct fathom_run_rate *rate = &row->run.rate;
	struct usage_image *image = saving->image;
	uint64_t *tres = image->job_tres + (size_t)image->job_count * image->tres_count;

	for (uint32_t i = 0; i < image->tres_count; i++) {
		uint32_t index = image->tres_at[i];	/* in slurmctld */

		tres[i] = index < rate->tres_count ? rate->tres[index] : 0;
	}
	for (uint32_t i = 0; i < rate->part_count; i++)
		save_part(saving, &rate->part[i]);
	image->job_partition[image->job_count] = save_name(saving, id->partition);
	image->job[image->job_count++] = (struct job_row){
		.job_id = (uint32_t)id->job, .ended = row->over,
		.assoc_id = id->association, .account_id = id->account,
		.qos_id = id->qos, .partition_qos_id = id->partition_qos, .leaf = id->leaf,
		.start = (int64_t)row->start, .charged_until = (int64_t)row->charged_until,
		.resized = (int64_t)row->resized, .suspended = row->paused,
		.billing = rate->billing, .usage_factor = rate->usage_factor,
	};
}

void book_copy_jobs(const struct book *book, struct usage_image *image)
{
	size_t count = fathom_ledger_count(book->ledger);
	struct saving saving = { .image = image };

	usage_image_clear_jobs(image);
	image->job = malloc((count + 1) * sizeof(*image->job));
	image->job_tres = malloc((count + 1) * (image->tres_count + 1) * sizeof(*image->job_tres));
	image->job_partition = malloc((count + 1) * sizeof(*image->job_partition));
	if (!image->job || !image->job_tres || !image->job_partition || book->owes_runs)
		image->time = 0;
	for (size_t i = 0; image->time && i < count; i++)
		save_job(&saving, fathom_ledger_at(book->ledger, i));
	id_index_clear(&saving.offset);
}

void book_mark_tres(struct book *book, bool *used, uint32_t tres_count)
{
	ordered_lock_take(&book->lock);
	for (uint32_t i = 0; i < tres_count; i++)
		used[i] = fathom_ledger_has_used(book->ledger, i) ||
			  fathom_ledger_has_used(book->ended, i);
	ordered_lock_release(&book->lock);
}

/* Returns the name that save_name() has saved, or NULL. number: what save_name() returned, 1 + the
 * offset of the name, or 0. */
static const char *saved_name(const struct usage_image *image, uint32_t number)
{
	return number ? image->names + number - 1 : NULL;
}

/* Puts a saved run back into the ledger. job: index in image->job; jobs are restored in order, from
 * 0 on. part: an array with room for all parts of the image, which is overwritten. *part_at: index
 * of the job's first part in image->part; becomes that of the next job's. Returns -1 if out of
 * memory. */
static int restore_job(struct fathom_ledger *ledger, const struct usage_image *image, uint32_t job,
		       struct fathom_run_part *part, uint32_t *part_at)
{
	const struct job_row *row = &image->job[job];
	uint64_t tres[OBSERVED_TRES];
	uint32_t part_count = 0;

	for (; *part_at < image->part_count && image->part[*part_at].job == job; ++*part_at) {
		const struct part_row *saved = &image->part[*part_at];

		part[part_count++] = (struct fathom_run_part){
			.hosts = saved_name(image, saved->hosts),
			.cpus = saved->cpus, .all_cpus = saved->all_cpus };
	}
	usage_image_job_tres(image, job, tres);
	return fathom_ledger_restore(ledger, &(struct fathom_ledger_row){
		.run.id = { .job = row->job_id, .association = row->assoc_id,
			    .account = row->account_id, .qos = row->qos_id,
			    .partition_qos = row->partition_qos_id, .leaf = row->leaf,
			    .partition = saved_name(image, image->job_partition[job]) },
		.run.rate = { .billing = row->billing, .usage_factor = row->usage_factor,
			      .tres = tres, .tres_count = (uint32_t)slurmctld_tres_cnt,
			      .part = part, .part_count = part_count },
		.start = (double)row->start, .charged_until = (double)row->charged_until,
		.resized = (double)row->resized, .paused = row->suspended, .over = row->ended,
	});
}

void book_restore_jobs(struct book *book, const struct usage_image *image)
{
	struct fathom_run_part *part = calloc(image->part_count + (size_t)1, sizeof(*part));
	bool complete = part;
	uint32_t part_at = 0;

	ordered_lock_take(&book->lock);
	fathom_ledger_set_base(book->ledger, (double)image->time);
	for (uint32_t i = 0; complete && i < image->job_count; i++)
		complete = !restore_job(book->ledger, image, i, part, &part_at);
	ordered_lock_release(&book->lock);
	free(part);
	if (!complete)
		error(LOG_PREFIX "out of memory; not all jobs are charged from where they were");
}

void book_set_charging(struct book *book, bool is_charging)
{
	ordered_lock_take(&book->lock);
	book->waits_for_state = !is_charging;
	ordered_lock_release(&book->lock);
}
