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

#define NICE_OFFSET 2147483648.		/* releases before 22.05 add it to nice values */

/* The lists of an answer. Until v0.0.38 that of the QOS is "QOS". */
static const char *const lists[] = { "jobs", "partitions", "qos", "QOS", NULL };

struct jobs_json_reader {
	struct slurm_json json;
	struct jobs *jobs;
	double last_update;	/* when slurmctld last changed the jobs; INFINITY: not known */
};

/* ---- values ------------------------------------------------------------------------------- */

/* Reads a number of 0 or more into *to, without its fraction. *to keeps its value if the number is
 * missing, or means that there is no value or no limit. */
static void read_number(const struct jobs_json_reader *reader, const char *path, double *to)
{
	*to = trunc(slurm_json_amount(&reader->json, path, *to));
}

/* Adds a text to the jobs. Returns its place in jobs->text; JOBS_NONE: it is missing or empty. */
static size_t add_text(struct jobs_json_reader *reader, const char *path)
{
	struct piece text = slurm_json_text(&reader->json, path);

	return text.length ? jobs_add_text(reader->jobs, text.at) : JOBS_NONE;
}

/* ---- partitions and QOS --------------------------------------------------------------- */

/* Adds the name of a partition or QOS, which must not be empty. Returns its place in jobs->text. */
static size_t add_name(struct jobs_json_reader *reader)
{
	size_t place = add_text(reader, "name");

	if (place == JOBS_NONE)
		slurm_json_wrong(&reader->json, "name", "must be a name");
	return place;
}

/* Adds a partition. */
static void read_partition(struct jobs_json_reader *reader)
{
	struct jobs *jobs = reader->jobs;
	struct jobs_partition partition = { .name = add_name(reader) };
	const struct slurm_json *json = &reader->json;
	bool is_old = parsed_is(slurm_json_at(json, "tres"), PARSED_TEXT);

	read_number(reader, "priority/job_factor", &partition.job_factor);
	read_number(reader, "maximums/time", &partition.max_time);
	/* v0.0.37 and v0.0.38 have other names; a limit of -1 is none; the TRES are a text */
	read_number(reader, "priority_job_factor", &partition.job_factor);
	if (slurm_json_number(json, "max_time_limit") != -1)
		read_number(reader, "max_time_limit", &partition.max_time);
	slurm_jobs_add_tres(jobs, slurm_json_text(json, is_old ? "tres" : "tres/configured"),
			    &partition.tres);
	jobs_add_partition(jobs, partition);
}

/* Adds a QOS. */
static void read_qos(struct jobs_json_reader *reader)
{
	struct jobs *jobs = reader->jobs;
	struct jobs_qos qos = { .name = add_name(reader) };

	read_number(reader, "priority", &qos.priority);
	JOBS_ADD(jobs, qos, qos);
}

/* ---- jobs ----------------------------------------------------------------------------- */

/* Reads a nice value or a site factor. *to keeps its value if the number is missing. */
static void read_signed(struct jobs_json_reader *reader, const char *path, double *to)
{
	double number = slurm_json_number(&reader->json, path);

	if (isnan(number) || isinf(number) || number == SLURM_JSON_NO_LIMIT)
		return;
	*to = number >= NICE_OFFSET / 2 ? number - NICE_OFFSET : number;
	if (fabs(*to) >= NICE_OFFSET)
		slurm_json_wrong(&reader->json, path, "must be a number of 32 bits");
}

/* Reads the id and all numbers of a job. The state has been read. */
static void read_numbers(struct jobs_json_reader *reader, struct job *job)
{
	double id = 0;

	read_number(reader, "job_id", &id);
	job->id = (int64_t)fmin(id, UINT32_MAX);
	read_number(reader, "accrue_time", &job->accrue_time);
	read_number(reader, "submit_time", &job->submit_time);
	read_number(reader, "start_time", job->state == JOB_STATE_PENDING ? &job->expected_start
									  : &job->started);
	read_number(reader, "node_count", &job->min_nodes);
	if (job->state == JOB_STATE_PENDING)
		slurm_jobs_ask_nodes(slurm_json_text(&reader->json, "tres_req_str"),
				     &job->min_nodes);
	read_number(reader, "cpus", &job->cpus);
	read_number(reader, "time_limit", &job->time_limit);
	read_signed(reader, "nice", &job->nice);
	read_signed(reader, "site_factor", &job->site);
}

/* Reads the state: the first of its words; until v0.0.39 it was one word. Without it, the job is
 * pending. */
static void read_state(struct jobs_json_reader *reader, struct job *job)
{
	const struct parsed *value = slurm_json_at(&reader->json, "job_state");

	if (parsed_is(value, PARSED_LIST))
		value = parsed_at(value, 0);
	if (!value)
		return;
	if (parsed_is(value, PARSED_TEXT))
		job->state = job_state_find_base(parsed_text(value), parsed_length(value));
	if (!parsed_is(value, PARSED_TEXT) || job->state == JOB_STATE_UNKNOWN)
		slurm_json_wrong(&reader->json, "job_state",
				 "must be a state such as \"PENDING\" or \"RUNNING\"");
}

/* Reads names, the uid of a user without a name, and other texts of a job. The state has been
 * read. */
static void read_texts(struct jobs_json_reader *reader, struct job *job)
{
	const struct slurm_json *json = &reader->json;
	struct jobs *jobs = reader->jobs;
	double uid = NAN;

	job->user = add_text(reader, "user_name");
	if (job->user == JOBS_NONE)
		read_number(reader, "user_id", &uid);
	if (!isnan(uid))
		job->user = jobs_add_text(jobs, need_print("%.0f", uid));
	job->account = add_text(reader, "account");
	job->qos_name = add_text(reader, "qos");
	job->comment = add_text(reader, "comment");
	if (job->state == JOB_STATE_PENDING)
		job->reason = add_text(reader, "state_reason");
	slurm_jobs_count_tasks(slurm_json_text(json, "array_task_string"), &job->array_tasks);
	job->depends = slurm_json_text(json, "dependency").length;
	slurm_jobs_add_partitions(jobs, slurm_json_text(json, "partition"), job);
	/* the allocated TRES of a running job, or those that a pending one asks for */
	slurm_jobs_add_tres(jobs, slurm_json_text(json, "tres_alloc_str"), &job->tres);
	if (!job->tres.count)
		slurm_jobs_add_tres(jobs, slurm_json_text(json, "tres_req_str"), &job->tres);
}

/* Reads whether a job is held, and fathom's reason if it has held the job. Until v0.0.39 only a
 * priority of 0 tells that a pending job is held. */
static void read_held(struct jobs_json_reader *reader, struct job *job)
{
	const char *reason = own_hold_reason(
		slurm_json_text(&reader->json, "state_description").at);
	double priority = NAN;

	read_number(reader, "priority", &priority);
	job->held = parsed_is(slurm_json_at(&reader->json, "hold"), PARSED_TRUE) ||
		    (job->state == JOB_STATE_PENDING && priority <= 0);
	if (job->held && reason)
		job->own_hold = jobs_add_text(reader->jobs, reason);
}

/* Reads whether a job may not start yet: its eligible time is 0, because slurmctld has not set one,
 * or later than the answer. Whether the job is held has been read. */
static void read_waits(struct jobs_json_reader *reader, struct job *job)
{
	double eligible = NAN;

	read_number(reader, "eligible_time", &eligible);
	job->waits = job->state == JOB_STATE_PENDING && !job->held &&
		     (eligible == 0 || eligible > reader->last_update);
}

/* Adds a job. */
static void read_job(struct jobs_json_reader *reader)
{
	struct jobs *jobs = reader->jobs;
	struct job job = job_unknown;

	if (!slurm_json_at(&reader->json, "job_id"))
		slurm_json_wrong(&reader->json, "job_id",
				 "is missing; jobs must be as slurmrestd answers");
	read_state(reader, &job);
	read_numbers(reader, &job);
	read_texts(reader, &job);
	read_held(reader, &job);
	read_waits(reader, &job);
	JOBS_ADD(jobs, job, job);
}

/* ---- an answer ------------------------------------------------------------------------ */

/* Calls read() for each element of a list of the answer. */
static void read_list(struct jobs_json_reader *reader, const char *name,
		      void (*read)(struct jobs_json_reader *reader))
{
	slurm_json_choose(&reader->json, reader->json.root, name);
	while (slurm_json_next(&reader->json))
		read(reader);
}

/* Returns the time of the last event of the jobs in the list, which stands for the time of an
 * answer until v0.0.39; 0: no event is known. */
static double read_last_event(struct jobs_json_reader *reader)
{
	static const char *const events[] = { "submit_time", "last_sched_evaluation" };
	double last = 0;

	while (slurm_json_next(&reader->json))
		for (size_t j = 0; j < sizeof(events) / sizeof(*events); j++) {
			double event = NAN;

			read_number(reader, events[j], &event);
			last = fmax(last, event);
		}
	return last;
}

/* Returns when slurmctld last changed the jobs; INFINITY: the answer does not tell. */
static double read_last_update(const struct parsed *root)
{
	const struct parsed *value = parsed_member(root, "last_update");
	double time = parsed_number(parsed_is(value, PARSED_OBJECT)
					    ? parsed_member(value, "number") : value);

	return time > 0 ? time : INFINITY;
}

/* Sets the time of an answer with jobs. The list that is chosen is that of the jobs. */
static void set_time(struct jobs_json_reader *reader)
{
	double time = reader->last_update;

	if (!parsed_member(reader->json.root, "jobs"))
		return;
	if (isinf(time))
		time = read_last_event(reader);
	if (!(time > 0) || time >= SLURM_JSON_NO_LIMIT)
		return;
	reader->jobs->has_time = true;
	reader->jobs->time = (int64_t)time;
}

/* Adds the partitions, QOS and jobs of an answer. */
static void add_answer(struct document *input, struct jobs *jobs)
{
	struct jobs_json_reader reader = { .json = slurm_json_load(input), .jobs = jobs };

	reader.last_update = read_last_update(reader.json.root);
	if (jobs->job_count && parsed_member(reader.json.root, "jobs"))
		wrong_at(input, 0, "a second answer with jobs, must be one");
	read_list(&reader, "partitions", read_partition);
	read_list(&reader, "qos", read_qos);
	read_list(&reader, "QOS", read_qos);
	read_list(&reader, "jobs", read_job);
	set_time(&reader);
	jobs_find_names(jobs);
}

/* Reads the first answer; format->read_jobs. */
static void read_jobs(struct document *input, struct jobs *jobs)
{
	*jobs = (struct jobs){ .settings = job_settings_standard() };
	add_answer(input, jobs);
}

/* An answer with QOS beside a tree is one of slurmrest. */
static bool recognize(const struct document *input)
{
	static const char *const tree[] = { "associations", "accounts", NULL };

	return slurm_json_top(input, lists) != SIZE_MAX && slurm_json_top(input, tree) == SIZE_MAX;
}

const struct format format_slurm_jobs = {
	.name = "slurm-jobs",
	.summary = "jobs, partitions or QOS of slurmrestd, or squeue --json",
	.holds = HOLDS_JOBS,
	.recognize = recognize,
	.read_jobs = read_jobs,
	.add_jobs = add_answer,
};
