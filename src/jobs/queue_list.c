/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects queues by name, counts the slots of their jobs, and sorts them. */
#include "jobs/queue_list.h"

#include "jobs/job_states.h"

#include <math.h>
#include <string.h>

struct queue queue_unknown(const char *name)
{
	const double unknown = (double)NAN;

	return (struct queue){ .name = name, .share = unknown, .priority = unknown, .tier = unknown,
			       .nice = unknown, .limit = { unknown, unknown, unknown, unknown },
			       .pending = unknown, .running = unknown, .suspended = unknown,
			       .reserved = unknown };
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

/* Sets the slots of a queue's jobs, which may be unknown, to 0. */
static void set_no_jobs(struct queue *queue)
{
	queue->pending = queue->running = queue->suspended = queue->reserved = 0;
}

/* Adds the slots of a job to those of its first partition, unless the job has ended. */
static void count_job(struct queue_list *list, const struct jobs *jobs, const struct job *job)
{
	size_t before = list->count;
	double slots = fmax(job->cpus, 1) * fmax(job->array_tasks, 1);
	struct queue *queue;

	if (!job->requested_count || !job_state_has_not_ended(job->state))
		return;
	queue = queue_list_find(list, jobs_text(jobs, jobs->requested[job->first_requested].name));
	if (list->count > before)	/* the list lacked it, so its slots are unknown */
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

/* Returns the priority that queues are sorted by; an unknown one is the lowest. */
static double known_priority(const struct queue *queue)
{
	return isnan(queue->priority) ? (double)-INFINITY : queue->priority;
}

/* An insertion sort: queues are few, and equal ones must keep their order. */
void queue_list_sort(struct queue_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		const struct queue moved = list->queue[i];
		size_t at = i;

		for (; at && known_priority(&moved) > known_priority(&list->queue[at - 1]); at--)
			list->queue[at] = list->queue[at - 1];
		list->queue[at] = moved;
	}
}
