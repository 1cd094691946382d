/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jobs of the database as slurmrestd answers GET /slurmdb/VERSION/jobs; sacct --json prints
 * the same. Each task of a job array and each component of a heterogeneous job is a job.
 *
 *	{"jobs": [{"job_id": 7, "user": "ada", "account": "physics", "allocation_nodes": 1,
 *	   "state": {"current": ["COMPLETED"]},
 *	   "time": {"start": 1700000000, "end": 1700003600, "elapsed": 3600, ...},
 *	   "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 2}, ...], ...}, ...}]}
 *
 * Until v0.0.39 numbers that may be absent were null, and the state was one word.
 */
#include "format/accounting/accounting.h"
#include "format/slurm/slurm_jobs.h"
#include "format/slurm/slurm_json.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"

#include <math.h>
#include <string.h>

#define MOST_COUNT 4294967295.	/* CPUs or nodes of a job; Slurm has 32 bits for them */

static const char *const lists[] = { "jobs", NULL };	/* for slurm_json_top() */

struct sacct_json_reader {
	struct slurm_json json;
	struct accounting *accounting;
	struct unknown_states unknown;
	struct missing_billing missing;
	struct piece cluster;	/* see slurm_json_check_cluster() */
};

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns a time in seconds since 1970; NAN: it is missing, or 0. */
static double read_time(struct sacct_json_reader *reader, const char *path)
{
	double time = slurm_json_amount(&reader->json, path, NAN);

	return time > 0 ? time : NAN;
}

/* Reads all times of a job. Its state has been read. */
static void read_times(struct sacct_json_reader *reader, struct accounted_job *job)
{
	const struct slurm_json *json = &reader->json;
	double start;

	job->submit = read_time(reader, "time/submission");
	job->eligible = read_time(reader, "time/eligible");
	start = read_time(reader, "time/start");
	job->end = read_time(reader, "time/end");
	job->elapsed = slurm_json_amount(json, "time/elapsed", NAN);
	job->time_limit = slurm_json_amount(json, "time/limit", 0);
	slurm_jobs_settle_times(job, start, slurm_json_text(json, "nodes"));
	job->cpu_time = slurm_json_amount(json, "time/total/seconds", 0) +
			slurm_json_amount(json, "time/total/microseconds", 0) / 1e6;
	job->has_cpu_time = job->cpu_time > 0;	/* 0: no step was measured */
}

/* Reads the state, one word or the first of several. */
static void read_state(struct sacct_json_reader *reader, struct accounted_job *job)
{
	const struct parsed *value = slurm_json_at(&reader->json, "state/current");

	if (parsed_is(value, PARSED_LIST))
		value = parsed_at(value, 0);
	if (!parsed_length(value))
		slurm_json_wrong(&reader->json, "state/current",
				 "must be a state such as \"COMPLETED\" or \"RUNNING\"");
	job->state = slurm_jobs_find_ended(&reader->unknown, (struct piece){
		parsed_text(value), parsed_length(value) });
}

/* ---- TRES ------------------------------------------------------------------------------------ */

/* Returns the count of an element of a list of TRES; NAN: it has none. */
static double count_of(const struct parsed *tres)
{
	const struct parsed *count = parsed_member(tres, "count");
	double number = parsed_is_number(count) ? parsed_number(count) : NAN;

	/* the two greatest counts of 64 bits mean that it is not set, or infinite */
	return number >= 0 && number < 0x1p63 ? number : NAN;
}

/* Returns the text of a key of an element; "": it lacks the key. */
static const char *text_of(const struct parsed *tres, const char *key)
{
	const char *text = parsed_text(parsed_member(tres, key));

	return text ? text : "";
}

/* Returns a list as text, as sacct writes it: cpu=4,mem=8000,gres/gpu=2. */
static struct piece make_tres(const struct parsed *list)
{
	const struct parsed *tres;
	const char **word = NULL;
	size_t i, count = 0;
	struct piece text;

	parsed_for_each(list, i, tres) {
		const char *name = text_of(tres, "name"), *type = text_of(tres, "type");

		if (!isnan(count_of(tres)) && *type)
			NEED_ADD(word, count, need_print("%s%s%s=%.0f", type, *name ? "/" : "",
							 name, count_of(tres)));
	}
	text = piece_of(need_join(word, count, ","));
	need_free(word);
	return text;
}

/* Returns the count of the first TRES of this type in a list; NAN: the list has none. */
static double find_count(const struct parsed *list, const char *type)
{
	const struct parsed *tres;
	size_t i;

	parsed_for_each(list, i, tres)
		if (!strcmp(text_of(tres, "type"), type))
			return count_of(tres);
	return NAN;
}

/* Reads what a job has: CPUs, nodes, TRES. It is charged billing TRES, or else CPUs, or else
 * nodes. */
static void read_size(struct sacct_json_reader *reader, struct accounted_job *job)
{
	const struct slurm_json *json = &reader->json;
	const struct parsed *allocated = slurm_json_at(json, "tres/allocated");
	const struct parsed *requested = slurm_json_at(json, "tres/requested");
	const struct parsed *list = parsed_count(allocated) ? allocated : requested;
	double cpus = find_count(list, "cpu"), nodes = find_count(list, "node");

	job->cpus = slurm_json_amount(json, "required/CPUs", 0);
	job->nodes = slurm_json_amount(json, "allocation_nodes", 0);
	job->cpus = trunc(fmin(isnan(cpus) ? job->cpus : cpus, MOST_COUNT));
	job->nodes = trunc(fmin(isnan(nodes) ? job->nodes : nodes, MOST_COUNT));
	job->billing = find_count(allocated, "billing");
	slurm_jobs_settle_billing(&reader->missing, job, parsed_count(allocated));
	job->tres = make_tres(list);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Reads names, and the number of pending tasks. The state has been read. */
static void read_names(struct sacct_json_reader *reader, struct accounted_job *job)
{
	const struct slurm_json *json = &reader->json;
	struct piece tasks;

	job->user = slurm_json_text(json, "association/user");
	if (!job->user.length)
		job->user = slurm_json_text(json, "user");
	job->account = slurm_json_text(json, "account");
	job->qos = slurm_json_text(json, "qos");
	job->partitions = slurm_json_text(json, "partition");
	tasks = slurm_json_text(json, "array/task");
	if (job->state == JOB_STATE_PENDING)
		slurm_jobs_count_tasks(tasks, &job->array_tasks);
}

/* Adds a job. */
static void read_job(struct sacct_json_reader *reader)
{
	struct accounted_job job = { .line = 0 };
	double id = slurm_json_amount(&reader->json, "job_id", NAN);

	if (isnan(id) || id != trunc(id))
		slurm_json_wrong(&reader->json, "job_id", "must be a job's number");
	job.id = (int64_t)id;
	slurm_json_check_cluster(&reader->json, &reader->cluster);
	read_state(reader, &job);
	read_names(reader, &job);
	read_times(reader, &job);
	read_size(reader, &job);
	accounting_add(reader->accounting, &job);
}

static void sacct_json_read(struct document *input, struct accounting *accounting)
{
	struct sacct_json_reader reader = { .accounting = accounting };

	document_load_rest(input);
	reader.json = slurm_json_load(input);
	slurm_json_choose(&reader.json, reader.json.root, *lists);
	while (slurm_json_next(&reader.json))
		read_job(&reader);
	slurm_jobs_tell_unknown(&reader.unknown, input);
	slurm_jobs_tell_missing(&reader.missing, input);
}

/* Jobs of slurmctld also are a list "jobs", but do not have the key "allocation_nodes". */
static bool sacct_json_recognize(const struct document *input)
{
	return slurm_json_top(input, lists) != SIZE_MAX &&
	       strstr(input->text, "\"allocation_nodes\"");
}

const struct format format_sacct_json = {
	.name = "sacct-json",
	.summary = "jobs of slurmrestd's database, or sacct --json",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.recognize = sacct_json_recognize,
	.read_accounting = sacct_json_read,
};
