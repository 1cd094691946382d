/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "job_priority.h"

#include "job_pairs.h"
#include "list_walk.h"
#include "log.h"
#include "slice.h"

#include <stdlib.h>
#include <string.h>

struct job_scope job_scope(struct fairshare *fairshare, const struct settings *settings, time_t now)
{
	return (struct job_scope){ .fairshare = fairshare, .settings = settings,
				   .config = settings_priority(settings), .now = now };
}

/* ---- what the factors are computed from -------------------------------------- */

static int64_t without_offset(uint32_t value)
{
	return (int64_t)value - NICE_OFFSET;
}

static double age_of(const job_record_t *job, time_t now)
{
	time_t accrue = job->details->accrue_time;

	if (!accrue)
		return -1;
	return now > accrue ? difftime(now, accrue) : 0;
}

static uint32_t cpus_of(const job_record_t *job)
{
	if (job->total_cpus)
		return job->total_cpus;
	return job->details->max_cpus != NO_VAL ? job->details->max_cpus : job->details->min_cpus;
}

static double minutes_of(const job_record_t *job)
{
	if (job->time_limit != NO_VAL)
		return job->time_limit;
	return job->part_ptr ? job->part_ptr->max_time : 1;
}

/* Allocated, else requested. */
static void count_tres(const job_record_t *job, uint64_t *tres, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (job->tres_alloc_cnt && job->tres_alloc_cnt[i] != NO_CONSUME_VAL64)
			tres[i] = job->tres_alloc_cnt[i];
		else
			tres[i] = job->tres_req_cnt ? job->tres_req_cnt[i] : 0;
	}
}

/* What the job's association gives. In a pass all of it is as of the last
 * evaluation, which is of the same pass; false: it came after that. */
static bool describe_association(const struct job_scope *scope, const job_record_t *job,
				 struct fathom_job *described)
{
	const struct fathom_weights *weight = &scope->config.weight;
	const struct fairshare_inputs *inputs = scope->inputs;

	if (!job->assoc_ptr) {
		debug2(LOG_PREFIX "%pJ has no association, its fair-share factor is 0", job);
		return true;
	}
	if (inputs) {
		described->fairshare = inputs->factor;
		described->assoc_norm = inputs->assoc_norm;
		described->assoc_priority = inputs->assoc_priority;
		return true;
	}
	if (weight->assoc) {
		described->assoc_norm = job->assoc_ptr->usage->priority_norm;
		described->assoc_priority = job->assoc_ptr->priority;
	}
	return !weight->fairshare;
}

static struct fathom_job describe(const struct job_scope *scope, const job_record_t *job,
				  uint64_t *tres, bool *known)
{
	struct fathom_job described = {
		.age = age_of(job, scope->now),
		.nodes = job->details->min_nodes,
		.tres = tres,
		.site = without_offset(job->site_factor),
		.nice = without_offset(job->details->nice),
	};

	*known = describe_association(scope, job, &described);
	if (scope->config.weight.job_size) {
		described.cpus = cpus_of(job);
		described.minutes = minutes_of(job);
	}
	if (scope->config.tres_weight)
		count_tres(job, tres, scope->config.tres_count);
	return described;
}

static struct fathom_queue queue_of(const part_record_t *partition, const slurmdb_qos_rec_t *qos)
{
	struct fathom_queue queue = { 0 };

	if (partition) {
		queue.partition_tres = partition->tres_cnt;
		queue.partition_norm = partition->priority_job_factor ? partition->norm_priority : 0;
		queue.partition_factor = partition->priority_job_factor;
	}
	if (qos && qos->priority) {
		queue.qos_norm = qos->usage->norm_priority;
		queue.qos_priority = qos->priority;
	}
	return queue;
}

/* ---- what is written into the record ----------------------------------------- */

static void clear_factors(compat_factors *factors)
{
	xfree(factors->priority_tres);
	xfree(factors->tres_weights);
	memset(factors, 0, sizeof(*factors));
}

/* Room for each TRES, kept from one pass to the next. */
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
	if (*to != factor)	/* memory that is not written need not be written back */
		*to = factor;
}

static void write_factors(compat_factors *to, const struct fathom_factors *factors,
			  const job_record_t *job)
{
	write_factor(&to->priority_age, factors->age);
	write_factor(&to->priority_assoc, factors->assoc);
	write_factor(&to->priority_fs, factors->fairshare);
	write_factor(&to->priority_js, factors->job_size);
	write_factor(&to->priority_part, factors->partition);
	write_factor(&to->priority_qos, factors->qos);
	if (to->priority_site != job->site_factor)
		to->priority_site = job->site_factor;
	if (to->nice != job->details->nice)
		to->nice = job->details->nice;
}

static void report_excess(const job_record_t *job)
{
	error(LOG_PREFIX "%pJ has a priority beyond 32 bits, it is cut to %u", job, UINT32_MAX);
}

static uint32_t pair_priority(const struct job_scope *scope, const struct fathom_job *described,
			      const struct job_pair *pair, const job_record_t *job)
{
	struct fathom_queue queue = queue_of(pair->partition, pair->qos);
	struct fathom_factors factors = fathom_job_factors(&scope->config, described, &queue, NULL);
	bool exceeded;
	uint32_t priority = fathom_priority_sum_of_pair(&factors, &exceeded);

	if (exceeded)
		report_excess(job);
	return priority;
}

static void log_pair(const job_record_t *job, const struct job_pair *pair, uint32_t priority)
{
	bool of_several = compat_qos_list(job) && pair->qos;

	info(LOG_PREFIX "%pJ in partition %s%s%s: %u", job,
	     pair->partition ? pair->partition->name : "none", of_several ? " with QOS " : "",
	     of_several ? pair->qos->name : "", priority);
}

/* True if one of them is another one now. */
static bool write_pairs(const struct job_scope *scope, const struct fathom_job *described,
			job_record_t *job)
{
	bool only_up = scope->settings->flags & PRIORITY_FLAGS_INCR_ONLY, changed = false;
	size_t count = job_pair_count(job);
	uint32_t *priority = compat_priority_array(job, count);
	struct job_pair pair[count + 1];

	job_pairs(job, pair);
	for (size_t i = 0; i < count; i++) {
		uint32_t value = pair_priority(scope, described, &pair[i], job);

		if (only_up ? priority[i] < value : priority[i] != value) {
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
	info(LOG_PREFIX "%pJ: age %.2f + assoc %.2f + fairshare %.2f + job size %.2f + partition %.2f + QOS %.2f + TRES %.2f + site %"PRId64" - nice %"PRId64" = %u",
	     job, factors->age, factors->assoc, factors->fairshare, factors->job_size,
	     factors->partition, factors->qos, factors->tres_sum, factors->site, factors->nice,
	     priority);
}

/* ---- memory asked for ahead ------------------------------------------------------ */

/* The lines of a job's record that its priority is computed from. */
static void fetch_record(const struct job_scope *scope, const job_record_t *job)
{
	ask_for_fields(job, assoc_id, assoc_ptr);
	ask_for_fields(job, details, direct_set_prio);
	ask_for(&job->job_state);
	ask_for_fields(job, part_ptr_list, qos_ptr);
	ask_for(&job->site_factor);
	if (scope->config.weight.job_size)
		ask_for_fields(job, time_limit, total_cpus);
	if (scope->config.tres_weight)
		ask_for_fields(job, tres_req_cnt, tres_alloc_cnt);
}

/* What it points to. */
static void follow_record(const struct job_scope *scope, const job_record_t *job)
{
	ask_for(&job->details->accrue_time);
	ask_for_fields(job->details, min_cpus, nice);
	if (scope->config.weight.job_size && !job->total_cpus)
		ask_for(&job->details->max_cpus);
	if (job->prio_factors)
		ask_for_fields(job->prio_factors, priority_age, nice);
}

/* ---- one job ------------------------------------------------------------------- */

uint32_t job_priority(const struct job_scope *scope, job_record_t *job,
		      struct job_findings *findings)
{
	uint64_t tres[scope->config.tres_count + 1];
	struct fathom_job described;
	struct fathom_queue queue;
	struct fathom_factors factors;
	compat_factors *to;
	uint32_t priority;
	bool exceeded;

	*findings = (struct job_findings){ .known = true };
	if (job->direct_set_prio && job->priority) {
		if (job->prio_factors)
			clear_factors(job->prio_factors);
		return job->priority;
	}
	if (!job->details) {
		error(LOG_PREFIX "%pJ has no details, it gets no priority", job);
		return 0;
	}
	described = describe(scope, job, tres, &findings->known);
	queue = queue_of(job->part_ptr, job->qos_ptr);
	to = compat_factors_of(job);
	factors = fathom_job_factors(&scope->config, &described, &queue, tres_of(scope, to));
	write_factors(to, &factors, job);
	priority = fathom_priority_sum(&factors, &exceeded);
	if (exceeded)
		report_excess(job);
	if (log_priority_detail())
		log_factors(job, &factors, priority);
	if (job_has_pairs(job))
		findings->pairs_changed = write_pairs(scope, &described, job);
	else
		compat_forget_priority_array(job);
	return priority;
}

bool job_priority_alone(struct job_scope scope, job_record_t *job, uint32_t *priority)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	struct fairshare_inputs inputs;
	struct job_findings findings;

	/* all that is far away at once: a lock waits for what was loaded before it */
	fetch_record(&scope, job);
	if (fairshare_find_inputs(scope.fairshare, job->assoc_id, &inputs))
		scope.inputs = &inputs;
	if (job->details)
		follow_record(&scope, job);
	if (job->assoc_ptr)
		ask_for_fields(job->assoc_ptr, priority, usage);
	assoc_mgr_lock(&locks);
	if (scope.inputs && job->assoc_ptr && scope.config.weight.assoc) {
		/* it may have changed since the last pass */
		inputs.assoc_norm = job->assoc_ptr->usage->priority_norm;
		inputs.assoc_priority = job->assoc_ptr->priority;
	}
	*priority = job_priority(&scope, job, &findings);
	assoc_mgr_unlock(&locks);
	return findings.known;
}

void job_priority_of_pair(const struct job_scope *scope, job_record_t *job,
			  const struct job_pair *pair, compat_factors *to)
{
	uint64_t tres[scope->config.tres_count + 1];
	struct fathom_queue queue = queue_of(pair->partition, pair->qos);
	struct fathom_job described = { .tres = tres };
	double *weighted = to->tres_cnt == scope->config.tres_count ? to->priority_tres : NULL;
	struct fathom_factors factors;

	if (scope->config.tres_weight)
		count_tres(job, tres, scope->config.tres_count);
	factors = fathom_job_factors(&scope->config, &described, &queue, weighted);
	to->priority_part = factors.partition;
	to->priority_qos = factors.qos;
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

/* Jobs met in a slice whose association came after the evaluation. */
struct newcomers {
	uint32_t *job_id;
	size_t count, size;
};

static void note_newcomer(struct newcomers *newcomers, uint32_t job_id)
{
	if (newcomers->count == newcomers->size) {
		size_t size = newcomers->size ? 2 * newcomers->size : 16;
		uint32_t *grown = realloc(newcomers->job_id, size * sizeof(*grown));

		if (!grown)
			return;		/* the next pass knows it */
		newcomers->job_id = grown;
		newcomers->size = size;
	}
	newcomers->job_id[newcomers->count++] = job_id;
}

/* True if the priority is another one now. */
static bool renew_job(const struct job_scope *scope, job_record_t *job,
		       struct newcomers *newcomers)
{
	struct job_findings findings;
	uint32_t priority;

	if (!is_recomputed(scope->settings, job))
		return false;
	priority = job_priority(scope, job, &findings);
	if (!findings.known && newcomers)
		note_newcomer(newcomers, job->job_id);
	if (priority == job->priority ||
	    ((scope->settings->flags & PRIORITY_FLAGS_INCR_ONLY) && priority < job->priority))
		return findings.pairs_changed;
	job->priority = priority;
	return true;
}

static slurmctld_lock_t job_locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };
static assoc_mgr_lock_t assoc_locks = { .assoc = READ_LOCK, .qos = READ_LOCK };

static void update_newcomers(struct job_scope scope, const struct newcomers *newcomers)
{
	bool changed = false;

	if (!newcomers->count || !fairshare_evaluate(scope.fairshare, scope.settings, true))
		return;
	lock_slurmctld(job_locks);
	fairshare_lock(scope.fairshare);
	assoc_mgr_lock(&assoc_locks);
	for (size_t i = 0; i < newcomers->count; i++) {
		job_record_t *job = find_job_record(newcomers->job_id[i]);

		if (!job)
			continue;
		scope.inputs = fairshare_inputs(scope.fairshare, job->assoc_id);
		changed |= renew_job(&scope, job, NULL);
	}
	if (changed)
		last_job_update = time(NULL);
	assoc_mgr_unlock(&assoc_locks);
	fairshare_unlock(scope.fairshare);
	unlock_slurmctld(job_locks);
}

/* ---- in slices ------------------------------------------------------------------- */

struct round {
	struct job_scope scope;
	struct newcomers newcomers;
	bool changed;		/* a priority, in this slice */
	const struct fairshare_inputs *inputs[LIST_WALK_BLOCK];	/* looked up ahead */
};

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
	fairshare_fetch_inputs(round->scope.fairshare, job->assoc_id);
}

static void follow_far(void *item, size_t at, void *context)
{
	struct round *round = context;
	const job_record_t *job = item;

	round->inputs[at] = fairshare_inputs(round->scope.fairshare, job->assoc_id);
	ask_for_all(round->inputs[at], sizeof(*round->inputs[at]));
	if (!round->scope.config.tres_weight)
		return;
	ask_for(job->tres_req_cnt);
	if (job->prio_factors) {
		ask_for(job->prio_factors->priority_tres);
		ask_for(job->prio_factors->tres_weights);
	}
}

static void work_job(void *item, size_t at, void *context)
{
	struct round *round = context;

	round->scope.inputs = round->inputs[at];
	round->changed |= renew_job(&round->scope, item, &round->newcomers);
}

void job_priority_update_all(struct fairshare *fairshare, const struct settings *settings,
			     time_t now)
{
	static const struct list_walk_stages stages = { fetch_job, follow_job, follow_far, work_job };
	struct list_walk walk = { 0 };
	struct round round = { 0 };
	bool more = true;

	while (more) {
		struct slice slice;

		lock_slurmctld(job_locks);
		fairshare_lock(fairshare);
		assoc_mgr_lock(&assoc_locks);
		slice = slice_begin();
		round.scope = job_scope(fairshare, settings, now);
		round.changed = false;
		do {
			more = list_walk_next(&walk, job_list);
			list_walk_each(&walk, stages, &round);
		} while (more && !slice_is_over(&slice));
		if (round.changed)	/* only then: backfill starts over for it */
			last_job_update = time(NULL);
		assoc_mgr_unlock(&assoc_locks);
		fairshare_unlock(fairshare);
		unlock_slurmctld(job_locks);
		if (more)
			slice_pause();
	}
	update_newcomers(round.scope, &round.newcomers);
	free(round.newcomers.job_id);
}
