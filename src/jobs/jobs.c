/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of jobs: arrays that grow, and texts one after the other in one array. A text is known
 * by its offset in that array, as the array may move. */
#include "jobs/jobs.h"

#include "memory/need_names.h"
#include "priority/fields.h"
#include "priority/job_comment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct job job_unknown = {
	.user = JOBS_NONE, .account = JOBS_NONE, .qos_name = JOBS_NONE, .qos = JOBS_NONE,
	.comment = JOBS_NONE, .own_hold = JOBS_NONE, .reason = JOBS_NONE,
	.reason_clause = JOBS_NONE, .features = JOBS_NONE, .licenses = JOBS_NONE,
	.reservation = JOBS_NONE,
	.fairshare = NAN, .queue = NAN, .bank = NAN, .urgency = NAN,
};

const char *jobs_text(const struct jobs *jobs, size_t offset)
{
	return offset == JOBS_NONE ? NULL : jobs->text + offset;
}

size_t jobs_add_text(struct jobs *jobs, const char *text)
{
	size_t offset = jobs->text_count, size = strlen(text) + 1;

	jobs->text = need_room(jobs->text, &jobs->text_room, offset + size, 1);
	memcpy(jobs->text + offset, text, size);
	jobs->text_count += size;
	return offset;
}

size_t jobs_tres_named(const struct jobs *jobs, const char *name)
{
	for (size_t i = 0; i < jobs->tres_count; i++)
		if (!strcasecmp(jobs_text(jobs, jobs->tres[i]), name))
			return i;
	return JOBS_NONE;
}

size_t jobs_find_tres(struct jobs *jobs, const char *name)
{
	size_t tres = jobs_tres_named(jobs, name);

	if (tres != JOBS_NONE)
		return tres;
	JOBS_ADD(jobs, tres, jobs_add_text(jobs, name));
	return jobs->tres_count - 1;
}

_Static_assert(JOBS_NONE == NAME_INDEX_NONE, "an index of names returns JOBS_NONE");

void jobs_add_partition(struct jobs *jobs, struct jobs_partition partition)
{
	const char *name = need_text(jobs_text(jobs, partition.name));	/* texts may move */

	if (!jobs->partitions)
		jobs->partitions = need_index();
	need_put(jobs->partitions, piece_of(name), jobs->partition_count);
	JOBS_ADD(jobs, partition, partition);
}

size_t jobs_partition_named(const struct jobs *jobs, const char *name)
{
	return jobs->partitions ? name_index_get(jobs->partitions, piece_of(name)) : JOBS_NONE;
}

void jobs_add_requested(struct jobs *jobs, size_t first, size_t name)
{
	size_t number;

	if (!jobs->requested_names)
		jobs->requested_names = need_names();
	number = need_name(jobs->requested_names, jobs_text(jobs, name));
	if (number == jobs->last_requested_count)
		JOBS_ADD(jobs, last_requested, jobs->requested_count);
	else if (jobs->last_requested[number] >= first)
		return;
	jobs->last_requested[number] = jobs->requested_count;
	JOBS_ADD(jobs, requested, ((struct requested_partition){ name, JOBS_NONE }));
}

void jobs_find_names(struct jobs *jobs)
{
	struct name_index *qos = need_index();

	for (size_t i = 0; i < jobs->qos_count; i++)
		need_put(qos, piece_of(jobs_text(jobs, jobs->qos[i].name)), i);
	for (size_t i = 0; i < jobs->requested_count; i++)
		jobs->requested[i].partition = jobs_partition_named(
			jobs, jobs_text(jobs, jobs->requested[i].name));
	for (size_t i = 0; i < jobs->job_count; i++)
		if (jobs->job[i].qos_name != JOBS_NONE)
			jobs->job[i].qos = name_index_get(
				qos, piece_of(jobs_text(jobs, jobs->job[i].qos_name)));
}

double jobs_age_from(const struct jobs *jobs, const struct job *job)
{
	bool from_submission = jobs->settings.rules & JOB_ACCRUES_ALWAYS && job->submit_time > 0;

	return from_submission ? job->submit_time : job->accrue_time;
}

double jobs_highest_assoc(const struct jobs *jobs)
{
	double highest = jobs->highest_assoc;

	for (size_t i = 0; i < jobs->job_count; i++)
		highest = fmax(highest, jobs->job[i].assoc_priority);
	return highest;
}

unsigned jobs_urgency(const struct jobs *jobs, const struct job *job, bool may_raise,
		      const char **fault)
{
	const char *comment = jobs_text(jobs, job->comment);
	const struct fathom_queue no_queue = { 0 };
	struct fathom_job only_nice = { 0 };	/* urgency depends on nothing else */

	if (!isnan(job->urgency))
		return (unsigned)job->urgency;
	only_nice.nice = job_comment_nice(comment, (int64_t)job->nice, may_raise, fault);
	return fathom_flux_job(&only_nice, &no_queue).urgency;
}

char **jobs_formula_names(const struct jobs *jobs, const struct fathom_policy *policy)
{
	size_t tres = jobs->tres_count, columns = fathom_policy_column_count(policy);
	char **names = need_zeros(tres + columns, sizeof(*names));

	for (size_t i = 0; i < tres; i++)
		names[i] = need_owned(fields_tres_name(jobs_text(jobs, jobs->tres[i])), free);
	for (size_t i = 0; i < columns; i++)
		names[tres + i] = need_text(fathom_policy_column(policy, i)->name);
	return names;
}
