/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs with all that their priorities depend on, by four requests: for the records of jobs,
 * of partitions, of nodes, and of assoc_mgr. */
#include "live/live_private.h"

#include "document/document.h"
#include "format/job_settings.h"
#include "format/slurm/slurm_jobs.h"
#include "jobs/job_states.h"
#include "priority/job_comment.h"
#include "priority/own_hold.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* The state of reading. */
struct record_reading {
	struct jobs *jobs;
	const struct job_list *shown;
	job_info_msg_t *infos;
	partition_info_msg_t *partitions;
	node_info_msg_t *nodes;
	struct live_limits limits;
	struct id_index shown_row;	/* from a job's id to its last row in shown */
};

/* Adds a text to the jobs, and returns its number; JOBS_NONE for NULL and "". */
static size_t add_text(struct jobs *jobs, const char *text)
{
	return text && *text ? jobs_add_text(jobs, text) : JOBS_NONE;
}

/* Returns a number of a record; 0 for Slurm's numbers for "no value" and "no limit". */
static double number(uint32_t value)
{
	return value == NO_VAL || value == INFINITE ? 0 : value;
}

/* ---- partitions, QOS, associations -------------------------------------------------- */

/* Adds a partition. */
static void add_partition(struct jobs *jobs, const partition_info_t *partition)
{
	struct jobs_partition to = { .name = add_text(jobs, partition->name),
				     .job_factor = partition->priority_job_factor,
				     .max_time = partition->max_time };

	slurm_jobs_add_tres(jobs, piece_of(partition->tres_fmt_str), &to.tres);
	jobs_add_partition(jobs, to);
}

/* Adds all QOS. list: of slurmdb_qos_rec_t, or NULL. */
static void add_qos(struct jobs *jobs, void *list)
{
	struct live_items qos = live_items(list);

	for (size_t i = 0; i < qos.count; i++) {
		const slurmdb_qos_rec_t *from = qos.item[i];
		struct jobs_qos to = { .priority = number(from->priority) };

		to.name = add_text(jobs, from->name);
		if (to.name != JOBS_NONE)
			JOBS_ADD(jobs, qos, to);
	}
}

/* Sets the highest priority of an association. associations: slurmdb_assoc_rec_t. */
static void find_highest_assoc(struct jobs *jobs, const struct live_items *associations)
{
	for (size_t i = 0; i < associations->count; i++) {
		const slurmdb_assoc_rec_t *from = associations->item[i];

		jobs->highest_assoc = fmax(jobs->highest_assoc, number(from->priority));
	}
}

/* Counts nodes and their CPUs. A record without a name is one that slurmctld hides. */
static void count_nodes(struct record_reading *reading)
{
	struct jobs *jobs = reading->jobs;

	for (size_t i = 0; i < reading->nodes->record_count; i++) {
		const node_info_t *node = &reading->nodes->node_array[i];

		if (!node->name || !*node->name)
			continue;
		jobs->nodes++;
		jobs->cpus += node->cpus;
	}
}

/* ---- jobs --------------------------------------------------------------------------- */

/* Sets what only slurmctld's answer to sprio tells: a priority that an administrator has set; and
 * if a pending job has no row there, that it waits for something else than resources. */
static void use_shown(const struct record_reading *reading, uint32_t id, struct job *job)
{
	uint32_t index;

	if (!id_index_find(&reading->shown_row, id, &index))
		job->waits = job->state == JOB_STATE_PENDING && !job->held;
	else if (reading->shown->row[index].is_set)
		job->set_priority = reading->shown->row[index].priority;
}

/* Sets all numbers of a job; 0 where its record has none. */
static void set_numbers(const struct record_reading *reading, const slurm_job_info_t *info,
			struct job *job)
{
	uint32_t most_cpus = info->max_cpus, id = compat_info_id(info);
	const slurmdb_assoc_rec_t *association =
		live_limits_association(&reading->limits, info->assoc_id);

	job->id = id;
	job->state = info->job_state & JOB_STATE_BASE;
	job->held = info->priority == 0;
	job->depends = info->dependency && *info->dependency;
	job->accrue_time = (double)info->accrue_time;
	job->submit_time = (double)info->submit_time;
	if (job->state == JOB_STATE_PENDING)
		job->expected_start = (double)info->start_time;
	else
		job->started = (double)info->start_time;
	job->min_nodes = number(info->num_nodes);
	if (job->state == JOB_STATE_PENDING)
		slurm_jobs_ask_nodes(piece_of(info->tres_req_str), &job->min_nodes);
	job->cpus = most_cpus && most_cpus != NO_VAL ? most_cpus : number(info->num_cpus);
	job->time_limit = info->time_limit == NO_VAL ? 0 : info->time_limit;
	job->nice = info->nice == NO_VAL ? 0 : (double)info->nice - NICE_OFFSET;
	job->site = info->site_factor == NO_VAL ? 0 : (double)info->site_factor - NICE_OFFSET;
	job->assoc_priority = association ? number(association->priority) : 0;
	slurm_jobs_count_tasks(piece_of(info->array_task_str), &job->array_tasks);
	use_shown(reading, id, job);
}

/* Returns the word of the comment that gives an urgency, "urgency=20"; NULL: there is none. The
 * rest of the comment is private. */
static const char *urgency_in_comment(const slurm_job_info_t *info)
{
	struct piece word = job_comment_value(info->comment, "urgency");

	if (!word.at || strspn(word.at, "0123456789") < word.length)
		return NULL;
	return need_print("urgency=%.*s", (int)word.length, word.at);
}

/* Sets why the job waits in the first partition that it asks for. */
static void add_reason(struct record_reading *reading, const slurm_job_info_t *info,
		       struct job *job)
{
	const char *names = info->partition ? info->partition : "";
	const char *partition = need_print("%.*s", (int)strcspn(names, ","), names);

	job->reason = job->reason_clause = JOBS_NONE;
	if (job->state != JOB_STATE_PENDING)
		return;
	job->reason = add_text(reading->jobs, compat_reason(info));
	job->reason_clause = add_text(reading->jobs,
				      live_reason(info, partition, &reading->limits));
}

/* Adds the job of a record. */
static void add_job(struct record_reading *reading, const slurm_job_info_t *info)
{
	struct jobs *jobs = reading->jobs;
	struct job job = { .qos = JOBS_NONE, .fairshare = NAN, .queue = NAN, .bank = NAN,
			   .urgency = NAN };
	const char *tres = info->tres_alloc_str && *info->tres_alloc_str ? info->tres_alloc_str
									 : info->tres_req_str;

	set_numbers(reading, info, &job);
	job.user = add_text(jobs, live_user_name(info->user_id));
	job.account = add_text(jobs, info->account);
	job.qos_name = add_text(jobs, info->qos);
	job.own_hold = add_text(jobs, job.held ? own_hold_reason(info->state_desc) : NULL);
	add_reason(reading, info, &job);
	slurm_jobs_add_partitions(jobs, piece_of(info->partition), &job);
	slurm_jobs_add_tres(jobs, piece_of(tres), &job.tres);
	job.comment = add_text(jobs, urgency_in_comment(info));
	job.features = add_text(jobs, info->features);
	job.licenses = add_text(jobs, info->licenses);
	job.reservation = add_text(jobs, info->resv_name);
	JOBS_ADD(jobs, job, job);
}

/* ---- when ages were computed -------------------------------------------------------- */

/* For qsort(). */
static int compare_times(const void *first, const void *second)
{
	double a = *(const double *)first, b = *(const double *)second;

	return (a > b) - (a < b);
}

/* Returns the time at which the age of a row was computed: the job's accrue time plus the age.
 * NAN: the age does not tell, as it is 0 or the greatest age. */
static double time_of_age(const struct record_reading *reading, const struct job_row *row)
{
	double age = row->plain.factor[JOB_AGE];	/* a part of the greatest age */

	if (row->is_set || !(age > 0 && age < 1))
		return NAN;
	for (size_t i = 0; i < reading->infos->record_count; i++) {
		const slurm_job_info_t *info = &reading->infos->job_array[i];

		if (compat_info_id(info) == row->id)
			return (double)info->accrue_time + nearbyint(age * reading->shown->max_age);
	}
	return NAN;
}

#define MOST_TIMES 255	/* rows that are looked at; more than one, because of jobs just submitted */

/* Sets the time of the jobs to that of the pass that computed the ages: the median over rows, as
 * most of them agree. If no row tells the time, it is that of the records. */
static void find_time(struct record_reading *reading)
{
	const struct job_list *shown = reading->shown;
	double time[MOST_TIMES];
	size_t count = 0;

	for (size_t i = 0; i < shown->count && count < MOST_TIMES; i++) {
		double of_row = time_of_age(reading, &shown->row[i]);

		if (!isnan(of_row))
			time[count++] = of_row;
	}
	qsort(time, count, sizeof(*time), compare_times);
	reading->jobs->has_time = true;
	reading->jobs->time = count ? (int64_t)time[count / 2]
				    : (int64_t)reading->infos->last_update;
}

/* ---- all ---------------------------------------------------------------------------- */

/* Sends the four requests. Only the answer of assoc_mgr may be missing. */
static void request(struct record_reading *reading)
{
	const uint16_t all = SHOW_ALL | SHOW_LOCAL;

	errno = 0;
	if (slurm_load_jobs((time_t)0, &reading->infos, all | SHOW_DETAIL) || !reading->infos ||
	    slurm_load_partitions((time_t)0, &reading->partitions, all) || !reading->partitions ||
	    slurm_load_node((time_t)0, &reading->nodes, all) || !reading->nodes)
		libslurm_failed("slurmctld");
	live_limits_use(&reading->limits,
			libslurm_records(ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS));
}

/* Reads all records, when all answers are there. */
static void read_all(struct record_reading *reading)
{
	for (size_t i = 0; i < reading->shown->count; i++)
		need_done(id_index_put(&reading->shown_row, (uint64_t)reading->shown->row[i].id,
				       (uint32_t)i));
	if (reading->limits.records)
		add_qos(reading->jobs, reading->limits.records->qos_list);
	find_highest_assoc(reading->jobs, &reading->limits.associations);
	reading->limits.partitions = reading->partitions;
	for (size_t i = 0; i < reading->partitions->record_count; i++)
		add_partition(reading->jobs, &reading->partitions->partition_array[i]);
	/* jobs that have ended have no priority */
	for (size_t i = 0; i < reading->infos->record_count; i++)
		if ((reading->infos->job_array[i].job_state & JOB_STATE_BASE) <= JOB_SUSPENDED)
			add_job(reading, &reading->infos->job_array[i]);
	count_nodes(reading);
	find_time(reading);
}

void live_job_records_read(struct jobs *jobs, const struct job_list *shown, char **machine)
{
	struct record_reading reading = { .jobs = jobs, .shown = shown,
					  .limits = { .are_all = true } };

	*jobs = (struct jobs){ .settings = job_settings_standard() };
	request(&reading);
	read_all(&reading);
	jobs->hides_jobs = shown->hides_jobs;
	if (machine)
		*machine = live_machine_text(reading.nodes, reading.partitions);
}

/* ---- settings ----------------------------------------------------------------------- */

/* Sets the settings that live_slurm_conf_text() writes and struct job_settings has. */
static void read_settings(struct job_settings *settings, const slurm_conf_t *slurm)
{
	char *rest = live_slurm_conf_text(slurm), *line;
	struct fathom_error error;

	while ((line = strsep(&rest, "\n"))) {
		const char *key = strsep(&line, "=");

		if (line && job_settings_know(key) && job_settings_set(settings, key, line, &error))
			wrong_by(NULL, 0, &error);
	}
}

void live_job_records_with_settings(struct jobs *jobs, const struct job_list *shown)
{
	libslurm_begin(LIBSLURM_FROM);
	live_job_records_read(jobs, shown, NULL);
	read_settings(&jobs->settings, libslurm_conf());
	libslurm_end();
	jobs_find_names(jobs);
}
