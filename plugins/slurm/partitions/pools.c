/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pools.h"

#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

/* A partition of a pool, or another partition all of whose nodes belong to a pool. */
struct pool_partition {
	char *name;
	double used;		/* CPU seconds until pool_partitions.time, decayed */
	uint64_t in_use;	/* CPUs that its running jobs hold */
	uint64_t wanted;	/* CPUs that its pending jobs request */
	/* the rest is only valid in the pass that filled it in */
	const struct queue *queue;	/* its share of the pool; NULL: it has none */
	size_t pool;			/* number of the pool, from 1 */
	double priority;		/* PriorityJobFactor */
	uint64_t cpus;			/* of all its nodes */
};

void pool_partitions_clear(struct pool_partitions *partitions)
{
	for (size_t i = 0; i < partitions->count; i++)
		free(partitions->list[i].name);
	free(partitions->list);
	*partitions = (struct pool_partitions){ 0 };
}

static int compare_names(const void *x, const void *y)
{
	const struct pool_partition *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* NULL: the partition has nothing to do with a pool. */
static struct pool_partition *find_partition(const struct pool_partitions *partitions,
					     const char *name)
{
	struct pool_partition wanted = { .name = (char *)name };

	if (!name || !partitions->count)
		return NULL;
	return bsearch(&wanted, partitions->list, partitions->count, sizeof(wanted), compare_names);
}

/* ---- list partitions ------------------------------------------------------------- */

/* Partitions and jobs that are being counted for a pass. */
struct pool_survey {
	const struct settings *settings;
	const part_record_t **first;	/* by pool; only while partitions are listed */
	struct pool_partitions partitions;
	bool begun;
	int status;		/* -1: out of memory */
};

const part_record_t **pools_first_partitions(const struct settings *settings)
{
	const part_record_t **first = calloc(settings->pool_count + 1, sizeof(*first));
	size_t first_order[settings->pool_count + 1];

	for (size_t i = 0; first && i < settings->queue_count; i++) {
		const struct queue *queue = &settings->queue[i];
		size_t pool = queue->pool - 1;

		if (!queue->pool || (first[pool] && first_order[pool] < queue->order))
			continue;
		first[pool] = find_part_record(queue->name);
		first_order[pool] = queue->order;
	}
	return first;
}

static bool has_nodes_within(const part_record_t *partition, const part_record_t *pooled)
{
	return partition->node_bitmap && pooled && pooled->node_bitmap &&
	       bit_super_set(partition->node_bitmap, pooled->node_bitmap);
}

/* Returns the number of the pool that has all nodes of the partition; 0: there is no such pool. */
static size_t find_pool_by_nodes(const struct pool_survey *survey, const part_record_t *partition)
{
	for (size_t i = 0; i < survey->settings->pool_count; i++)
		if (has_nodes_within(partition, survey->first[i]))
			return i + 1;
	return 0;
}

static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct pool_survey *survey = context;
	const struct queue *queue = scopes_queue(survey->settings, record->name);
	struct pool_partition partition = { .priority = record->priority_job_factor,
					    .cpus = record->total_cpus };

	if (queue && queue->pool) {
		partition.queue = queue;
		partition.pool = queue->pool;
	} else {
		partition.pool = find_pool_by_nodes(survey, record);
	}
	if (!partition.pool)
		return 0;
	partition.name = strdup(record->name);
	if (!partition.name) {
		survey->status = -1;
		return -1;
	}
	survey->partitions.list[survey->partitions.count++] = partition;
	return 0;
}

/* Partitions may be replaced once the lock is given back, so only copies are kept. */
static void list_partitions(struct pool_survey *survey)
{
	size_t count = part_list ? (size_t)list_count(part_list) : 0;
	struct pool_partitions *partitions = &survey->partitions;

	survey->first = pools_first_partitions(survey->settings);
	partitions->list = calloc(count + 1, sizeof(*partitions->list));
	if (!survey->first || !partitions->list)
		survey->status = -1;
	else if (count)
		list_for_each(part_list, add_partition, survey);
	free(survey->first);
	survey->first = NULL;
	if (partitions->count)
		qsort(partitions->list, partitions->count, sizeof(*partitions->list),
		      compare_names);
}

/* ---- count CPUs of jobs ---------------------------------------------------------- */

/* A job array counts once for each task that has not become a job of its own. */
static uint64_t requested_cpus(const job_record_t *job)
{
	uint64_t tasks = job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt
								      : 1;

	return tasks * job->details->min_cpus;
}

static void add_wanted(const struct pool_survey *survey, const part_record_t *record, uint64_t cpus)
{
	struct pool_partition *partition =
		record ? find_partition(&survey->partitions, record->name) : NULL;

	if (partition)
		partition->wanted += cpus;
}

/* A pending job counts in each partition where it may run. A held job does not count. */
static void count_pending(const struct pool_survey *survey, const job_record_t *job)
{
	compat_iterator iterator;
	part_record_t *record;

	if (!job->priority || !job->details)
		return;
	if (!job->part_ptr_list) {
		add_wanted(survey, job->part_ptr, requested_cpus(job));
		return;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((record = list_next(iterator)))
		add_wanted(survey, record, requested_cpus(job));
	list_iterator_destroy(iterator);
}

static void count_job(void *item, size_t at, void *context)
{
	const struct pool_survey *survey = context;
	const job_record_t *job = item;
	struct pool_partition *partition;

	(void)at;
	if (IS_JOB_PENDING(job))
		count_pending(survey, job);
	else if (IS_JOB_RUNNING(job) && job->part_ptr &&
		 (partition = find_partition(&survey->partitions, job->part_ptr->name)))
		partition->in_use += job->total_cpus;
}

/* The first slice lists the partitions. */
static void begin_slice(void *context)
{
	struct pool_survey *survey = context;

	if (!survey->begun)
		list_partitions(survey);
	survey->begun = true;
}

static void count_jobs(struct pool_survey *survey)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK, .part = READ_LOCK };
	static const struct sliced_walk walk = { .list = &job_list, .locks = &locks,
						 .begin_slice = begin_slice };

	sliced_walk(&walk, (struct list_walk_stages){ .work = count_job }, survey);
}

/* ---- what partitions have used --------------------------------------------------- */

/* Returns the CPU seconds that the partition has used by `end`: those that it had used by the last
 * pass, decayed since, and those of the CPUs that it held from then on. */
static double used_until(const struct pool_partition *before, double begin, double end,
			 double half_life)
{
	return before->used * fathom_decay(end - begin, half_life) +
	       (double)before->in_use * fathom_decayed_seconds(begin, end, end, half_life);
}

/* Replaces the partitions of the last pass by those of this one. */
static void renew_partitions(struct pool_partitions *partitions, struct pool_partitions fresh,
			     double half_life, time_t now)
{
	fresh.time = MAX(now, partitions->time);
	for (size_t i = 0; i < fresh.count; i++) {
		const struct pool_partition *before =
			find_partition(partitions, fresh.list[i].name);

		if (before)
			fresh.list[i].used = used_until(before, (double)partitions->time,
							(double)fresh.time, half_life);
	}
	pool_partitions_clear(partitions);
	*partitions = fresh;
}

/* ---- divide a pool --------------------------------------------------------------- */

/* The partitions on the nodes of one pool. */
struct pool_members {
	const struct pool_partition **partition;
	struct fathom_pool_queue *queue;	/* one for each partition */
	struct fathom_pool_grant *grant;	/* the same, in the order of service */
	size_t count;
};

/* Sorts by line of fathom.conf. Partitions without a share come last. */
static int compare_order(const void *x, const void *y)
{
	const struct pool_partition *a = *(const struct pool_partition *const *)x;
	const struct pool_partition *b = *(const struct pool_partition *const *)y;
	size_t a_order = a->queue ? a->queue->order : SIZE_MAX;
	size_t b_order = b->queue ? b->queue->order : SIZE_MAX;

	return a_order != b_order ? (a_order > b_order) - (a_order < b_order) : (a > b) - (a < b);
}

static void list_members(struct pool_members *members, const struct pool_partitions *partitions,
			 size_t pool)
{
	members->count = 0;
	for (size_t i = 0; i < partitions->count; i++)
		if (partitions->list[i].pool == pool)
			members->partition[members->count++] = &partitions->list[i];
	qsort(members->partition, members->count, sizeof(*members->partition), compare_order);
	for (size_t i = 0; i < members->count; i++) {
		const struct pool_partition *partition = members->partition[i];

		members->queue[i] = (struct fathom_pool_queue){
			.in_pool = partition->queue,
			.share = partition->queue ? partition->queue->share : 0,
			.demand = partition->in_use + partition->wanted,
			.limit = FATHOM_NO_LIMIT,
			.priority = partition->priority,
			.used = partition->used,
		};
	}
}

/* Returns the number of CPUs in the pool. Its partitions have the same nodes. */
static uint64_t count_slots(const struct pool_members *members)
{
	uint64_t slots = 0;

	for (size_t i = 0; i < members->count; i++)
		if (members->partition[i]->queue)
			slots = MAX(slots, members->partition[i]->cpus);
	return slots;
}

/* The class of a partition is the number of CPUs that it may still take: 0 to `slots`. */
static void set_classes(const struct pool_members *members, const struct settings *settings,
			uint64_t slots, struct partition_class *class)
{
	for (size_t i = 0; i < members->count; i++) {
		const struct fathom_pool_grant *grant = &members->grant[i];
		const struct pool_partition *partition =
			members->partition[grant->queue - members->queue];
		uint64_t rest = grant->got > partition->in_use ? grant->got - partition->in_use : 0;

		if (partition->queue)
			class[partition->queue - settings->queue] =
				(struct partition_class){ .number = (size_t)rest,
							  .count = (size_t)slots + 1 };
	}
}

static int divide_all(struct pool_members *members, const struct pool_partitions *partitions,
		      const struct settings *settings, struct partition_class *class)
{
	for (size_t i = 0; i < settings->pool_count; i++) {
		struct fathom_pool pool = { .use_priority = settings->pool[i].use_priority,
					    .max_slots = settings->pool[i].max_slots };
		uint64_t left;

		list_members(members, partitions, i + 1);
		pool.slots = count_slots(members);
		if (fathom_pool_allocate(&pool, members->queue, members->count, members->grant,
					 &left, NULL))
			return -1;
		set_classes(members, settings, pool.slots, class);
	}
	return 0;
}

int pools_divide(struct pool_partitions *partitions, const struct settings *settings, time_t now,
		 struct partition_class *class)
{
	struct pool_survey survey = { .settings = settings };
	struct pool_members members;
	size_t room;
	int status = -1;

	count_jobs(&survey);
	if (survey.status) {
		pool_partitions_clear(&survey.partitions);
		return -1;
	}
	renew_partitions(partitions, survey.partitions, settings->half_life, now);
	room = partitions->count + 1;
	members.partition = calloc(room, sizeof(*members.partition));
	members.queue = calloc(room, sizeof(*members.queue));
	members.grant = calloc(room, sizeof(*members.grant));
	if (members.partition && members.queue && members.grant)
		status = divide_all(&members, partitions, settings, class);
	free(members.partition);
	free(members.queue);
	free(members.grant);
	return status;
}
