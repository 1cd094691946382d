/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/queue_list.h"

#include "jobs/job_states.h"

#include <math.h>
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

/* Sets the slots of all jobs to 0, where they were not known. */
static void set_no_jobs(struct queue *queue)
{
	queue->pending = queue->running = queue->suspended = queue->reserved = 0;
}

/* Adds the slots of a job that has not ended to those of its first partition. */
static void count_job(struct queue_list *list, const struct jobs *jobs, const struct job *job)
{
	size_t known = list->count;
	double slots = fmax(job->cpus, 1) * fmax(job->array_tasks, 1);
	struct queue *queue;

	if (!job->requested_count || !job_state_has_not_ended(job->state))
		return;
	queue = queue_list_find(list, jobs_text(jobs, jobs->requested[job->first_requested].name));
	if (list->count > known)
		set_no_jobs(queue);
	if (job->state == JOB_STATE_PENDING)
		queue->pending += slots;
	else if (job->state == JOB_STATE_RUNNING)
		queue->running += slots;
	else
		queue->suspended += slots;
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

/* An insertion sort: queues are few, and equal ones must keep their order. */
void queue_list_sort(struct queue_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		const struct queue moved = list->queue[i];
		size_t at = i;

		for (; at && rank_of(&moved) > rank_of(&list->queue[at - 1]); at--)
			list->queue[at] = list->queue[at - 1];
		list->queue[at] = moved;
	}
}
