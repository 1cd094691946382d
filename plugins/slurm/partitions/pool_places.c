/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pool_places.h"

#include "partitions/host_nodes.h"
#include "partitions/pool_limits.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- list partitions ------------------------------------------------------------- */

/* Partitions and jobs that are being counted for a pass. */
struct pool_survey {
	const struct settings *settings;
	/* only while partitions are listed: */
	const part_record_t **first;	/* by pool */
	struct host_nodes hosts;	/* of scopes, which take no part in pools */
	struct pool_places *places;
	size_t seen;		/* partitions */
	int status;		/* -1: out of memory */
};

/* Returns, for each pool, the partition that its first line in fathom.conf names. The caller frees
 * the array, and holds part read. NULL: out of memory. */
static const part_record_t **pools_first_partitions(const struct settings *settings)
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

static uint64_t count_cpus(bitstr_t *nodes)
{
	uint64_t cpus = 0;

	for (int i = 0; node_record_table_ptr && i < MIN(node_record_count, bit_size(nodes)); i++)
		if (bit_test(nodes, i) && node_record_table_ptr[i])
			cpus += node_record_table_ptr[i]->cpus;
	return cpus;
}

/* Sets the nodes of a partition that belong to the pool. False: there are none, or out of memory,
 * see survey->status. */
static bool find_shared_nodes(struct pool_survey *survey, struct pool_place *place,
			      const part_record_t *partition, const part_record_t *pooled)
{
	if (!partition->node_bitmap || !pooled || !pooled->node_bitmap ||
	    !bit_overlap_any(partition->node_bitmap, pooled->node_bitmap))
		return false;
	place->cpus = partition->total_cpus;
	if (bit_super_set(partition->node_bitmap, pooled->node_bitmap) &&
	    !host_nodes_overlap(partition->node_bitmap, survey->hosts.any))
		return true;
	place->shared = bit_copy(partition->node_bitmap);
	if (!place->shared) {
		survey->status = -1;
		return false;
	}
	bit_and(place->shared, pooled->node_bitmap);
	if (host_nodes_overlap(place->shared, survey->hosts.any))
		bit_and_not(place->shared, survey->hosts.any);
	place->cpus = count_cpus(place->shared);
	return place->cpus || pooled == partition;
}

static void add_place(struct pool_survey *survey, struct pool_place *place,
		      const part_record_t *record)
{
	uint64_t nodes = place->shared ? (uint64_t)bit_set_count(place->shared)
				       : record->total_nodes;

	place->name = strdup(record->name);
	if (!place->name) {
		FREE_NULL_BITMAP(place->shared);
		survey->status = -1;
		return;
	}
	place->order = survey->seen;
	place->priority = record->priority_job_factor;
	place->limit = pool_limit_cpus(record, nodes);
	place->most_jobs = pool_limit_jobs(record);
	if (!place->queue)
		place->limit = MIN(place->limit, place->cpus);
	survey->places->list[survey->places->count++] = *place;
}

static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct pool_survey *survey = context;
	const struct queue *queue = scopes_queue(survey->settings, record->name);

	survey->seen++;
	if (queue && queue->pool) {
		struct pool_place place = { .queue = queue, .pool = queue->pool,
					    .cpus = record->total_cpus };

		if (survey->hosts.any)
			find_shared_nodes(survey, &place, record, record);
		if (!survey->status)
			add_place(survey, &place, record);
		return survey->status;
	}
	for (size_t i = 0; i < survey->settings->pool_count; i++) {
		struct pool_place place = { .pool = i + 1 };

		if (find_shared_nodes(survey, &place, record, survey->first[i]))
			add_place(survey, &place, record);
	}
	return survey->status;
}

static int compare_places(const void *x, const void *y)
{
	const struct pool_place *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->pool > b->pool) - (a->pool < b->pool);
}

/* Partitions may be replaced once the lock is given back, so only copies are kept. */
static void list_partitions(struct pool_survey *survey)
{
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	size_t count = part_list ? (size_t)list_count(part_list) : 0;
	struct pool_places *places = survey->places;

	survey->first = pools_first_partitions(survey->settings);
	places->list = calloc(count * survey->settings->pool_count + 1, sizeof(*places->list));
	if (!survey->first || !places->list ||
	    host_nodes_read(&survey->hosts, survey->settings)) {
		survey->status = -1;
	} else if (count) {
		assoc_mgr_lock(&qos_lock);
		list_for_each(part_list, add_partition, survey);
		assoc_mgr_unlock(&qos_lock);
	}
	host_nodes_clear(&survey->hosts);
	free(survey->first);
	survey->first = NULL;
	if (places->count)
		qsort(places->list, places->count, sizeof(*places->list), compare_places);
}

void pool_places_clear(struct pool_places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		free(places->list[i].name);
		FREE_NULL_BITMAP(places->list[i].shared);
	}
	free(places->list);
	*places = (struct pool_places){ 0 };
}

/* Returns the first place of a partition. NULL: the partition has nothing to do with a pool. */
static struct pool_place *find_first_place(const struct pool_places *places, const char *name)
{
	size_t low = 0, high = places->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(places->list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < places->count && !strcmp(places->list[low].name, name) ? &places->list[low]
									    : NULL;
}

/* Returns the next place of the same partition. NULL: that was the last. */
static struct pool_place *next_place(const struct pool_places *places, struct pool_place *place)
{
	struct pool_place *next = place + 1;

	return next < places->list + places->count && !strcmp(next->name, place->name) ? next
										       : NULL;
}

/* ---- count CPUs of jobs ---------------------------------------------------------- */

/* A job array counts once for each task that has not become a job of its own. */
static uint64_t count_tasks(const job_record_t *job)
{
	return job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt : 1;
}

static void add_wanted(const struct pool_places *places, const part_record_t *record,
		       const job_record_t *job)
{
	struct pool_place *place = record ? find_first_place(places, record->name) : NULL;

	for (; place; place = next_place(places, place)) {
		place->wanted += count_tasks(job) * job->details->min_cpus;
		place->pending += count_tasks(job);
	}
}

/* A pending job counts in each partition where it may run. A held job does not count. */
static void count_pending(const struct pool_places *places, const job_record_t *job)
{
	compat_iterator iterator;
	part_record_t *record;

	if (!job->priority || !job->details)
		return;
	if (!job->part_ptr_list) {
		add_wanted(places, job->part_ptr, job);
		return;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((record = list_next(iterator)))
		add_wanted(places, record, job);
	list_iterator_destroy(iterator);
}

/* Returns the CPUs that a running job has on some nodes. */
static uint64_t count_cpus_on(const job_record_t *job, bitstr_t *nodes)
{
	const job_resources_t *resources = job->job_resrcs;
	uint64_t cpus = 0;
	int host = 0;

	/* after a reconfigure in the middle of the walk, nodes may have other numbers */
	if (!resources || !resources->node_bitmap || !resources->cpus ||
	    bit_size(resources->node_bitmap) != bit_size(nodes))
		return job->total_cpus;
	for (int i = 0; i < bit_size(nodes) && host < (int)resources->nhosts; i++) {
		if (!bit_test(resources->node_bitmap, i))
			continue;
		if (bit_test(nodes, i))
			cpus += resources->cpus[host];
		host++;
	}
	return cpus;
}

static void count_running(const struct pool_places *places, const job_record_t *job)
{
	struct pool_place *place =
		job->part_ptr ? find_first_place(places, job->part_ptr->name) : NULL;

	for (; place; place = next_place(places, place)) {
		place->in_use += place->shared ? count_cpus_on(job, place->shared)
					       : job->total_cpus;
		place->running++;
	}
}

static void count_job(void *item, size_t at, void *context)
{
	const struct pool_survey *survey = context;
	const job_record_t *job = item;

	(void)at;
	if (survey->status)
		return;
	if (IS_JOB_PENDING(job))
		count_pending(survey->places, job);
	else if (IS_JOB_RUNNING(job))
		count_running(survey->places, job);
}

static void begin_list(void *context)
{
	struct pool_survey *survey = context;

	pool_places_clear(survey->places);
	survey->seen = 0;
	list_partitions(survey);
}

/* GrpJobs in CPUs: pending jobs beyond it want nothing, the others the average of all. */
static void limit_jobs(struct pool_place *place)
{
	uint64_t most;

	if (place->most_jobs == FATHOM_NO_LIMIT || !place->pending)
		return;
	most = place->most_jobs > place->running ? place->most_jobs - place->running : 0;
	if (most < place->pending)
		place->limit = MIN(place->limit, place->in_use + (place->wanted * most +
								  place->pending - 1) /
								 place->pending);
}

int pool_places_count(struct pool_places *places, const struct settings *settings)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK,
						.part = READ_LOCK };
	static const struct sliced_walk walk = { .list = &job_list, .locks = &locks,
						 .begin_list = begin_list };
	struct pool_survey survey = { .settings = settings, .places = places };

	*places = (struct pool_places){ 0 };
	sliced_walk(&walk, (struct list_walk_stages){ .work = count_job }, &survey);
	for (size_t i = 0; !survey.status && i < places->count; i++)
		limit_jobs(&places->list[i]);
	return survey.status;
}
