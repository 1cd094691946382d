/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jobs of the database as slurmrestd answers GET /slurmdb/VERSION/jobs, which sacct prints
 * with --json, too: a job for each task of a job array and component of a heterogeneous job.
 *
 *	{"jobs": [{"job_id": 7, "user": "ada", "account": "physics", "allocation_nodes": 1,
 *	   "state": {"current": ["COMPLETED"]},
 *	   "time": {"start": 1700000000, "end": 1700003600, "elapsed": 3600, ...},
 *	   "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 2}, ...], ...}, ...}]}
 *
 * Until v0.0.39 numbers that may be absent were null, and the state was one word.
 */
#include "format/accounting/accounting.h"
#include "format/accounting/record_times.h"
#include "format/slurm/slurm_jobs.h"
#include "format/slurm/slurm_json.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_LIMIT 4294967294.	/* from here on a number means no limit or no value */
#define MOST_ID 4294967295.

static const char *const lists[] = { "jobs", NULL };

struct reader {
	struct slurm_json json;
	struct accounting *accounting;
	char *tres;		/* of the job that is read, as text */
	size_t tres_length, tres_room;
	char cluster[64];	/* of the first job */
};

/* ---- values --------------------------------------------------------------------------------- */

/* Returns a number of 0 or more; what is not set, null or no limit becomes `standard`. */
static double read_number(struct reader *reader, size_t i, const char *path, double standard)
{
	double number = slurm_json_number(&reader->json, i, path);

	if (isnan(number) || number >= NO_LIMIT)
		return standard;
	if (number < 0)
		slurm_json_wrong(&reader->json, i, path, "must be a number of 0 or more");
	return number;
}

/* Returns a time; 0 is none. */
static double read_time(struct reader *reader, size_t i, const char *path)
{
	double time = read_number(reader, i, path, NAN);

	return time > 0 ? time : NAN;
}

static void read_times(struct reader *reader, size_t i, struct accounted_job *job)
{
	double start;

	job->submit = read_time(reader, i, "time/submission");
	job->eligible = read_time(reader, i, "time/eligible");
	start = read_time(reader, i, "time/start");
	job->end = read_time(reader, i, "time/end");
	job->elapsed = read_number(reader, i, "time/elapsed", NAN);
	job->time_limit = read_number(reader, i, "time/limit", 0);
	record_times_settle(start, &job->end, &job->elapsed);
}

static void read_state(struct reader *reader, size_t i, struct accounted_job *job)
{
	const struct parsed *value = slurm_json_at(&reader->json, i, "state/current");

	if (parsed_is(value, PARSED_LIST))
		value = parsed_at(value, 0);
	if (parsed_is(value, PARSED_TEXT))
		job->state = slurm_jobs_find_state((struct piece){
			parsed_text(value), parsed_length(value) });
	if (!parsed_is(value, PARSED_TEXT) || job->state == JOB_STATE_UNKNOWN)
		slurm_json_wrong(&reader->json, i, "state/current",
				 "must be a state such as \"COMPLETED\" or \"RUNNING\"");
}

/* ---- TRES ------------------------------------------------------------------------------------ */

/* Returns the count of an element of a list of TRES; NAN: none. */
static double count_of(const struct parsed *tres)
{
	const struct parsed *count = parsed_member(tres, "count");
	double number = parsed_is_number(count) ? parsed_number(count) : NAN;

	/* counts of 64 bits have two values for none and infinite */
	return number >= 0 && number < 0x1p63 ? number : NAN;
}

static const char *text_of(const struct parsed *tres, const char *key)
{
	const char *text = parsed_text(parsed_member(tres, key));

	return text ? text : "";
}

/* Adds to the text of TRES, as printf() writes it. */
static void add_text(struct reader *reader, const char *comma, const char *type, const char *slash,
		     const char *name, double count)
{
	size_t most = strlen(type) + strlen(name) + 32;

	reader->tres = need_room(reader->tres, &reader->tres_room, reader->tres_length + most, 1);
	reader->tres_length += (size_t)snprintf(reader->tres + reader->tres_length, most,
						"%s%s%s%s=%.0f", comma, type, slash, name, count);
}

/* Writes a list as sacct does: cpu=4,mem=8000,gres/gpu=2. */
static struct piece make_tres(struct reader *reader, const struct parsed *list)
{
	const struct parsed *tres;
	size_t i;

	reader->tres_length = 0;
	parsed_for_each(list, i, tres) {
		const char *name = text_of(tres, "name"), *type = text_of(tres, "type");

		if (!isnan(count_of(tres)) && *type)
			add_text(reader, reader->tres_length ? "," : "", type, *name ? "/" : "",
				 name, count_of(tres));
	}
	return (struct piece){ reader->tres_length ? reader->tres : NULL, reader->tres_length };
}

/* Returns the count of a TRES without a name in a list; NAN: none. */
static double find_count(const struct parsed *list, const char *type)
{
	const struct parsed *tres;
	size_t i;

	parsed_for_each(list, i, tres)
		if (!strcmp(text_of(tres, "type"), type))
			return count_of(tres);
	return NAN;
}

/* A job is charged billing TRES; else CPUs; else nodes. */
static void read_size(struct reader *reader, size_t i, struct accounted_job *job)
{
	const struct parsed *allocated = slurm_json_at(&reader->json, i, "tres/allocated");
	const struct parsed *requested = slurm_json_at(&reader->json, i, "tres/requested");
	const struct parsed *list = parsed_count(allocated) ? allocated : requested;
	double cpus = find_count(list, "cpu"), nodes = find_count(list, "node");

	job->cpus = read_number(reader, i, "required/CPUs", 0);
	job->nodes = read_number(reader, i, "allocation_nodes", 0);
	job->cpus = trunc(fmin(isnan(cpus) ? job->cpus : cpus, MOST_ID));
	job->nodes = trunc(fmin(isnan(nodes) ? job->nodes : nodes, MOST_ID));
	job->billing = find_count(allocated, "billing");
	if (isnan(job->billing))
		job->billing = job->cpus > 0 ? job->cpus : job->nodes;
	job->tres = make_tres(reader, list);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void check_cluster(struct reader *reader, size_t i)
{
	struct piece cluster = slurm_json_text(&reader->json, i, "cluster");

	if (!cluster.length || cluster.length >= sizeof(reader->cluster))
		return;
	if (!*reader->cluster)
		memcpy(reader->cluster, cluster.at, cluster.length + 1);
	if (!piece_is(cluster, reader->cluster))
		slurm_json_wrong(&reader->json, i, "cluster",
				 "differs from that of jobs[0]; give the jobs of one cluster");
}

static void read_names(struct reader *reader, size_t i, struct accounted_job *job)
{
	const struct slurm_json *json = &reader->json;
	struct piece tasks;

	job->user = slurm_json_text(json, i, "association/user");
	if (!job->user.length)
		job->user = slurm_json_text(json, i, "user");
	job->account = slurm_json_text(json, i, "account");
	job->qos = slurm_json_text(json, i, "qos");
	job->partitions = slurm_json_text(json, i, "partition");
	tasks = slurm_json_text(json, i, "array/task");
	if (job->state == JOB_STATE_PENDING)
		job->array_tasks = slurm_jobs_count_tasks(tasks.at);
}

static void read_job(struct reader *reader, size_t i)
{
	struct accounted_job job = { .line = 0 };
	double id = read_number(reader, i, "job_id", NAN);

	if (isnan(id) || id != trunc(id))
		slurm_json_wrong(&reader->json, i, "job_id", "must be a job's number");
	job.id = (int64_t)id;
	check_cluster(reader, i);
	read_state(reader, i, &job);
	read_names(reader, i, &job);
	read_times(reader, i, &job);
	read_size(reader, i, &job);
	accounting_add(reader->accounting, &job);
}

static void sacct_json_read(struct document *input, struct accounting *accounting)
{
	struct reader reader = { .accounting = accounting };

	document_load_rest(input);
	reader.json = slurm_json_load(input);
	slurm_json_choose(&reader.json, reader.json.root, *lists);
	for (size_t i = 0; i < parsed_count(reader.json.list); i++)
		read_job(&reader, i);
}

/* Jobs of slurmctld have no such key. */
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
