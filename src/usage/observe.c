/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charging: whoever tells the ledger of a job has it charged from where it was
 * charged last up to the instant that it is told of.
 *
 *	start     charged_until      end
 *	  |---- charged ---|--- due ---|		charged_until = end
 */
#include "usage/charges.h"
#include "usage/ledger.h"

#include <math.h>

#define FAR_AHEAD 500	/* half-lives; beyond some more, 2^n is no number */

/* ---- a part of a run ----------------------------------------------------------- */

struct span {
	double end;
	double suspended;	/* seconds of the run, until `end` */
	double resumed;		/* when the last pause ended; 0: it lasts */
	double reserved;	/* seconds, from the run's start on; below 0: none count */
	bool releases_all;	/* what is left of these too */
	bool over;		/* the run is */
};

/* Reserved seconds are released as they run. Differences of this add up to the whole. */
static uint64_t released_by(const struct fathom_ledger_row *row, double reserved, double when)
{
	double seconds = when > row->start ? when - row->start : 0;

	return (uint64_t)(fmin(seconds, reserved) * row->run.rate.usage_factor);
}

/* The span's; *until is where the entry then stands. */
static uint64_t release(const struct ledger_entry *entry, const struct span *span, double end)
{
	uint64_t before, after;

	if (span->reserved < 0)
		return 0;
	before = released_by(&entry->row, span->reserved, entry->released_until);
	after = span->releases_all
			? (uint64_t)(span->reserved * entry->row.run.rate.usage_factor)
			: released_by(&entry->row, span->reserved, end);
	return after > before ? after - before : 0;
}

/* [begin, end] without its pauses. */
static void leave_out_pauses(double begin, double end, double paused, double resumed,
			     struct fathom_interval part[2])
{
	double pause_end = resumed > begin && resumed < end ? resumed : end;
	double pause_begin = fmax(pause_end - paused, begin);

	part[0] = (struct fathom_interval){ begin, paused > 0 ? pause_begin : end };
	part[1] = (struct fathom_interval){ paused > 0 ? pause_end : end, end };
}

static void move_to(struct ledger_entry *entry, const struct span *span, double end)
{
	entry->row.charged_until = end;
	entry->row.suspended = span->suspended;
	if (span->reserved >= 0)
		entry->released_until = span->releases_all ? INFINITY : end;
}

static void work_out(struct fathom_charge *charge, const struct fathom_charge_rules *rules,
		     double paused, double resumed)
{
	double begin = charge->part[0].begin, end = charge->part[1].end;

	leave_out_pauses(begin, end, paused, resumed, charge->part);
	charge->seconds = end - begin - paused;
	for (int i = 0; i < 2; i++)
		charge->decayed_seconds +=
			fathom_decayed_seconds(charge->part[i].begin, charge->part[i].end,
					       rules->seen, rules->half_life);
	charge->seconds *= charge->run.rate.usage_factor;
	charge->decayed_seconds *= charge->run.rate.usage_factor;
}

/* From where the entry stands to span->end, at the entry's rate. -1: out of
 * memory, the entry stays where it is. */
static int charge_span(struct ledger_entry *entry, const struct span *span,
		       struct fathom_charges *charges)
{
	const struct fathom_charge_rules *rules = charges_rules(charges);
	double begin = entry->row.charged_until, end = fmax(span->end, begin);
	double paused = rules->skip_pauses ? fmax(span->suspended - entry->row.suspended, 0) : 0;
	uint64_t released = release(entry, span, end);
	struct fathom_charge *charge;

	if (end == begin && !released && !(span->over && rules->note_ends)) {
		move_to(entry, span, end);
		return 0;
	}
	charge = charges_add(charges, &entry->row.run);
	if (!charge)
		return -1;
	move_to(entry, span, end);
	charge->part[0].begin = begin;
	charge->part[1].end = end;
	work_out(charge, rules, fmin(paused, end - begin), span->resumed);
	charge->released = released;
	charge->ran = fathom_ledger_seconds_run(&entry->row, rules->skip_pauses);
	charge->over = span->over;
	return 0;
}

/* ---- the entry of a run --------------------------------------------------------- */

/* Seconds that the job has been suspended from its start until `when`. */
static double suspended_seconds(const struct fathom_observed_job *job, double when)
{
	double ran = job->ran;

	if (!(job->switched > 0))
		return 0;
	if (!job->suspended && when > job->switched)
		ran += when - job->switched;
	return fmax(when - job->start - ran, 0);
}

static int remember(struct ledger_entry *entry, const struct fathom_observed_job *job)
{
	if (entry_set_run(entry, &job->run))
		return -1;
	entry->stale = false;
	return 0;
}

/* The rate is remembered when it is first charged. */
static void begin_run(struct ledger_entry *entry, const struct fathom_observed_job *job,
		      double base)
{
	double begin = fmax(job->start, base);

	entry->row = (struct fathom_ledger_row){
		.run = entry->row.run,
		.start = job->start,
		.charged_until = begin,
		.resized = job->resized,
		/* a pause before that is not charged; when it was, nobody can tell */
		.suspended = begin > job->start ? suspended_seconds(job, begin) : 0,
	};
	entry->row.run.id.partition = NULL;
	entry->requeued = entry->released_until = 0;
	entry->stale = true;
}

/* A run that ended without being seen, known from what was remembered of it. */
static int charge_lost_run(struct ledger_entry *entry, double end, struct fathom_charges *charges)
{
	struct span span = { .end = end, .suspended = entry->row.suspended, .reserved = -1,
			     .over = true };

	if (!entry->stale && charge_span(entry, &span, charges))
		return -1;
	entry->row.over = true;
	return 0;
}

/* The run that the entry describes was over before this one of the job's began. */
static int end_run_before(struct ledger_entry *entry, const struct fathom_observed_job *job,
			  struct fathom_charges *charges)
{
	if (entry->row.over)
		return 0;
	return charge_lost_run(entry, entry->requeued > 0 ? entry->requeued : job->requeued,
			       charges);
}

/* The entry of this run of the job; NULL: out of memory. */
static struct ledger_entry *enter_run(struct fathom_ledger *ledger,
				      const struct fathom_observed_job *job,
				      struct fathom_charges *charges)
{
	struct ledger_entry *entry = entry_find(ledger, job->run.id.job);

	if (!entry || entry->row.start != job->start) {
		if (entry && end_run_before(entry, job, charges))
			return NULL;
		entry = entry_enter(ledger, job->run.id.job);
		if (!entry)
			return NULL;
		begin_run(entry, job, ledger->base);
	}
	return entry_set_partition(ledger, entry, job->run.id.partition) ? NULL : entry;
}

/* ---- one run ----------------------------------------------------------------------- */

/* What is known of the run's end, at the instant up to which it is charged. */
enum ending { GOES_ON, ENDS_LATER, ENDS_SIZE, ENDS_RUN };

/* Up to its resize a run has the size that it was last seen with. What was
 * reserved then has been released, if it was resized in between. */
static int charge_old_size(struct ledger_entry *entry, const struct fathom_observed_job *job,
			   struct span span, struct fathom_charges *charges)
{
	if (entry->stale || job->resized <= entry->row.charged_until)
		return 0;
	span.end = job->resized;
	span.suspended = entry->row.suspended;
	span.releases_all = span.over = false;
	if (!(entry->released_until > 0))	/* it was reserved anew, at the new size */
		span.reserved = -1;
	return charge_span(entry, &span, charges);
}

/* What has ended is charged at the rate that it ran at, as its record may not
 * have that any more. */
static int charge_run(struct ledger_entry *entry, const struct fathom_observed_job *job,
		      double end, enum ending ending, struct fathom_charges *charges)
{
	bool resized = job->resized != entry->row.resized && job->resized <= end;
	bool is_later = job->resized > end;	/* the rate that it is observed with */
	struct span span = {
		.end = end,
		.suspended = suspended_seconds(job, end),
		.resumed = job->suspended ? 0 : job->switched,
		.reserved = job->reserved,
		.releases_all = ending != GOES_ON,
		.over = ending == ENDS_RUN,
	};

	if (resized && charge_old_size(entry, job, span, charges))
		return -1;
	if ((resized || (ending == GOES_ON && !is_later) || entry->stale) && remember(entry, job))
		return -1;
	if (resized)
		entry->row.resized = job->resized;
	if (charge_span(entry, &span, charges))
		return -1;
	entry->row.over = ending == ENDS_RUN;
	return 0;
}

/* ---- a round ----------------------------------------------------------------------- */

static int observe(struct fathom_ledger *ledger, const struct fathom_observed_job *job, double end,
		   enum ending ending, struct fathom_charges *charges)
{
	struct ledger_entry *entry = enter_run(ledger, job, charges);

	if (!entry) {
		ledger->incomplete = true;
		return -1;
	}
	entry->seen = true;
	if (entry->row.over)
		return 0;
	if (charge_run(entry, job, end, ending, charges)) {
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
	if (end > now)		/* a run is over once, in the next round */
		return observe(ledger, job, now, ENDS_LATER, charges);
	return observe(ledger, job, end, ENDS_RUN, charges);
}

static int end_lost_run(struct ledger_entry *entry, double now,
			const struct fathom_lost_runs *lost, struct fathom_charges *charges)
{
	double end = entry->requeued;

	if (entry->seen || entry->row.over)
		return 0;
	if (!(end > 0))
		end = lost->end_of(&entry->row, now, lost->context);
	return charge_lost_run(entry, end, charges);
}

/* Drops what the base makes needless. */
static void move_base(struct fathom_ledger *ledger, double base)
{
	size_t at = 0;

	ledger->base = base;
	while (at < ledger->count) {
		struct ledger_entry *entry = &ledger->entry[at];

		if (!entry->seen || (entry->row.over && entry->row.charged_until <= base)) {
			entry_drop(ledger, at);
			continue;
		}
		entry->seen = false;
		at++;
	}
}

/* After an incomplete one all stays: what was not charged is due as before. */
int fathom_ledger_close_round(struct fathom_ledger *ledger, double now,
			      const struct fathom_lost_runs *lost, struct fathom_charges *charges)
{
	bool complete = !ledger->incomplete;

	for (size_t at = 0; complete && at < ledger->count; at++)
		complete = !end_lost_run(&ledger->entry[at], now, lost, charges);
	ledger->incomplete = false;
	if (complete)
		move_base(ledger, now);
	for (size_t at = 0; !complete && at < ledger->count; at++)
		ledger->entry[at].seen = false;
	return complete ? 0 : -1;
}

/* ---- single jobs --------------------------------------------------------------------- */

int fathom_ledger_release(const struct fathom_ledger *ledger,
			  const struct fathom_observed_job *job, struct fathom_charges *charges)
{
	const struct ledger_entry *known = entry_find(ledger, job->run.id.job);
	struct ledger_entry alone = {
		.row = { .run = job->run, .start = job->start, .charged_until = job->start },
	};
	struct span span = { .end = job->start, .reserved = job->reserved, .releases_all = true };

	alone.row.run.id.partition = NULL;	/* it is not the ledger's */
	if (known && known->row.start == job->start)
		alone.released_until = known->released_until;
	return charge_span(&alone, &span, charges);
}

/* Has nothing of the run come by `end` that could be charged as seen from so far back? */
static bool is_left_to_round(const struct fathom_observed_job *job, double end,
			     const struct fathom_charge_rules *rules)
{
	return end <= job->start ||
	       (rules->half_life > 0 && end - rules->seen > FAR_AHEAD * rules->half_life);
}

int fathom_ledger_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
		      double end, struct fathom_charges *charges)
{
	if (is_left_to_round(job, end, charges_rules(charges)))
		return fathom_ledger_release(ledger, job, charges);
	return observe(ledger, job, end, ENDS_RUN, charges);
}

int fathom_ledger_resize(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			 double now, struct fathom_charges *charges)
{
	struct ledger_entry *entry;

	if (is_left_to_round(job, now, charges_rules(charges)))
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

void fathom_ledger_reserve_anew(struct fathom_ledger *ledger)
{
	for (size_t at = 0; at < ledger->count; at++)
		ledger->entry[at].released_until = 0;
}
