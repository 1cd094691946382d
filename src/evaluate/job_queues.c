/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists queues and finds the scheme of each. Example: partitions a, b and c, and a scope with b:
 *
 *	queue	scheme
 *	a	0
 *	b	1	(the scope)
 *	c	0
 */
#include "evaluate/job_queues.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

/* ---- queues ---------------------------------------------------------------------- */

static int index_scopes(struct job_queues *queues, const struct job_rule *rule,
			struct fathom_error *error)
{
	for (size_t i = 0; i < rule->scope_count; i++)
		for (size_t j = 0; j < rule->scope[i].partition_count; j++)
			if (name_index_put(&queues->scheme_of,
					   piece_of(rule->scope[i].partition[j]), 1 + i, error))
				return -1;
	return 0;
}

static int add_queue(struct job_queues *queues, const char *name,
		     const struct jobs_partition *partition, struct fathom_error *error)
{
	size_t scheme = name_index_get(&queues->scheme_of, piece_of(name));
	struct job_queue *grown = array_grow(queues->queue, &queues->room, queues->count + 1,
					     sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(error);
	queues->queue = grown;
	queues->queue[queues->count] = (struct job_queue){
		.partition = partition, .scheme = scheme == NAME_INDEX_NONE ? 0 : scheme };
	return name_index_put(&queues->by_name, piece_of(name), queues->count++, error);
}

static int find_queue(struct job_queues *queues, const char *name, size_t *queue,
		      struct fathom_error *error)
{
	*queue = name_index_get(&queues->by_name, piece_of(name));
	if (*queue != NAME_INDEX_NONE)
		return 0;
	*queue = queues->count;
	return add_queue(queues, name, NULL, error);
}

static int add_described(struct job_queues *queues, const struct jobs *jobs,
			 struct fathom_error *error)
{
	for (size_t i = 0; i < jobs->partition_count; i++)
		if (add_queue(queues, jobs_text(jobs, jobs->partition[i].name),
			      &jobs->partition[i], error))
			return -1;
	return 0;
}

static int find_rows(struct job_queues *queues, const struct jobs *jobs, struct fathom_error *error)
{
	size_t row = 0;

	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];

		for (size_t j = 0; j < job->requested_count || !j; j++, row++) {
			size_t name = job->requested_count
					      ? jobs->requested[job->first_requested + j].name
					      : JOBS_NONE;
			const char *text = jobs_text(jobs, name);

			if (find_queue(queues, text ? text : "", &queues->of_row[row], error))
				return -1;
		}
	}
	return 0;
}

/* ---- classes --------------------------------------------------------------------- */

/* Partitions of equal PriorityJobFactor are one class. priority, class_of: room for all queues. */
static int find_classes(struct job_queues *queues, size_t scheme, double *priority,
			size_t *class_of, struct fathom_error *error)
{
	size_t count = 0, at = 0;

	for (size_t i = 0; i < queues->count; i++)
		if (queues->queue[i].scheme == scheme)
			priority[count++] = queues->queue[i].partition
						    ? queues->queue[i].partition->job_factor : 0;
	queues->class_count[scheme] = fathom_queue_classes(priority, count, class_of);
	if (count && !queues->class_count[scheme])
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < queues->count; i++)
		if (queues->queue[i].scheme == scheme)
			queues->queue[i].class_of = class_of[at++];
	return 0;
}

static int find_all_classes(struct job_queues *queues, const struct job_rule *rule,
			    struct fathom_error *error)
{
	double *priority = calloc(queues->count + 1, sizeof(*priority));
	size_t *class_of = calloc(queues->count + 1, sizeof(*class_of));
	int status = priority && class_of ? 0 : fathom_error_no_memory(error);

	for (size_t i = 0; !status && i < rule->scope_count; i++)
		if (rule->scope[i].queue_first)
			status = find_classes(queues, 1 + i, priority, class_of, error);
	free(priority);
	free(class_of);
	return status;
}

/* ---- all of it -------------------------------------------------------------------- */

int job_queues_create(struct job_queues *queues, const struct jobs *jobs,
		      const struct job_rule *rule, size_t row_count, struct fathom_error *error)
{
	*queues = (struct job_queues){
		.of_row = calloc(row_count + 1, sizeof(*queues->of_row)),
		.class_count = calloc(rule->scope_count + 1, sizeof(*queues->class_count)),
		.scheme_count = rule->scope_count + 1,
	};
	if (!queues->of_row || !queues->class_count)
		return fathom_error_no_memory(error);
	if (index_scopes(queues, rule, error) || add_described(queues, jobs, error) ||
	    find_rows(queues, jobs, error) || find_all_classes(queues, rule, error))
		return -1;
	return 0;
}

void job_queues_clear(struct job_queues *queues)
{
	name_index_clear(&queues->by_name);
	name_index_clear(&queues->scheme_of);
	free(queues->queue);
	free(queues->of_row);
	free(queues->class_count);
}
