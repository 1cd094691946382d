/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/replay.h"

#include "core/error.h"
#include "replay/replay_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The ledger leaves a charge that decays by more than this to the next pass. */
#define MOST_HALF_LIVES_OF_PERIOD 100

/* ---- create and destroy ------------------------------------------------------------------ */

static int check_rules(const struct replay_rules *rules, struct fathom_error *error)
{
	if (!(rules->calc_period > 0))
		return fathom_error_set(error, EINVAL, "the time between passes must be above 0");
	if (rules->half_life > 0 &&
	    rules->calc_period > MOST_HALF_LIVES_OF_PERIOD * rules->half_life)
		return fathom_error_set(error, EINVAL, "a half-life of %g s is too short for a "
					"pass every %g s, must be at least a hundredth of that",
					rules->half_life, rules->calc_period);
	return 0;
}

/* Gives all arrays by group of nodes their sizes. */
static int create_machine(struct replay *replay, struct fathom_error *error)
{
	const struct replay_rules *rules = &replay->rules;

	if (node_sets_create(&replay->sets, rules, error) ||
	    reservations_create(&replay->reservations, &replay->sets, error))
		return -1;
	replay->machine = (struct machine){
		.cpus = rules->cpus, .free = rules->cpus, .groups = replay->sets.groups,
		.group_free = calloc(replay->sets.groups, sizeof(*replay->machine.group_free)),
	};
	replay->plan = calloc(replay->sets.groups, sizeof(*replay->plan));
	if (!replay->machine.group_free || !replay->plan)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < replay->sets.groups; i++)
		replay->machine.group_free[i] = (int64_t)replay->sets.group_cpus[i];
	replay->jobs.groups = replay->profile.groups = replay->sets.groups;
	return 0;
}

struct replay *replay_create(const struct replay_rules *rules, const struct fathom_tree *tree,
			     struct fathom_error *error)
{
	struct replay *replay;

	if (check_rules(rules, error))
		return NULL;
	replay = calloc(1, sizeof(*replay));
	if (!replay) {
		fathom_error_no_memory(error);
		return NULL;
	}
	replay->rules = *rules;
	replay->wake_up = INFINITY;
	replay->tree = fathom_tree_copy(tree, error);
	if (replay->tree && !create_machine(replay, error) &&
	    !charge_book_create(&replay->book, &replay->rules, tree, error) &&
	    !job_order_create(&replay->order, &replay->rules, tree, error) &&
	    !scopes_create(&replay->scopes, &replay->rules, &replay->sets, tree, error) &&
	    !fairness_create(&replay->fairness, tree, error) &&
	    !replay_figures_create(&replay->figures, fathom_tree_count(tree), error))
		return replay;
	replay_destroy(replay);
	return NULL;
}

void replay_destroy(struct replay *replay)
{
	if (!replay)
		return;
	node_sets_clear(&replay->sets);
	reservations_clear(&replay->reservations);
	current_jobs_clear(&replay->jobs);
	machine_clear(&replay->machine);
	pending_queue_clear(&replay->queue);
	charge_book_clear(&replay->book);
	job_order_clear(&replay->order);
	scopes_clear(&replay->scopes);
	fairness_clear(&replay->fairness);
	replay_figures_clear(&replay->figures);
	profile_clear(&replay->profile);
	free(replay->plan);
	fathom_tree_destroy(replay->tree);
	free(replay);
}

/* ---- what happens at an instant ------------------------------------------------------------ */

static int end_jobs(struct replay *replay, struct fathom_error *error)
{
	while (machine_next_end(&replay->machine) <= replay->now) {
		uint32_t slot = machine_next_slot(&replay->machine);
		const struct current_job *job = &replay->jobs.at[slot];
		const struct node_set *set = node_set_of(&replay->sets, job->job.partition);

		if (charge_book_end(&replay->book, &replay->jobs, slot, error) ||
		    scopes_end(&replay->scopes, &replay->jobs, slot, error))
			return -1;
		machine_end(&replay->machine, job->start + job->job.estimate,
			    current_jobs_taken(&replay->jobs, slot));
		fairness_end(&replay->fairness, replay->figures.node, job->job.node);
		replay->plan[set->component].has_ended = true;
		current_jobs_remove(&replay->jobs, slot);
		replay->is_due = true;
	}
	return 0;
}

static double pass_time(const struct replay *replay)
{
	return replay->figures.first_submit + replay->passes * replay->rules.calc_period;
}

static struct replay_moment moment_of(const struct replay *replay)
{
	return (struct replay_moment){ &replay->book, &replay->jobs, &replay->machine,
				       replay->now };
}

/* As in the plugin: after a long pause one reset is due, not several. */
static bool is_reset_due(struct replay *replay)
{
	const struct replay_rules *rules = &replay->rules;
	bool is_first = !replay->last_reset.month;
	struct fathom_date today;

	if (rules->reset_period == FATHOM_RESET_NONE || !rules->day_of)
		return false;
	today = rules->day_of(replay->now, rules->calendar);
	if (is_first)
		replay->last_reset = today;
	if (!fathom_reset_is_due(rules->reset_period, replay->last_reset, today, is_first))
		return false;
	replay->last_reset = today;
	return true;
}

/* Charges what runs; the first pass of a new period then sets all usage to 0. */
static int charge_all(struct replay *replay, struct fathom_error *error)
{
	const struct replay_moment moment = moment_of(replay);

	if (charge_book_pass(&replay->book, &replay->jobs, &replay->machine, replay->now, error) ||
	    scopes_charge(&replay->scopes, &moment, error))
		return -1;
	if (!is_reset_due(replay))
		return 0;
	charge_book_reset(&replay->book, replay->now);
	return job_order_forget(&replay->order, error) ||
			       scopes_reset(&replay->scopes, replay->now, error)
		       ? -1 : 0;
}

static int do_pass(struct replay *replay, struct fathom_error *error)
{
	const struct replay_moment moment = moment_of(replay);

	if (charge_all(replay, error) ||
	    scopes_pass(&replay->scopes, &moment, &replay->queue, error))
		return -1;
	job_order_pass(&replay->order, replay->now);
	usage_series_add(&replay->figures.series, replay->tree, replay->book.value, replay->now);
	if (replay->now >= replay->figures.begin)
		fairness_measure(&replay->fairness, &replay->figures, replay->book.value,
				 replay->rules.calc_period);
	replay->passes++;
	replay->is_due = replay->has_passed = true;
	return 0;
}

int replay_start_job(struct replay *replay, size_t at, struct fathom_error *error)
{
	uint32_t slot = replay->queue.at[at].slot;
	struct current_job *live = &replay->jobs.at[slot];
	const struct replay_job *job = &live->job;
	double start = replay->now;
	const struct occupant started = { start + job->run, slot, job->cpus };
	const struct replay_moment moment = moment_of(replay);

	if (scopes_find_leaf(&replay->scopes, &moment, slot, &live->leaf, error) ||
	    machine_start(&replay->machine, &started, start + job->estimate,
			  current_jobs_taken(&replay->jobs, slot), error) ||
	    replay_figures_add(&replay->figures, job->node, job->submit, start, job->run,
			       job->cpus, error))
		return -1;
	live->start = start;
	fairness_start(&replay->fairness, replay->figures.node, job->node);
	pending_queue_mark(&replay->queue, at);
	if (replay->rules.started)
		replay->rules.started(job, start, replay->rules.context);
	return 0;
}

/* Returns whether the scheduler can start a job, or needs the order in any case. */
static bool needs_cycle(const struct replay *replay)
{
	if (!pending_queue_waiting(&replay->queue))
		return false;
	return replay->rules.scheduler->reserves_all || replay->rules.scheduler->keeps_starts ||
	       replay->queue.least_cpus <= replay->machine.free;
}

static int put_in_order(struct replay *replay, struct fathom_error *error)
{
	const struct replay_moment moment = moment_of(replay);

	if (replay->rules.scheduler->keeps_starts)
		return pending_queue_sort(&replay->queue, false, error);
	if (replay->scopes.count)
		return scopes_refresh(&replay->scopes, &moment, &replay->queue, error);
	return job_order_refresh(&replay->order, &moment, replay->fairness.waiting, &replay->queue,
				 error);
}

static int schedule(struct replay *replay, struct fathom_error *error)
{
	replay->is_due = false;
	if (!needs_cycle(replay))
		return 0;
	if (put_in_order(replay, error) || replay->rules.scheduler->cycle(replay, error))
		return -1;
	scopes_compact(&replay->scopes, &replay->jobs);
	if (replay->rules.scheduler->reserves_all || replay->rules.scheduler->keeps_starts ||
	    replay->scopes.count)
		pending_queue_compact(&replay->queue);
	else
		pending_queue_tidy(&replay->queue);
	return 0;
}

static int note_arrivals(struct replay *replay, struct fathom_error *error)
{
	const struct replay_moment moment = moment_of(replay);

	replay->has_arrivals = false;
	replay->is_due = true;
	return scopes_note(&replay->scopes, &moment, error);
}

/* Does all that happens at an instant. */
static int do_instant(struct replay *replay, double time, struct fathom_error *error)
{
	replay->now = time;
	if (end_jobs(replay, error))
		return -1;
	if (replay->has_arrivals && replay->arrival <= time && note_arrivals(replay, error))
		return -1;
	if (pass_time(replay) <= time && do_pass(replay, error))
		return -1;
	if (replay->wake_up <= time)
		replay->is_due = true;
	return replay->is_due ? schedule(replay, error) : 0;
}

/* ---- the clock ----------------------------------------------------------------------------- */

/* Passes at which no job waits or runs change nothing but the decay of usage, which is the same in
 * one step. Only the last one before `until` is done. */
static void skip_idle_passes(struct replay *replay, double until)
{
	double last = floor((until - replay->figures.first_submit) / replay->rules.calc_period);

	if (!isinf(until) && last > replay->passes)
		replay->passes = last;
}

static bool is_idle(const struct replay *replay)
{
	return !replay->fairness.count;
}

/* Returns when something happens next. */
static double next_instant(const struct replay *replay)
{
	double next = fmin(machine_next_end(&replay->machine), pass_time(replay));

	next = fmin(next, replay->wake_up);
	return replay->has_arrivals ? fmin(next, replay->arrival) : next;
}

/* Does all that happens before `until`. */
static int advance(struct replay *replay, double until, struct fathom_error *error)
{
	for (;;) {
		double next;

		if (is_idle(replay))
			skip_idle_passes(replay, until);
		next = next_instant(replay);
		if (!(next < until) || (isinf(until) && is_idle(replay)))
			return 0;
		if (do_instant(replay, next, error))
			return -1;
	}
}

static void begin(struct replay *replay, double time)
{
	replay->has_begun = true;
	replay->figures.first_submit = replay->figures.last_end = time;
	replay->figures.begin = time + replay->rules.warm_up;
	charge_book_begin(&replay->book, time);
	scopes_begin(&replay->scopes, time);
}

static int check_job(const struct replay *replay, const struct replay_job *job,
		     struct fathom_error *error)
{
	const struct node_sets *sets = &replay->sets;

	if (replay->has_begun && job->submit < replay->arrival)
		return fathom_error_set(error, EINVAL, "job %llu is out of order",
					(unsigned long long)job->number);
	if (job->partition >= sets->partitions || !job->cpus ||
	    job->cpus > node_set_of(sets, job->partition)->cpus ||
	    !(job->run >= 0) || !(job->estimate >= job->run) ||
	    (replay->rules.scheduler->keeps_starts && !(job->start >= job->submit)))
		return fathom_error_set(error, EINVAL, "job %llu cannot run",
					(unsigned long long)job->number);
	return 0;
}

int replay_submit(struct replay *replay, const struct replay_job *job, struct fathom_error *error)
{
	uint32_t slot;
	struct pending pending;

	if (check_job(replay, job, error))
		return -1;
	if (!replay->has_begun)
		begin(replay, job->submit);
	if (advance(replay, job->submit, error) ||
	    current_jobs_add(&replay->jobs, job, &slot, error))
		return -1;
	replay->arrival = job->submit;
	replay->has_arrivals = true;
	fairness_submit(&replay->fairness, replay->figures.node, job->node);
	pending = (struct pending){ .estimate = job->estimate, .cpus = job->cpus, .slot = slot,
				    .sequence = replay->jobs.at[slot].sequence };
	if (replay->rules.scheduler->keeps_starts)
		pending.priority = -job->start;
	return pending_queue_add(&replay->queue, &pending, error) ||
			       scopes_add(&replay->scopes, job, &pending, error)
		       ? -1 : 0;
}

/* Charges everything, and keeps the usage as of the last end. */
static int settle_usage(struct replay *replay, struct fathom_error *error)
{
	double end = replay->figures.last_end, scale;

	if (charge_book_pass(&replay->book, &replay->jobs, &replay->machine, end, error))
		return -1;
	scale = charge_book_scale(&replay->book, end);
	for (size_t node = 0; node < replay->figures.nodes; node++)
		replay->figures.node[node].usage = replay->book.value[node] * scale;
	return 0;
}

int replay_finish(struct replay *replay, struct fathom_error *error)
{
	if (replay->has_begun &&
	    (advance(replay, INFINITY, error) || settle_usage(replay, error)))
		return -1;
	replay_figures_finish(&replay->figures, replay->machine.cpus);
	return 0;
}

const struct replay_figures *replay_figures(const struct replay *replay)
{
	return &replay->figures;
}
