/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the rows of pending jobs in queue order, and lets the library place them. Each scheme whose
 * policy places jobs has a tree, and its partitions are served as one queue.
 */
#include "evaluate/job_places.h"

#include "core/error.h"
#include "evaluate/job_states.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

struct pending_row {
	size_t row;
	double partition_factor, priority, submit_time;
	int64_t id;
	struct fathom_pending_job job;
};

struct pending_rows {
	const struct placed_jobs *of;
	struct pending_row *row;
	size_t count;
};

/* ---- who has places --------------------------------------------------------------------- */

static bool places_jobs(const struct scheme_result *scheme)
{
	return fathom_policy_places_jobs(scheme->policy, &scheme->settings);
}

bool job_places_wanted(const struct scheme_results *schemes)
{
	for (size_t i = 0; i < schemes->count; i++)
		if (places_jobs(&schemes->item[i]))
			return true;
	return false;
}

static bool has_place(const struct placed_jobs *of, const struct job *job, size_t row)
{
	size_t scheme = of->queues->queue[of->queues->of_row[row]].scheme;
	const struct scheme_result *by = &of->schemes->item[scheme];

	return job->state == JOB_STATE_PENDING && isnan(job->fairshare) &&
	       (places_jobs(by) || policy_is_first_come(by->policy));
}

/* ---- queue order ------------------------------------------------------------------------ */

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

static double minutes_of(const struct job *job, const struct jobs_partition *partition)
{
	if (job->time_limit > 0)
		return job->time_limit;
	return partition ? partition->max_time : 0;
}

static void add_row(struct pending_rows *pending, size_t row, const struct job *job, size_t node)
{
	const struct job_queues *queues = pending->of->queues;
	const struct jobs_partition *partition = queues->queue[queues->of_row[row]].partition;
	double tasks = job->array_tasks > 1 ? job->array_tasks : 1;

	pending->row[pending->count++] = (struct pending_row){
		.row = row,
		.partition_factor = partition ? partition->job_factor : 0,
		.priority = own_priority(pending->of->list, &pending->of->list->row[row]),
		.submit_time = job->submit_time,
		.id = job->id,
		.job = {
			.queue = queues->of_row[row],
			.node = node,
			.slots = fmax(job->cpus, 1) * tasks,
			.time_limit = minutes_of(job, partition) * 60,
			.can_start = !job->held && !job->depends && !job->waits,
		},
	};
}

static void list_pending(struct pending_rows *pending)
{
	const struct placed_jobs *of = pending->of;
	size_t row = 0;

	for (size_t i = 0; i < of->jobs->job_count; i++) {
		const struct job *job = &of->jobs->job[i];

		for (size_t j = 0; j < job->requested_count || !j; j++, row++) {
			size_t node = job_associations_find(of->associations, &of->list->row[row]);

			if (node != JOB_NO_NODE && has_place(of, job, row))
				add_row(pending, row, job, node);
		}
	}
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Queue order: priority of the partition, of the job, submission. */
static int compare_pending(const void *first, const void *second)
{
	const struct pending_row *a = first, *b = second;
	int order = compare_numbers(b->partition_factor, a->partition_factor);

	if (!order)
		order = compare_numbers(b->priority, a->priority);
	if (!order)
		order = compare_numbers(a->submit_time, b->submit_time);
	if (!order)
		order = (a->id > b->id) - (a->id < b->id);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* ---- dispatch --------------------------------------------------------------------------- */

/* What the library gets. */
struct dispatch_room {
	struct fathom_dispatch_tree *tree;
	size_t tree_count;
	size_t *tree_of_scheme, *first_of_scheme;	/* first_of_scheme: a queue */
	struct fathom_served_queue *queue;
	size_t *tree_of;				/* by queue */
	struct fathom_pending_job *job;
	size_t *place;
};

static int make_room(struct dispatch_room *room, const struct pending_rows *pending,
		     struct fathom_error *error)
{
	size_t schemes = pending->of->schemes->count, queues = pending->of->queues->count + 1;

	room->tree = calloc(schemes, sizeof(*room->tree));
	room->tree_of_scheme = calloc(schemes, sizeof(*room->tree_of_scheme));
	room->first_of_scheme = calloc(schemes, sizeof(*room->first_of_scheme));
	room->queue = calloc(queues, sizeof(*room->queue));
	room->tree_of = calloc(queues, sizeof(*room->tree_of));
	room->job = calloc(pending->count + 1, sizeof(*room->job));
	room->place = calloc(pending->count + 1, sizeof(*room->place));
	return room->tree && room->tree_of_scheme && room->first_of_scheme && room->queue &&
	       room->tree_of && room->job && room->place ? 0 : fathom_error_no_memory(error);
}

static void free_room(struct dispatch_room *room)
{
	free(room->tree);
	free(room->tree_of_scheme);
	free(room->first_of_scheme);
	free(room->queue);
	free(room->tree_of);
	free(room->job);
	free(room->place);
}

static void list_trees(struct dispatch_room *room, const struct scheme_results *schemes)
{
	for (size_t i = 0; i < schemes->count; i++) {
		const struct scheme_result *scheme = &schemes->item[i];

		room->tree_of_scheme[i] = FATHOM_FIRST_COME;
		if (!places_jobs(scheme))
			continue;
		room->tree_of_scheme[i] = room->tree_count;
		room->tree[room->tree_count++] = (struct fathom_dispatch_tree){
			scheme->policy, &scheme->settings, scheme->tree };
	}
}

/* Queues of one scheme are served as one, unless it is first come, first served. */
static void list_queues(struct dispatch_room *room, const struct job_queues *queues,
			const struct scheme_results *schemes)
{
	for (size_t i = queues->count; i-- > 0;)
		room->first_of_scheme[queues->queue[i].scheme] = i;
	for (size_t i = 0; i < queues->count; i++) {
		const struct job_queue *queue = &queues->queue[i];
		size_t tree = room->tree_of_scheme[queue->scheme];
		bool is_fairshare = tree != FATHOM_FIRST_COME;

		room->tree_of[i] = tree;
		room->queue[i] = (struct fathom_served_queue){
			.priority = queue->partition ? queue->partition->job_factor : 0,
			.is_fairshare = is_fairshare,
			.master = is_fairshare ? room->first_of_scheme[queue->scheme]
					       : FATHOM_NO_SET,
			.queue_first = schemes->item[queue->scheme].queue_first,
		};
	}
}

static int dispatch(struct dispatch_room *room, const struct pending_rows *pending,
		    struct fathom_error *error)
{
	const struct placed_jobs *of = pending->of;
	struct fathom_pending_jobs given = {
		.tree = room->tree, .queue = room->queue, .tree_of = room->tree_of,
		.queue_count = of->queues->count, .job = room->job, .job_count = pending->count,
	};

	list_trees(room, of->schemes);
	list_queues(room, of->queues, of->schemes);
	for (size_t i = 0; i < pending->count; i++)
		room->job[i] = pending->row[i].job;
	given.tree_count = room->tree_count;
	return fathom_dispatch_places(&given, room->place, error);
}

static int place_pending(struct job_places *places, const struct pending_rows *pending,
			 struct fathom_error *error)
{
	struct dispatch_room room = { 0 };
	int status = make_room(&room, pending, error);

	if (!status)
		status = dispatch(&room, pending, error);
	for (size_t i = 0; !status && i < pending->count; i++)
		places->place[pending->row[i].row] = room.place[i];
	places->count = pending->count;
	free_room(&room);
	return status;
}

int job_places_create(struct job_places *places, const struct placed_jobs *placed,
		      struct fathom_error *error)
{
	size_t count = placed->list->count;
	struct pending_rows pending = { .of = placed,
					.row = calloc(count + 1, sizeof(*pending.row)) };
	int status = -1;

	places->place = calloc(count + 1, sizeof(*places->place));
	if (places->place && pending.row) {
		list_pending(&pending);
		qsort(pending.row, pending.count, sizeof(*pending.row), compare_pending);
		status = place_pending(places, &pending, error);
	} else {
		fathom_error_no_memory(error);
	}
	free(pending.row);
	return status;
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
int job_list_rank_places(struct job_list *list, struct fathom_error *error)
{
	struct job_row **ranked = calloc(list->count + 1, sizeof(*ranked));
	size_t count = 0;

	if (!ranked)
		return fathom_error_no_memory(error);
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
	return 0;
}
