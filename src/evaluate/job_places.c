/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the rows of pending jobs in queue order, and lets the library place them. All partitions
 * go by one tree, so they are one queue.
 */
#include "evaluate/job_places.h"

#include "core/error.h"
#include "evaluate/job_states.h"

#include <math.h>
#include <stdlib.h>

struct pending_row {
	size_t row;
	double partition_factor, priority, submit_time, id;
	struct fathom_pending_job job;
};

struct pending_rows {
	const struct job_list *list;
	const struct jobs *jobs;
	struct pending_row *row;
	size_t count;
};

/* The job's priority without its fair share. A formula's has no such part. */
static double own_priority(const struct job_list *list, const struct job_row *row)
{
	double sum = row->weighted.site - (double)row->weighted.nice;

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

static void add_row(struct pending_rows *pending, size_t row, const struct job *job,
		    const struct jobs_partition *partition, size_t node)
{
	double tasks = job->array_tasks > 1 ? job->array_tasks : 1;

	pending->row[pending->count++] = (struct pending_row){
		.row = row,
		.partition_factor = partition ? partition->job_factor : 0,
		.priority = own_priority(pending->list, &pending->list->row[row]),
		.submit_time = job->submit_time,
		.id = job->id,
		.job = {
			.node = node,
			.slots = fmax(job->cpus, 1) * tasks,
			.time_limit = minutes_of(job, partition) * 60,
			.can_start = !job->held && !job->depends,
		},
	};
}

static void list_pending(struct pending_rows *pending, const struct job_associations *associations)
{
	const struct jobs *jobs = pending->jobs;
	size_t row = 0;

	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];

		for (size_t j = 0; j < job->requested_count || !j; j++, row++) {
			size_t at = job->requested_count
					    ? jobs->requested[job->first_requested + j].partition
					    : JOBS_NONE;
			size_t node = job_associations_find(associations, &pending->list->row[row]);

			if (job->state == JOB_STATE_PENDING && isnan(job->fairshare) &&
			    node != JOB_NO_NODE)
				add_row(pending, row, job,
					at == JOBS_NONE ? NULL : &jobs->partition[at], node);
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
		order = compare_numbers(a->id, b->id);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int place_pending(struct job_places *places, const struct pending_rows *pending,
			 const struct fathom_dispatch_tree *tree, struct fathom_error *error)
{
	static const struct fathom_served_queue queue = { .is_fairshare = true,
							  .master = FATHOM_NO_SET };
	static const size_t tree_of = 0;
	struct fathom_pending_job *job = calloc(pending->count + 1, sizeof(*job));
	size_t *place = calloc(pending->count + 1, sizeof(*place));
	struct fathom_pending_jobs given = {
		.tree = tree, .tree_count = 1, .queue = &queue, .tree_of = &tree_of,
		.queue_count = 1, .job = job, .job_count = pending->count,
	};
	int status = job && place ? 0 : fathom_error_no_memory(error);

	for (size_t i = 0; !status && i < pending->count; i++)
		job[i] = pending->row[i].job;
	if (!status)
		status = fathom_dispatch_places(&given, place, error);
	for (size_t i = 0; !status && i < pending->count; i++)
		places->place[pending->row[i].row] = place[i];
	places->count = pending->count;
	free(job);
	free(place);
	return status;
}

int job_places_create(struct job_places *places, const struct job_list *list,
		      const struct jobs *jobs, const struct job_associations *associations,
		      const struct fathom_dispatch_tree *tree, struct fathom_error *error)
{
	struct pending_rows pending = {
		.list = list, .jobs = jobs, .row = calloc(list->count + 1, sizeof(*pending.row)),
	};
	int status = -1;

	places->place = calloc(list->count + 1, sizeof(*places->place));
	if (places->place && pending.row) {
		list_pending(&pending, associations);
		qsort(pending.row, pending.count, sizeof(*pending.row), compare_pending);
		status = place_pending(places, &pending, tree, error);
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
