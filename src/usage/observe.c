/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges runs. A call that reports a job up to some instant charges the seconds
 * from `charged_until` to that instant, and moves `charged_until` there. So each
 * second is charged once, whatever calls come in whatever order:
 *
 *	start     charged_until      end
 *	  |---- charged ---|--- due ---|		then charged_until = end
 *
 * A job that starts at 100 and is observed at 160 is charged 60 s. A call that
 * reports its end at 175 charges 15 s more, and the next round charges nothing.
 */
#include "usage/charges.h"
#include "usage/ledger.h"

#include <math.h>

/* An end that lies further ahead, in half-lives, is left to the next round: seconds ahead of
 * rules->seen count double for each half-life, and 2^1024 overflows. */
#define FAR_AHEAD 500

/* ---- a part of a run ----------------------------------------------------------- */

/* The part of a run that is charged next: from the row's charged_until to `end`. */
struct span {
	double end;
	double paused;		/* seconds of pauses from the run's start to `end` */
	double resumed;		/* when the last pause ended; 0: it still lasts, or there was
				 * none */
	double reserved;	/* seconds that limits reserve for the whole run; below 0: none */
	bool releases_all;	/* releases also the reserved seconds that have not run */
	bool over;		/* the run ends at `end` */
};

/* Returns the reserved seconds, times the usage factor, that a run has released by `when`. They are
 * released as they run, and counted from the start, so that rounding does not add up. reserved: as
 * in struct span, not below 0. */
static uint64_t released_by(const struct fathom_ledger_row *row, double reserved, double when)
{
	double seconds = when > row->start ? when - row->start : 0;

	return (uint64_t)(fmin(seconds, reserved) * row->run.rate.usage_factor);
}

/* Returns the reserved seconds that the span releases, times the usage factor. end: up to when the
 * run is charged then: span->end, or charged_until if that is later. */
static uint64_t seconds_to_release(const struct ledger_entry *entry, const struct span *span,
				   double end)
{
	uint64_t before, after;

	if (span->reserved < 0)
		return 0;
	before = released_by(&entry->row, span->reserved, entry->released_until);
	after = span->releases_all ? (uint64_t)(span->reserved * entry->row.run.rate.usage_factor)
				   : released_by(&entry->row, span->reserved, end);
	return after > before ? after - before : 0;
}

/* Notes that the run is charged up to `end`, see seconds_to_release(). */
static void mark_as_charged(struct ledger_entry *entry, const struct span *span, double end)
{
	entry->row.charged_until = end;
	/* a run that ends in a pause is reported to have ended when the pause began; if some of the
	 * pause has been charged before, span->paused lacks it */
	entry->row.paused = fmax(span->paused, entry->row.paused);
	if (span->reserved >= 0)
		entry->released_until = span->releases_all ? INFINITY : end;
}

/* Sets the parts and the seconds of a charge for [begin, end]: what is left before and after a
 * pause of `paused` seconds. The pause ends at `resumed` or, if that lies outside, at `end`;
 * earlier pauses are taken as part of it. Example: 30 s out of [100, 200], resumed at 180, leave
 * [100, 150] and [180, 200]. paused 0: part[0] is all, part[1] is empty. */
static void count_seconds(struct fathom_charge *charge, struct fathom_charges *charges,
			  double begin, double end, double paused, double resumed)
{
	/* without a pause one interval, which charges_decay() has mostly cached */
	double pause_end = paused > 0 && resumed > begin && resumed < end ? resumed : end;
	double decayed = 0;

	charge->part[0] = (struct fathom_interval){ begin, fmax(pause_end - paused, begin) };
	charge->part[1] = (struct fathom_interval){ pause_end, end };
	for (int i = 0; i < 2; i++)
		if (charge->part[i].end > charge->part[i].begin)
			decayed += charges_decay(charges, &charge->part[i]);
	charge->seconds = (end - begin - paused) * charge->run.rate.usage_factor;
	charge->decayed_seconds = decayed * charge->run.rate.usage_factor;
}

/* Charges the run from charged_until to span->end at the entry's rate. -1: out of memory,
 * nothing has changed. */
static int charge_span(struct ledger_entry *entry, const struct span *span,
		       struct fathom_charges *charges)
{
	const struct fathom_charge_rules *rules = charges_rules(charges);
	double begin = entry->row.charged_until, end = fmax(span->end, begin);
	double skipped = rules->skip_pauses ? fmax(span->paused - entry->row.paused, 0) : 0;
	uint64_t released = seconds_to_release(entry, span, end);
	struct fathom_charge *charge;

	if (end == begin && !released && !(span->over && rules->note_ends)) {
		mark_as_charged(entry, span, end);
		return 0;
	}
	charge = charges_add(charges, &entry->row.run);
	if (!charge)
		return -1;
	mark_as_charged(entry, span, end);
	count_seconds(charge, charges, begin, end, fmin(skipped, end - begin), span->resumed);
	charge->released = released;
	charge->ran = fathom_ledger_seconds_run(&entry->row, rules->skip_pauses);
	charge->over = span->over;
	return 0;
}

/* ---- the entry of a run --------------------------------------------------------- */

/* Returns the seconds of the job's pauses from its start until `when`. */
static double paused_seconds(const struct fathom_observed_job *job, double when)
{
	double ran = job->ran;

	if (!(job->switched > 0))
		return 0;
	if (!job->suspended && when > job->switched)
		ran += when - job->switched;
	return fmax(when - job->start - ran, 0);
}

/* Copies the job's run, its rate and what it is charged to, into the entry. If the job does not
 * tell a leaf, the entry keeps its own. -1: out of memory. */
static int record_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		      const struct fathom_observed_job *job)
{
	uint32_t leaf = entry->row.run.id.leaf;

	if (entry_set_run(ledger, entry, &job->run))
		return -1;
	if (!job->run.id.leaf)
		entry->row.run.id.leaf = leaf;
	entry->stale = false;
	return 0;
}

/* Makes the entry that of a new run, which has been charged up to its start or to the base,
 * whichever is later. Its rate is recorded when it is first charged. */
static void begin_run(struct ledger_entry *entry, const struct fathom_observed_job *job,
		      double base)
{
	double begin = fmax(job->start, base);

	entry->row = (struct fathom_ledger_row){
		.run = entry->row.run,
		.start = job->start,
		.charged_until = begin,
		.resized = job->resized,
		/* a job record does not say when a pause was: count it before `begin` */
		.paused = begin > job->start ? paused_seconds(job, begin) : 0,
	};
	entry->row.run.id.partition = NULL;
	entry->row.run.id.leaf = 0;
	entry->requeued = entry->released_until = 0;
	entry->stale = true;
}

/* Ends a run whose end was not reported, and charges it up to `end` by the rate that the entry has
 * recorded. Nothing is charged if the end is not known (0), or if the entry is stale, so that the
 * rate is not known. No seconds are reserved any more for a run that its scheduler has forgotten.
 * -1: out of memory. */
static int charge_lost_run(struct fathom_ledger *ledger, struct ledger_entry *entry, double end,
			   struct fathom_charges *charges)
{
	struct span span = { .end = end, .paused = entry->row.paused, .reserved = -1,
			     .over = true };

	if (!entry->stale && charge_span(entry, &span, charges))
		return -1;
	entry_end(ledger, entry);
	return 0;
}

/* Ends the run that the entry describes, because the job has a new start, and charges it up to the
 * requeue, if the time of that is known. -1: out of memory. */
static int end_previous_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
			    const struct fathom_observed_job *job, struct fathom_charges *charges)
{
	double requeued = entry->requeued > 0 ? entry->requeued : job->requeued;

	return entry->row.over ? 0 : charge_lost_run(ledger, entry, requeued, charges);
}

/* Gives the entry the ledger's copy of the name of the job's partition, unless the entry has a name
 * or the job tells none. -1: out of memory. */
static int set_partition(struct fathom_ledger *ledger, struct ledger_entry *entry,
			 const struct fathom_observed_job *job)
{
	const char **partition = &entry->row.run.id.partition;

	if (*partition || !job->run.id.partition)
		return 0;
	*partition = ledger_name(ledger, job->run.id.partition);
	return *partition ? 0 : -1;
}

/* Returns the entry of the job's present run. Makes one if the job has none; if the entry is that
 * of an earlier run, ends and charges that run first. NULL: out of memory. */
static struct ledger_entry *enter_run(struct fathom_ledger *ledger,
				      const struct fathom_observed_job *job,
				      struct fathom_charges *charges)
{
	struct ledger_entry *entry = entry_find_from(ledger, job->run.id.job, &ledger->next);

	if (!entry || entry->row.start != job->start) {
		if (entry && end_previous_run(ledger, entry, job, charges))
			return NULL;
		entry = entry_find_or_add(ledger, job->run.id.job);
		if (!entry)
			return NULL;
		begin_run(entry, job, ledger->base);
	}
	if (set_partition(ledger, entry, job))
		return NULL;
	/* 0 if limits have reserved all seconds again since it was set */
	entry->released_until = entry_released(ledger, entry);
	entry->reservings = ledger->reservings;
	return entry;
}

/* ---- one run ----------------------------------------------------------------------- */

/* What happens to the run at the instant up to which it is charged. */
enum ending {
	GOES_ON,	/* it runs on as it is */
	ENDS_LATER,	/* its end is known, but lies after that instant */
	ENDS_SIZE,	/* it goes on with another size */
	ENDS_RUN
};

/* Charges a run that was resized, up to its resize, at the rate that was recorded before. Does
 * nothing if fathom_ledger_resize() has done so, or if no rate was recorded: the entry is stale
 * then. span: of the whole charge, of which this is the first part. -1: out of memory. */
static int charge_old_size(struct ledger_entry *entry, const struct fathom_observed_job *job,
			   struct span span, struct fathom_charges *charges)
{
	if (entry->stale || job->resized <= entry->row.charged_until)
		return 0;
	span.end = job->resized;
	/* if the job was suspended or resumed after the resize, it is not known which pauses were
	 * before, so that none of them counts */
	span.paused = job->switched <= job->resized ? paused_seconds(job, job->resized)
						    : entry->row.paused;
	span.releases_all = span.over = false;
	if (!(entry->released_until > 0))	/* what is reserved now is for the new size */
		span.reserved = -1;
	return charge_span(entry, &span, charges);
}

/*
 * Charges a run up to `end`:
 *  1. if it was resized, charges its old size up to the resize;
 *  2. records the rate from the job record, unless the run has ended: the record may have lost
 *     the rate by then, and the recorded one counts;
 *  3. charges what is left up to `end`.
 * ending: what happens to the run at `end`. -1: out of memory.
 */
static int charge_run(struct fathom_ledger *ledger, struct ledger_entry *entry,
		      const struct fathom_observed_job *job, double end, enum ending ending,
		      struct fathom_charges *charges)
{
	bool resized = job->resized != entry->row.resized && job->resized <= end;
	bool has_later_rate = job->resized > end;	/* the job's rate is that after `end` */
	bool has_new_rate = resized || entry->stale || (ending == GOES_ON && !has_later_rate);
	struct span span = {
		.end = end,
		.paused = paused_seconds(job, end),
		.resumed = job->suspended ? 0 : job->switched,
		.reserved = job->reserved,
		.releases_all = ending != GOES_ON,
		.over = ending == ENDS_RUN,
	};

	if (resized && charge_old_size(entry, job, span, charges))
		return -1;
	if (has_new_rate && record_run(ledger, entry, job))
		return -1;
	if (resized)
		entry->row.resized = job->resized;
	if (charge_span(entry, &span, charges))
		return -1;
	if (ending == ENDS_RUN)
		entry_end(ledger, entry);
	return 0;
}

/* ---- a round ----------------------------------------------------------------------- */

/* Charges a job's run up to `end`; ending: what happens to it there. -1: out of memory; the round
 * is incomplete then. */
static int observe(struct fathom_ledger *ledger, const struct fathom_observed_job *job, double end,
		   enum ending ending, struct fathom_charges *charges)
{
	struct ledger_entry *entry = enter_run(ledger, job, charges);

	if (!entry) {
		ledger->incomplete = true;
		return -1;
	}
	entry_see(ledger, entry);
	if (entry->row.over)
		return 0;
	if (charge_run(ledger, entry, job, end, ending, charges)) {
		ledger->incomplete = true;
		return -1;
	}
	return 0;
}

int fathom_ledger_observe(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			  double now, struct fathom_charges *charges)
{
	return observe(ledger, job, now, GOES_ON, charges);
}

bool fathom_ledger_has_charged(const struct fathom_ledger *ledger, uint64_t job, double end)
{
	return end <= ledger->base && !entry_find(ledger, job);
}

int fathom_ledger_observe_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			      double end, double now, struct fathom_charges *charges)
{
	if (fathom_ledger_has_charged(ledger, job->run.id.job, fmin(end, now)))
		return 0;
	if (end > now)		/* an end in the future: a later round ends the run */
		return observe(ledger, job, now, ENDS_LATER, charges);
	return observe(ledger, job, end, ENDS_RUN, charges);
}

const struct fathom_ledger_row *fathom_ledger_next_unseen(const struct fathom_ledger *ledger,
							  size_t *at)
{
	while (ledger->seen_count < ledger->count && *at < ledger->count) {
		const struct ledger_entry *entry = &ledger->entry[(*at)++];

		if (entry->seen_in != ledger->round)
			return &entry->row;
	}
	return NULL;
}

int fathom_ledger_end_unseen(struct fathom_ledger *ledger, uint64_t job, double end,
			     struct fathom_charges *charges)
{
	struct ledger_entry *entry = entry_find(ledger, job);

	if (ledger->incomplete || !entry || entry->seen_in == ledger->round)
		return ledger->incomplete ? -1 : 0;
	end = entry->requeued > 0 ? entry->requeued : end;
	ledger->incomplete = !entry->row.over && charge_lost_run(ledger, entry, end, charges);
	if (ledger->incomplete)
		return -1;
	entry_see(ledger, entry);
	return 0;
}

/* Drops the entries that later rounds do not need, as their runs are over, and charged no further
 * than the base. Jobs that have begun another run leave the list `over_jobs`, but keep their
 * entry. */
static void drop_done(struct fathom_ledger *ledger)
{
	size_t left = 0;

	for (size_t i = 0; i < ledger->over_count; i++) {
		struct ledger_entry *entry = entry_find(ledger, ledger->over_jobs[i]);

		entry->is_listed = entry->row.over && entry->row.charged_until > ledger->base;
		if (entry->is_listed)
			ledger->over_jobs[left++] = ledger->over_jobs[i];
		else if (entry->row.over)
			entry_drop(ledger, entry);
	}
	ledger->over_count = left;
}

/* If memory ran out in the round, the base stays, so that the next round makes the charges that are
 * missing. */
int fathom_ledger_close_round(struct fathom_ledger *ledger, double now,
			      const struct fathom_lost_runs *lost, struct fathom_charges *charges)
{
	const struct fathom_ledger_row *row;
	size_t at = 0;
	int status;

	while (!ledger->incomplete && (row = fathom_ledger_next_unseen(ledger, &at))) {
		double end = lost && !row->over ? lost->end_of(row, now, lost->context) : 0;

		fathom_ledger_end_unseen(ledger, row->run.id.job, end, charges);
	}
	status = ledger->incomplete ? -1 : 0;
	if (!status) {
		ledger->base = now;
		drop_done(ledger);
	}
	ledger->incomplete = false;
	ledger->round++;
	ledger->seen_count = 0;
	return status;
}

/* ---- single jobs --------------------------------------------------------------------- */

int fathom_ledger_release(const struct fathom_ledger *ledger,
			  const struct fathom_observed_job *job, struct fathom_charges *charges)
{
	const struct ledger_entry *known = entry_find(ledger, job->run.id.job);
	/* charged from its start to its start: 0 seconds */
	struct ledger_entry temporary = {
		.row = { .run = job->run, .start = job->start, .charged_until = job->start },
	};
	struct span span = { .end = job->start, .reserved = job->reserved, .releases_all = true };

	/* the caller's names may not live as long as the charge; a release needs none of them */
	temporary.row.run.id.partition = NULL;
	temporary.row.run.rate.part_count = 0;
	if (known && known->row.start == job->start)
		temporary.released_until = entry_released(ledger, known);
	return charge_span(&temporary, &span, charges);
}

/* Returns whether a charge up to `end` has to wait for the next round: the run begins later, or
 * `end` lies so far after the time of charges that decayed seconds would overflow. A run that the
 * ledger knows has begun: it may end at its start if it has been suspended since. */
static bool is_left_to_round(const struct fathom_ledger *ledger,
			     const struct fathom_observed_job *job, double end,
			     const struct fathom_charge_rules *rules)
{
	const struct ledger_entry *known = entry_find(ledger, job->run.id.job);
	bool has_begun = end > job->start || (known && known->row.start == job->start);

	return !has_begun ||
	       (rules->half_life > 0 && end - rules->seen > FAR_AHEAD * rules->half_life);
}

int fathom_ledger_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
		      double end, struct fathom_charges *charges)
{
	if (is_left_to_round(ledger, job, end, charges_rules(charges)))
		return fathom_ledger_release(ledger, job, charges);
	return observe(ledger, job, end, ENDS_RUN, charges);
}

int fathom_ledger_resize(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			 double now, struct fathom_charges *charges)
{
	struct ledger_entry *entry;

	if (is_left_to_round(ledger, job, now, charges_rules(charges)))
		return fathom_ledger_release(ledger, job, charges);
	if (observe(ledger, job, now, ENDS_SIZE, charges))
		return -1;
	entry = entry_find(ledger, job->run.id.job);
	if (entry->row.over)
		return 0;
	entry->stale = true;
	entry->released_until = 0;
	return 0;
}

void fathom_ledger_requeue(struct fathom_ledger *ledger, uint64_t job, double when)
{
	struct ledger_entry *entry = entry_find(ledger, job);

	if (entry && !entry->row.over && !(entry->requeued > 0))
		entry->requeued = when;
}

void fathom_ledger_set_leaf(struct fathom_ledger *ledger, uint64_t job, uint32_t leaf)
{
	struct ledger_entry *entry = entry_find(ledger, job);

	if (entry && !entry->row.over)
		entry->row.run.id.leaf = leaf;
}

void fathom_ledger_reserve_anew(struct fathom_ledger *ledger)
{
	ledger->reservings++;
}
