/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/queue_list.h"

#include "jobs/job_states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct queue queue_unknown(const char *name)
{
	const double none = (double)NAN;

	return (struct queue){ .name = name, .share = none, .priority = none, .nice = none,
			       .limit = { none, none, none, none }, .pending = none,
			       .running = none, .suspended = none, .reserved = none };
}

struct queue *queue_list_find(struct queue_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->queue[i].name, name))
			return &list->queue[i];
	list->queue = need_room(list->queue, &list->room, list->count + 1, sizeof(*list->queue));
	list->queue[list->count] = queue_unknown(name);
	return &list->queue[list->count++];
}

static void set_no_jobs(struct queue *queue)
{
	queue->pending = queue->running = queue->suspended = queue->reserved = 0;
}

/* Returns where slots of jobs in a state are counted; NULL: nowhere, as they have ended. */
static double *slots_in(struct queue *queue, size_t state)
{
	static const struct { const char *state; size_t slots; } states[] = {
		{ "PENDING", offsetof(struct queue, pending) },
		{ "SUSPENDED", offsetof(struct queue, suspended) },
		{ "RUNNING", offsetof(struct queue, running) },
	};
	const char *name = job_state_name(state);

	for (size_t i = 0; name && i < sizeof(states) / sizeof(*states); i++)
		if (!strcmp(states[i].state, name))
			return (double *)((char *)queue + states[i].slots);
	return NULL;
}

static void count_job(struct queue_list *list, const struct jobs *jobs, const struct job *job)
{
	size_t known = list->count;
	struct queue *queue;
	double *slots;

	if (!job->requested_count || !job_state_has_not_ended(job->state))
		return;
	queue = queue_list_find(list, jobs_text(jobs, jobs->requested[job->first_requested].name));
	if (list->count > known)
		set_no_jobs(queue);
	slots = slots_in(queue, job->state);
	if (slots)
		*slots += fmax(job->cpus, 1) * fmax(job->array_tasks, 1);
}

void queue_list_count(struct queue_list *list, const struct jobs *jobs)
{
	for (size_t i = 0; i < list->count; i++)
		set_no_jobs(&list->queue[i]);
	for (size_t i = 0; i < jobs->job_count; i++)
		count_job(list, jobs, &jobs->job[i]);
}

/* Returns what queues are sorted by; an unknown priority is the lowest. */
static double rank_of(const struct queue *queue)
{
	return isnan(queue->priority) ? (double)-INFINITY : queue->priority;
}

static int compare(const void *a, const void *b, void *context)
{
	const size_t *one = a, *other = b;
	double rank = rank_of((const struct queue *)context + *one);
	double against = rank_of((const struct queue *)context + *other);

	if (rank < against || rank > against)
		return rank > against ? -1 : 1;
	return (*one > *other) - (*one < *other);
}

void queue_list_sort(struct queue_list *list)
{
	struct queue *sorted = need_zeros(list->count, sizeof(*sorted));
	size_t *order = need_zeros(list->count, sizeof(*order));

	for (size_t i = 0; i < list->count; i++)
		order[i] = i;
	qsort_r(order, list->count, sizeof(*order), compare, list->queue);
	for (size_t i = 0; i < list->count; i++)
		sorted[i] = list->queue[order[i]];
	list->queue = sorted;
	list->room = list->count;
}
