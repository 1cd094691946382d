/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of a pass: list the seats of all pools (pool_seats_list), count what jobs of each seat
 * hold and want (count_jobs), take over what the same seat has used before (renew_use), and divide
 * each pool by fathom_pool_allocate() (divide_pool).
 */
#include "partitions/pools.h"

#include "base/slurm_locks.h"
#include "partitions/partition_records.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- find seats ------------------------------------------------------------------- */

/* Returns the first seat of a partition. NULL: it has no seat in any pool. */
static struct pool_seat *find_first(const struct pool_seats *seats, const char *name)
{
	size_t first = name_index_get(&seats->first, piece_of(name));

	return first == NAME_INDEX_NONE ? NULL : &seats->list[first];
}

/* Returns the next seat of the same partition. NULL: that was the last. */
static struct pool_seat *find_next(const struct pool_seats *seats, struct pool_seat *seat)
{
	struct pool_seat *next = seat + 1;

	return next < seats->list + seats->count && !strcmp(next->name, seat->name) ? next : NULL;
}

/* Returns the seat of a partition with this `outside`, see struct pool_seat. NULL: it has no such
 * seat. */
static struct pool_seat *find_seat(const struct pool_seats *seats, const char *name, size_t outside)
{
	struct pool_seat *seat = find_first(seats, name);

	while (seat && seat->outside != outside)
		seat = find_next(seats, seat);
	return seat;
}

void pool_seats_clear(struct pool_seats *seats)
{
	name_index_clear(&seats->first);
	for (size_t i = 0; i < seats->count; i++) {
		free(seats->list[i].name);
		FREE_NULL_BITMAP(seats->list[i].shared);
	}
	free(seats->list);
	*seats = (struct pool_seats){ 0 };
}

/* Adds a copy of a seat to the list, which must have room for it, and gives it the name of the
 * partition. Seats of one partition must be added one after another. Returns -1 if out of memory.
 * The function takes over seat.shared in each case. */
static int add_seat(struct pool_seats *seats, struct pool_seat seat, const char *name)
{
	seat.name = strdup(name);
	if (!seat.name) {
		FREE_NULL_BITMAP(seat.shared);
		return -1;
	}
	seats->list[seats->count++] = seat;
	return find_first(seats, name) ? 0 : name_index_put(&seats->first, piece_of(seat.name),
							    seats->count - 1, NULL);
}

int pool_seats_restore(struct pool_seats *seats, const char *name, size_t outside, double seconds)
{
	struct pool_seat restored = { .outside = outside, .use.seconds = seconds,
				      .is_restored = true };
	struct pool_seat *list = realloc(seats->list, (seats->count + 1) * sizeof(*list));

	if (!list)
		return -1;
	seats->list = list;
	return add_seat(seats, restored, name);
}

/* ---- the limits of a partition, in place of LSF's QJOB_LIMIT and MAX_SLOTS --------- */

/* Returns MaxCPUsPerNode of the partition, or FATHOM_NO_LIMIT. */
static uint64_t cpus_per_node(const part_record_t *record)
{
	uint32_t most = record->max_cpus_per_node;

	return !most || most == INFINITE || most == NO_VAL ? FATHOM_NO_LIMIT : most;
}

/* Returns GrpTRES of the partition's QOS for a TRES, or FATHOM_NO_LIMIT. tres: slurmctld's index.
 * The caller holds QOS read. */
static uint64_t qos_limit(const part_record_t *record, uint32_t tres)
{
	const slurmdb_qos_rec_t *qos = record->qos_ptr;
	uint64_t most = qos && qos->grp_tres_ctld ? qos->grp_tres_ctld[tres] : INFINITE64;

	return most == INFINITE64 || most == NO_VAL64 ? FATHOM_NO_LIMIT : most;
}

/* Returns the CPUs that the partition may use on `nodes` of its nodes, by MaxCPUsPerNode. Each node
 * counts as the average, rounded up. */
static uint64_t cpus_of_nodes(const part_record_t *record, uint64_t nodes)
{
	uint64_t all = record->total_nodes, average = 0;

	if (all)
		average = (record->total_cpus + all - 1) / all;
	return nodes * MIN(average, cpus_per_node(record));
}

/* Returns how many CPUs a partition may use, by MaxCPUsPerNode and by GrpTRES of its QOS; or
 * FATHOM_NO_LIMIT. nodes: how many nodes it has in the pool. */
static uint64_t limit_of_cpus(const part_record_t *record, uint64_t nodes)
{
	uint64_t per_node = cpus_per_node(record);
	uint64_t most_nodes = qos_limit(record, TRES_ARRAY_NODE);
	uint64_t most = qos_limit(record, TRES_ARRAY_CPU);

	if (per_node != FATHOM_NO_LIMIT)
		most = MIN(most, nodes * per_node);
	if (most_nodes < nodes)		/* GrpTRES=node limits CPUs, too */
		most = MIN(most, cpus_of_nodes(record, most_nodes));
	return most;
}

/* Returns how many jobs of the partition may run, by GrpJobs of its QOS; or FATHOM_NO_LIMIT. */
static uint64_t limit_of_jobs(const part_record_t *record)
{
	const slurmdb_qos_rec_t *qos = record->qos_ptr;

	return !qos || qos->grp_jobs == INFINITE || qos->grp_jobs == NO_VAL ? FATHOM_NO_LIMIT
									   : qos->grp_jobs;
}

/* ---- list seats -------------------------------------------------------------------- */

/* What the functions below list seats by: the parameters of pool_seats_list(). */
struct pool_survey {
	const struct settings *settings;
	char *const *void_pool;	/* by pool; NULL: it is not void */
	bitstr_t *scope_nodes;	/* nodes of scopes, which take no part in pools; or NULL */
	struct pool_seats *seats;	/* the result */
};

/* Returns the CPUs of a set of slurmctld's nodes. */
static uint64_t cpus_of_set(bitstr_t *nodes)
{
	uint64_t cpus = 0;

	for (int i = 0; node_record_table_ptr && i < MIN(node_record_count, bit_size(nodes)); i++)
		if (bit_test(nodes, i) && node_record_table_ptr[i])
			cpus += node_record_table_ptr[i]->cpus;
	return cpus;
}

/* Sets seat->shared and cpus: the nodes that the partition shares with the pool, without those of
 * scopes. pooled: a partition of the pool, all of which have the same nodes. Returns -1 if out of
 * memory. */
static int find_shared_nodes(const struct pool_survey *survey, struct pool_seat *seat,
			     const part_record_t *partition, const part_record_t *pooled)
{
	bool all_in_pool = bit_super_set(partition->node_bitmap, pooled->node_bitmap);

	seat->cpus = partition->total_cpus;
	if (all_in_pool && !host_nodes_overlap(partition->node_bitmap, survey->scope_nodes))
		return 0;
	seat->shared = bit_copy(partition->node_bitmap);
	if (!seat->shared)
		return -1;
	bit_and(seat->shared, pooled->node_bitmap);
	if (host_nodes_overlap(seat->shared, survey->scope_nodes))
		bit_and_not(seat->shared, survey->scope_nodes);
	seat->cpus = cpus_of_set(seat->shared);
	return 0;
}

/* Adds the seat of a partition in a pool, unless it has neither nodes nor a share there. pool: 1 +
 * its index. queue: NULL if the partition has no share of the pool. pooled: a partition of the
 * pool, or NULL if slurmctld has none. Returns -1 if out of memory. */
static int list_seat(const struct pool_survey *survey, size_t pool, const part_record_t *record,
		     const struct queue *queue, const part_record_t *pooled)
{
	bool has_nodes = pooled && host_nodes_overlap(record->node_bitmap, pooled->node_bitmap);
	struct pool_seat seat = {
		.pool = pool, .outside = queue ? 0 : pool,
		.share = queue ? queue->share->share : 0,
		.priority = record->priority_job_factor, .cpus = record->total_cpus,
		.most_jobs = limit_of_jobs(record),
	};
	uint64_t nodes;

	if (has_nodes && find_shared_nodes(survey, &seat, record, pooled))
		return -1;
	if (!queue && (!has_nodes || !seat.cpus)) {
		FREE_NULL_BITMAP(seat.shared);
		return 0;
	}
	nodes = seat.shared ? (uint64_t)bit_set_count(seat.shared) : record->total_nodes;
	seat.limit = limit_of_cpus(record, nodes);
	if (!queue)
		seat.limit = MIN(seat.limit, seat.cpus);
	return add_seat(survey->seats, seat, record->name);
}

/* Adds all seats of a partition: one in its own pool; or, if it has no pool or that is void, one in
 * each pool that has some of its nodes. A void pool has no seats. first: by pool: a partition of
 * the pool; NULL: slurmctld has none. Returns -1 if out of memory. */
static int list_seats_of(const struct pool_survey *survey, const part_record_t *record,
			 const part_record_t *const *first)
{
	const struct queue *queue = scopes_queue(survey->settings, record->name);
	int status = 0;

	if (queue && queue->pool && !survey->void_pool[queue->pool - 1])
		return list_seat(survey, queue->pool, record, queue, record);
	for (size_t i = 0; !status && i < survey->settings->pool_count; i++)
		if (!survey->void_pool[i])
			status = list_seat(survey, i + 1, record, NULL, first[i]);
	return status;
}

int pool_seats_list(struct pool_seats *seats, const struct settings *settings,
		    char *const *void_pool, const part_record_t *const *records, size_t count,
		    bitstr_t *scope_nodes)
{
	const struct pool_survey survey = { .settings = settings, .void_pool = void_pool,
					    .scope_nodes = scope_nodes, .seats = seats };
	const part_record_t *first[settings->pool_count + 1];
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	int status = 0;

	if (!settings->pool_count)
		return 0;
	seats->list = calloc(count * settings->pool_count + 1, sizeof(*seats->list));
	if (!seats->list)
		return -1;
	for (size_t i = 0; i < settings->pool_count; i++)
		first[i] = find_part_record(settings->pool[i]->partition);
	locks_take(NULL, &locks);
	for (size_t i = 0; !status && i < count; i++)
		status = list_seats_of(&survey, records[i], first);
	locks_release(NULL, &locks);
	return status;
}

/* ---- count CPUs of jobs ---------------------------------------------------------- */

/* Returns how many jobs a pending record stands for: a job array has one record for all tasks that
 * have not become jobs of their own. */
static uint64_t count_tasks(const job_record_t *job)
{
	return job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt : 1;
}

/* Adds what a pending job requests to all seats of a partition. */
static void add_wanted(const struct pool_seats *seats, const part_record_t *record,
		       const job_record_t *job)
{
	struct pool_seat *seat = record ? find_first(seats, record->name) : NULL;

	for (; seat; seat = find_next(seats, seat)) {
		seat->wanted += count_tasks(job) * job->details->min_cpus;
		seat->pending += count_tasks(job);
	}
}

/* Counts a pending job in each partition where it may run, unless the job is held. */
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

/* Returns the CPUs that a running job has on some nodes. resources->cpus has an entry for each node
 * of the job, in the order of node_bitmap. */
static uint64_t count_cpus_on(const job_record_t *job, bitstr_t *nodes)
{
	const job_resources_t *resources = job->job_resrcs;
	uint64_t cpus = 0;
	int host = 0;

	/* after a reconfigure in the middle of the walk, nodes may have other numbers */
	if (!resources || !resources->node_bitmap || !resources->cpus ||
	    bit_size(resources->node_bitmap) != bit_size(nodes))
		return job->total_cpus;
	for (int i = MAX(bit_ffs(resources->node_bitmap), 0);
	     i < bit_size(nodes) && host < (int)resources->nhosts; i++) {
		if (!bit_test(resources->node_bitmap, i))
			continue;
		if (bit_test(nodes, i))
			cpus += resources->cpus[host];
		host++;
	}
	return cpus;
}

/* Counts a running job at all seats of its partition, with the CPUs that it has on their nodes. */
static void count_running(const struct pool_seats *seats, const job_record_t *job)
{
	struct pool_seat *seat = job->part_ptr ? find_first(seats, job->part_ptr->name) : NULL;

	for (; seat; seat = find_next(seats, seat)) {
		seat->use.in_use += seat->shared ? count_cpus_on(job, seat->shared)
						 : job->total_cpus;
		seat->running++;
	}
}

/* Counts a job, unless it is suspended; context: the seats. */
static void count_job(void *item, size_t at, void *context)
{
	const struct pool_seats *seats = context;
	const job_record_t *job = item;

	if (IS_JOB_PENDING(job))
		count_pending(seats, job);
	else if (IS_JOB_RUNNING(job))
		count_running(seats, job);
}

/* Begins to count anew; slurmctld may have replaced the list in the middle of a walk. */
static void begin_list(void *context)
{
	const struct pool_seats *seats = context;

	for (size_t i = 0; i < seats->count; i++) {
		struct pool_seat *seat = &seats->list[i];

		seat->use.in_use = seat->wanted = seat->running = seat->pending = 0;
	}
}

/* Limits the CPUs of a seat by its limit of jobs (GrpJobs): to the CPUs that jobs hold, and the
 * average wish of a pending job for each job that may still start. With 2 running jobs on 10 CPUs,
 * GrpJobs=3, and 4 pending jobs that want 8 CPUs together, the limit is 10 + 8 / 4 = 12. */
static void apply_job_limit(struct pool_seat *seat)
{
	uint64_t may_start, wanted;

	if (seat->most_jobs == FATHOM_NO_LIMIT || !seat->pending)
		return;
	may_start = seat->most_jobs > seat->running ? seat->most_jobs - seat->running : 0;
	if (may_start >= seat->pending)
		return;
	wanted = (seat->wanted * may_start + seat->pending - 1) / seat->pending;
	seat->limit = MIN(seat->limit, seat->use.in_use + wanted);
}

/* Counts all jobs at their seats. Takes job, node and part read in slices. */
static void count_jobs(struct pool_seats *seats)
{
	const struct sliced_walk walk = {
		.list = &job_list,
		.locks = WALK_LOCKS(.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK),
		.begin_list = begin_list, .small_blocks = true,
	};

	sliced_walk(&walk, (struct list_walk_stages){ .work = count_job }, seats);
}

/* ---- divide pools ------------------------------------------------------------------ */

/* Sets what a seat has used up to `now`: what the same seat had used in the last pass (before),
 * decayed, and what its jobs have held since then. Of a seat from the state file it is not known
 * what its jobs held: the jobs that run now are taken to have run since the state was saved.
 * half_life: seconds. */
static void renew_use(struct pool_seat *seat, const struct pool_seats *before, time_t now,
		      double half_life)
{
	const struct pool_seat *same = find_seat(before, seat->name, seat->outside);
	struct pool_use use;

	if (!same)
		return;
	use = same->use;
	if (same->is_restored)
		use.in_use = seat->use.in_use;
	seat->use.seconds = pool_used_until(&use, (double)before->time, (double)now, half_life);
}

/* Returns a seat in the form in which the library divides pools. */
static struct fathom_pool_queue pool_queue_of(const struct pool_seat *seat)
{
	return (struct fathom_pool_queue){
		.in_pool = !seat->outside,
		.share = seat->share,
		.demand = seat->use.in_use + seat->wanted,
		.limit = seat->limit,
		.priority = seat->priority,
		.used = seat->use.seconds,
	};
}

/* Makes queues of the division from the seats of a pool, and sets its slots, the most CPUs of a
 * partition of the pool: all of these have the same nodes. number: 1 + index of the pool. Returns
 * -1 if out of memory. */
static int list_queues(struct pool_division *division, const struct pool_seats *seats,
		       size_t number)
{
	size_t count = 0;

	for (size_t i = 0; i < seats->count; i++)
		count += seats->list[i].pool == number;
	if (pool_division_create(division, count))
		return -1;
	count = 0;
	for (size_t i = 0; i < seats->count; i++) {
		const struct pool_seat *seat = &seats->list[i];

		if (seat->pool != number)
			continue;
		division->queue[count] = pool_queue_of(seat);
		division->queue_name[count] = strdup(seat->name);
		if (!division->queue_name[count++])
			return -1;
		if (!seat->outside)
			division->slots = MAX(division->slots, seat->cpus);
	}
	return 0;
}

/* Divides a pool; conf: its first line in fathom.conf; number: 1 + its index. Returns -1 if out of
 * memory. */
static int divide_pool(struct pool_division *division, const struct conf_slot_share *conf,
		       const struct pool_seats *seats, size_t number)
{
	struct fathom_pool pool = { .use_priority = conf->use_priority,
				    .max_slots = FATHOM_NO_LIMIT };
	uint64_t free_cpus;	/* a result that is not used */

	if (list_queues(division, seats, number))
		return -1;
	division->name = strdup(conf->pool);
	division->use_priority = pool.use_priority;
	pool.slots = division->slots;
	if (conf->max_slots > 0)
		pool.max_slots = (uint64_t)conf->max_slots;
	return division->name ? fathom_pool_allocate(&pool, division->queue, division->count,
						     division->grant, &free_cpus, NULL) : -1;
}

int pools_divide(struct pool_division *division, const struct settings *settings,
		 struct pool_seats *seats, const struct pool_seats *before)
{
	if (!settings->pool_count)
		return 0;
	count_jobs(seats);
	for (size_t i = 0; i < seats->count; i++) {
		apply_job_limit(&seats->list[i]);
		renew_use(&seats->list[i], before, seats->time, settings->half_life);
	}
	for (size_t i = 0; i < settings->pool_count; i++)
		if (divide_pool(&division[i], settings->pool[i], seats, i + 1))
			return -1;
	return 0;
}
