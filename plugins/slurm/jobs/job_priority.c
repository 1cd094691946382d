/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_priority.h"

#include "base/log.h"
#include "settings/formula.h"
#include "walk/list_walk.h"
#include "walk/slice.h"

#include <string.h>

/* ---- what is written into the record ----------------------------------------- */

static void clear_factors(compat_factors *factors)
{
	xfree(factors->priority_tres);
	xfree(factors->tres_weights);
	memset(factors, 0, sizeof(*factors));
}

/* Memory for a value of each TRES, kept from one pass to the next. */
static double *tres_of(const struct job_scope *scope, compat_factors *factors)
{
	size_t count = scope->config.tres_weight ? scope->config.tres_count : 0;

	if (!count && !factors->priority_tres)
		return NULL;
	if (!count || factors->tres_cnt != count || !factors->priority_tres) {
		xfree(factors->priority_tres);
		xfree(factors->tres_weights);
		factors->tres_cnt = 0;
	}
	if (!count)
		return NULL;
	if (!factors->priority_tres) {
		factors->priority_tres = xcalloc(count, sizeof(double));
		factors->tres_weights = xcalloc(count, sizeof(double));
		factors->tres_cnt = (uint32_t)count;
	}
	if (memcmp(factors->tres_weights, scope->config.tres_weight, count * sizeof(double)))
		memcpy(factors->tres_weights, scope->config.tres_weight, count * sizeof(double));
	return factors->priority_tres;
}

static void write_factor(double *to, double factor)
{
	if (*to != factor)	/* unchanged memory need not be written back */
		*to = factor;
}

static void write_integer(uint32_t *to, int64_t value)
{
	uint32_t stored = job_value_with_offset(value);

	if (*to != stored)
		*to = stored;
}

static void write_factors(compat_factors *to, const struct fathom_factors *factors)
{
	write_factor(&to->priority_age, factors->age);
	write_factor(&to->priority_assoc, factors->assoc);
	write_factor(&to->priority_fs, factors->fairshare);
	write_factor(&to->priority_js, factors->job_size);
	write_factor(&to->priority_part, factors->partition);
	write_factor(&to->priority_qos, factors->qos);
	write_integer(&to->priority_site, factors->site);
	write_integer(&to->nice, factors->nice);
}

static void report_excess(const job_record_t *job)
{
	error(LOG_PREFIX "%pJ has a priority beyond 32 bits, it is cut to %u", job, UINT32_MAX);
}

static void log_pair(const job_record_t *job, const struct job_pair *pair, uint32_t priority)
{
	bool of_several = compat_qos_list(job) && pair->qos;

	info(LOG_PREFIX "%pJ in partition %s%s%s: %u", job,
	     pair->partition ? pair->partition->name : "none", of_several ? " with QOS " : "",
	     of_several ? pair->qos->name : "", priority);
}

/* True if one of the priorities has changed. */
static bool write_pairs(const struct job_scope *scope, struct job_described *described,
			job_record_t *job)
{
	size_t count = job_pair_count(job);
	bool changed = false;
	uint32_t *priority = compat_priority_array(job, count);
	struct job_pair pair[count + 1];

	job_pairs(job, pair);
	for (size_t i = 0; i < count; i++) {
		struct fathom_factors factors;
		bool exceeded;
		uint32_t value = job_value(described, scope, &pair[i], true, &factors, NULL,
					   &exceeded);

		if (exceeded)
			report_excess(job);
		if (scope->only_up ? priority[i] < value : priority[i] != value) {
			priority[i] = value;
			changed = true;
		}
		if (log_priority_detail())
			log_pair(job, &pair[i], priority[i]);
	}
	return changed;
}

static void log_factors(const job_record_t *job, const struct fathom_factors *factors,
			uint32_t priority)
{
	info(LOG_PREFIX "%pJ: age %.2f + assoc %.2f + fairshare %.2f + job size %.2f + "
			"partition %.2f + QOS %.2f + TRES %.2f + site %"PRId64" - nice %"PRId64
			" = %u",
	     job, factors->age, factors->assoc, factors->fairshare, factors->job_size,
	     factors->partition, factors->qos, factors->tres_sum, factors->site, factors->nice,
	     priority);
}

/* ---- prefetching ----------------------------------------------------------------- */

/* Prefetches the parts of a record that the job's priority is computed from. */
static void fetch_record(const struct job_scope *scope, const job_record_t *job)
{
	prefetch_fields(job, assoc_id, assoc_ptr);
	prefetch_fields(job, details, direct_set_prio);
	prefetch(&job->job_state);
	prefetch_fields(job, part_ptr_list, qos_ptr);
	prefetch(&job->site_factor);
	if (job_scope_wants_size(scope))
		prefetch_fields(job, time_limit, total_cpus);
	if (job_scope_wants_tres(scope))
		prefetch_fields(job, tres_req_cnt, tres_alloc_cnt);
}

/* Prefetches what the record points to. */
static void follow_record(const struct job_scope *scope, const job_record_t *job)
{
	prefetch(&job->details->accrue_time);
	prefetch_fields(job->details, min_cpus, nice);
	if (job_scope_wants_size(scope) && !job->total_cpus)
		prefetch(&job->details->max_cpus);
	if (job->prio_factors)
		prefetch_fields(job->prio_factors, priority_age, nice);
}

/* ---- one job ------------------------------------------------------------------- */

/* It came after the evaluation: what the nearest account in that gives newcomers. */
static void receive_newcomer(struct job_scope *scope, const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_rec_t *account = record->usage->parent_assoc_ptr, *known = account;

	while (known && !evaluation_receive(scope->evaluation, known->id, &scope->own))
		known = known->usage->parent_assoc_ptr;
	if (!known)
		return;
	scope->own.assoc_norm = record->usage->priority_norm;
	scope->own.assoc_priority = record->priority;
	scope->own.account_priority = account->priority;
	scope->inputs = &scope->own;
	scope->account = known->id;
	if (scope->settings->formula)
		scope->details = evaluation_receive_details(scope->evaluation, scope->settings,
							    known->id);
}

/* inputs: what the evaluation has of the next job's association, or NULL. The
 * caller holds assoc read. */
static void enter_association(struct job_scope *scope, const job_record_t *job,
			      const struct fairshare_inputs *inputs)
{
	scope->inputs = inputs;
	scope->details = NULL;
	scope->account = 0;
	if (inputs && scope->settings->formula) {
		scope->details = evaluation_details(scope->evaluation, scope->settings, inputs);
		if (!scope->details)	/* the formula has come since */
			scope->inputs = NULL;
	}
	if (!scope->inputs && job->assoc_ptr)
		receive_newcomer(scope, job->assoc_ptr);
}

uint32_t job_priority(const struct job_scope *scope, job_record_t *job,
		      struct job_findings *findings)
{
	uint64_t tres[JOB_TRES_COUNT(scope)];
	double extra[JOB_EXTRA_COUNT(scope)];
	const struct job_pair present = { job->part_ptr, job->qos_ptr };
	struct job_in_formula in_formula;
	struct job_described described;
	struct fathom_factors factors;
	compat_factors *to;
	uint32_t priority;
	bool exceeded;

	*findings = (struct job_findings){ .known = true, .placed = true };
	if (job->direct_set_prio && job->priority) {
		if (job->prio_factors)
			clear_factors(job->prio_factors);
		return job->priority;
	}
	if (!job->details) {
		error(LOG_PREFIX "%pJ has no details, it gets no priority", job);
		return 0;
	}
	job_describe(&described, scope, job, tres, extra, &in_formula);
	to = compat_factors_of(job);
	priority = job_value(&described, scope, &present, false, &factors, tres_of(scope, to),
			     &exceeded);
	write_factors(to, &factors);
	if (exceeded)
		report_excess(job);
	if (log_priority_detail())
		log_factors(job, &factors, priority);
	if (job_has_pairs(job))
		findings->pairs_changed = write_pairs(scope, &described, job);
	else
		compat_forget_priority_array(job);
	if (scope->tally && described.in_formula)
		formula_count_job(scope->tally, &in_formula.tally);
	findings->known = described.known;
	findings->placed = described.is_placed;
	return priority;
}

struct job_findings job_priority_alone(struct job_scope scope, job_record_t *job,
				       uint32_t *priority)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	const struct fairshare_inputs *inputs;
	struct job_findings findings;

	/* prefetch all at once before the lock, which waits for earlier loads */
	fetch_record(&scope, job);
	places_prefetch(scope.places, job->job_id);
	inputs = evaluation_inputs(scope.evaluation, job->assoc_id);
	if (job->details)
		follow_record(&scope, job);
	if (job->assoc_ptr)
		prefetch_fields(job->assoc_ptr, priority, usage);
	assoc_mgr_lock(&locks);
	enter_association(&scope, job, inputs);
	if (scope.inputs && job->assoc_ptr && job_scope_wants_association(&scope)) {
		scope.own = *scope.inputs;
		scope.inputs = &scope.own;
		/* it may have changed since the last pass */
		scope.own.assoc_norm = job->assoc_ptr->usage->priority_norm;
		scope.own.assoc_priority = job->assoc_ptr->priority;
	}
	*priority = job_priority(&scope, job, &findings);
	assoc_mgr_unlock(&locks);
	return findings;
}

/* ---- all jobs ------------------------------------------------------------------ */

static bool is_recomputed(const struct settings *settings, const job_record_t *job)
{
	if (!job->priority || IS_JOB_POWER_UP_NODE(job))
		return false;
	if (IS_JOB_PENDING(job))
		return true;
	return (settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING) && !IS_JOB_FINISHED(job) &&
	       !IS_JOB_COMPLETING(job);
}

struct round {
	struct job_scope scope;
	struct id_index provisional;		/* jobs, as of the last passes */
	struct provisional_jobs *jobs;		/* where those of the next ones are added */
	bool changed;		/* a priority, in this slice */
	bool newcomers;		/* of some associations nothing was known before either */
	const struct fairshare_inputs *inputs[LIST_WALK_BLOCK];	/* looked up ahead */
};

/* The next pass comes soon, but not again for associations that none ever knows. */
static void note_newcomer(struct round *round, const job_record_t *job, bool is_noted)
{
	round->newcomers |= !is_noted;
	provisional_jobs_add(round->jobs, job->job_id);
}

/* True if the priority is another one now. */
static bool renew_job(struct round *round, job_record_t *job, const struct fairshare_inputs *inputs)
{
	struct job_scope *scope = &round->scope;
	struct job_findings findings;
	bool is_provisional;
	uint32_t priority, unused;

	if (!is_recomputed(scope->settings, job))
		return false;
	is_provisional = round->provisional.count &&
			 id_index_find(&round->provisional, job->job_id, &unused);
	scope->only_up = (scope->settings->flags & PRIORITY_FLAGS_INCR_ONLY) && !is_provisional;
	enter_association(scope, job, inputs);
	priority = job_priority(scope, job, &findings);
	if (!findings.known)
		note_newcomer(round, job, is_provisional);
	if (priority == job->priority || (scope->only_up && priority < job->priority))
		return findings.pairs_changed;
	job->priority = priority;
	return true;
}

/* ---- in slices ------------------------------------------------------------------- */

static slurmctld_lock_t job_locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };
static assoc_mgr_lock_t assoc_locks = { .assoc = READ_LOCK, .qos = READ_LOCK };

static void fetch_job(void *item, size_t at, void *context)
{
	const struct round *round = context;

	(void)at;
	fetch_record(&round->scope, item);
}

static void follow_job(void *item, size_t at, void *context)
{
	const struct round *round = context;
	const job_record_t *job = item;

	(void)at;
	follow_record(&round->scope, job);
	evaluation_prefetch_inputs(round->scope.evaluation, job->assoc_id);
	places_prefetch(round->scope.places, job->job_id);
}

static void follow_far(void *item, size_t at, void *context)
{
	struct round *round = context;
	const job_record_t *job = item;

	round->inputs[at] = evaluation_inputs(round->scope.evaluation, job->assoc_id);
	prefetch_all(round->inputs[at], sizeof(*round->inputs[at]));
	if (!job_scope_wants_tres(&round->scope))
		return;
	prefetch(job->tres_req_cnt);
	if (job->prio_factors) {
		prefetch(job->prio_factors->priority_tres);
		prefetch(job->prio_factors->tres_weights);
	}
}

static void work_job(void *item, size_t at, void *context)
{
	struct round *round = context;

	round->changed |= renew_job(round, item, round->inputs[at]);
}

bool job_priority_update_all(struct fairshare *fairshare, const struct settings *settings,
			     time_t now, struct provisional_jobs *provisional)
{
	static const struct list_walk_stages stages = { fetch_job, follow_job, follow_far,
						       work_job };
	struct fathom_formula_tally tally = { 0 };
	struct evaluation *evaluation = fairshare_evaluation(fairshare);
	struct places *places = fairshare_places(fairshare);
	struct list_walk walk = { 0 };
	struct round round = { .provisional = provisional_jobs_take(provisional),
			       .jobs = provisional };
	bool more = true;

	while (more) {
		struct slice slice;

		lock_slurmctld(job_locks);
		assoc_mgr_lock(&assoc_locks);
		slice = slice_begin();
		round.scope = job_scope(evaluation, places, settings, now);
		round.scope.tally = &tally;
		round.changed = false;
		do {
			more = list_walk_next(&walk, job_list);
			list_walk_each(&walk, stages, &round);
		} while (more && !slice_is_over(&slice));
		if (round.changed)	/* only then, as backfill starts over */
			last_job_update = time(NULL);
		assoc_mgr_unlock(&assoc_locks);
		unlock_slurmctld(job_locks);
		if (more)
			slice_pause();
	}
	evaluation_release(evaluation);
	places_release(places);
	id_index_clear(&round.provisional);
	if (settings->formula)
		formula_report(settings->formula, &tally);
	return round.newcomers;
}
