/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pool_seats.h"

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
	struct pool_seats *seats;
	size_t seen;		/* partitions */
	int status;		/* -1: out of memory */
};

/* Returns, for each pool, the partition that its first line in fathom.conf names. The caller frees
 * the array, and holds part read. NULL: out of memory. */
static const part_record_t **pools_first_partitions(const struct settings *settings)
{
	const part_record_t **first = calloc(settings->pool_count + 1, sizeof(*first));

	for (size_t i = 0; first && i < settings->pool_count; i++)
		first[i] = find_part_record(settings->pool[i]->partition);
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
static bool find_shared_nodes(struct pool_survey *survey, struct pool_seat *seat,
			      const part_record_t *partition, const part_record_t *pooled)
{
	if (!partition->node_bitmap || !pooled || !pooled->node_bitmap ||
	    !bit_overlap_any(partition->node_bitmap, pooled->node_bitmap))
		return false;
	seat->cpus = partition->total_cpus;
	if (bit_super_set(partition->node_bitmap, pooled->node_bitmap) &&
	    !host_nodes_overlap(partition->node_bitmap, survey->hosts.any))
		return true;
	seat->shared = bit_copy(partition->node_bitmap);
	if (!seat->shared) {
		survey->status = -1;
		return false;
	}
	bit_and(seat->shared, pooled->node_bitmap);
	if (host_nodes_overlap(seat->shared, survey->hosts.any))
		bit_and_not(seat->shared, survey->hosts.any);
	seat->cpus = count_cpus(seat->shared);
	return seat->cpus || pooled == partition;
}

static void add_seat(struct pool_survey *survey, struct pool_seat *seat,
		      const part_record_t *record)
{
	uint64_t nodes = seat->shared ? (uint64_t)bit_set_count(seat->shared)
				       : record->total_nodes;

	seat->name = strdup(record->name);
	if (!seat->name) {
		FREE_NULL_BITMAP(seat->shared);
		survey->status = -1;
		return;
	}
	seat->order = survey->seen;
	seat->priority = record->priority_job_factor;
	seat->limit = pool_limit_cpus(record, nodes);
	seat->most_jobs = pool_limit_jobs(record);
	if (!seat->queue)
		seat->limit = MIN(seat->limit, seat->cpus);
	survey->seats->list[survey->seats->count++] = *seat;
}

static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct pool_survey *survey = context;
	const struct queue *queue = scopes_queue(survey->settings, record->name);

	survey->seen++;
	if (queue && queue->pool) {
		struct pool_seat seat = { .queue = queue, .pool = queue->pool,
					    .cpus = record->total_cpus };

		if (survey->hosts.any)
			find_shared_nodes(survey, &seat, record, record);
		if (!survey->status)
			add_seat(survey, &seat, record);
		return survey->status;
	}
	for (size_t i = 0; i < survey->settings->pool_count; i++) {
		struct pool_seat seat = { .pool = i + 1 };

		if (find_shared_nodes(survey, &seat, record, survey->first[i]))
			add_seat(survey, &seat, record);
	}
	return survey->status;
}

static int compare_seats(const void *x, const void *y)
{
	const struct pool_seat *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->pool > b->pool) - (a->pool < b->pool);
}

/* Partitions may be replaced once the lock is given back, so only copies are kept. */
static void list_partitions(struct pool_survey *survey)
{
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	size_t count = part_list ? (size_t)list_count(part_list) : 0;
	struct pool_seats *seats = survey->seats;

	survey->first = pools_first_partitions(survey->settings);
	seats->list = calloc(count * survey->settings->pool_count + 1, sizeof(*seats->list));
	if (!survey->first || !seats->list ||
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
	if (seats->count)
		qsort(seats->list, seats->count, sizeof(*seats->list), compare_seats);
}

void pool_seats_clear(struct pool_seats *seats)
{
	for (size_t i = 0; i < seats->count; i++) {
		free(seats->list[i].name);
		FREE_NULL_BITMAP(seats->list[i].shared);
	}
	free(seats->list);
	*seats = (struct pool_seats){ 0 };
}

/* Returns the first seat of a partition. NULL: the partition has nothing to do with a pool. */
static struct pool_seat *find_first_seat(const struct pool_seats *seats, const char *name)
{
	size_t low = 0, high = seats->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(seats->list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < seats->count && !strcmp(seats->list[low].name, name) ? &seats->list[low]
									    : NULL;
}

/* Returns the next seat of the same partition. NULL: that was the last. */
static struct pool_seat *next_seat(const struct pool_seats *seats, struct pool_seat *seat)
{
	struct pool_seat *next = seat + 1;

	return next < seats->list + seats->count && !strcmp(next->name, seat->name) ? next
										       : NULL;
}

/* ---- count CPUs of jobs ---------------------------------------------------------- */

/* A job array counts once for each task that has not become a job of its own. */
static uint64_t count_tasks(const job_record_t *job)
{
	return job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt : 1;
}

static void add_wanted(const struct pool_seats *seats, const part_record_t *record,
		       const job_record_t *job)
{
	struct pool_seat *seat = record ? find_first_seat(seats, record->name) : NULL;

	for (; seat; seat = next_seat(seats, seat)) {
		seat->wanted += count_tasks(job) * job->details->min_cpus;
		seat->pending += count_tasks(job);
	}
}

/* A pending job counts in each partition where it may run. A held job does not count. */
static void count_pending(const struct pool_seats *seats, const job_record_t *job)
{
	compat_iterator iterator;
	part_record_t *record;

	if (!job->priority || !job->details)
		return;
	if (!job->part_ptr_list) {
		add_wanted(seats, job->part_ptr, job);
		return;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((record = list_next(iterator)))
		add_wanted(seats, record, job);
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

static void count_running(const struct pool_seats *seats, const job_record_t *job)
{
	struct pool_seat *seat =
		job->part_ptr ? find_first_seat(seats, job->part_ptr->name) : NULL;

	for (; seat; seat = next_seat(seats, seat)) {
		seat->in_use += seat->shared ? count_cpus_on(job, seat->shared)
					       : job->total_cpus;
		seat->running++;
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
		count_pending(survey->seats, job);
	else if (IS_JOB_RUNNING(job))
		count_running(survey->seats, job);
}

static void begin_list(void *context)
{
	struct pool_survey *survey = context;

	pool_seats_clear(survey->seats);
	survey->seen = 0;
	list_partitions(survey);
}

/* GrpJobs in CPUs: pending jobs beyond it want nothing, the others the average of all. */
static void limit_jobs(struct pool_seat *seat)
{
	uint64_t most;

	if (seat->most_jobs == FATHOM_NO_LIMIT || !seat->pending)
		return;
	most = seat->most_jobs > seat->running ? seat->most_jobs - seat->running : 0;
	if (most < seat->pending)
		seat->limit = MIN(seat->limit, seat->in_use + (seat->wanted * most +
								  seat->pending - 1) /
								 seat->pending);
}

int pool_seats_count(struct pool_seats *seats, const struct settings *settings)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK,
						.part = READ_LOCK };
	static const struct sliced_walk walk = { .list = &job_list, .locks = &locks,
						 .begin_list = begin_list };
	struct pool_survey survey = { .settings = settings, .seats = seats };

	*seats = (struct pool_seats){ 0 };
	sliced_walk(&walk, (struct list_walk_stages){ .work = count_job }, &survey);
	for (size_t i = 0; !survey.status && i < seats->count; i++)
		limit_jobs(&seats->list[i]);
	return survey.status;
}
