/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/job_counts.h"

#include "core/array.h"
#include "partitions/partition_records.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>

const char *const job_count_states[] = {
	[COUNT_PENDING] = "pending", [COUNT_RUNNING] = "running",
	[COUNT_SUSPENDED] = "suspended", [COUNT_STATES] = NULL,
};

/* Returns the counts of a partition, and adds it with counts of 0 if it is new; NULL: out of
 * memory. */
static struct partition_jobs *jobs_of(struct job_counts *counts, const char *name)
{
	size_t before = counts->partitions.count;
	size_t number = numbered_names_add(&counts->partitions, name);
	struct partition_jobs *jobs = array_grow(counts->in_partition, &counts->room, before + 1,
						 sizeof(*jobs));

	counts->in_partition = jobs ? jobs : counts->in_partition;
	counts->failed |= !jobs || number == NAME_INDEX_NONE;
	if (counts->failed)
		return NULL;
	if (number == before)
		jobs[number] = (struct partition_jobs){ { 0 } };
	return &jobs[number];
}

/* Adds a partition; for list_for_each(). */
static int add_partition(void *partition, void *counts)
{
	const part_record_t *record = partition;

	jobs_of(counts, record->name);
	return 0;
}

/* Begins to count anew, and adds all partitions: those without jobs have counts, too. slurmctld may
 * have replaced the list in the middle of the walk. */
static void begin_list(void *context)
{
	struct job_counts *counts = context;

	job_counts_clear(counts);
	if (partitions_exist())
		list_for_each(part_list, add_partition, counts);
}

/* Returns the state that a job counts in; COUNT_STATES: it counts in none. */
static enum counted_state state_of(const job_record_t *job)
{
	if (IS_JOB_PENDING(job))
		return COUNT_PENDING;
	if (IS_JOB_RUNNING(job))
		return COUNT_RUNNING;
	return IS_JOB_SUSPENDED(job) ? COUNT_SUSPENDED : COUNT_STATES;
}

/* A job that is being counted. */
struct counted_job {
	struct job_counts *counts;
	enum counted_state state;
	size_t tasks;		/* how many jobs its record stands for */
};

/* Counts a job in a partition; for list_for_each(). context: a struct counted_job. */
static int count_in_partition(void *partition, void *context)
{
	const part_record_t *record = partition;
	const struct counted_job *counted = context;
	struct partition_jobs *jobs = jobs_of(counted->counts, record->name);

	if (jobs)
		jobs->in_state[counted->state] += counted->tasks;
	return 0;
}

/* Counts a job; context: the counts. The pending tasks of an array that have no record of their own
 * yet share one record. */
static void count_job(void *item, size_t at, void *context)
{
	job_record_t *job = item;
	struct counted_job counted = { .counts = context, .state = state_of(job), .tasks = 1 };

	if (counted.state == COUNT_PENDING && job->array_recs)
		counted.tasks = MAX(job->array_recs->task_cnt, 1);
	counted.counts->jobs += counted.tasks;
	if (counted.state == COUNT_STATES)
		return;
	counted.counts->in_state[counted.state] += counted.tasks;
	if (counted.state == COUNT_PENDING && job->part_ptr_list)
		list_for_each(job->part_ptr_list, count_in_partition, &counted);
	else if (job->part_ptr)
		count_in_partition(job->part_ptr, &counted);
}

int job_counts_read(struct job_counts *counts)
{
	const struct sliced_walk walk = {
		.list = &job_list,
		.locks = WALK_LOCKS(.job = READ_LOCK, .part = READ_LOCK),
		.begin_list = begin_list,
	};

	job_counts_clear(counts);
	sliced_walk(&walk, (struct list_walk_stages){ .work = count_job }, counts);
	return counts->failed ? -1 : 0;
}

void job_counts_clear(struct job_counts *counts)
{
	numbered_names_clear(&counts->partitions);
	free(counts->in_partition);
	*counts = (struct job_counts){ .jobs = 0 };
}
