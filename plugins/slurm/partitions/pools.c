/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pools.h"

#include "walk/list_walk.h"
#include "walk/slice.h"

#include <stdlib.h>
#include <string.h>

void slot_uses_clear(struct slot_uses *uses)
{
	for (size_t i = 0; i < uses->count; i++)
		free(uses->list[i].name);
	free(uses->list);
	*uses = (struct slot_uses){ 0 };
}

/* ---- partitions with jobs on the nodes of pools --------------------------------------- */

struct place {
	char *name;
	const struct queue *queue;	/* NULL: outside, on nodes of a pool */
	size_t pool;
	double priority;
	uint64_t cpus, in_use, wanted;
};

struct places {
	const struct settings *settings;
	const part_record_t **first;	/* by pool; only while partitions are listed */
	struct place *list;	/* by name */
	size_t count;
	bool failed;
};

static int compare_places(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	return strcmp(a->name, b->name);
}

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

static bool is_within(const part_record_t *record, const part_record_t *pooled)
{
	return record->node_bitmap && pooled && pooled->node_bitmap &&
	       bit_super_set(record->node_bitmap, pooled->node_bitmap);
}

/* The pool that has all nodes of the partition; 0: none. */
static size_t pool_around(const struct places *places, const part_record_t *record)
{
	for (size_t i = 0; i < places->settings->pool_count; i++)
		if (is_within(record, places->first[i]))
			return i + 1;
	return 0;
}

static int add_place(void *item, void *context)
{
	const part_record_t *record = item;
	struct places *places = context;
	const struct queue *queue = scopes_queue(places->settings, record->name);
	struct place place = { .queue = queue && queue->pool ? queue : NULL,
			       .priority = record->priority_job_factor,
			       .cpus = record->total_cpus };

	place.pool = place.queue ? queue->pool : pool_around(places, record);
	if (!place.pool)
		return 0;
	place.name = strdup(record->name);
	if (!place.name) {
		places->failed = true;
		return -1;
	}
	places->list[places->count++] = place;
	return 0;
}

static int list_places(struct places *places, const struct settings *settings)
{
	size_t count = part_list ? (size_t)list_count(part_list) : 0;
	bool complete;

	*places = (struct places){ .settings = settings,
				   .first = pools_first_partitions(settings),
				   .list = calloc(count + 1, sizeof(*places->list)) };
	complete = places->first && places->list;
	if (complete && count)
		list_for_each(part_list, add_place, places);
	free(places->first);	/* partitions may be replaced once the lock is given back */
	places->first = NULL;
	if (!complete)
		return -1;
	qsort(places->list, places->count, sizeof(*places->list), compare_places);
	return places->failed ? -1 : 0;
}

static void places_clear(struct places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->list[i].name);
	free(places->list);
}

static struct place *find_place(const struct places *places, const part_record_t *record)
{
	struct place wanted = { .name = record ? record->name : NULL };

	if (!wanted.name)
		return NULL;
	return bsearch(&wanted, places->list, places->count, sizeof(wanted), compare_places);
}

/* ---- jobs ---------------------------------------------------------------------------- */

/* Each task of a job array counts that has not been split off yet. */
static uint64_t cpus_wanted(const job_record_t *job)
{
	uint64_t tasks = job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt
								      : 1;

	return tasks * job->details->min_cpus;
}

static void want(const struct places *places, const part_record_t *record, uint64_t cpus)
{
	struct place *place = find_place(places, record);

	if (place)
		place->wanted += cpus;
}

/* A waiting job counts in each partition in which it may run; a held one does not count. */
static void count_pending(const struct places *places, const job_record_t *job)
{
	compat_iterator iterator;
	part_record_t *record;

	if (!job->priority || !job->details)
		return;
	if (!job->part_ptr_list) {
		want(places, job->part_ptr, cpus_wanted(job));
		return;
	}
	iterator = list_iterator_create(job->part_ptr_list);
	while ((record = list_next(iterator)))
		want(places, record, cpus_wanted(job));
	list_iterator_destroy(iterator);
}

static void count_job(void *item, size_t at, void *context)
{
	const struct places *places = context;
	const job_record_t *job = item;
	struct place *place;

	(void)at;
	if (IS_JOB_PENDING(job))
		count_pending(places, job);
	else if (IS_JOB_RUNNING(job) && (place = find_place(places, job->part_ptr)))
		place->in_use += job->total_cpus;
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

static int count_jobs(struct places *places, const struct settings *settings)
{
	static const struct list_walk_stages stages = { fetch_job, follow_job, NULL,
						       count_job };
	slurmctld_lock_t locks = { .job = READ_LOCK, .part = READ_LOCK };
	struct list_walk walk = { 0 };
	bool more = true;
	int status = 0;

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
	return status;
}

/* ---- what was used ---------------------------------------------------------------------- */

static int compare_uses(const void *x, const void *y)
{
	const struct slot_use *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* What the partition has used by `now`: `use`, decayed, and the CPUs held since. */
static double used_by(const struct slot_uses *uses, const struct slot_use *use, double half_life,
		      time_t now)
{
	double begin = (double)uses->time, end = (double)MAX(now, uses->time);

	return use->used * fathom_decay(end - begin, half_life) +
	       (double)use->in_use * fathom_decayed_seconds(begin, end, end, half_life);
}

/* Replaces `uses` by the partitions in `places`, in the same order. */
static int renew_uses(struct slot_uses *uses, const struct places *places, double half_life,
		      time_t now)
{
	struct slot_uses fresh = { .time = MAX(now, uses->time),
				   .list = calloc(places->count + 1, sizeof(*fresh.list)) };

	if (!fresh.list)
		return -1;
	for (size_t i = 0; i < places->count; i++) {
		struct slot_use *use = &fresh.list[fresh.count];
		const struct slot_use *before;

		use->name = strdup(places->list[i].name);
		if (!use->name) {
			slot_uses_clear(&fresh);
			return -1;
		}
		use->in_use = places->list[i].in_use;
		before = uses->count ? bsearch(use, uses->list, uses->count, sizeof(*use),
					       compare_uses) : NULL;
		if (before)
			use->used = used_by(uses, before, half_life, now);
		fresh.count++;
	}
	slot_uses_clear(uses);
	*uses = fresh;
	return 0;
}

/* ---- one pool ----------------------------------------------------------------------------- */

/* The partitions of a pool, and those outside it on its nodes. */
struct pool_members {
	struct fathom_pool_queue *queue;
	struct fathom_pool_grant *grant;
	const struct place **place;
	size_t count;
};

/* In the order of fathom.conf; partitions outside the pool come last. */
static int compare_order(const void *x, const void *y)
{
	const struct place *a = *(const struct place *const *)x;
	const struct place *b = *(const struct place *const *)y;
	size_t a_order = a->queue ? a->queue->order : SIZE_MAX;
	size_t b_order = b->queue ? b->queue->order : SIZE_MAX;

	return a_order != b_order ? (a_order > b_order) - (a_order < b_order) : (a > b) - (a < b);
}

static void list_members(struct pool_members *members, const struct places *places,
			 const struct slot_uses *uses, size_t pool)
{
	members->count = 0;
	for (size_t i = 0; i < places->count; i++)
		if (places->list[i].pool == pool)
			members->place[members->count++] = &places->list[i];
	qsort(members->place, members->count, sizeof(*members->place), compare_order);
	for (size_t i = 0; i < members->count; i++) {
		const struct place *place = members->place[i];

		members->queue[i] = (struct fathom_pool_queue){
			.in_pool = place->queue,
			.share = place->queue ? place->queue->share : 0,
			.demand = place->in_use + place->wanted,
			.limit = FATHOM_NO_LIMIT,
			.priority = place->priority,
			.used = uses->list[place - places->list].used,
		};
	}
}

static uint64_t slots_of(const struct pool_members *members)
{
	uint64_t slots = 0;

	for (size_t i = 0; i < members->count; i++)
		if (members->place[i]->queue)
			slots = MAX(slots, members->place[i]->cpus);
	return slots;
}

/* A partition that may yet take more CPUs goes before one that may take fewer. */
static void place_members(const struct pool_members *members, const struct settings *settings,
			  uint64_t slots, struct partition_class *class)
{
	for (size_t i = 0; i < members->count; i++) {
		const struct fathom_pool_grant *grant = &members->grant[i];
		const struct place *place = members->place[grant->queue - members->queue];
		uint64_t rest = grant->got > place->in_use ? grant->got - place->in_use : 0;

		if (place->queue)
			class[place->queue - settings->queue] =
				(struct partition_class){ (size_t)rest, (size_t)slots + 1 };
	}
}

static int copy_division(const struct pool_members *members, const struct pool *pool,
			 uint64_t slots, struct pool_division *division)
{
	size_t size = members->count * sizeof(*division->queue);

	if (pool_division_create(division, members->count))
		return -1;
	division->slots = slots;
	division->name = strdup(pool->name);
	memcpy(division->queue, members->queue, size);
	for (size_t i = 0; i < members->count; i++) {
		division->queue_name[i] = strdup(members->place[i]->name);
		division->grant[i] = members->grant[i];
		division->grant[i].queue =
			division->queue + (members->grant[i].queue - members->queue);
		if (!division->queue_name[i])
			return -1;
	}
	return division->name ? 0 : -1;
}

static int divide_all(struct pool_members *members, const struct places *places,
		      const struct slot_uses *uses, struct partition_class *class,
		      struct divided_pools *pools)
{
	const struct settings *settings = places->settings;

	for (size_t pool = 1; pool <= settings->pool_count; pool++) {
		const struct pool *of = &settings->pool[pool - 1];
		struct fathom_pool sizes = { .use_priority = of->use_priority,
					     .max_slots = of->max_slots };
		uint64_t left;

		list_members(members, places, uses, pool);
		sizes.slots = slots_of(members);
		if (fathom_pool_allocate(&sizes, members->queue, members->count, members->grant,
					 &left, NULL) ||
		    copy_division(members, of, sizes.slots, &pools->list[pool - 1]))
			return -1;
		place_members(members, settings, sizes.slots, class);
	}
	return 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* -1: out of memory. */
static int divide_counted(const struct places *places, const struct slot_uses *uses,
			  struct partition_class *class, struct divided_pools *pools)
{
	struct pool_members members = {
		.queue = calloc(places->count + 1, sizeof(*members.queue)),
		.grant = calloc(places->count + 1, sizeof(*members.grant)),
		.place = calloc(places->count + 1, sizeof(*members.place)),
	};
	int status = -1;

	if (members.queue && members.grant && members.place)
		status = divide_all(&members, places, uses, class, pools);
	free(members.queue);
	free(members.grant);
	free(members.place);
	return status;
}

struct divided_pools *pools_divide(struct slot_uses *uses, const struct settings *settings,
				   time_t now, struct partition_class *class)
{
	struct divided_pools *pools = divided_pools_create(settings->pool_count);
	struct places places = { .settings = settings };

	if (!pools || count_jobs(&places, settings) ||
	    renew_uses(uses, &places, settings->half_life, now) ||
	    divide_counted(&places, uses, class, pools)) {
		divided_pools_release(pools);
		pools = NULL;
	}
	places_clear(&places);
	return pools;
}
