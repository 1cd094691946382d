/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jobs, partitions and QOS as slurmrestd answers GET /slurm/VERSION/jobs, GET
 * /slurm/VERSION/partitions and GET /slurmdb/VERSION/qos; squeue, scontrol and sacctmgr print the
 * same with --json:
 *
 *	{"jobs": [{"job_id": 7, "user_name": "ada", "account": "physics", "partition": "day,night",
 *	   "cpus": {"set": true, "infinite": false, "number": 4}, "nice": 0, ...}], ...}
 *
 * Answers complete each other: partitions and QOS may be added to jobs, in any order.
 */
#include "format/format.h"
#include "format/job_settings.h"
#include "format/slurm/slurm_jobs.h"
#include "format/slurm/slurm_json.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"
#include "priority/own_hold.h"

#include <math.h>
#include <stddef.h>

#define NICE_OFFSET 2147483648.		/* releases before 22.05 add it to nice values */
#define NO_LIMIT 4294967294.		/* from here on a number means no limit or no value */

static const char *const lists[] = { "jobs", "partitions", "qos", NULL };	/* of an answer */

struct jobs_json_reader {
	struct slurm_json json;
	struct jobs *jobs;
};

/* ---- values: i is an index in the list that is read ---------------------------------- */

/* Reads a number of 0 or more into *to, without its fraction. *to keeps its value if the number is
 * missing, or means that there is no value or no limit. */
static void read_number(struct jobs_json_reader *reader, size_t i, const char *path, double *to)
{
	double number = slurm_json_number(&reader->json, i, path);

	if (isnan(number) || number >= NO_LIMIT)
		return;
	if (!(number >= 0))
		slurm_json_wrong(&reader->json, i, path, AMOUNT_RIGHT);
	*to = trunc(number);
}

/* Adds a text to the jobs. Returns its place in jobs->text; JOBS_NONE: it is missing or empty. */
static size_t add_text(struct jobs_json_reader *reader, size_t i, const char *path)
{
	struct piece text = slurm_json_text(&reader->json, i, path);

	return text.length ? jobs_add_text(reader->jobs, text.at) : JOBS_NONE;
}

/* Adds the name of a partition or QOS, which must not be empty. Returns its place in jobs->text. */
static size_t add_name(struct jobs_json_reader *reader, size_t i)
{
	size_t place = add_text(reader, i, "name");

	if (place == JOBS_NONE)
		slurm_json_wrong(&reader->json, i, "name", "must be a name");
	return place;
}

/* Adds the TRES of a text such as "cpu=4,mem=2G"; see slurm_jobs_add_tres(). */
static void add_tres(struct jobs_json_reader *reader, size_t i, const char *path,
		     struct tres_amounts *amounts)
{
	slurm_jobs_add_tres(reader->jobs, slurm_json_text(&reader->json, i, path), amounts);
}

/* ---- partitions and QOS --------------------------------------------------------------- */

/* Adds a partition. */
static void read_partition(struct jobs_json_reader *reader, size_t i)
{
	struct jobs *jobs = reader->jobs;
	struct jobs_partition partition = { .name = add_name(reader, i) };

	read_number(reader, i, "priority/job_factor", &partition.job_factor);
	read_number(reader, i, "maximums/time", &partition.max_time);
	/* names of v0.0.37 and v0.0.38 */
	read_number(reader, i, "priority_job_factor", &partition.job_factor);
	read_number(reader, i, "max_time_limit", &partition.max_time);
	add_tres(reader, i, "tres/configured", &partition.tres);
	JOBS_ADD(jobs, partition, partition);
}

static void read_qos(struct jobs_json_reader *reader, size_t i)
{
	struct jobs *jobs = reader->jobs;
	struct jobs_qos qos = { .name = add_name(reader, i) };

	read_number(reader, i, "priority", &qos.priority);
	JOBS_ADD(jobs, qos, qos);
}

/* ---- jobs ----------------------------------------------------------------------------- */

/* Numbers, and the double of a struct job into which each is read. */
static const struct { const char *path; size_t offset; } numbers[] = {
	{ "accrue_time", offsetof(struct job, accrue_time) },
	{ "submit_time", offsetof(struct job, submit_time) },
	{ "node_count", offsetof(struct job, min_nodes) },
	{ "cpus", offsetof(struct job, cpus) },
	{ "time_limit", offsetof(struct job, time_limit) },
};

/* Reads the id and all numbers of a job. */
static void read_numbers(struct jobs_json_reader *reader, size_t i, struct job *job)
{
	double id = 0;

	read_number(reader, i, "job_id", &id);
	job->id = (int64_t)fmin(id, UINT32_MAX);
	for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
		read_number(reader, i, numbers[n].path,
			    (double *)((char *)job + numbers[n].offset));
}

/* Reads the state: the first of its words; until v0.0.39 it was one word. Without it, the job is
 * pending. */
static void read_state(struct jobs_json_reader *reader, size_t i, struct job *job)
{
	const struct parsed *value = slurm_json_at(&reader->json, i, "job_state");

	if (parsed_is(value, PARSED_LIST))
		value = parsed_at(value, 0);
	if (!value)
		return;
	if (parsed_is(value, PARSED_TEXT))
		job->state = job_state_find_base(parsed_text(value), parsed_length(value));
	if (!parsed_is(value, PARSED_TEXT) || job->state == JOB_STATE_UNKNOWN)
		slurm_json_wrong(&reader->json, i, "job_state",
				 "must be a state such as \"PENDING\" or \"RUNNING\"");
}

/* Reads a nice value or a site factor. *to keeps its value if the number is missing. */
static void read_signed(struct jobs_json_reader *reader, size_t i, const char *path, double *to)
{
	double number = slurm_json_number(&reader->json, i, path);

	if (isnan(number) || isinf(number) || number == NO_LIMIT)
		return;
	*to = number >= NICE_OFFSET / 2 ? number - NICE_OFFSET : number;
	if (fabs(*to) >= NICE_OFFSET)
		slurm_json_wrong(&reader->json, i, path, "must be a number of 32 bits");
}

/* Returns the place in jobs->text of the user's name, or else of the uid; JOBS_NONE: neither is
 * known. */
static size_t read_user(struct jobs_json_reader *reader, size_t i)
{
	size_t user = add_text(reader, i, "user_name");
	double uid = NAN;

	if (user == JOBS_NONE)
		read_number(reader, i, "user_id", &uid);
	return isnan(uid) ? user : jobs_add_text(reader->jobs, need_print("%.0f", uid));
}

/* Reads names and other texts of a job. The state has been read. */
static void read_texts(struct jobs_json_reader *reader, size_t i, struct job *job)
{
	struct piece partitions;

	job->user = read_user(reader, i);
	job->account = add_text(reader, i, "account");
	job->qos_name = add_text(reader, i, "qos");
	job->comment = add_text(reader, i, "comment");
	if (job->state == JOB_STATE_PENDING)
		job->reason = add_text(reader, i, "state_reason");
	partitions = slurm_json_text(&reader->json, i, "partition");
	job->array_tasks = slurm_jobs_count_tasks(
		slurm_json_text(&reader->json, i, "array_task_string").at);
	job->depends = slurm_json_text(&reader->json, i, "dependency").length;
	slurm_jobs_add_partitions(reader->jobs, partitions, job);
}

/* Reads the allocated TRES of a running job, or those that a pending one asks for. */
static void read_tres(struct jobs_json_reader *reader, size_t i, struct job *job)
{
	add_tres(reader, i, "tres_alloc_str", &job->tres);
	if (!job->tres.count)
		add_tres(reader, i, "tres_req_str", &job->tres);
}

/* Reads whether a job is held, and fathom's reason if it has held the job. Until v0.0.39 only a
 * priority of 0 tells that a pending job is held. */
static void read_held(struct jobs_json_reader *reader, size_t i, struct job *job)
{
	const char *reason = own_hold_reason(
		slurm_json_text(&reader->json, i, "state_description").at);
	double priority = NAN;

	read_number(reader, i, "priority", &priority);
	job->held = parsed_is(slurm_json_at(&reader->json, i, "hold"), PARSED_TRUE) ||
		    (job->state == JOB_STATE_PENDING && priority <= 0);
	if (job->held && reason)
		job->own_hold = jobs_add_text(reader->jobs, reason);
}

/* Adds a job. */
static void read_job(struct jobs_json_reader *reader, size_t i)
{
	struct jobs *jobs = reader->jobs;
	struct job job = job_unknown;

	if (!slurm_json_at(&reader->json, i, "job_id"))
		slurm_json_wrong(&reader->json, i, "job_id",
				 "is missing; jobs must be as slurmrestd answers");
	read_numbers(reader, i, &job);
	read_state(reader, i, &job);
	read_signed(reader, i, "nice", &job.nice);
	read_signed(reader, i, "site_factor", &job.site);
	read_texts(reader, i, &job);
	read_tres(reader, i, &job);
	read_held(reader, i, &job);
	JOBS_ADD(jobs, job, job);
}

/* ---- an answer ------------------------------------------------------------------------ */

/* Calls read() for each element of a list of the answer. */
static void read_list(struct jobs_json_reader *reader, const char *name,
		      void (*read)(struct jobs_json_reader *reader, size_t i))
{
	slurm_json_choose(&reader->json, reader->json.root, name);
	for (size_t i = 0; i < parsed_count(reader->json.list); i++)
		read(reader, i);
}

/* Returns the time of the last event of the jobs in the list, which stands for the time of an
 * answer until v0.0.39; 0: no event is known. */
static double read_last_event(struct jobs_json_reader *reader)
{
	static const char *const events[] = { "submit_time", "last_sched_evaluation" };
	double last = 0;

	for (size_t i = 0; i < parsed_count(reader->json.list); i++)
		for (size_t j = 0; j < sizeof(events) / sizeof(*events); j++) {
			double event = NAN;

			read_number(reader, i, events[j], &event);
			last = fmax(last, event);
		}
	return last;
}

/* Reads the time of an answer with jobs, at which slurmctld last changed them. The list that is
 * chosen is that of the jobs. */
static void read_time(struct jobs_json_reader *reader)
{
	const struct parsed *value = parsed_member(reader->json.root, "last_update");
	double time;

	if (!parsed_member(reader->json.root, "jobs"))
		return;
	if (parsed_is(value, PARSED_OBJECT))
		value = parsed_member(value, "number");
	time = parsed_number(value);
	if (!(time > 0))
		time = read_last_event(reader);
	if (!(time > 0) || time >= NO_LIMIT)
		return;
	reader->jobs->has_time = true;
	reader->jobs->time = (int64_t)time;
}

/* Adds the partitions, QOS and jobs of an answer. */
static void add_answer(struct document *input, struct jobs *jobs)
{
	struct jobs_json_reader reader = { .json = slurm_json_load(input), .jobs = jobs };

	if (jobs->job_count && parsed_member(reader.json.root, "jobs"))
		wrong_at(input, 0, "a second answer with jobs, must be one");
	read_list(&reader, "partitions", read_partition);
	read_list(&reader, "qos", read_qos);
	read_list(&reader, "jobs", read_job);
	read_time(&reader);
	jobs_find_names(jobs);
}

static void read_jobs(struct document *input, struct jobs *jobs)
{
	*jobs = (struct jobs){ .settings = job_settings_standard() };
	add_answer(input, jobs);
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
