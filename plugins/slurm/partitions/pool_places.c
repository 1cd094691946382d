/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pool_places.h"

#include "partitions/pool_limits.h"
#include "walk/list_walk.h"
#include "walk/slice.h"

#include <stdlib.h>
#include <string.h>

/* ---- partitions ----------------------------------------------------------------------- */

/* Partitions while they are listed. */
struct listing {
	const struct settings *settings;
	const part_record_t **first;	/* by pool */
	struct pool_places *places;
	size_t seen;		/* partitions */
	bool failed;
};

const part_record_t **pools_first_partitions(const struct settings *settings)
{
	const part_record_t **first = calloc(settings->pool_count + 1, sizeof(*first));
	size_t order[settings->pool_count + 1];

	for (size_t i = 0; first && i < settings->queue_count; i++) {
		const struct queue *queue = &settings->queue[i];
		size_t pool = queue->pool - 1;

		if (!queue->pool || (first[pool] && order[pool] < queue->order))
			continue;
		first[pool] = find_part_record(queue->name);
		order[pool] = queue->order;
	}
	return first;
}

static uint64_t cpus_of(bitstr_t *nodes)
{
	uint64_t cpus = 0;

	for (int i = 0; node_record_table_ptr && i < MIN(node_record_count, bit_size(nodes)); i++)
		if (bit_test(nodes, i) && node_record_table_ptr[i])
			cpus += node_record_table_ptr[i]->cpus;
	return cpus;
}

/* Sets the nodes of a partition that belong to the pool. False: there are none, or no memory. */
static bool share_nodes(struct listing *listing, struct pool_place *place,
			const part_record_t *record, const part_record_t *pooled)
{
	if (!record->node_bitmap || !pooled || !pooled->node_bitmap ||
	    !bit_overlap_any(record->node_bitmap, pooled->node_bitmap))
		return false;
	place->cpus = record->total_cpus;
	if (bit_super_set(record->node_bitmap, pooled->node_bitmap))
		return true;
	place->shared = bit_copy(record->node_bitmap);
	if (!place->shared) {
		listing->failed = true;
		return false;
	}
	bit_and(place->shared, pooled->node_bitmap);
	place->cpus = cpus_of(place->shared);
	return true;
}

static void append(struct listing *listing, struct pool_place *place, const part_record_t *record)
{
	uint64_t nodes = place->shared ? (uint64_t)bit_set_count(place->shared)
				       : record->total_nodes;

	place->name = strdup(record->name);
	listing->failed |= !place->name;
	place->order = listing->seen;
	place->priority = record->priority_job_factor;
	place->limit = pool_limit_cpus(record, nodes);
	place->most_jobs = pool_limit_jobs(record);
	if (!place->queue)
		place->limit = MIN(place->limit, place->cpus);
	listing->places->list[listing->places->count++] = *place;
}

static int add_places(void *item, void *context)
{
	const part_record_t *record = item;
	struct listing *listing = context;
	const struct queue *queue = scopes_queue(listing->settings, record->name);

	listing->seen++;
	if (queue && queue->pool) {
		struct pool_place place = { .queue = queue, .pool = queue->pool,
					    .cpus = record->total_cpus };

		append(listing, &place, record);
		return 0;
	}
	for (size_t pool = 1; pool <= listing->settings->pool_count; pool++) {
		struct pool_place place = { .pool = pool };

		if (share_nodes(listing, &place, record, listing->first[pool - 1]))
			append(listing, &place, record);
	}
	return 0;
}

static int compare_places(const void *x, const void *y)
{
	const struct pool_place *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->pool > b->pool) - (a->pool < b->pool);
}

static int list_places(struct pool_places *places, const struct settings *settings)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	struct listing listing = { .settings = settings, .places = places,
				   .first = pools_first_partitions(settings) };
	size_t count = part_list ? (size_t)list_count(part_list) : 0;

	places->list = calloc(count * settings->pool_count + 1, sizeof(*places->list));
	if (!listing.first || !places->list) {
		free(listing.first);
		return -1;
	}
	assoc_mgr_lock(&locks);
	if (count)
		list_for_each(part_list, add_places, &listing);
	assoc_mgr_unlock(&locks);
	free(listing.first);
	if (listing.failed)
		return -1;
	qsort(places->list, places->count, sizeof(*places->list), compare_places);
	return 0;
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

/* The first place of a partition; NULL: it has none. */
static struct pool_place *find_places(const struct pool_places *places, const char *name)
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

/* The next place of the same partition; NULL: that was the last. */
static struct pool_place *next_place(const struct pool_places *places, struct pool_place *place)
{
	struct pool_place *next = place + 1;

	return next < places->list + places->count && !strcmp(next->name, place->name) ? next
										       : NULL;
}

/* ---- jobs ---------------------------------------------------------------------------- */

/* Each task of a job array counts that has not been split off yet. */
static uint64_t tasks_of(const job_record_t *job)
{
	return job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt : 1;
}

static void want(const struct pool_places *places, const part_record_t *record,
		 const job_record_t *job)
{
	struct pool_place *place = record ? find_places(places, record->name) : NULL;

	for (; place; place = next_place(places, place)) {
		place->wanted += tasks_of(job) * job->details->min_cpus;
		place->pending += tasks_of(job);
	}
}

/* A waiting job counts in each partition in which it may run; a held one does not count. */
static void count_pending(const struct pool_places *places, const job_record_t *job)
{
	compat_iterator iterator;
	part_record_t *record;

	if (!job->priority || !job->details)
		return;
	if (!job->part_ptr_list) {
		want(places, job->part_ptr, job);
		return;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((record = list_next(iterator)))
		want(places, record, job);
	list_iterator_destroy(iterator);
}

/* The CPUs that a running job has on some nodes. */
static uint64_t cpus_on(const job_record_t *job, bitstr_t *nodes)
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
	struct pool_place *place = job->part_ptr ? find_places(places, job->part_ptr->name) : NULL;

	for (; place; place = next_place(places, place)) {
		place->in_use += place->shared ? cpus_on(job, place->shared) : job->total_cpus;
		place->running++;
	}
}

static void count_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at;
	if (IS_JOB_PENDING(job))
		count_pending(context, job);
	else if (IS_JOB_RUNNING(job))
		count_running(context, job);
}

static void fetch_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	prefetch(&job->job_state);
	prefetch_fields(job, part_ptr, priority);
	prefetch(&job->details);
}

static void follow_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	if (job->details)
		prefetch(&job->details->min_cpus);
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
	static const struct list_walk_stages stages = { fetch_job, follow_job, NULL,
						       count_job };
	slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	struct list_walk walk = { 0 };
	bool more = true;
	int status = 0;

	*places = (struct pool_places){ 0 };
	while (more) {
		struct slice slice;

		lock_slurmctld(locks);
		slice = slice_begin();
		if (!walk.begun)
			status = list_places(places, settings);
		do {
			more = list_walk_next(&walk, job_list);
			if (!status)
				list_walk_each(&walk, stages, places);
		} while (more && !slice_is_over(&slice));
		unlock_slurmctld(locks);
		if (more)
			slice_pause();
	}
	for (size_t i = 0; !status && i < places->count; i++)
		limit_jobs(&places->list[i]);
	return status;
}
