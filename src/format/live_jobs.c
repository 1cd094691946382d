/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the answer that slurmctld gives to sprio: a row for each pending job and
 * partition that the caller may see, with its weighted factors.
 */
#include "format/compat.h"

#include "format/live_jobs.h"

#include "core/error.h"
#include "core/name_index.h"
#include "format/stderr_capture.h"
#include "format/live.h"
#include "format/live_conf.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the answer -------------------------------------------------------------------- */

struct reading {
	struct job_list *list;
	const slurm_conf_t *conf;
	struct fathom_conf fathom;	/* fathom.conf, if is_fathom */
	bool is_fathom;
	struct name_index users;		/* uid: its first row */
	uint32_t *uid;			/* by row */
	struct fathom_error *error;
};

static int failed_call(struct fathom_error *error)
{
	int code = errno;
	char line[160];

	stderr_capture_end(line, sizeof(line));
	stderr_capture_begin();
	return fathom_error_set(error, code ? code : EIO, "slurmctld: %s",
				code ? slurm_strerror(code) : *line ? line : "no answer");
}

/* Sets the user's name; a uid without a name on this host is shown as a number, as in sprio. */
static int set_user(struct reading *reading, struct job_row *row, size_t index, uint32_t uid)
{
	struct piece key = { (const char *)&reading->uid[index], sizeof(uid) };
	const struct passwd *known;
	char number[16];
	size_t first;

	reading->uid[index] = uid;
	first = name_index_get(&reading->users, key);
	if (first != NAME_INDEX_NONE) {
		row->user = reading->list->row[first].user;
		return 0;
	}
	known = getpwuid((uid_t)uid);
	snprintf(number, sizeof(number), "%u", uid);
	return job_list_keep(reading->list, known ? known->pw_name : number, &row->user,
			     reading->error) ||
	       name_index_put(&reading->users, key, index, reading->error) ? -1 : 0;
}

static double without_weight(double weighted, double weight)
{
	return weight != 0 ? weighted / weight : 0;
}

static void read_factors(struct job_list *list, struct job_row *row,
			 const compat_factors_t *factors)
{
	const double weighted[JOB_FACTOR_COUNT] = {
		[JOB_AGE] = factors->priority_age, [JOB_ASSOC] = factors->priority_assoc,
		[JOB_FAIRSHARE] = factors->priority_fs, [JOB_SIZE] = factors->priority_js,
		[JOB_PARTITION] = factors->priority_part, [JOB_QOS] = factors->priority_qos,
	};

	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++) {
		row->weighted.factor[i] = weighted[i];
		row->plain.factor[i] = without_weight(weighted[i], list->weight[i]);
	}
	for (size_t i = 0; i < list->tres_count && i < factors->tres_cnt; i++) {
		row->weighted.tres[i] = factors->priority_tres[i];
		row->plain.tres[i] = without_weight(factors->priority_tres[i],
						    list->tres_weight[i]);
	}
	row->plain.site = row->weighted.site = (double)factors->priority_site - NICE_OFFSET;
	row->weighted.nice = (int64_t)factors->nice - NICE_OFFSET;
	row->plain.nice = (int64_t)without_weight((double)row->weighted.nice, list->nice_weight);
}

static int read_job(void *item, void *context)
{
	const priority_factors_object_t *job = item;
	const compat_factors_t *factors = compat_factors(job);
	struct reading *reading = context;
	struct job_list *list = reading->list;
	size_t index = list->count;
	struct job_row *row = job_list_add(list);

	row->id = compat_job_id(job);
	row->is_set = job->direct_prio > 0;
	row->priority = job->direct_prio;
	if (factors && !row->is_set)
		read_factors(list, row, factors);
	if (reading->is_fathom && !row->is_set &&
	    live_conf_places(&reading->fathom, reading->conf, job->partition)) {
		row->place = 0;		/* it has one; job_list_rank_places() finds it */
		list->has_places = true;
	}
	if (set_user(reading, row, index, job->user_id) ||
	    job_list_keep(list, job->partition, &row->partition, reading->error) ||
	    job_list_keep(list, compat_job_account(job), &row->account, reading->error) ||
	    job_list_keep(list, compat_job_qos(job), &row->qos, reading->error))
		return -1;
	return 0;
}

/* The names and weights of TRES, which are the same for all jobs. */
static int read_tres(struct job_list *list, const compat_factors_t *factors,
		     struct fathom_error *error)
{
	for (size_t i = 0; i < list->tres_count; i++) {
		list->tres_weight[i] = factors->tres_weights ? factors->tres_weights[i] : 0;
		if (job_list_keep(list, factors->tres_names[i], &list->tres_name[i], error))
			return -1;
	}
	return 0;
}

static void read_weights(struct job_list *list, const slurm_conf_t *conf)
{
	list->weight[JOB_AGE] = conf->priority_weight_age;
	list->weight[JOB_ASSOC] = conf->priority_weight_assoc;
	list->weight[JOB_FAIRSHARE] = conf->priority_weight_fs;
	list->weight[JOB_SIZE] = conf->priority_weight_js;
	list->weight[JOB_PARTITION] = conf->priority_weight_part;
	list->weight[JOB_QOS] = conf->priority_weight_qos;
}

static int read_formula(struct job_list *list, const struct fathom_conf *conf,
			struct fathom_error *error)
{
	list->formula_scale = conf->value[CONF_FORMULA_SCALE];
	return job_list_keep(list, conf->formula, &list->formula, error);
}

/* Reads from fathom.conf whether a formula or flux-accounting's rule makes the priorities. */
static int read_rule(struct reading *reading)
{
	struct job_list *list = reading->list;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	char *remark;
	int status;

	reading->is_fathom = live_conf_is_fathom(reading->conf);
	if (!reading->is_fathom)
		return 0;
	reading->fathom = live_conf_read(reading->conf, &remark);
	policy = live_conf_policy(&reading->fathom, reading->conf);
	settings = live_conf_settings(&reading->fathom, reading->conf, policy);
	status = job_list_keep(list, remark, &list->remark, reading->error);
	if (!status && reading->fathom.given[CONF_FORMULA])
		status = read_formula(list, &reading->fathom, reading->error);
	else if (fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY)
		job_list_set_flux_weights(list, &settings);
	free(remark);
	return status;
}

/* Finds a job that has factors, for the names of TRES: a job whose priority an administrator has
 * set has none. */
static int find_factors(void *item, void *context)
{
	const compat_factors_t **found = context, *factors = compat_factors(item);

	if (!factors || !factors->tres_cnt || !factors->tres_names)
		return 0;
	*found = factors;
	return -1;
}

static int read_answer(struct job_list *list, const slurm_conf_t *conf,
		       const priority_factors_response_msg_t *response, struct fathom_error *error)
{
	void *jobs = response ? response->priority_factors_list : NULL;
	size_t count = jobs ? (size_t)list_count(jobs) : 0;
	struct reading reading = { .list = list, .conf = conf, .error = error };
	const compat_factors_t *any = NULL;
	int status = -1;

	if (jobs)
		list_for_each(jobs, find_factors, &any);
	if (job_list_create(list, count, any ? any->tres_cnt : 0, error))
		return -1;
	read_weights(list, conf);
	reading.uid = calloc(count + 1, sizeof(*reading.uid));
	if (!reading.uid)
		fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	else if ((!any || !read_tres(list, any, error)) && !read_rule(&reading))
		status = jobs && list_for_each(jobs, read_job, &reading) < 0 ? -1 : 0;
	if (reading.is_fathom)
		conf_clear(&reading.fathom);
	name_index_clear(&reading.users);
	free(reading.uid);
	return status;
}

/* ---- accounts and QOS ------------------------------------------------------------------ */

static int compare_ids(const void *first, const void *second)
{
	const slurm_job_info_t *const *a = first, *const *b = second;

	return (compat_info_id(*a) > compat_info_id(*b)) -
	       (compat_info_id(*a) < compat_info_id(*b));
}

static const slurm_job_info_t *find_info(const slurm_job_info_t **sorted, size_t count, int64_t id)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compat_info_id(sorted[middle]) < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && compat_info_id(sorted[low]) == id ? sorted[low] : NULL;
}

static int read_names(struct job_list *list, const job_info_msg_t *jobs,
		      struct fathom_error *error)
{
	const slurm_job_info_t **sorted = calloc(jobs->record_count + 1, sizeof(*sorted));
	int status = 0;

	if (!sorted)
		return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < jobs->record_count; i++)
		sorted[i] = &jobs->job_array[i];
	qsort(sorted, jobs->record_count, sizeof(*sorted), compare_ids);
	for (size_t i = 0; !status && i < list->count; i++) {
		const slurm_job_info_t *info = find_info(sorted, jobs->record_count,
							 list->row[i].id);

		if (!info)	/* the job has ended since the first request */
			continue;
		if (job_list_keep(list, info->account, &list->row[i].account, error) ||
		    job_list_keep(list, info->qos, &list->row[i].qos, error))
			status = -1;
	}
	free(sorted);
	return status;
}

static int request_names(struct job_list *list, struct fathom_error *error)
{
	job_info_msg_t *jobs = NULL;
	int status;

	errno = 0;
	if (slurm_load_jobs((time_t)0, &jobs, SHOW_ALL | SHOW_LOCAL) || !jobs)
		return failed_call(error);
	status = read_names(list, jobs, error);
	slurm_free_job_info_msg(jobs);
	return status;
}

/* ---- the cluster ------------------------------------------------------------------------- */

static int request_jobs(struct job_list *list, bool with_names, const slurm_conf_t *conf,
	       struct fathom_error *error)
{
	priority_factors_response_msg_t *response = NULL;
	int status;

	if (conf->priority_type && !strcmp(conf->priority_type, "priority/basic"))
		return fathom_error_set(error, ENOTSUP,
					"the cluster runs priority/basic, which has "
					"no factors; must be priority/fathom or "
					"priority/multifactor");
	errno = 0;
	if (compat_load_job_prio(&response))
		return failed_call(error);
	status = read_answer(list, conf, response, error);
	slurm_free_priority_factors_response_msg(response);
	if (!status && with_names && !COMPAT_FACTORS_HAVE_NAMES && list->count)
		status = request_names(list, error);
	return status;
}

static int read_cluster(struct job_list *list, bool with_names, struct fathom_error *error)
{
	slurm_conf_t *conf = NULL;
	int status;

	errno = 0;
	if (slurm_load_ctl_conf((time_t)0, &conf) || !conf)
		return failed_call(error);
	status = request_jobs(list, with_names, conf, error);
	compat_free_conf(conf);
	return status;
}

int live_jobs_read(struct job_list *list, bool with_names, struct fathom_error *error)
{
	char line[512];
	int status;

	memset(list, 0, sizeof(*list));
	stderr_capture_begin();
	live_begin();
	status = read_cluster(list, with_names, error);
	stderr_capture_end(line, sizeof(line));
	if (status)
		job_list_clear(list);
	return status;
}
