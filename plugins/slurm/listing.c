/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "listing.h"

#include "log.h"

#include <stdlib.h>
#include <string.h>

static bool is_listed(compat_list list, uint32_t value)
{
	compat_iterator iterator;
	uint32_t *item;

	if (!list)
		return true;
	iterator = list_iterator_create(list);
	while ((item = list_next(iterator)) && *item != value)
		;
	list_iterator_destroy(iterator);
	return item;
}

/* The partitions that the filter names, or NULL for all. */
static compat_list find_partitions(const char *names)
{
	compat_list partitions = NULL;
	char *text, *name, *rest = NULL;

	if (!names)
		return NULL;
	partitions = list_create(NULL);
	text = xstrdup(names);
	for (name = strtok_r(text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		part_record_t *partition = find_part_record(name);

		if (partition)
			list_append(partitions, partition);
	}
	xfree(text);
	return partitions;
}

static bool is_among(compat_list partitions, const part_record_t *wanted)
{
	compat_iterator iterator;
	part_record_t *partition;

	if (!partitions)
		return true;
	iterator = list_iterator_create(partitions);
	while ((partition = list_next(iterator)) && partition != wanted)
		;
	list_iterator_destroy(iterator);
	return partition;
}

/* PrivateData=jobs: one's own, and those one is responsible for. */
static bool may_see(uid_t uid, job_record_t *job)
{
	if (!(slurm_conf.private_data & PRIVATE_DATA_JOBS) || job->user_id == uid ||
	    validate_operator(uid))
		return true;
	if (slurm_mcs_get_privatedata())
		return !mcs_g_check_mcs_label(uid, job->mcs_label, false);
	return compat_is_coordinator(uid, job->account);
}

static bool is_shown(const struct settings *settings, job_record_t *job, time_t now)
{
	time_t since;

	if (!IS_JOB_PENDING(job) && !(settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING))
		return false;
	if (IS_JOB_REVOKED(job) || !job->details || !job->priority)
		return false;
	since = settings->flags & PRIORITY_FLAGS_ACCRUE_ALWAYS ? job->details->submit_time
							       : job->details->begin_time;
	return since && since <= now;
}

static void append(const struct job_scope *scope, compat_list list, job_record_t *job,
		   const struct job_pair *pair)
{
	priority_factors_object_t *object = compat_factors_object(job, pair->partition, pair->qos);

	if (job->direct_set_prio)
		object->direct_prio = job->priority;
	else if (job_has_pairs(job))
		job_priority_of_pair(scope, job, pair, compat_factors_of_object(object));
	list_append(list, object);
}

static void append_job(const struct job_scope *scope, compat_list list, compat_list partitions,
		       job_record_t *job)
{
	size_t count = job_pair_count(job);
	struct job_pair pair[count + 1];

	job_pairs(job, pair);
	for (size_t i = 0; i < count; i++)
		if (pair[i].partition && is_among(partitions, pair[i].partition))
			append(scope, list, job, &pair[i]);
}

compat_list listing_create(struct fairshare *fairshare, const struct settings *settings,
			   const struct listing_filter *filter, uid_t uid)
{
	struct job_scope scope = job_scope(fairshare, settings, time(NULL));
	compat_list partitions = find_partitions(filter->partitions), list;
	compat_iterator iterator;
	job_record_t *job;

	list = list_create(compat_destroy_factors_object);
	iterator = job_list ? list_iterator_create(job_list) : NULL;
	while (iterator && (job = list_next(iterator)))
		if (is_shown(settings, job, scope.now) && is_listed(filter->job_ids, job->job_id) &&
		    is_listed(filter->users, job->user_id) && may_see(uid, job))
			append_job(&scope, list, partitions, job);
	if (iterator)
		list_iterator_destroy(iterator);
	FREE_NULL_LIST(partitions);
	if (!list_count(list))
		FREE_NULL_LIST(list);
	return list;
}
