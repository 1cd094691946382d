/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/sprio_list.h"

#include "walk/list_walk.h"
#include "walk/slice.h"

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

/* Whether `name` is one of `names`, which are separated by commas; NULL: all names. Names are
 * compared, as a reconfigure may replace the records between two slices. */
static bool is_named(const char *names, const char *name)
{
	size_t length = strlen(name);

	while (names) {
		size_t size = strcspn(names, ",");

		if (size == length && !strncmp(names, name, size))
			return true;
		if (!names[size])
			return false;
		names += size + 1;
	}
	return true;
}

/* With PrivateData=jobs, users see their own jobs and those of accounts that they coordinate.
 * assoc_mgr and MCS plugins take assoc_mgr's locks to find out, so the caller must hold none. */
static bool may_see(uid_t uid, job_record_t *job)
{
	if (job->user_id == uid)
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

/* A list that is being made. */
struct sprio_list {
	struct job_scope scope;
	const struct sprio_list_filter *filter;
	uid_t uid;
	bool sees_all;			/* the jobs of all users */
	bool chosen[LIST_WALK_BLOCK];	/* jobs of the block that get rows */
	compat_list list;
};

static void append(const struct sprio_list *listing, job_record_t *job, const struct job_pair *pair,
		   uint32_t priority)
{
	priority_factors_object_t *object = compat_factors_object(job, pair->partition, pair->qos);

	if (job->direct_set_prio)
		object->direct_prio = job->priority;
	else if (job_has_pairs(job))
		job_value_show_pair(&listing->scope, job, pair, priority,
				    compat_factors_of_object(object));
	list_append(listing->list, object);
}

static void append_pairs(const struct sprio_list *listing, job_record_t *job)
{
	size_t count = job_pair_count(job);
	struct job_pair pair[count + 1];

	job_pairs(job, pair);
	for (size_t i = 0; i < count; i++)
		if (pair[i].partition &&
		    is_named(listing->filter->partitions, pair[i].partition->name))
			append(listing, job, &pair[i], compat_pair_priority(job, count, i));
}

static void fetch_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	prefetch_fields(job, details, direct_set_prio);
	prefetch_fields(job, job_id, job_state);
	prefetch_fields(job, part_ptr_list, qos_ptr);
	prefetch(&job->user_id);
}

static void follow_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	prefetch(&job->details->begin_time);
	if (job->prio_factors)
		prefetch_fields(job->prio_factors, priority_age, nice);
}

static void follow_far(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	(void)at, (void)context;
	if (!job->prio_factors || !job->prio_factors->tres_cnt)
		return;
	prefetch(job->prio_factors->priority_tres);
	prefetch(job->prio_factors->tres_weights);
}

static void choose_job(void *item, size_t at, void *context)
{
	struct sprio_list *listing = context;
	const struct sprio_list_filter *filter = listing->filter;
	job_record_t *job = item;

	listing->chosen[at] =
		is_shown(listing->scope.settings, job, listing->scope.now) &&
		is_listed(filter->job_ids, job->job_id) && is_listed(filter->users, job->user_id) &&
		(listing->sees_all || may_see(listing->uid, job));
}

static void append_job(void *item, size_t at, void *context)
{
	const struct sprio_list *listing = context;

	if (listing->chosen[at])
		append_pairs(listing, item);
}

/* The caller holds job, node and part read. */
static void list_block(struct sprio_list *listing, const struct list_walk *walk)
{
	static const struct list_walk_stages choose = { fetch_job, follow_job, NULL, choose_job };
	static const struct list_walk_stages append = { NULL, NULL, follow_far, append_job };
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };

	list_walk_each(walk, choose, listing);
	if (!COMPAT_LIST_IS_LOCKED)
		assoc_mgr_lock(&qos_lock);
	list_walk_each(walk, append, listing);
	if (!COMPAT_LIST_IS_LOCKED)
		assoc_mgr_unlock(&qos_lock);
}

/* Unless the caller holds the locks, the list is made in slices: each row is true by itself, and
 * points to nothing of slurmctld's. */
static void list_jobs(struct sprio_list *listing)
{
	slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };
	struct list_walk walk = { 0 };
	bool more = true;

	while (more) {
		struct slice slice;

		if (!COMPAT_LIST_IS_LOCKED)
			lock_slurmctld(locks);
		slice = slice_begin();
		do {
			more = list_walk_next(&walk, job_list);
			if (more)
				list_block(listing, &walk);
		} while (more && (COMPAT_LIST_IS_LOCKED || !slice_is_over(&slice)));
		if (!COMPAT_LIST_IS_LOCKED)
			unlock_slurmctld(locks);
		if (more)
			slice_pause();
	}
}

compat_list sprio_list_create(struct fairshare *fairshare, const struct settings *settings,
			      const struct sprio_list_filter *filter, uid_t uid)
{
	struct evaluation *evaluation = fairshare_evaluation(fairshare);
	struct places *places = fairshare_places(fairshare);
	struct sprio_list listing = {
		.scope = job_scope(evaluation, places, settings, time(NULL)),
		.filter = filter,
		.uid = uid,
		.sees_all = !(slurm_conf.private_data & PRIVATE_DATA_JOBS) ||
			    validate_operator(uid),
		.list = list_create(compat_destroy_factors_object),
	};

	list_jobs(&listing);
	evaluation_release(evaluation);
	places_release(places);
	if (!list_count(listing.list))
		FREE_NULL_LIST(listing.list);
	return listing.list;
}
