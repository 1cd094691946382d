/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placing/pending.h"

#include "charging/observed_job.h"
#include "charging/run_parts.h"
#include "core/array.h"
#include "walk/sliced_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_OF_SLICE 65536	/* made before each slice, as no memory should move under locks */

struct pending_walk {
	struct pending *pending;
	const struct settings *settings;
	const struct partition_order *order;
	bool failed;
};

void pending_clear(struct pending *pending)
{
	placed_partitions_free(pending->partition, pending->partition_count);
	free(pending->pair);
	free(pending->run);
	free(pending->part);
	*pending = (struct pending){ 0 };
}

/* ---- partitions ---------------------------------------------------------------- */

static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct pending_walk *walk = context;
	struct pending *pending = walk->pending;
	const struct queue *queue = scopes_queue(walk->settings, record->name);
	size_t at = pending->partition_count;
	char *name = strdup(record->name);

	if (!name)
		return -1;
	pending->partition[pending->partition_count++] =
		(struct placed_partition){
			name, record->priority_job_factor,
			partition_scheme(walk->order, walk->settings, name, queue,
					 NO_REQUIRED_NODES),
			at, queue && queue->pool };
	return 0;
}

/* The caller holds part read. */
static void list_partitions(struct pending_walk *walk)
{
	struct pending *pending = walk->pending;
	size_t count = part_list ? (size_t)list_count(part_list) : 0;

	placed_partitions_free(pending->partition, pending->partition_count);
	pending->partition_count = 0;
	pending->partition = calloc(count + 1, sizeof(*pending->partition));
	if (pending->partition && count)
		list_for_each(part_list, add_partition, walk);
	walk->failed |= pending->partition_count != count || !pending->partition;
	if (pending->partition)
		placed_partitions_sort(pending->partition, pending->partition_count);
}

static bool find_partition(const struct pending *pending, const part_record_t *record,
			   uint32_t *at)
{
	return record && placed_partitions_find(pending->partition, pending->partition_count,
						record->name, at);
}

/* ---- pending jobs ----------------------------------------------------------------- */

bool pending_can_start(const job_record_t *job, time_t now)
{
	return job->priority && !(job->bit_flags & JOB_DEPENDENT) && !IS_JOB_COMPLETING(job) &&
	       job->details->begin_time <= now;
}

static double sum_of_tres(const compat_factors *factors)
{
	double sum = 0;

	for (uint32_t i = 0; factors->priority_tres && i < factors->tres_cnt; i++)
		sum += factors->priority_tres[i];
	return sum;
}

/* As of the last time that the priority was computed, cut to a whole number as priorities are. A
 * formula's has no part without fair share. */
static int64_t own_priority(const job_record_t *job, const struct settings *settings)
{
	const compat_factors *factors = job->prio_factors;

	if (job->direct_set_prio)
		return job->priority;
	if (!factors || settings->formula)
		return 0;
	return (int64_t)floor(factors->priority_age + factors->priority_assoc +
			      factors->priority_js + factors->priority_qos +
			      sum_of_tres(factors) + (double)factors->priority_site -
			      (double)factors->nice);
}

/* Each task of a job array counts that has not been split off yet. */
static double slots_wanted(const job_record_t *job)
{
	uint32_t tasks = job->array_recs ? job->array_recs->task_cnt : 0;

	return (double)MAX(tasks, 1) * MAX(job->details->min_cpus, 1);
}

static double limit_of(const job_record_t *job, const part_record_t *partition)
{
	uint32_t minutes = job->time_limit != NO_VAL ? job->time_limit : partition->max_time;

	return minutes != INFINITE && minutes != NO_VAL ? minutes * 60. : 0;
}

/* required: of partition_required_scheme(). */
static void add_pair(struct pending_walk *walk, const job_record_t *job,
		     const part_record_t *partition, size_t required)
{
	struct pending *pending = walk->pending;
	struct pending_pair pair = {
		.job = job->job_id,
		.association = job->assoc_id,
		.priority = own_priority(job, walk->settings),
		.submitted = job->details->submit_time,
		.slots = slots_wanted(job),
		.can_start = pending_can_start(job, pending->now),
	};
	struct pending_pair *list;

	if (!find_partition(pending, partition, &pair.partition))
		return;
	pair.scheme = required == NO_REQUIRED_NODES ? pending->partition[pair.partition].scheme
						    : required;
	pair.time_limit = limit_of(job, partition);
	list = array_grow(pending->pair, &pending->pair_room, pending->pair_count + 1,
			  sizeof(*list));
	walk->failed |= !list;
	if (!list)
		return;
	pending->pair = list;
	list[pending->pair_count++] = pair;
}

static void add_pending(struct pending_walk *walk, const job_record_t *job)
{
	compat_iterator iterator;
	const part_record_t *partition;
	size_t required;

	if (!job->details || !job->assoc_ptr)
		return;
	required = partition_required_scheme(walk->settings, job);
	if (!job->part_ptr_list) {
		add_pair(walk, job, job->part_ptr, required);
		return;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((partition = list_next(iterator)))
		add_pair(walk, job, partition, required);
	list_iterator_destroy(iterator);
}

/* ---- running jobs ------------------------------------------------------------------- */

static double seconds_run(const job_record_t *job, const struct settings *settings, time_t now)
{
	time_t since = job->suspend_time ? job->suspend_time : job->start_time;

	if (settings->charge_suspended)
		return difftime(MAX(now, job->start_time), job->start_time);
	return (double)job->pre_sus_time +
	       (IS_JOB_SUSPENDED(job) ? 0 : difftime(MAX(now, since), since));
}

/* Lists the parts of a run on the hosts of scopes. */
static void add_parts(struct pending_walk *walk, const job_record_t *job, struct pending_run *run)
{
	struct pending *pending = walk->pending;
	struct fathom_run_part *list;

	if (!walk->settings->has_hosts || !run_parts_are_known(job))
		return;
	list = array_grow(pending->part, &pending->part_room,
			  pending->part_count + RUN_PARTS(walk->settings), sizeof(*list));
	walk->failed |= !list;
	if (!list)
		return;
	pending->part = list;
	run->part = pending->part_count;
	run->part_count = run_parts(job, walk->settings, list + pending->part_count);
	pending->part_count += run->part_count;
}

static void add_run(struct pending_walk *walk, const job_record_t *job)
{
	struct pending *pending = walk->pending;
	struct pending_run run = {
		.job = job->job_id,
		.association = job->assoc_id,
		.array = job->array_job_id,
		.usage_factor = job_usage_factor(job),
		.limit = job_limit_seconds(job),
		.ran = seconds_run(job, walk->settings, pending->now),
	};
	struct pending_run *list;

	if (!find_partition(pending, job->part_ptr, &run.partition))
		run.partition = UINT32_MAX;
	for (uint32_t i = 0; job->tres_alloc_cnt && i <= TRES_ARRAY_MEM; i++)
		run.tres[i] = charged_count(i, job->tres_alloc_cnt[i]);
	add_parts(walk, job, &run);
	list = array_grow(pending->run, &pending->run_room, pending->run_count + 1, sizeof(*list));
	walk->failed |= !list;
	if (!list)
		return;
	pending->run = list;
	list[pending->run_count++] = run;
}

/* ---- the walk ------------------------------------------------------------------------- */

static void fetch_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	prefetch_fields(job, assoc_id, assoc_ptr);
	prefetch_fields(job, details, direct_set_prio);
	prefetch(&job->job_state);
	prefetch(&job->job_id);
	prefetch_fields(job, part_ptr, part_ptr_list);
	prefetch_fields(job, prio_factors, priority);
	prefetch(&job->time_limit);
}

static void follow_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	if (!IS_JOB_PENDING(job))
		return;
	if (job->details)
		prefetch_fields(job->details, begin_time, submit_time);
	if (job->prio_factors)
		prefetch_fields(job->prio_factors, priority_age, nice);
}

static void list_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;
	struct pending_walk *walk = context;

	(void)at;
	if (walk->failed)
		return;
	if (IS_JOB_PENDING(job))
		add_pending(walk, job);
	else if (job_is_running(job))
		add_run(walk, job);
}

static void make_room_for_parts(struct pending_walk *walk)
{
	struct pending *pending = walk->pending;
	struct fathom_run_part *part;

	if (!walk->settings->has_hosts)
		return;
	part = array_grow(pending->part, &pending->part_room, pending->part_count + ROOM_OF_SLICE,
			  sizeof(*part));
	pending->part = part ? part : pending->part;
	walk->failed |= !part;
}

static void make_room(void *context)
{
	struct pending_walk *walk = context;
	struct pending *pending = walk->pending;
	struct pending_pair *pair = array_grow(pending->pair, &pending->pair_room,
					       pending->pair_count + ROOM_OF_SLICE, sizeof(*pair));
	struct pending_run *run = array_grow(pending->run, &pending->run_room,
					     pending->run_count + ROOM_OF_SLICE, sizeof(*run));

	pending->pair = pair ? pair : pending->pair;
	pending->run = run ? run : pending->run;
	walk->failed |= !pair || !run;
	make_room_for_parts(walk);
}

static void begin_list(void *context)
{
	struct pending_walk *walk = context;

	walk->pending->pair_count = walk->pending->run_count = walk->pending->part_count = 0;
	list_partitions(walk);
}

int pending_list(struct pending *pending, const struct settings *settings,
		 const struct partition_order *order, time_t now)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK,
						.part = READ_LOCK };
	static const assoc_mgr_lock_t assoc_locks = { .qos = READ_LOCK };
	static const struct sliced_walk walk = {
		.list = &job_list, .locks = &locks, .assoc_locks = &assoc_locks,
		.before_slice = make_room, .begin_list = begin_list,
	};
	static const struct list_walk_stages stages = { fetch_job, follow_job, NULL, list_job,
						       offsetof(job_record_t, job_state) };
	struct pending_walk context = { .pending = pending, .settings = settings,
					.order = order };

	*pending = (struct pending){ .now = now };
	sliced_walk(&walk, stages, &context);
	return context.failed ? -1 : 0;
}
