/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "job_priority.h"

#include "job_pairs.h"
#include "job_walk.h"
#include "log.h"
#include "slice.h"

#include <stdlib.h>
#include <string.h>

struct job_scope job_scope(struct fairshare *fairshare, const struct settings *settings, time_t now)
{
	return (struct job_scope){ fairshare, settings, settings_priority(settings), now };
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

static double fairshare_of(const struct job_scope *scope, const job_record_t *job, bool *known)
{
	double factor = 0;

	*known = true;
	if (!scope->config.weight.fairshare)
		return 0;
	if (!job->assoc_ptr) {
		debug2(LOG_PREFIX "%pJ has no association, its fair-share factor is 0", job);
		return 0;
	}
	*known = fairshare_factor(scope->fairshare, job->assoc_id, &factor);
	return factor;
}

static struct fathom_job describe(const struct job_scope *scope, const job_record_t *job,
				  uint64_t *tres, bool *known)
{
	struct fathom_job described = {
		.age = age_of(job, scope->now),
		.fairshare = fairshare_of(scope, job, known),
		.nodes = job->details->min_nodes,
		.cpus = cpus_of(job),
		.minutes = minutes_of(job),
		.tres = tres,
		.site = without_offset(job->site_factor),
		.nice = without_offset(job->details->nice),
	};

	if (job->assoc_ptr && scope->config.weight.assoc) {
		described.assoc_norm = job->assoc_ptr->usage->priority_norm;
		described.assoc_priority = job->assoc_ptr->priority;
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
	memcpy(factors->tres_weights, scope->config.tres_weight, count * sizeof(double));
	return factors->priority_tres;
}

static void write_factors(compat_factors *to, const struct fathom_factors *factors,
			  const job_record_t *job)
{
	to->priority_age = factors->age;
	to->priority_assoc = factors->assoc;
	to->priority_fs = factors->fairshare;
	to->priority_js = factors->job_size;
	to->priority_part = factors->partition;
	to->priority_qos = factors->qos;
	to->priority_site = job->site_factor;
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
	struct job_pair pair[count + 1];
	uint32_t *priority;

	if (!job_has_pairs(job)) {
		compat_forget_priority_array(job);
		return false;
	}
	priority = compat_priority_array(job, count);
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
	findings->pairs_changed = write_pairs(scope, &described, job);
	return priority;
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

static void update_newcomers(const struct job_scope *scope, const struct newcomers *newcomers)
{
	bool changed = false;

	if (!newcomers->count || !fairshare_evaluate(scope->fairshare, scope->settings, true))
		return;
	lock_slurmctld(job_locks);
	assoc_mgr_lock(&assoc_locks);
	for (size_t i = 0; i < newcomers->count; i++) {
		job_record_t *job = find_job_record(newcomers->job_id[i]);

		changed |= job && renew_job(scope, job, NULL);
	}
	if (changed)
		last_job_update = time(NULL);
	assoc_mgr_unlock(&assoc_locks);
	unlock_slurmctld(job_locks);
}

/* What the block's records point to. */
static void fetch_ahead(const struct job_walk *walk)
{
	for (size_t i = 0; i < walk->count; i++) {
		const job_record_t *job = walk->block[i];

		__builtin_prefetch(&job->details->accrue_time);
		__builtin_prefetch(&job->details->max_cpus);
		__builtin_prefetch(&job->details->nice);
		__builtin_prefetch(job->tres_req_cnt);
		if (job->prio_factors) {
			__builtin_prefetch(&job->prio_factors->priority_age, 1);
			__builtin_prefetch(&job->prio_factors->priority_tres, 1);
		}
	}
}

void job_priority_update_all(struct fairshare *fairshare, const struct settings *settings,
			     time_t now)
{
	struct newcomers newcomers = { 0 };
	struct job_walk walk = { 0 };
	struct job_scope scope;
	bool more = true;

	while (more) {
		struct slice slice;
		bool changed = false;

		lock_slurmctld(job_locks);
		assoc_mgr_lock(&assoc_locks);
		slice = slice_begin();
		scope = job_scope(fairshare, settings, now);
		do {
			more = job_walk_next(&walk);
			fetch_ahead(&walk);
			for (size_t i = 0; i < walk.count; i++)
				changed |= renew_job(&scope, walk.block[i], &newcomers);
		} while (more && !slice_is_over(&slice));
		if (changed)	/* only then: backfill starts over for it */
			last_job_update = time(NULL);
		assoc_mgr_unlock(&assoc_locks);
		unlock_slurmctld(job_locks);
		if (more)
			slice_pause();
	}
	update_newcomers(&scope, &newcomers);
	free(newcomers.job_id);
}
