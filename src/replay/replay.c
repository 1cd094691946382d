/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock goes from instant to instant: the next end of a job, submission, pass or reservation
 * that is due. At each instant do_instant() does the steps in the order that replay.h describes.
 * Several clusters have one clock: the replay of each has the list of all, itself among them, in
 * `cluster`.
 */
#include "replay/replay.h"

#include "core/error.h"
#include "replay/replay_private.h"

#include <errno.h>

/* So many half-lives may lie between passes. The epoch of charges is at most 100 half-lives older
 * than a pass (charge_book.c), so that fathom_ledger_end() stays below its limit of 500. */
#define MOST_HALF_LIVES_OF_PERIOD 100

#define DAY 86400
#define MOST_QUIET (7 * DAY)	/* see is_stuck() */

/* ---- create ------------------------------------------------------------------------------ */

int replay_check(const struct replay_rules *rules, struct fathom_error *error)
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

/* Makes the machine, and all arrays by group of nodes. */
static void create_machine(struct replay *replay)
{
	const struct replay_rules *rules = &replay->rules;

	node_sets_create(&replay->sets, rules);
	reservations_create(&replay->reservations, &replay->sets);
	replay->machine = (struct machine){
		.cpus = rules->cpus, .free = rules->cpus, .groups = replay->sets.groups,
		.group_free = need_zeros(replay->sets.groups, sizeof(*replay->machine.group_free)),
	};
	replay->plan = need_zeros(replay->sets.groups, sizeof(*replay->plan));
	replay->is_awaited = need_zeros(replay->sets.groups, sizeof(*replay->is_awaited));
	for (size_t i = 0; i < replay->sets.groups; i++)
		replay->machine.group_free[i] = (int64_t)replay->sets.group_cpus[i];
	replay->jobs.groups = replay->profile.groups = replay->sets.groups;
}

struct replay *replay_create(const struct replay_rules *rules, const struct fathom_tree *tree)
{
	struct replay *replay = need_zeros(1, sizeof(*replay));
	struct replay **self = need_zeros(1, sizeof(*self));	/* a list of this one alone */

	*self = replay;
	replay->cluster = self;
	replay->cluster_count = 1;
	replay->rules = *rules;
	replay->wake_up = INFINITY;
	replay->begun = -INFINITY;
	create_machine(replay);
	scopes_create(&replay->scopes, &replay->rules, &replay->sets, tree);
	replay->moment = (struct replay_moment){ .book = &replay->scopes.scope[NO_SCOPE].book,
						 .jobs = &replay->jobs,
						 .machine = &replay->machine };
	replay_figures_create(&replay->figures, rules, tree);
	return replay;
}

/* Lets the usage of each cluster count in all others, unless its rules give it no weight. */
static void share_usage(struct replay *const *cluster, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			double weight = cluster[j]->rules.weight;

			if (i != j && weight > 0)
				scopes_share(&cluster[i]->scopes, &cluster[j]->scopes, weight);
		}
}

struct replay **replay_create_clusters(const struct replay_rules *rules, size_t count,
				       const struct fathom_tree *tree, double begin)
{
	struct replay **cluster = need_zeros(count, sizeof(struct replay *));
	struct replay_figures *joint = need_zeros(1, sizeof(*joint));

	replay_figures_create(joint, rules, tree);
	replay_figures_begin(joint, begin, rules->warm_up);
	for (size_t i = 0; i < count; i++) {
		struct replay *replay = cluster[i] = replay_create(&rules[i], tree);

		replay->cluster = cluster;
		replay->cluster_count = count;
		replay->joint_figures = joint;
		replay->arrival = begin;
		replay_begin(replay, begin);
	}
	share_usage(cluster, count);
	return cluster;
}

/* ---- what happens at an instant ------------------------------------------------------------ */

/* Ends all jobs that end by now. */
static void end_jobs(struct replay *replay)
{
	while (machine_next_end(&replay->machine) <= replay->now) {
		uint32_t slot = replay->machine.ending->slot;
		const struct current_job *job = &replay->jobs.job[slot];

		scopes_end(&replay->scopes, &replay->jobs, slot);
		machine_end(&replay->machine, job->start + job->given.estimate,
			    current_jobs_taken(&replay->jobs, slot));
		replay_figures_end(&replay->figures, &job->given, replay->now);
		if (replay->joint_figures)
			replay_figures_end(replay->joint_figures, &job->given, replay->now);
		if (replay->rules.scheduler->note_end)
			replay->rules.scheduler->note_end(replay, slot);
		current_jobs_remove(&replay->jobs, slot);
		replay->is_due = true;
	}
}

/* Returns when the next pass is due. */
static double pass_time(const struct replay *replay)
{
	return replay->figures.clock_begin + replay->passes * replay->rules.calc_period;
}

/* Returns whether a pass now must reset usage, and notes that it does. As in the plugin, one reset
 * is due after a long pause, not several. */
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

/* Returns whether this pass need not charge the running jobs to the usage of all: their order does
 * not depend on usage, usage decays evenly, and no more than a half-life or a day is left to a
 * later pass. */
static bool may_charge_later(const struct replay *replay)
{
	const struct replay_rules *rules = &replay->rules;
	const struct scope_jobs *all = &replay->scopes.scope[NO_SCOPE];
	double most = rules->half_life > 0 ? fmin(rules->half_life, DAY) : DAY;
	bool goes_by_usage = !rules->scheduler->keeps_starts &&
			     (!all->order.is_first_come || rules->priority);
	bool decays_evenly = !all->book.sums && !all->book.stepped;

	return !goes_by_usage && decays_evenly && replay->now - replay->charged < most;
}

/* Charges running jobs; the first pass of a new reset period then sets all usage to 0. Scopes are
 * charged at each pass. */
static void charge_all(struct replay *replay)
{
	bool resets = is_reset_due(replay), may_wait = !resets && may_charge_later(replay);

	if (!may_wait)
		replay->charged = replay->now;
	scopes_charge(&replay->scopes, &replay->moment, may_wait ? NO_SCOPE + 1 : NO_SCOPE);
	if (resets)
		scopes_reset(&replay->scopes, replay->now);
}

/* Notes a pass in the figures. The figures of all clusters together note the pass once, when
 * the last cluster does it. */
static void note_pass(struct replay *replay)
{
	const uint32_t *account = replay->moment.book->account;
	double period = replay->rules.calc_period;

	replay_figures_pass(&replay->figures, account, replay->now, period);
	if (replay->joint_figures && replay == replay->cluster[replay->cluster_count - 1])
		replay_figures_pass(replay->joint_figures, account, replay->now, period);
}

/* Does a pass: charges jobs, divides slot pools, and marks the orders of jobs as out of date. */
static void do_pass(struct replay *replay)
{
	charge_all(replay);
	scopes_pass(&replay->scopes, &replay->moment, &replay->queue);
	note_pass(replay);
	replay->passes++;
	replay->is_due = replay->has_passed = true;
}

void replay_start_job(struct replay *replay, uint32_t slot)
{
	struct current_job *live = &replay->jobs.job[slot];
	const struct replay_job *job = &live->given;
	double start = replay->now;
	const struct occupant started = { start + job->run, slot, job->cpus };

	live->leaf = scopes_find_leaf(&replay->scopes, &replay->moment, slot);
	machine_start(&replay->machine, &started, start + job->estimate,
		      current_jobs_taken(&replay->jobs, slot));
	replay_figures_start(&replay->figures, job, start);
	if (replay->joint_figures)
		replay_figures_start(replay->joint_figures, job, start);
	live->start = start;
	if (replay->rules.started)
		replay->rules.started(job, start, replay->rules.context);
}

void replay_start_at(struct replay *replay, size_t place)
{
	replay_start_job(replay, replay->queue.job[place].slot);
	pending_queue_mark(&replay->queue, place);
}

/* Returns whether to call the scheduler: a job waits that might fit, or the scheduler must see each
 * change, or each pass may raise priorities that later passes must not lower. */
static bool needs_cycle(const struct replay *replay)
{
	if (!pending_queue_waiting(&replay->queue))
		return false;
	return replay->rules.scheduler->reserves_all || replay->rules.scheduler->keeps_starts ||
	       replay->rules.increases_only || replay->queue.least_cpus <= replay->machine.free;
}

/* Gives jobs the highest priority that they have had, and sorts the queue by that. */
static void keep_highest(struct replay *replay)
{
	for (size_t i = 0; i < replay->queue.count; i++) {
		struct pending *pending = &replay->queue.job[i];
		double *highest;

		if (pending->slot == NO_SLOT)
			continue;
		highest = &replay->jobs.job[pending->slot].highest;
		*highest = pending->priority = fmax(*highest, pending->priority);
	}
	pending_queue_sort(&replay->queue, true);
}

/* Brings the order of the queue up to date, unless the trace gives it. */
static void put_in_order(struct replay *replay)
{
	if (replay->rules.scheduler->keeps_starts)
		return;
	if (replay->scopes.are_used)
		scopes_refresh(&replay->scopes, &replay->moment, &replay->queue);
	else
		job_order_refresh(&replay->scopes.scope[NO_SCOPE].order, &replay->moment,
				  replay->figures.waiting_nodes, &replay->queue);
	if (replay->rules.increases_only)
		keep_highest(replay);
}

/* Lets the scheduler start jobs, unless none can start, and drops the started ones from the queues,
 * at once or when they are many. */
static void schedule(struct replay *replay)
{
	replay->is_due = false;
	if (!needs_cycle(replay))
		return;
	put_in_order(replay);
	replay->rules.scheduler->cycle(replay);
	scopes_compact(&replay->scopes, &replay->jobs);
	if (replay->rules.scheduler->keeps_starts)
		return;	/* it has dropped them itself */
	if (replay->rules.scheduler->reserves_all || replay->scopes.are_used)
		pending_queue_compact(&replay->queue);
	else
		pending_queue_tidy(&replay->queue);
}

/* Notes that all jobs of this instant have been submitted. */
static void note_arrivals(struct replay *replay)
{
	replay->has_arrivals = false;
	replay->is_due = true;
	scopes_note(&replay->scopes, &replay->moment);
}

/* Does all that happens to one cluster at an instant before jobs start. */
static void do_events(struct replay *replay, double time)
{
	replay->now = replay->moment.now = time;
	end_jobs(replay);
	if (replay->has_arrivals && replay->arrival <= time)
		note_arrivals(replay);
	if (pass_time(replay) <= time)
		do_pass(replay);
	if (replay->wake_up <= time)
		replay->is_due = true;
}

/* Does all that happens at an instant. Jobs start only when all clusters have done their passes,
 * because the usage of one may count in another. */
static void do_instant(struct replay *replay, double time)
{
	for (size_t i = 0; i < replay->cluster_count; i++)
		do_events(replay->cluster[i], time);
	for (size_t i = 0; i < replay->cluster_count; i++)
		if (replay->cluster[i]->is_due)
			schedule(replay->cluster[i]);
}

/* ---- the clock ----------------------------------------------------------------------------- */

/* Skips all passes but the last one before `until`, while no job waits or runs: they would only
 * decay usage, and one step from the last pass gives the same. */
static void skip_idle_passes(struct replay *replay, double until)
{
	double last = floor((until - replay->figures.clock_begin) / replay->rules.calc_period);

	if (!isinf(until) && last > replay->passes)
		replay->passes = last;
}

/* Returns whether no job waits or runs in any cluster. */
static bool are_idle(const struct replay *replay)
{
	for (size_t i = 0; i < replay->cluster_count; i++)
		if (replay->cluster[i]->figures.demanding_count)
			return false;
	return true;
}

/* Returns the next instant at which something happens to one of the clusters. */
static double next_instant(const struct replay *replay)
{
	double next = INFINITY;

	for (size_t i = 0; i < replay->cluster_count; i++) {
		const struct replay *cluster = replay->cluster[i];

		next = fmin(next, fmin(machine_next_end(&cluster->machine), pass_time(cluster)));
		next = fmin(next, cluster->wake_up);
		if (cluster->has_arrivals)
			next = fmin(next, cluster->arrival);
	}
	return next;
}

/* Does all that happens to all clusters before `until`; INFINITY: until no job waits or runs. */
static void advance(struct replay *replay, double until)
{
	for (;;) {
		double next;

		for (size_t i = 0; are_idle(replay) && i < replay->cluster_count; i++)
			skip_idle_passes(replay->cluster[i], until);
		next = next_instant(replay);
		if (!(next < until) || (isinf(until) && are_idle(replay)))
			return;
		do_instant(replay, next);
	}
}

/* Lets the clock begin. time: of the first submission, or of replay_begin(). */
static void begin(struct replay *replay, double time)
{
	replay->has_begun = true;
	replay_figures_begin(&replay->figures, time, replay->rules.warm_up);
	scopes_begin(&replay->scopes, time);
}

/* Returns whether the times of a job make sense, and its partition has enough CPUs. */
static bool can_run(const struct replay *replay, const struct replay_job *job)
{
	const struct node_sets *sets = &replay->sets;

	if (job->partition >= sets->partitions || !job->cpus ||
	    job->cpus > node_set_of(sets, job->partition)->cpus)
		return false;
	if (replay->rules.scheduler->keeps_starts && !(job->start >= job->submit))
		return false;
	return job->run >= 0 && job->estimate >= job->run;
}

/* Checks that a job comes in order and can run on its partition. -1: EINVAL. */
static int check_job(const struct replay *replay, const struct replay_job *job,
		     struct fathom_error *error)
{
	for (size_t i = 0; i < replay->cluster_count; i++)
		if (replay->has_begun &&
		    fmax(job->submit, replay->begun) < replay->cluster[i]->arrival)
			return fathom_error_set(error, EINVAL, "job %llu is out of order",
						(unsigned long long)job->number);
	if (!can_run(replay, job))
		return fathom_error_set(error, EINVAL, "job %llu cannot run",
					(unsigned long long)job->number);
	return 0;
}

void replay_begin(struct replay *replay, double time)
{
	begin(replay, time);
	replay->begun = time;
}

/* Returns how many CPUs of a node set are free. */
static int64_t free_cpus(const struct replay *replay, const struct node_set *set)
{
	int64_t free = 0;

	for (size_t i = 0; i < set->count; i++)
		free += replay->machine.group_free[set->group[i]];
	return free;
}

int replay_resume(struct replay *replay, const struct replay_job *resumed,
		  struct fathom_error *error)
{
	struct replay_job job = *resumed;
	struct occupant started = { .end = job.start + job.run };
	const struct node_set *set;
	uint32_t *taken;
	int64_t free;

	if (check_job(replay, &job, error))
		return -1;
	set = node_set_of(&replay->sets, job.partition);
	free = free_cpus(replay, set);
	if (!free)
		return 0;
	job.cpus = job.cpus < free ? job.cpus : (uint32_t)free;
	started.cpus = job.cpus;
	started.slot = current_jobs_add(&replay->jobs, &job);
	taken = current_jobs_taken(&replay->jobs, started.slot);
	node_set_take(set, job.cpus, replay->machine.group_free, taken, replay->sets.groups);
	replay->jobs.job[started.slot].start = job.start;
	machine_start(&replay->machine, &started, job.start + job.estimate, taken);
	replay_figures_submit(&replay->figures, job.node);
	replay_figures_start(&replay->figures, &job, replay->figures.clock_begin);
	replay->is_due = true;
	return 0;
}

/* Adds the job in a slot to the queue, and to those of the scopes that it may go by. */
static void enqueue(struct replay *replay, uint32_t slot)
{
	const struct replay_job *job = &replay->jobs.job[slot].given;
	struct pending pending = { .estimate = job->estimate, .limit = job->limit,
				   .cpus = job->cpus, .slot = slot,
				   .sequence = replay->jobs.job[slot].sequence };

	if (replay->rules.scheduler->keeps_starts) {
		pending.priority = -job->start;	/* the earliest start goes first */
		pending_queue_push(&replay->queue, &pending);
		return;
	}
	scopes_add(&replay->scopes, job, &pending);
	if (replay->rules.partition)
		pending.tier = replay->rules.partition[job->partition].tier;
	pending_queue_add(&replay->queue, &pending);
}

int replay_submit(struct replay *replay, const struct replay_job *job, struct fathom_error *error)
{
	if (check_job(replay, job, error))
		return -1;
	if (!replay->has_begun)
		begin(replay, job->submit);
	advance(replay, job->submit);
	enqueue(replay, current_jobs_add(&replay->jobs, job));
	replay->arrival = fmax(job->submit, replay->begun);
	replay->has_arrivals = true;
	/* the clock began with the first job of any cluster; the figures of this one do so now */
	if (replay->joint_figures && replay->jobs.submitted == 1)
		replay->figures.measured_from = job->submit + replay->rules.warm_up;
	replay_figures_submit(&replay->figures, job->node);
	if (replay->joint_figures)
		replay_figures_submit(replay->joint_figures, job->node);
	return 0;
}

/* Returns whether the free CPUs of a job's partition are enough for any job that waits. */
static bool does_any_fit(const struct replay *replay)
{
	for (size_t i = 0; i < replay->queue.count; i++) {
		const struct pending *pending = &replay->queue.job[i];
		const struct replay_job *job;

		if (pending->slot == NO_SLOT)
			continue;
		job = &replay->jobs.job[pending->slot].given;
		if (free_cpus(replay, node_set_of(&replay->sets, job->partition)) >= job->cpus)
			return true;
	}
	return false;
}

/* Returns whether jobs no longer start before `until`, though some wait. Passes alone may change
 * the order of jobs, and so let one start that fits; after a few days they hardly do. quiet: for
 * how many seconds nothing has started or ended. */
static bool is_stuck(const struct replay *replay, double until, double quiet)
{
	if (replay->has_arrivals || replay->is_due ||
	    fmin(machine_next_end(&replay->machine), replay->wake_up) < until)
		return false;
	return quiet > MOST_QUIET || !does_any_fit(replay);
}

void replay_stop(struct replay *replay)
{
	replay->until = -INFINITY;
}

void replay_start_all(struct replay *replay, double until)
{
	double quiet_since = next_instant(replay);	/* of the last start or end */

	replay->until = until;
	while (next_instant(replay) < replay->until) {
		size_t waiting = pending_queue_waiting(&replay->queue);
		bool has_end = machine_next_end(&replay->machine) < until;

		if (!waiting || is_stuck(replay, until, replay->now - quiet_since))
			return;
		do_instant(replay, next_instant(replay));
		if (has_end || pending_queue_waiting(&replay->queue) < waiting)
			quiet_since = replay->now;
	}
}

/* Charges running jobs up to `end`, and sets the usage of each node in the figures to what it is
 * then. */
static void settle_usage(struct replay *replay, double end)
{
	struct replay_figures *joint = replay->joint_figures;
	struct charge_book *book = &replay->scopes.scope[NO_SCOPE].book;
	double scale;

	charge_book_pass(book, &replay->jobs, &replay->machine, end);
	scale = charge_book_scale(book, end);
	for (size_t node = 0; node < replay->figures.nodes; node++) {
		double usage = replay->figures.node[node].usage = book->usage[node] * scale;

		if (joint)
			joint->node[node].usage += usage;
	}
}

void replay_finish(struct replay *replay)
{
	const struct replay_figures *joint = replay_joint_figures(replay);
	uint64_t cpus = 0;

	if (replay->has_begun)
		advance(replay, INFINITY);
	for (size_t i = 0; i < replay->cluster_count; i++) {
		struct replay *cluster = replay->cluster[i];

		if (cluster->has_begun)
			settle_usage(cluster, joint->last_end);
		replay_figures_finish(&cluster->figures, cluster->machine.cpus);
		cpus += cluster->machine.cpus;
	}
	if (replay->joint_figures)
		replay_figures_finish(replay->joint_figures, cpus);
}

const struct replay_figures *replay_joint_figures(const struct replay *replay)
{
	return replay->joint_figures ? replay->joint_figures : &replay->figures;
}

const struct replay_figures *replay_figures(const struct replay *replay)
{
	return &replay->figures;
}
