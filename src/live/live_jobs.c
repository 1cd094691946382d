/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the answer that slurmctld gives to sprio: a row for each pending job and partition that the
 * caller may see, with its weighted factors. What is wanted beside that comes from the records of
 * jobs, as scontrol shows them: they complete rows, and give rows to jobs that sprio is not shown.
 */
#include "live/live_private.h"

#include "core/error.h"
#include "document/document.h"
#include "memory/need_names.h"
#include "priority/job_comment.h"
#include "priority/own_hold.h"

#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the answer -------------------------------------------------------------------- */

/* The state of reading the answer. */
struct jobs_reading {
	struct job_list *list;
	const slurm_conf_t *slurm;
	bool reads_fathom;		/* fathom.conf counts; false also if as_sent is wanted */
	struct fathom_conf conf;	/* fathom.conf, if reads_fathom */
	bool may_raise;			/* under flux: see struct fathom_flux_weights */
	struct numbered_names *pooled;	/* see live_conf_find_partitions() */
	struct live_jobs_wanted wanted;
	job_info_msg_t *infos;		/* the records of all jobs; NULL: not requested */
	job_info_msg_t *wanted_info[LIVE_MOST_JOBS];	/* those of wanted.job; NULL: unknown */
	bool is_single;			/* the records in wanted_info are used now */
	struct live_limits limits;
	struct id_index users;		/* from a uid to the first row that has it */
};

const char *live_user_name(uint32_t uid)
{
	const struct passwd *known = getpwuid((uid_t)uid);

	return known ? need_text(known->pw_name) : need_print("%u", uid);
}

/* Sets the user's name in a row. The system is asked once for each uid. */
static void set_user(struct jobs_reading *reading, struct job_row *row, uint32_t uid)
{
	uint32_t first;

	if (id_index_find(&reading->users, uid, &first)) {
		row->user = reading->list->row[first].user;
		return;
	}
	row->user = live_user_name(uid);
	need_done(id_index_put(&reading->users, uid, (uint32_t)(row - reading->list->row)));
}

/* Returns the factor of a weighted term; 0, which may be wrong, if the weight is 0. */
static double without_weight(double weighted, double weight)
{
	return weight != 0 ? weighted / weight : 0;
}

/* Sets the weighted terms of a row, as slurmctld sends them, and the factors that follow from
 * them. */
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

/* Sets what fathom.conf says of the row's partition. */
static void use_conf(struct jobs_reading *reading, struct job_row *row, const char *partition)
{
	const struct conf_scope *scope = live_conf_scope(&reading->conf, partition);

	row->is_pooled =
		partition && numbered_names_find(reading->pooled, partition) != NAME_INDEX_NONE;
	row->is_first_come = !scope && conf_others_are_first_come(&reading->conf);
	row->has_other_scopes = live_conf_has_choice(&reading->conf, partition);
	row->keeps_policy = row->has_other_scopes || (scope && scope->policy);
	row->has_scope_settings = scope && (scope->pair_count || scope->user_shares);
	row->scope = need_text(scope ? scope->name : NULL);
}

/* Adds the row of a job in a partition. */
static void read_job(struct jobs_reading *reading, const priority_factors_object_t *job)
{
	const compat_factors_t *factors = compat_factors(job);
	struct job_list *list = reading->list;
	struct job_row *row = job_list_add(list);
	bool is_placed;		/* it has a place in an order of dispatch, if it is not set */

	row->id = compat_job_id(job);
	row->is_set = job->direct_prio > 0;
	row->priority = job->direct_prio;
	if (factors && !row->is_set)
		read_factors(list, row, factors);
	if (reading->reads_fathom)
		use_conf(reading, row, job->partition);
	is_placed = reading->reads_fathom &&
		    (row->is_pooled ||
		     live_conf_places(&reading->conf, reading->slurm, job->partition));
	if (is_placed && !row->is_set) {
		row->place = 0;		/* job_list_rank_places() finds which one */
		list->has_places = true;
	}
	set_user(reading, row, job->user_id);
	row->partition = need_text(job->partition);
	row->account = need_text(compat_job_account(job));
	row->qos = need_text(compat_job_qos(job));
}

/* Reads the names and weights of TRES. factors: of any job, as they are the same for all. */
static void read_tres(struct job_list *list, const compat_factors_t *factors)
{
	for (size_t i = 0; i < list->tres_count; i++) {
		list->tres_weight[i] = factors->tres_weights ? factors->tres_weights[i] : 0;
		list->tres_name[i] = need_text(factors->tres_names[i]);
	}
}

/* Reads the weights of the other factors. */
static void read_weights(struct job_list *list, const slurm_conf_t *slurm)
{
	list->weight[JOB_AGE] = slurm->priority_weight_age;
	list->weight[JOB_ASSOC] = slurm->priority_weight_assoc;
	list->weight[JOB_FAIRSHARE] = slurm->priority_weight_fs;
	list->weight[JOB_SIZE] = slurm->priority_weight_js;
	list->weight[JOB_PARTITION] = slurm->priority_weight_part;
	list->weight[JOB_QOS] = slurm->priority_weight_qos;
	list->max_age = slurm->priority_max_age;
	list->increases_only = slurm->priority_flags & PRIORITY_FLAGS_INCR_ONLY;
}

/* Reads from fathom.conf whether a formula or flux-accounting's rule makes the priorities. */
static void read_rule(struct jobs_reading *reading)
{
	struct job_list *list = reading->list;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const char *remark;

	reading->reads_fathom = !reading->wanted.as_sent && live_conf_is_fathom(reading->slurm);
	if (!reading->reads_fathom)
		return;
	reading->conf = live_conf_read(reading->slurm, &remark, NULL);
	policy = live_conf_policy(&reading->conf, reading->slurm);
	settings = live_conf_settings(&reading->conf, reading->slurm, policy);
	list->remark = need_text(remark);
	live_conf_find_partitions(&reading->conf, reading->slurm, reading->pooled);
	if (reading->conf.given[CONF_FORMULA]) {
		list->formula = need_text(reading->conf.formula);
		list->formula_scale = reading->conf.value[CONF_FORMULA_SCALE];
	} else if (fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY) {
		job_list_set_flux_weights(list, &settings);
		reading->may_raise = fathom_flux_weights(&settings).may_raise;
	}
}

/* Returns the factors of the first row that has some, with the names of TRES; NULL: no row has. A
 * job whose priority an administrator has set has no factors. */
static const compat_factors_t *find_factors(const struct live_items *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		const compat_factors_t *factors = compat_factors(jobs->item[i]);

		if (factors && factors->tres_cnt && factors->tres_names)
			return factors;
	}
	return NULL;
}

/* ---- the records of jobs ------------------------------------------------------------------ */

/* Returns the nice value of a job; under flux-accounting's rule, 16 - urgency in its place. */
static int64_t nice_of(const struct jobs_reading *reading, const slurm_job_info_t *info)
{
	struct fathom_job job = { .nice = (int64_t)info->nice - NICE_OFFSET };

	if (!reading->list->by_flux)
		return job.nice;
	job.nice = job_comment_nice(info->comment, job.nice, reading->may_raise, NULL);
	return FATHOM_FLUX_URGENCY -
	       (int64_t)fathom_flux_job(&job, &(struct fathom_queue){ 0 }).urgency;
}

/* Returns whether states are wanted of the jobs whose records are used now. */
static bool wants_states(const struct jobs_reading *reading)
{
	return reading->wanted.states || reading->is_single;
}

/* Returns why a word of the job's comment does not count; NULL: each counts, or a group is named
 * and no single jobs are wanted. */
static const char *comment_fault(const struct jobs_reading *reading, const struct job_row *row,
				 const slurm_job_info_t *info)
{
	const char *fault = NULL;

	if (reading->list->by_flux)
		job_comment_nice(info->comment, 0, reading->may_raise, &fault);
	if (!fault && reading->reads_fathom && reading->wanted.job_count)
		fault = live_conf_group_fault(&reading->conf, row->partition, row->user,
					      info->comment);
	return fault;
}

/* Sets in a row what the record of its job says. If single jobs are wanted, also why the job waits,
 * unless fathom holds it: then row->own_hold says why. */
static void use_info(struct jobs_reading *reading, struct job_row *row,
		     const slurm_job_info_t *info)
{
	struct job_list *list = reading->list;
	bool terms_tell_nice = list->nice_weight != 0 && !row->has_no_terms;

	if (wants_states(reading))
		row->state = info->job_state & JOB_STATE_BASE;
	row->is_held = info->priority == 0;
	if (row->is_held)
		row->own_hold = need_text(own_hold_reason(info->state_desc));
	row->depends = info->dependency && *info->dependency;
	if (list->by_flux && !terms_tell_nice)
		row->plain.nice = nice_of(reading, info);
	row->account = need_text(info->account);
	row->qos = need_text(info->qos);
	if (reading->is_single && !row->own_hold && IS_JOB_PENDING(info))
		row->reason = live_reason(info, row->partition, &reading->limits);
	row->unheeded = comment_fault(reading, row, info);
}

/* Adds a row of a job that sprio is not shown, without terms. */
static void add_row(struct jobs_reading *reading, const slurm_job_info_t *info,
		    const char *partition)
{
	struct job_list *list = reading->list;
	struct job_row *row = job_list_add(list);

	row->id = compat_info_id(info);
	row->has_no_terms = true;
	row->priority = info->priority;
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		row->plain.factor[i] = row->weighted.factor[i] = NAN;
	row->plain.site = row->weighted.site = NAN;
	row->plain.nice = nice_of(reading, info);
	row->weighted.nice = (int64_t)((double)row->plain.nice * list->nice_weight);
	set_user(reading, row, info->user_id);
	row->partition = need_text(partition);
	if (reading->reads_fathom)
		use_conf(reading, row, partition);
	use_info(reading, row, info);
}

/* Adds a row for each partition of a job that sprio is not shown. */
static void add_rows(struct jobs_reading *reading, const slurm_job_info_t *info)
{
	char *copy = need_text(info->partition ? info->partition : ""), *rest = copy, *partition;

	while ((partition = strsep(&rest, ",")))
		add_row(reading, info, partition);
}

/* For qsort(). */
static int compare_ids(const void *first, const void *second)
{
	const slurm_job_info_t *const *a = first, *const *b = second;

	return (compat_info_id(*a) > compat_info_id(*b)) -
	       (compat_info_id(*a) < compat_info_id(*b));
}

/* Uses records in the rows of their jobs. If states are wanted, adds rows for jobs that have none,
 * sorted by id. */
static void use_infos(struct jobs_reading *reading, const job_info_msg_t *infos)
{
	struct job_list *list = reading->list;
	size_t count = infos->record_count;
	const slurm_job_info_t **sorted = need_zeros(count, sizeof(*sorted));
	bool *has_rows = need_zeros(count, sizeof(*has_rows));	/* by index in `sorted` */
	struct id_index by_id = { NULL };
	uint32_t found;

	for (size_t i = 0; i < count; i++)
		sorted[i] = &infos->job_array[i];
	qsort(sorted, count, sizeof(*sorted), compare_ids);
	for (size_t i = 0; i < count; i++)
		need_done(id_index_put(&by_id, compat_info_id(sorted[i]), (uint32_t)i));
	for (size_t i = 0; i < list->count; i++)
		if (id_index_find(&by_id, (uint64_t)list->row[i].id, &found)) {
			has_rows[found] = true;
			use_info(reading, &list->row[i], sorted[found]);
		}
	for (size_t i = 0; wants_states(reading) && i < count; i++)
		if (!has_rows[i])
			add_rows(reading, sorted[i]);
	id_index_clear(&by_id);
}

/* Requests the records of all jobs. */
static void request_infos(struct jobs_reading *reading)
{
	errno = 0;
	if (slurm_load_jobs((time_t)0, &reading->infos, SHOW_ALL | SHOW_LOCAL) || !reading->infos)
		libslurm_failed("slurmctld");
}

/* Requests the records of the jobs that are wanted. A job that does not exist, or that the caller
 * must not see, has none. */
static void request_wanted(struct jobs_reading *reading)
{
	if (reading->wanted.own) {
		reading->wanted.job_count =
			!slurm_load_job_user(&reading->wanted_info[0], (uint32_t)getuid(),
					     SHOW_ALL | SHOW_LOCAL);
		return;
	}
	for (size_t i = 0; i < reading->wanted.job_count; i++)
		if (compat_load_job(&reading->wanted_info[i], (uint32_t)reading->wanted.job[i]))
			reading->wanted_info[i] = NULL;
}

/* Uses the records of the jobs that are wanted. */
static void use_wanted(struct jobs_reading *reading)
{
	reading->is_single = true;
	for (size_t i = 0; i < reading->wanted.job_count; i++)
		if (reading->wanted_info[i])
			use_infos(reading, reading->wanted_info[i]);
	reading->is_single = false;
}

/* ---- the cluster ------------------------------------------------------------------------- */

/* Completes the rows with what only records of jobs have. */
static void complete_rows(struct jobs_reading *reading)
{
	const struct job_list *list = reading->list;
	/* only records have all factors of flux, and with old releases names of accounts */
	bool lacks_names = list->by_flux || !COMPAT_FACTORS_HAVE_NAMES;

	use_wanted(reading);
	if (reading->wanted.names && lacks_names && list->count && !reading->infos)
		request_infos(reading);
	if (!reading->infos)
		return;
	use_infos(reading, reading->infos);
	if (reading->list->by_flux)
		live_flux_complete(reading->list, reading->slurm);
}

/* Returns whether PrivateData hides nothing from the caller, who is root, SlurmUser or an
 * operator. */
static bool sees_all(const slurm_conf_t *slurm)
{
	assoc_mgr_info_msg_t *records;
	uint32_t uid = (uint32_t)getuid();
	struct live_items users;

	if (!uid || uid == slurm->slurm_user_id)
		return true;
	records = libslurm_records(ASSOC_MGR_INFO_FLAG_USERS);
	if (!records)
		return false;
	users = live_items(records->user_list);
	for (size_t i = 0; i < users.count; i++) {
		const slurmdb_user_rec_t *user = users.item[i];

		if (user->uid == uid && user->admin_level >= SLURMDB_ADMIN_OPERATOR)
			return true;
	}
	return false;
}

/* Makes the rows of slurmctld's answer to sprio. response: may be NULL: there are no jobs. */
static void read_answer(struct jobs_reading *reading,
			const priority_factors_response_msg_t *response)
{
	struct live_items jobs = live_items(response ? response->priority_factors_list : NULL);
	const compat_factors_t *any = find_factors(&jobs);

	job_list_create(reading->list, any ? any->tres_cnt : 0);
	read_weights(reading->list, reading->slurm);
	reading->list->hides_jobs =
		reading->slurm->private_data & PRIVATE_DATA_JOBS && !sees_all(reading->slurm);
	reading->list->tres_weights = need_text(reading->slurm->priority_weight_tres);
	if (any)
		read_tres(reading->list, any);
	read_rule(reading);
	for (size_t i = 0; i < jobs.count; i++)
		read_job(reading, jobs.item[i]);
	complete_rows(reading);
}

/* Asks slurmctld, and makes the rows. */
static void read_cluster(struct jobs_reading *reading)
{
	const slurm_conf_t *slurm = libslurm_conf();
	priority_factors_response_msg_t *response = NULL;
	struct fathom_error error;

	reading->slurm = slurm;
	if (slurm->priority_type && !strcmp(slurm->priority_type, "priority/basic")) {
		fathom_error_set(&error, ENOTSUP, "the cluster runs priority/basic, which has no "
				 "factors; must be priority/fathom or priority/multifactor");
		wrong_by(NULL, 0, &error);
	}
	if (reading->wanted.states)
		request_infos(reading);
	request_wanted(reading);
	errno = 0;
	if (compat_load_job_prio(&response))
		libslurm_failed("slurmctld");
	read_answer(reading, response);
}

bool live_sprio_shows_names(void)
{
	return COMPAT_FACTORS_HAVE_NAMES;
}

void live_jobs_read(struct job_list *list, struct live_jobs_wanted wanted)
{
	struct jobs_reading reading = { .list = list, .wanted = wanted, .pooled = need_names() };

	*list = (struct job_list){ 0 };
	libslurm_begin(LIBSLURM_FROM);
	read_cluster(&reading);
	libslurm_end();
	id_index_clear(&reading.users);
}
