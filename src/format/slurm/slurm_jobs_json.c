/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jobs, partitions and QOS as slurmrestd answers them, GET /slurm/VERSION/jobs, GET
 * /slurm/VERSION/partitions and GET /slurmdb/VERSION/qos, which squeue, scontrol and sacctmgr print
 * with --json, too:
 *
 *	{"jobs": [{"job_id": 7, "user_name": "ada", "account": "physics", "partition": "day,night",
 *	   "cpus": {"set": true, "infinite": false, "number": 4}, "nice": 0, ...}], ...}
 *
 * Answers complete each other: partitions and QOS may be added to jobs, in any order.
 */
#include "core/error.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/slurm/slurm_jobs.h"
#include "format/slurm/slurm_json.h"
#include "jobs/job_states.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NICE_OFFSET 2147483648.		/* releases before 22.05 add it to nice values */
#define NO_LIMIT 4294967294.		/* from here on a number means no limit or no value */

static const char *const lists[] = { "jobs", "partitions", "qos", NULL };

struct jobs_reader {
	struct slurm_json json;
	struct jobs *jobs;
	struct fathom_error *error;
};

/* ---- values ------------------------------------------------------------------------- */

/* Reads a number of 0 or more into *to, which keeps its value if there is none. A number that means
 * no value or no limit counts as none. */
static int read_number(struct jobs_reader *reader, size_t i, const char *path, double *to)
{
	double number;

	if (slurm_json_number(&reader->json, i, path, &number))
		return -1;
	if (isnan(number) || number >= NO_LIMIT)
		return 0;
	if (!(number >= 0))
		return slurm_json_wrong(&reader->json, i, path, AMOUNT_RIGHT);
	*to = trunc(number);
	return 0;
}

/* Adds a text; *at: JOBS_NONE for an empty one. */
static int add_text(struct jobs_reader *reader, size_t i, const char *path, size_t *at)
{
	struct piece text;

	*at = JOBS_NONE;
	if (slurm_json_text(&reader->json, i, path, &text))
		return -1;
	if (text.length)
		*at = jobs_add_text(reader->jobs, text.at);
	return 0;
}

/* The same for a text that must not be empty. */
static int add_name(struct jobs_reader *reader, size_t i, size_t *at)
{
	if (add_text(reader, i, "name", at))
		return -1;
	return *at == JOBS_NONE ? slurm_json_wrong(&reader->json, i, "name", "must be a name") : 0;
}

static int add_tres(struct jobs_reader *reader, size_t i, const char *path,
		    struct tres_amounts *amounts)
{
	struct piece text;

	if (slurm_json_text(&reader->json, i, path, &text))
		return -1;
	slurm_jobs_add_tres(reader->jobs, text, amounts);
	return 0;
}

/* ---- partitions and QOS --------------------------------------------------------------- */

static int read_partition(struct jobs_reader *reader, size_t i)
{
	struct jobs *jobs = reader->jobs;
	struct jobs_partition partition = { 0 };

	if (add_name(reader, i, &partition.name) ||
	    read_number(reader, i, "priority/job_factor", &partition.job_factor) ||
	    read_number(reader, i, "maximums/time", &partition.max_time) ||
	    /* names of v0.0.37 and v0.0.38 */
	    read_number(reader, i, "priority_job_factor", &partition.job_factor) ||
	    read_number(reader, i, "max_time_limit", &partition.max_time) ||
	    add_tres(reader, i, "tres/configured", &partition.tres))
		return -1;
	JOBS_ADD(jobs, partition, partition);
	return 0;
}

static int read_qos(struct jobs_reader *reader, size_t i)
{
	struct jobs *jobs = reader->jobs;
	struct jobs_qos qos = { 0 };

	if (add_name(reader, i, &qos.name) || read_number(reader, i, "priority", &qos.priority))
		return -1;
	JOBS_ADD(jobs, qos, qos);
	return 0;
}

/* ---- jobs ----------------------------------------------------------------------------- */

static const struct { const char *path; size_t offset; } numbers[] = {
	{ "accrue_time", offsetof(struct job, accrue_time) },
	{ "submit_time", offsetof(struct job, submit_time) },
	{ "node_count", offsetof(struct job, min_nodes) },
	{ "cpus", offsetof(struct job, cpus) },
	{ "time_limit", offsetof(struct job, time_limit) },
};

static int read_numbers(struct jobs_reader *reader, size_t i, struct job *job)
{
	double id = 0;

	if (read_number(reader, i, "job_id", &id))
		return -1;
	job->id = (int64_t)fmin(id, UINT32_MAX);
	for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
		if (read_number(reader, i, numbers[n].path,
				(double *)((char *)job + numbers[n].offset)))
			return -1;
	return 0;
}

/* Reads the first of the words; until v0.0.39 there was one word. */
static int read_state(struct jobs_reader *reader, size_t i, struct job *job)
{
	const json_t *value = slurm_json_at(&reader->json, i, "job_state");

	if (json_is_array(value))
		value = json_array_get(value, 0);
	if (!value)
		return 0;
	if (json_is_string(value))
		job->state = slurm_jobs_find_state((struct piece){
			json_string_value(value), json_string_length(value) });
	if (!json_is_string(value) || job->state == JOB_STATE_UNKNOWN)
		return slurm_json_wrong(&reader->json, i, "job_state",
					"must be a state such as \"PENDING\" or \"RUNNING\"");
	return 0;
}

/* Reads a nice value or a site factor. */
static int read_signed(struct jobs_reader *reader, size_t i, const char *path, double *to)
{
	double number;

	if (slurm_json_number(&reader->json, i, path, &number))
		return -1;
	if (isnan(number) || isinf(number) || number == NO_LIMIT)
		return 0;
	*to = number >= NICE_OFFSET / 2 ? number - NICE_OFFSET : number;
	return fabs(*to) < NICE_OFFSET ? 0 : slurm_json_wrong(&reader->json, i, path,
							      "must be a number of 32 bits");
}

/* Without a name of the user there is the uid. */
static int read_user(struct jobs_reader *reader, size_t i, struct job *job)
{
	double uid = NAN;
	char text[32];

	if (add_text(reader, i, "user_name", &job->user))
		return -1;
	if (job->user != JOBS_NONE || read_number(reader, i, "user_id", &uid) || isnan(uid))
		return 0;
	snprintf(text, sizeof(text), "%.0f", uid);
	job->user = jobs_add_text(reader->jobs, text);
	return 0;
}

static int read_texts(struct jobs_reader *reader, size_t i, struct job *job)
{
	struct piece partitions, tasks, dependency;

	if (read_user(reader, i, job) || add_text(reader, i, "account", &job->account) ||
	    add_text(reader, i, "qos", &job->qos_name) ||
	    slurm_json_text(&reader->json, i, "partition", &partitions) ||
	    slurm_json_text(&reader->json, i, "array_task_string", &tasks) ||
	    slurm_json_text(&reader->json, i, "dependency", &dependency))
		return -1;
	job->array_tasks = slurm_jobs_count_tasks(tasks.at);
	job->depends = dependency.length;
	slurm_jobs_add_partitions(reader->jobs, partitions, job);
	return 0;
}

/* A running job has its allocated TRES, a pending one those that it asks for. */
static int read_tres(struct jobs_reader *reader, size_t i, struct job *job)
{
	if (add_tres(reader, i, "tres_alloc_str", &job->tres))
		return -1;
	return job->tres.count ? 0 : add_tres(reader, i, "tres_req_str", &job->tres);
}

/* Until v0.0.39 the priority alone tells that a pending job is held. */
static int read_held(struct jobs_reader *reader, size_t i, struct job *job)
{
	double priority = NAN;

	if (read_number(reader, i, "priority", &priority))
		return -1;
	job->held = json_is_true(slurm_json_at(&reader->json, i, "hold")) ||
		    (job->state == JOB_STATE_PENDING && priority <= 0);
	return 0;
}

static int read_job(struct jobs_reader *reader, size_t i)
{
	struct jobs *jobs = reader->jobs;
	struct job job = { .qos = JOBS_NONE, .fairshare = NAN, .urgency = FATHOM_FLUX_URGENCY };

	if (!slurm_json_at(&reader->json, i, "job_id"))
		return slurm_json_wrong(&reader->json, i, "job_id", "is missing; jobs must be as "
					"slurmrestd answers");
	if (read_numbers(reader, i, &job) || read_state(reader, i, &job) ||
	    read_signed(reader, i, "nice", &job.nice) ||
	    read_signed(reader, i, "site_factor", &job.site) || read_texts(reader, i, &job) ||
	    read_tres(reader, i, &job) || read_held(reader, i, &job))
		return -1;
	JOBS_ADD(jobs, job, job);
	return 0;
}

/* ---- an answer ------------------------------------------------------------------------ */

static int read_list(struct jobs_reader *reader, const char *name,
		     int (*read)(struct jobs_reader *reader, size_t i))
{
	if (slurm_json_choose(&reader->json, reader->json.root, name))
		return -1;
	for (size_t i = 0; i < json_array_size(reader->json.list); i++)
		if (read(reader, i))
			return -1;
	return 0;
}

/* Until v0.0.39 an answer has no time of its own: then it is that of the last event. */
static int read_last_event(struct jobs_reader *reader, double *time)
{
	static const char *const events[] = { "submit_time", "last_sched_evaluation" };

	for (size_t i = 0; i < json_array_size(reader->json.list); i++)
		for (size_t j = 0; j < sizeof(events) / sizeof(*events); j++) {
			double event = NAN;

			if (read_number(reader, i, events[j], &event))
				return -1;
			*time = fmax(*time, event);
		}
	return 0;
}

/* Reads the time of an answer with jobs, that of its last change. */
static int read_time(struct jobs_reader *reader)
{
	const json_t *value = json_object_get(reader->json.root, "last_update");
	double time;

	if (!json_object_get(reader->json.root, "jobs"))
		return 0;
	if (json_is_object(value))
		value = json_object_get(value, "number");
	time = json_number_value(value);
	if (!(time > 0) && read_last_event(reader, &time))
		return -1;
	if (!(time > 0) || time >= NO_LIMIT)
		return 0;
	reader->jobs->has_time = true;
	reader->jobs->time = (int64_t)time;
	return 0;
}

/* Checks that not two answers have jobs. */
static int check_first(struct jobs_reader *reader)
{
	if (!reader->jobs->job_count || !json_object_get(reader->json.root, "jobs"))
		return 0;
	return input_wrong(reader->json.input, 0, reader->error,
			   "a second answer with jobs, must be one");
}

/* Adds what the answer has to the jobs. */
static int add_answer(struct document *input, struct jobs *jobs, struct fathom_error *error)
{
	struct jobs_reader reader = { .jobs = jobs, .error = error };
	int status = slurm_json_load(&reader.json, input, error);

	if (!status)
		status = check_first(&reader) ||
			 read_list(&reader, "partitions", read_partition) ||
			 read_list(&reader, "qos", read_qos) ||
			 read_list(&reader, "jobs", read_job) || read_time(&reader) ? -1 : 0;
	if (!status)
		jobs_find_names(jobs);
	slurm_json_clear(&reader.json);
	return status;
}

static int read_jobs(struct document *input, struct jobs *jobs, struct fathom_error *error)
{
	*jobs = (struct jobs){ .settings = job_settings_standard() };
	if (!add_answer(input, jobs, error))
		return 0;
	jobs_clear(jobs);
	return -1;
}

static bool recognize(const struct document *input)
{
	return slurm_json_top(input, lists) != SIZE_MAX;
}

const struct format format_slurm_jobs = {
	.name = "slurm-jobs",
	.summary = "jobs, partitions or QOS of slurmrestd, or squeue --json",
	.holds = HOLDS_JOBS,
	.recognize = recognize,
	.read_jobs = read_jobs,
	.add_jobs = add_answer,
};
