/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sprio's list: a walk over the job list makes a row for each job, partition and QOS that the
 * request names and that the user may see, from the terms that job records have. Terms that differ
 * between the pairs of a job are computed anew (job_value_show_pair).
 */
#include "report/sprio_list.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "core/id_index.h"
#include "core/name_index.h"
#include "walk/sliced_walk.h"

#include <string.h>

/* A list that is being made. */
struct sprio_list {
	struct priority_basis basis;
	const struct sprio_list_filter *filter;
	/* What the filter names, in indexes: it may name thousands, and a slice does not look at
	 * the clock while it leaves jobs out. */
	struct id_index jobs, users;
	struct name_index partitions;
	uid_t uid;		/* the user who asks */
	bool sees_all;		/* the user may see the jobs of all users */
	compat_list list;	/* the result */
};

/* ---- which jobs ------------------------------------------------------------------- */

/* Adds an id to an index; for list_for_each(), which ends when this returns -1: out of memory. */
static int put_id(void *id, void *index)
{
	return id_index_put(index, *(const uint32_t *)id, 0);
}

/* Adds the ids of a list, or NULL, to an index. Returns -1 if out of memory. */
static int put_ids(struct id_index *index, compat_list ids)
{
	return ids && list_for_each(ids, put_id, index) < 0 ? -1 : 0;
}

/* Adds names, separated by commas, or NULL, to an index. Returns -1 if out of memory. */
static int put_names(struct name_index *index, const char *names)
{
	struct fathom_error problem;

	while (names) {
		struct piece name = { names, strcspn(names, ",") };

		if (name_index_put(index, name, 0, &problem))
			return -1;
		names = names[name.length] ? names + name.length + 1 : NULL;
	}
	return 0;
}

/* Returns whether the filter names the job, or no jobs; and the job's user, or no users. */
static bool is_wanted(const struct sprio_list *sprio, const job_record_t *job)
{
	uint32_t unused;

	return (!sprio->filter->job_ids || id_index_find(&sprio->jobs, job->job_id, &unused)) &&
	       (!sprio->filter->users || id_index_find(&sprio->users, job->user_id, &unused));
}

/* Returns whether the filter names the partition, or no partitions at all. */
static bool is_wanted_in(const struct sprio_list *sprio, const part_record_t *partition)
{
	return !sprio->filter->partitions ||
	       name_index_get(&sprio->partitions, piece_of(partition->name)) != NAME_INDEX_NONE;
}

/* Returns whether a user may see a job where PrivateData=jobs is set: their own jobs, and those of
 * accounts that they coordinate. To find that out, assoc_mgr and MCS plugins take assoc_mgr's
 * locks, so the caller holds none of them. */
static bool may_see(uid_t uid, job_record_t *job)
{
	const bool is_locked = false;

	if (job->user_id == uid)
		return true;
	if (slurm_mcs_get_privatedata())
		return !mcs_g_check_mcs_label(uid, job->mcs_label, is_locked);
	return compat_is_coordinator(uid, job->account);
}

/* Returns whether sprio shows a job to anybody: not if it is held or may not start yet; and not if
 * it runs, unless priorities of running jobs are computed. */
static bool has_priority_to_show(const struct settings *settings, const job_record_t *job,
				  time_t now)
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

/* Returns whether sprio shows a job to this user. */
static bool is_shown(const struct sprio_list *sprio, job_record_t *job)
{
	return has_priority_to_show(sprio->basis.settings, job, sprio->basis.now) &&
	       is_wanted(sprio, job) && (sprio->sees_all || may_see(sprio->uid, job));
}

/* ---- rows ------------------------------------------------------------------------- */

/* Adds the row of a job's pair to the list. priority: that of the pair; 0: unknown. */
static void add_row(const struct sprio_list *sprio, job_record_t *job, const struct job_pair *pair,
		    uint32_t priority)
{
	priority_factors_object_t *row = compat_factors_object(job, pair->partition, pair->qos);

	if (job->direct_set_prio)
		row->direct_prio = job->priority;
	else if (job_has_pairs(job))
		job_value_show_pair(&sprio->basis, job, pair, priority,
				    compat_factors_of_object(row));
	list_append(sprio->list, row);
}

/* Adds the rows of all pairs of a job that the filter names. */
static void add_rows(const struct sprio_list *sprio, job_record_t *job)
{
	size_t count = job_pair_count(job);
	struct job_pair pair[count + 1];

	job_pairs(job, pair);
	for (size_t i = 0; i < count; i++)
		if (pair[i].partition && is_wanted_in(sprio, pair[i].partition))
			add_row(sprio, job, &pair[i], compat_pair_priority(job, count, i));
}

/* Adds the rows of a job if it is shown. The caller holds job, node and part read, but QOS read
 * only in releases with SLURM_LOCKS_FACTORS_LIST. In others this function takes it for jobs with
 * several pairs; rows of other jobs read nothing of a QOS. */
static void list_job(void *item, size_t at, void *context)
{
	const struct sprio_list *sprio = context;
	assoc_mgr_lock_t qos_lock = { .qos = READ_LOCK };
	bool takes_lock;

	if (!is_shown(sprio, item))
		return;
	takes_lock = !SLURM_LOCKS_FACTORS_LIST && job_has_pairs(item);
	if (takes_lock)
		locks_take(NULL, &qos_lock);
	add_rows(sprio, item);
	if (takes_lock)
		locks_release(NULL, &qos_lock);
}

/* Prefetches the fields of a record that list_job() reads; prefetch_fields() prefetches all fields
 * between two. */
static void fetch_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	prefetch_fields(job, details, direct_set_prio);
	prefetch_fields(job, job_id, job_state);
	prefetch_fields(job, part_ptr_list, qos_ptr);
	prefetch(&job->user_id);
}

/* Prefetches what the record points to. */
static void follow_job(void *item, size_t at, void *context)
{
	const job_record_t *job = item;

	prefetch(&job->details->begin_time);
	if (job->prio_factors)
		prefetch_fields(job->prio_factors, priority_age, nice);
}

/* Makes the list. If the caller does not hold the locks, the walk is in slices: then rows point to
 * nothing of slurmctld's, and two rows may be of different times. */
static void list_jobs(struct sprio_list *sprio)
{
	static const slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK,
						.part = READ_LOCK };
	static const struct sliced_walk walk = {
		.list = &job_list, .locks = SLURM_LOCKS_FACTORS_LIST ? NULL : &locks,
	};
	static const struct list_walk_stages stages = {
		.fetch = fetch_job, .follow = follow_job, .work = list_job,
		.touch = offsetof(job_record_t, job_state),
	};

	sprio->list = list_create(compat_destroy_factors_object);
	sliced_walk(&walk, stages, sprio);
	if (!list_count(sprio->list))
		FREE_NULL_LIST(sprio->list);
}

compat_list sprio_list_create(struct results *results, const struct settings *settings,
			      const struct sprio_list_filter *filter, uid_t uid)
{
	struct evaluation *evaluation = published_get(&results->evaluation);
	struct places *places = published_get(&results->places);
	struct sprio_list sprio = {
		.basis = priority_basis(evaluation, places, settings, time(NULL)),
		.filter = filter,
		.uid = uid,
		.sees_all = !(slurm_conf.private_data & PRIVATE_DATA_JOBS) ||
			    validate_operator(uid),
	};

	if (put_ids(&sprio.jobs, filter->job_ids) || put_ids(&sprio.users, filter->users) ||
	    put_names(&sprio.partitions, filter->partitions))
		error(LOG_PREFIX "out of memory; sprio gets no list");
	else
		list_jobs(&sprio);
	id_index_clear(&sprio.jobs);
	id_index_clear(&sprio.users);
	name_index_clear(&sprio.partitions);
	shared_release(evaluation);
	shared_release(places);
	return sprio.list;
}
