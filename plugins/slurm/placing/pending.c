/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One walk over the job list in slices copies what the order of dispatch needs, so that jobs are
 * placed without a lock. Each pending job becomes a pair for each queue that it may be in
 * (add_pending_job), each running job a run (add_run).
 */
#include "placing/pending.h"

#include "charging/observed_job.h"
#include "core/array.h"
#include "priority/job_comment.h"
#include "results/places.h"
#include "walk/sliced_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_OF_SLICE 65536	/* pairs, runs or parts; a slice has fewer */
#define FOUND_PARTITIONS 64	/* slots of a small hash table */
#define GROUP_NAME_SIZE 256	/* bytes; a longer name is cut, and so names no group */

/* The walk over the job list. */
struct pending_walk {
	struct pending *pending;	/* the lists that are being made */
	const struct settings *settings;
	const struct partition_order *order;	/* NULL: not known yet */
	/* A hash table of partitions that were found in this slice, by their addresses. A later one
	 * takes the slot of an earlier one. */
	struct found_partition {
		const part_record_t *record;	/* NULL: the slot is empty */
		uint32_t number;	/* what partition_number() returns for it */
	} found[FOUND_PARTITIONS];
	bool failed;		/* out of memory: no more jobs are listed */
};

void pending_clear(struct pending *pending)
{
	numbered_names_clear(&pending->partitions);
	numbered_names_clear(&pending->groups);
	free(pending->queue);
	free(pending->pair);
	free(pending->run);
	free(pending->tres);
	free(pending->part);
	*pending = (struct pending){ 0 };
}

/* ---- partitions and queues --------------------------------------------------------- */

/* Adds a copy of a queue, with orders_jobs set. Returns -1 if out of memory. */
static int add_queue(struct pending_walk *walk, const struct pending_queue *queue)
{
	struct pending *pending = walk->pending;
	struct pending_queue *list = array_grow(pending->queue, &pending->queue_room,
						pending->queue_count + 1, sizeof(*list));

	walk->failed |= !list;
	if (!list)
		return -1;
	pending->queue = list;
	list[pending->queue_count] = *queue;
	list[pending->queue_count++].orders_jobs =
		scheme_orders_jobs(&walk->settings->scheme[queue->scheme]);
	return 0;
}

/* Adds a partition and the queue of its own scope; for list_for_each(). */
static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct pending_walk *walk = context;
	const struct queue *queue = scopes_queue(walk->settings, record->name);
	size_t number = numbered_names_add(&walk->pending->partitions, record->name);

	walk->failed |= number == NAME_INDEX_NONE;
	return add_queue(walk, &(struct pending_queue){
		.partition = (uint32_t)number,
		.scheme = (uint32_t)partition_scheme(walk->order, walk->settings, record->name,
						     queue, NO_REQUIRED_NODES),
		.priority = record->priority_job_factor,
		.is_pooled = partition_is_pooled(walk->order, record->name) });
}

/* Forgets the addresses of partitions, as slurmctld may have replaced them since the last slice. */
static void begin_slice(void *context)
{
	struct pending_walk *walk = context;

	memset(walk->found, 0, sizeof(walk->found));
}

/* Lists partitions and their queues, and begins the list of jobs anew. */
static void begin_list(void *context)
{
	struct pending_walk *walk = context;
	struct pending *pending = walk->pending;

	numbered_names_clear(&pending->partitions);
	numbered_names_clear(&pending->groups);
	pending->pair_count = pending->run_count = pending->part_count = 0;
	pending->queue_count = 0;
	begin_slice(walk);
	if (part_list)
		list_for_each(part_list, add_partition, walk);
}

/* Returns the number of a partition in pending->partitions; UINT32_MAX: `record` is NULL, or the
 * partition has come since partitions were listed. */
static uint32_t partition_number(struct pending_walk *walk, const part_record_t *record)
{
	size_t slot = (uintptr_t)record / sizeof(*record) % FOUND_PARTITIONS;
	struct found_partition *found = &walk->found[slot];

	if (!record)
		return UINT32_MAX;
	if (found->record != record) {
		size_t number = numbered_names_find(&walk->pending->partitions, record->name);

		*found = (struct found_partition){
			record, number == NAME_INDEX_NONE ? UINT32_MAX : (uint32_t)number };
	}
	return found->number;
}

/* Returns the index of the queue of those jobs of a partition that go by a scheme, and adds the
 * queue if need be; UINT32_MAX: out of memory. partition: its number. required: the scheme;
 * NO_REQUIRED_NODES: that of the partition's own scope. */
static uint32_t find_queue(struct pending_walk *walk, uint32_t partition, size_t required)
{
	const struct pending *pending = walk->pending;
	struct pending_queue wanted = pending->queue[partition];
	uint32_t at;

	if (required == NO_REQUIRED_NODES || required == wanted.scheme)
		return partition;
	wanted.scheme = (uint32_t)required;
	/* queues of other schemes are behind those of the partitions */
	for (at = (uint32_t)pending->partitions.count; at < pending->queue_count; at++)
		if (pending->queue[at].partition == partition &&
		    pending->queue[at].scheme == wanted.scheme)
			return at;
	return add_queue(walk, &wanted) ? UINT32_MAX : at;
}

/* ---- pending jobs ----------------------------------------------------------------- */

/* Returns a job's priority under flux without the terms of fair share and partition: its urgency
 * and its bank. The site's term is left out, as it has what rounding adds to the sum. */
static int64_t flux_base_priority(const job_record_t *job)
{
	const compat_factors *factors = job->prio_factors;
	bool is_expedited = job->priority == UINT32_MAX;

	return is_expedited ? UINT32_MAX : (int64_t)(factors->priority_assoc -
						     ((double)factors->nice - NICE_OFFSET));
}

/* Returns the job's priority without the terms of fair share and partition: from the terms that the
 * record has since the priority was last computed, cut to a whole number as priorities are. Returns
 * 0, the same for all jobs, under a formula, whose priorities have no terms. */
static int64_t base_priority(const job_record_t *job, const struct settings *settings)
{
	const struct fathom_policy *policy = settings->scheme->policy;
	const compat_factors *factors = job->prio_factors;
	double tres_sum = 0;

	if (job->direct_set_prio)
		return job->priority;
	if (!factors || settings->formula)
		return 0;
	if (fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY)
		return flux_base_priority(job);
	for (uint32_t i = 0; factors->priority_tres && i < factors->tres_cnt; i++)
		tres_sum += factors->priority_tres[i];
	return (int64_t)floor(factors->priority_age + factors->priority_assoc +
			      factors->priority_js + factors->priority_qos + tres_sum +
			      (double)factors->priority_site - (double)factors->nice);
}

/* Returns the time limit of a job in a partition, in minutes; 0: there is no limit. */
static uint32_t limit_minutes(const job_record_t *job, const part_record_t *partition)
{
	uint32_t minutes = job->time_limit != NO_VAL ? job->time_limit : partition->max_time;

	return minutes != INFINITE && minutes != NO_VAL ? minutes : 0;
}

/* Returns the group that the comment of a job names, for pending_pair.group. Only scopes with
 * UserShares have groups: comments of other jobs are not read. scheme: of the job's queue. */
static uint32_t find_group(struct pending_walk *walk, size_t scheme, const job_record_t *job)
{
	struct piece word = { NULL, 0 };
	char name[GROUP_NAME_SIZE];
	size_t number;

	if (walk->settings->scheme[scheme].scope->user_shares)
		word = job_comment_value(job->comment, "fairshare");
	if (!word.at)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)MIN(word.length, sizeof(name)), word.at);
	number = numbered_names_add(&walk->pending->groups, name);
	walk->failed |= number == NAME_INDEX_NONE;
	return (uint32_t)(number + 1);	/* 0 if out of memory */
}

/* A pending job whose pairs are being added. There must be room for them. */
struct listed_job {
	struct pending_walk *walk;
	const job_record_t *job;
	size_t required;	/* what partition_required_scheme() returns for it */
};

/* Adds the pair of a job in a queue of the partition `record`. queue: index; UINT32_MAX: out of
 * memory, and nothing is added. */
static void add_pair_in_queue(const struct listed_job *listed, const part_record_t *record,
			      uint32_t queue)
{
	const job_record_t *job = listed->job;
	struct pending *pending = listed->walk->pending;

	if (queue != UINT32_MAX)
		pending->pair[pending->pair_count++] = (struct pending_pair){
			.job = job->job_id,
			.association = job->assoc_id,
			.queue = queue,
			.can_start = places_can_start(job, pending->now),
			.group = find_group(listed->walk, pending->queue[queue].scheme, job),
			.minutes = limit_minutes(job, record),
			.priority = base_priority(job, listed->walk->settings),
			.submitted = job->details->submit_time,
			/* of all tasks that could start */
			.slots = (double)MAX(places_tasks(job), 1) * MAX(job->details->min_cpus, 1),
		};
}

/* Adds the pairs of a job in a partition: one; or if the job may go by several scopes, one in the
 * queue of each. For list_for_each(). item: the partition, which may be NULL. */
static int add_pairs_in_partition(void *item, void *context)
{
	const part_record_t *record = item;
	const struct listed_job *listed = context;
	struct pending_walk *walk = listed->walk;
	uint32_t partition = partition_number(walk, record);
	size_t scheme;

	if (partition == UINT32_MAX)
		return 0;
	add_pair_in_queue(listed, record, find_queue(walk, partition, listed->required));
	scheme = walk->pending->queue[partition].scheme;
	while ((scheme = partition_next_scheme(walk->order, record->name, listed->required,
					       scheme)))
		add_pair_in_queue(listed, record, find_queue(walk, partition, scheme));
	return 0;
}

/* Adds all pairs of a pending job; none without an association. */
static void add_pending_job(struct pending_walk *walk, const job_record_t *job)
{
	struct listed_job listed = { .walk = walk, .job = job };

	if (!job->details || !job->assoc_ptr)
		return;
	listed.required = partition_required_scheme(walk->settings, job);
	if (job->part_ptr_list)
		list_for_each(job->part_ptr_list, add_pairs_in_partition, &listed);
	else
		add_pairs_in_partition(job->part_ptr, &listed);
}

/* ---- running jobs ------------------------------------------------------------------- */

/* Returns how many seconds a job has run; suspended time counts if it is charged. Of slurmctld's
 * members, suspend_time is when the job was last suspended or resumed, and pre_sus_time the seconds
 * that it had run by then. */
static double seconds_run(const job_record_t *job, const struct settings *settings, time_t now)
{
	time_t since = job->suspend_time ? job->suspend_time : job->start_time;

	if (settings->charge_suspended)
		return difftime(MAX(now, job->start_time), job->start_time);
	return (double)job->pre_sus_time +
	       (IS_JOB_SUSPENDED(job) ? 0 : difftime(MAX(now, since), since));
}

/* Adds a running job. There must be room for the run and its parts. */
static void add_run(struct pending_walk *walk, const job_record_t *job)
{
	struct pending *pending = walk->pending;
	uint32_t partition = partition_number(walk, job->part_ptr);
	uint64_t *tres = pending->tres[pending->run_count];
	struct running *run = &pending->run[pending->run_count++];

	*run = (struct running){
		.run.id = { .job = job->job_id, .association = job->assoc_id,
			    .array = job->array_job_id,
			    .partition = partition == UINT32_MAX
						 ? NULL : pending->partitions.name[partition] },
		.run.rate = { .usage_factor = job_usage_factor(job),
			      .limit = job_limit_seconds(job), .tres_count = TRES_ARRAY_MEM + 1 },
		.charged_until = (double)pending->now,
		.ran = seconds_run(job, walk->settings, pending->now),
	};
	for (uint32_t i = 0; i <= TRES_ARRAY_MEM; i++)
		tres[i] = job->tres_alloc_cnt ? charged_count(i, job->tres_alloc_cnt[i]) : 0;
	if (walk->settings->has_hosts && run_parts_are_known(job))
		run->run.rate.part_count = run_parts(job, walk->settings,
						     pending->part + pending->part_count);
	pending->part_count += run->run.rate.part_count;
}

/* Lets all runs point to their TRES and parts, which have moved as the arrays grew. */
static void point_runs(struct pending *pending)
{
	const struct fathom_run_part *part = pending->part;

	for (size_t i = 0; i < pending->run_count; i++) {
		struct fathom_run_rate *rate = &pending->run[i].run.rate;

		rate->tres = pending->tres[i];
		rate->part = part;
		part += rate->part_count;
	}
}

/* ---- the walk ------------------------------------------------------------------------- */

/* Returns whether a job is listed; reads nothing but its state. */
static bool is_listed(const void *item, const void *context)
{
	const job_record_t *job = item;

	return IS_JOB_PENDING(job) || IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job);
}

/* Prefetches the fields that list_job() reads. Add a field here when that begins to read it:
 * without that the walk is slower, not wrong. prefetch_fields() prefetches all fields between
 * two. */
static void fetch_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	prefetch_fields(job, array_recs, bit_flags);
	prefetch_fields(job, details, direct_set_prio);
	prefetch(&job->job_id);
	prefetch_fields(job, part_ptr, part_ptr_list);
	prefetch_fields(job, prio_factors, priority);
	prefetch(&job->time_limit);
}

/* Prefetches what the record of a pending job points to. */
static void follow_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	if (!IS_JOB_PENDING(job))
		return;
	prefetch_list(job->part_ptr_list);
	prefetch(job->array_recs);
	if (job->details) {
		prefetch(&job->details->begin_time);
		prefetch(&job->details->min_cpus);
		prefetch(&job->details->submit_time);
	}
	if (job->prio_factors)
		prefetch_fields(job->prio_factors, priority_age, nice);
}

/* Returns how many elements an array needs room for: the `count` that there are, and those of the
 * next slice. An empty array gets room for two slices: otherwise it would grow before the second
 * slice, nearly empty. */
static size_t wanted_room(size_t count)
{
	return count ? count + ROOM_OF_SLICE : 2 * ROOM_OF_SLICE;
}

/* Makes room before each slice, as no memory should move under locks. */
static void make_room(void *context)
{
	struct pending_walk *walk = context;
	struct pending *pending = walk->pending;
	struct pending_pair *pair = array_grow(pending->pair, &pending->pair_room,
					       wanted_room(pending->pair_count), sizeof(*pair));
	size_t runs = wanted_room(pending->run_count);
	struct running *run = array_grow(pending->run, &pending->run_room, runs, sizeof(*run));
	uint64_t (*tres)[TRES_ARRAY_MEM + 1] =
		array_grow(pending->tres, &pending->tres_room, runs, sizeof(*tres));
	struct fathom_run_part *part = array_grow(pending->part, &pending->part_room,
						  wanted_room(pending->part_count), sizeof(*part));

	pending->pair = pair ? pair : pending->pair;
	pending->run = run ? run : pending->run;
	pending->tres = tres ? tres : pending->tres;
	pending->part = part ? part : pending->part;
	walk->failed |= !pair || !run || !tres || !part;
}

/* Returns whether there is room for all that may be added for a job. */
static bool has_room(const struct pending_walk *walk, const job_record_t *job)
{
	const struct pending *pending = walk->pending;
	size_t pairs = job->part_ptr_list ? (size_t)list_count(job->part_ptr_list) : 1;

	if (walk->settings->has_hosts)
		pairs *= walk->settings->scheme_count;
	return pending->pair_count + pairs <= pending->pair_room &&
	       pending->run_count < pending->run_room &&
	       pending->part_count + RUN_PARTS(walk->settings) <= pending->part_room;
}

/* Adds a job to the lists, unless memory has run out. */
static void list_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;
	struct pending_walk *walk = context;

	if (!has_room(walk, job))
		make_room(walk);
	walk->failed |= !has_room(walk, job);
	if (walk->failed)
		return;
	if (IS_JOB_PENDING(job))
		add_pending_job(walk, job);
	else if (job_is_running(job))
		add_run(walk, job);
}

int pending_list(struct pending *pending, const struct settings *settings,
		 const struct partition_order *order, struct list_trail *trail, time_t now)
{
	const struct sliced_walk walk = {
		.list = &job_list,
		.locks = WALK_LOCKS(.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK),
		.assoc_locks = WALK_ASSOC_LOCKS(.qos = READ_LOCK),
		.before_slice = make_room, .begin_slice = begin_slice, .begin_list = begin_list,
		.trail = trail, .is_wanted = is_listed,
	};
	static const struct list_walk_stages stages = {
		.fetch = fetch_job, .follow = follow_job, .work = list_job,
		.touch = offsetof(job_record_t, job_state),
	};
	struct pending_walk context = { .pending = pending, .settings = settings, .order = order };

	pending->now = now;
	sliced_walk(&walk, stages, &context);
	point_runs(pending);
	return context.failed ? -1 : 0;
}
