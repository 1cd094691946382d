/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the rows of pending jobs in queue order, and lets the library place them. Each scheme whose
 * policy places jobs has a tree, and its partitions are served as one queue.
 */
#include "jobs/job_places.h"

#include "jobs/job_states.h"
#include "memory/need_memory.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

/* ---- who has places --------------------------------------------------------------------- */

static bool places_jobs(const struct scheme_result *scheme)
{
	return fathom_policy_places_jobs(scheme->policy, &scheme->settings);
}

bool job_places_wanted(const struct job_queues *queues)
{
	for (size_t i = 0; i < queues->scheme_count; i++)
		if (places_jobs(&queues->scheme[i]))
			return true;
	return false;
}

static bool has_place(const struct job_queues *queues, const struct row_origin *origin)
{
	const struct scheme_result *by = &queues->scheme[queues->queue[origin->queue].scheme];

	return origin->node != JOB_NO_NODE && origin->job->state == JOB_STATE_PENDING &&
	       isnan(origin->job->fairshare) &&
	       (places_jobs(by) || policy_is_first_come(by->policy));
}

/* ---- queue order ------------------------------------------------------------------------ */

struct pending_row {
	struct job_row *row;
	const struct row_origin *origin;
	double partition_factor, priority;
};

/* The job's priority without its fair share. A formula's has no such part. */
static double own_priority(const struct job_list *list, const struct job_row *row)
{
	double sum = row->weighted.site - (double)row->weighted.nice;

	if (row->is_set)
		return row->priority;
	if (list->formula)
		return 0;
	for (size_t factor = 0; factor < JOB_FACTOR_COUNT; factor++)
		if (factor != JOB_FAIRSHARE)
			sum += row->weighted.factor[factor];
	for (size_t tres = 0; tres < list->tres_count; tres++)
		sum += row->weighted.tres[tres];
	return floor(sum);
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Queue order: priority of the partition, of the job, submission. */
static int compare_pending(const void *first, const void *second)
{
	const struct pending_row *a = first, *b = second;
	const struct job *job = a->origin->job, *other = b->origin->job;
	int order = compare_numbers(b->partition_factor, a->partition_factor);

	if (!order)
		order = compare_numbers(b->priority, a->priority);
	if (!order)
		order = compare_numbers(job->submit_time, other->submit_time);
	if (!order)
		order = (job->id > other->id) - (job->id < other->id);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Lists the rows that have places, in queue order. Returns how many there are. */
static size_t list_pending(const struct job_list *list, const struct row_origin *origin,
			   const struct job_queues *queues, struct pending_row *pending)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (has_place(queues, &origin[i]))
			pending[count++] = (struct pending_row){
				.row = &list->row[i], .origin = &origin[i],
				.partition_factor = queues->queue[origin[i].queue].priority,
				.priority = own_priority(list, &list->row[i]),
			};
	qsort(pending, count, sizeof(*pending), compare_pending);
	return count;
}

/* ---- dispatch --------------------------------------------------------------------------- */

double job_minutes(const struct job *job, const struct jobs_partition *partition)
{
	if (job->time_limit > 0)
		return job->time_limit;
	return partition ? partition->max_time : 0;
}

static struct fathom_pending_job pending_job(const struct row_origin *origin,
					     const struct job_queues *queues)
{
	const struct job *job = origin->job;

	return (struct fathom_pending_job){
		.queue = origin->queue, .node = origin->node,
		.slots = fmax(job->cpus, 1) * fmax(job->array_tasks, 1),
		.time_limit = job_minutes(job, queues->queue[origin->queue].partition) * 60,
		.can_start = !job->held && !job->depends && !job->waits,
	};
}

/* Lists the trees of schemes that place jobs. Returns how many there are. */
static size_t list_trees(const struct job_queues *queues, struct fathom_dispatch_tree *tree)
{
	size_t count = 0;

	for (size_t i = 0; i < queues->scheme_count; i++) {
		const struct scheme_result *scheme = &queues->scheme[i];

		if (places_jobs(scheme))
			tree[count++] = (struct fathom_dispatch_tree){
				scheme->policy, &scheme->settings, scheme->tree };
	}
	return count;
}

/* Queues of one scheme are served as one, unless it is first come, first served. */
static struct fathom_served_queue serve(const struct job_queues *queues, size_t index)
{
	const struct job_queue *queue = &queues->queue[index];
	const struct scheme_result *scheme = &queues->scheme[queue->scheme];
	size_t first = 0;

	while (queues->queue[first].scheme != queue->scheme)
		first++;
	return (struct fathom_served_queue){
		.priority = queue->priority, .is_fairshare = places_jobs(scheme),
		.master = places_jobs(scheme) ? first : FATHOM_NO_SET,
		.queue_first = scheme->queue_first,
	};
}

/* Returns the index of a queue's tree in list_trees(). */
static size_t tree_of(const struct job_queues *queues, const struct job_queue *queue)
{
	size_t tree = 0;

	for (size_t i = 0; i < queue->scheme; i++)
		tree += places_jobs(&queues->scheme[i]);
	return places_jobs(&queues->scheme[queue->scheme]) ? tree : FATHOM_FIRST_COME;
}

size_t job_places_set(struct job_list *list, const struct row_origin *origin,
		      const struct job_queues *queues)
{
	struct pending_row *pending = need_zeros(list->count, sizeof(*pending));
	size_t count = list_pending(list, origin, queues, pending);
	struct fathom_dispatch_tree *tree = need_zeros(queues->scheme_count, sizeof(*tree));
	struct fathom_served_queue *served = need_zeros(queues->count, sizeof(*served));
	size_t *of_queue = need_zeros(queues->count, sizeof(*of_queue));
	struct fathom_pending_job *job = need_zeros(count, sizeof(*job));
	size_t *place = need_zeros(count, sizeof(*place));

	for (size_t i = 0; i < queues->count; i++) {
		served[i] = serve(queues, i);
		of_queue[i] = tree_of(queues, &queues->queue[i]);
	}
	for (size_t i = 0; i < count; i++)
		job[i] = pending_job(pending[i].origin, queues);
	need_done(fathom_dispatch_places(&(struct fathom_pending_jobs){
			.tree = tree, .tree_count = list_trees(queues, tree), .queue = served,
			.tree_of = of_queue, .queue_count = queues->count, .job = job,
			.job_count = count }, place, NULL));
	for (size_t i = 0; i < count; i++)
		pending[i].row->place = (double)place[i];
	free(pending);
	free(tree);
	free(served);
	free(of_queue);
	free(job);
	free(place);
	return count;
}

/* ---- places of a running cluster -------------------------------------------------------- */

static double factor_of(const struct job_row *row)
{
	return row->plain.factor[JOB_FAIRSHARE];
}

static int compare_factors(const void *first, const void *second)
{
	const struct job_row *a = *(struct job_row *const *)first;
	const struct job_row *b = *(struct job_row *const *)second;

	return compare_numbers(factor_of(b), factor_of(a));
}

/* The first has the greatest factor. Jobs that came since have the place of another one. */
void job_list_rank_places(struct job_list *list)
{
	struct job_row **ranked = need_zeros(list->count, sizeof(*ranked));
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct job_row *row = &list->row[i];

		if (!isnan(row->place) && factor_of(row) > 0)
			ranked[count++] = row;
		row->place = NAN;
	}
	qsort(ranked, count, sizeof(*ranked), compare_factors);
	for (size_t i = 0; i < count; i++)
		ranked[i]->place = i && factor_of(ranked[i]) == factor_of(ranked[i - 1])
					   ? ranked[i - 1]->place : (double)(i + 1);
	free(ranked);
}
