/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes jobs in fathom's own JSON:
 *
 *	{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 *	 "settings": {"PriorityWeightAge": 1000}, "cluster": {"nodes": 10, "cpus": 640},
 *	 "partitions": [{"name": "main"}], "qos": [{"name": "normal"}],
 *	 "jobs": [{"job_id": 1, "user": "ada", "account": "physics", "cpus": 16}]}
 *
 * A key that is left out is 0, no text, or as job_unknown has it; such keys are not written.
 * snapshot_read_jobs() reads the same members from a cluster's snapshot.
 */
#include "document/json_reader.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/slurm_conf.h"
#include "format/snapshot_parts.h"
#include "jobs/job_states.h"
#include "json/json.h"
#include "memory/need_names.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#define FORMAT_NAME "fathom-jobs"

/* slurmctld stores nice values with an offset of 2^31, and reserves the ends of the range */
#define MOST_NICE 2147483645
#define MOST_DOUBLE 9007199254740992.	/* 2^53; a double holds every integer up to it */

/* ---- values of keys --------------------------------------------------------------------- */

/* Parts of rows. Numbers are read into doubles, whatever their range. null is as if the key were
 * left out. */
#define MEMBER(type, member) .or_null = true, .at = offsetof(struct type, member)
#define WHOLE_UP_TO_UINT32 .type = JSON_WHOLE_DOUBLE, .high = UINT32_MAX, \
			   .right = "must be an integer from 0 to 4294967295"
#define INTEGER .type = JSON_WHOLE_DOUBLE, .low = -(double)UINT32_MAX, .high = UINT32_MAX, \
		.right = "must be an integer from -4294967295 to 4294967295"
#define MINUTES .high = INFINITY, .right = "must be a number of minutes, 0 or more"
#define SECONDS .high = INFINITY, .right = "must be a number of seconds since 1970, or 0"
#define NICE .type = JSON_WHOLE_DOUBLE, .low = -MOST_NICE, .high = MOST_NICE, \
	     .right = "must be an integer from -2147483645 to 2147483645"
#define ANY_NUMBER .low = -INFINITY, .high = INFINITY, .right = "must be a number"

/* The readers' json->into is the struct jobs. */

/* Adds a text, the value of a key, to the jobs. Returns its place in jobs->text. */
static size_t add_text(struct json_reader *json, const char *key, const struct parsed *value)
{
	if (!parsed_length(value))
		json_wrong_key(json, key, "must be a string with at least one character");
	return jobs_add_text(json->into, parsed_text(value));
}

/* Reads a text into a field of type size_t, which gets its place in jobs->text. */
static void read_text(struct json_reader *json, const struct json_key *key,
		      const struct parsed *value, void *into)
{
	*(size_t *)((char *)into + key->at) = add_text(json, key->name, value);
}

/* Reads a text that may be "", as if it were missing. */
static void read_any_text(struct json_reader *json, const struct json_key *key,
			  const struct parsed *value, void *into)
{
	if (!parsed_is(value, PARSED_TEXT) || parsed_length(value))
		read_text(json, key, value, into);
}

/* Reads {"cpu": 16, "mem": 4000} into a struct tres_amounts. */
static void read_amounts(struct json_reader *json, const struct json_key *key,
			 const struct parsed *value, void *into)
{
	struct tres_amounts *amounts = (void *)((char *)into + key->at);
	struct jobs *jobs = json->into;
	const char *name;
	const struct parsed *count;

	if (!parsed_is(value, PARSED_OBJECT))
		json_wrong_key(json, key->name, "must be an object, for example {\"cpu\": 16}");
	amounts->first = jobs->amount_count;
	parsed_for_each_key(value, name, count) {
		struct tres_amount amount = { .count = (uint64_t)parsed_integer(count) };

		if (!parsed_is(count, PARSED_INTEGER) || parsed_integer(count) < 0)
			json_wrong_key(json, name, "must be a count of this TRES, an integer of 0 "
				       "or more");
		amount.tres = jobs_find_tres(jobs, name);
		JOBS_ADD(jobs, amount, amount);
	}
	amounts->count = jobs->amount_count - amounts->first;
}

/* ---- settings and the cluster ---------------------------------------------------------------- */

/* Reads an object with keys of slurm.conf. */
static void read_settings(struct json_reader *json, const struct parsed *value, void *into)
{
	struct jobs *jobs = into;
	const char *key, *text;
	const struct parsed *setting;
	struct fathom_error wrong;

	if (!parsed_is(value, PARSED_OBJECT))
		json_wrong_member(json, "must be an object of slurm.conf's keys, for example "
				  "{\"PriorityWeightAge\": 1000}");
	parsed_for_each_key(value, key, setting) {
		text = json_value_text(setting);
		if (!text)
			json_wrong_key(json, key, JSON_VALUE_RIGHT);
		if (job_settings_set(&jobs->settings, key, text, &wrong))
			json_wrong_key(json, key, need_print("is %s%s", wrong.code == ENOENT ? "" :
							     "wrong: ", wrong.text));
	}
}

static const struct json_key cluster_keys[] = {
	{ "nodes", MEMBER(jobs, nodes), WHOLE_UP_TO_UINT32 },
	{ "cpus", MEMBER(jobs, cpus), WHOLE_UP_TO_UINT32 },
	{ "highest_assoc_priority", MEMBER(jobs, highest_assoc), WHOLE_UP_TO_UINT32 },
	JSON_END
};

/* Reads the size of the cluster. */
static void read_cluster(struct json_reader *json, const struct parsed *value, void *into)
{
	if (!parsed_is(value, PARSED_OBJECT))
		json_wrong_member(json, "must be {\"nodes\": ..., \"cpus\": ...}");
	json_read_keys(json, value, cluster_keys, into);
}

/* Reads the time of the jobs. */
static void read_time(struct json_reader *json, const struct parsed *value, void *into)
{
	struct jobs *jobs = into;

	json_read_time(json, value, &jobs->has_time, &jobs->time);
}

/* ---- partitions and QOS ---------------------------------------------------------------------- */

static const struct json_key partition_keys[] = {
	{ "name", true, .at = offsetof(struct jobs_partition, name), .read = read_text },
	{ "priority_job_factor", MEMBER(jobs_partition, job_factor), INTEGER },
	{ "max_time", MEMBER(jobs_partition, max_time), MINUTES },
	{ "tres", MEMBER(jobs_partition, tres), .read = read_amounts },
	JSON_END
};

/* Adds a partition, whose name must be new. */
static void read_partition(struct json_reader *json, const struct parsed *object, void *into)
{
	struct jobs *jobs = into;
	struct jobs_partition partition = { .name = JOBS_NONE };

	json_read_keys(json, object, partition_keys, &partition);
	if (jobs_partition_named(jobs, jobs_text(jobs, partition.name)) != JOBS_NONE)
		json_wrong_key(json, "name", "is the name of an earlier partition, must be unique");
	jobs_add_partition(jobs, partition);
}

static const struct json_key qos_keys[] = {
	{ "name", true, .at = offsetof(struct jobs_qos, name), .read = read_text },
	{ "priority", MEMBER(jobs_qos, priority), WHOLE_UP_TO_UINT32 },
	JSON_END
};

/* Adds a QOS, whose name must be new. */
static void read_qos(struct json_reader *json, const struct parsed *object, void *into)
{
	struct jobs *jobs = into;
	struct jobs_qos qos = { .name = JOBS_NONE };

	json_read_keys(json, object, qos_keys, &qos);
	for (size_t i = 0; i < jobs->qos_count; i++)
		if (!strcmp(jobs_text(jobs, jobs->qos[i].name), jobs_text(jobs, qos.name)))
			json_wrong_key(json, "name",
				       "is the name of an earlier QOS, must be unique");
	JOBS_ADD(jobs, qos, qos);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Reads an id; some programs write an integer as 7.0 or 7e0. */
static void read_id(struct json_reader *json, const struct json_key *key,
		    const struct parsed *value, void *job)
{
	double number = parsed_number(value);
	bool is_whole = parsed_is(value, PARSED_INTEGER) ||
			(number <= MOST_DOUBLE && number == trunc(number));

	if (!parsed_is_number(value) || !(number >= 0) || !is_whole)
		json_wrong_key(json, key->name, "must be an integer of 0 or more");
	((struct job *)job)->id = parsed_is(value, PARSED_INTEGER) ? parsed_integer(value)
							 : (int64_t)number;
}

/* Reads "eligible": false: the job may not start yet. */
static void read_eligible(struct json_reader *json, const struct json_key *key,
			  const struct parsed *value, void *job)
{
	if (!parsed_is_switch(value))
		json_wrong_key(json, key->name, "must be true or false");
	((struct job *)job)->waits = parsed_is(value, PARSED_FALSE);
}

/* Reads the state of a job. */
static void read_state(struct json_reader *json, const struct json_key *key,
		       const struct parsed *value, void *job)
{
	size_t state = JOB_STATE_UNKNOWN;

	if (parsed_is(value, PARSED_TEXT))
		state = job_state_find_base(parsed_text(value), parsed_length(value));
	if (state == JOB_STATE_UNKNOWN)
		json_wrong_key(json, key->name, "must be a state such as \"PENDING\" or "
			       "\"RUNNING\"");
	((struct job *)job)->state = state;
}

/* Reads the names of the partitions that a job asks for. */
static void read_partitions(struct json_reader *json, const struct json_key *key,
			    const struct parsed *value, void *into)
{
	struct jobs *jobs = json->into;
	struct job *job = into;
	size_t i;
	const struct parsed *name;

	if (!parsed_is(value, PARSED_LIST))
		json_wrong_key(json, key->name, "must be a list of names");
	job->first_requested = jobs->requested_count;
	parsed_for_each(value, i, name) {
		if (parsed_is(name, PARSED_NULL))
			json_wrong_key(json, key->name, "must be a list of names");
		jobs_add_requested(jobs, job->first_requested, add_text(json, key->name, name));
	}
	job->requested_count = jobs->requested_count - job->first_requested;
}

/* In the order in which they are written. */
static const struct json_key job_keys[] = {
	{ "job_id", .or_null = true, .read = read_id },
	{ "user", MEMBER(job, user), .read = read_text },
	{ "account", MEMBER(job, account), .read = read_text },
	{ "partitions", .or_null = true, .read = read_partitions },
	{ "qos", MEMBER(job, qos_name), .read = read_text },
	{ "state", .or_null = true, .read = read_state },
	{ "accrue_time", MEMBER(job, accrue_time), SECONDS },
	{ "submit_time", MEMBER(job, submit_time), SECONDS },
	{ "start_time", MEMBER(job, started), SECONDS },
	{ "expected_start", MEMBER(job, expected_start), SECONDS },
	{ "array_tasks", MEMBER(job, array_tasks), WHOLE_UP_TO_UINT32 },
	{ "min_nodes", MEMBER(job, min_nodes), WHOLE_UP_TO_UINT32 },
	{ "cpus", MEMBER(job, cpus), WHOLE_UP_TO_UINT32 },
	{ "time_limit", MEMBER(job, time_limit), MINUTES },
	{ "nice", MEMBER(job, nice), NICE },
	{ "site", MEMBER(job, site), NICE },
	{ "priority", MEMBER(job, set_priority), WHOLE_UP_TO_UINT32 },
	{ "fairshare", MEMBER(job, fairshare), .high = 1, .right = "must be a number from 0 to 1" },
	{ "assoc_priority", MEMBER(job, assoc_priority), WHOLE_UP_TO_UINT32 },
	{ "queue", MEMBER(job, queue), ANY_NUMBER },
	{ "bank", MEMBER(job, bank), ANY_NUMBER },
	{ "urgency", MEMBER(job, urgency), .type = JSON_WHOLE_DOUBLE, .high = 31,
	  .right = "must be an integer from 0 to 31" },
	{ "tres", MEMBER(job, tres), .read = read_amounts },
	{ "held", MEMBER(job, held), .type = JSON_BOOL },
	{ "own_hold", MEMBER(job, own_hold), .read = read_text },
	{ "reason", MEMBER(job, reason), .read = read_text },
	{ "reason_clause", MEMBER(job, reason_clause), .read = read_text },
	{ "comment", MEMBER(job, comment), .read = read_any_text },
	{ "features", MEMBER(job, features), .read = read_text },
	{ "licenses", MEMBER(job, licenses), .read = read_text },
	{ "reservation", MEMBER(job, reservation), .read = read_text },
	{ "dependency", MEMBER(job, depends), .type = JSON_BOOL },
	{ "eligible", .or_null = true, .read = read_eligible },
	JSON_END
};

/* Adds a job. */
static void read_job(struct json_reader *json, const struct parsed *object, void *into)
{
	struct jobs *jobs = into;
	struct job job = job_unknown;

	job.line = json->part_line;
	json_read_keys(json, object, job_keys, &job);
	JOBS_ADD(jobs, job, job);
}

/* ---- names of partitions and QOS ------------------------------------------------------ */

/* Fails because a job names a partition or QOS that the member `list` lacks. name: its place in
 * jobs->text. */
static _Noreturn void wrong_name(const struct jobs *jobs, size_t job, const char *list, size_t name,
				 struct document *input)
{
	wrong_at(input, jobs->job[job].line, "jobs[%zu]: \"%s\" has no '%.64s'", job, list,
		 jobs_text(jobs, name));
}

/* Finds the partitions and QOS that jobs name. Any name is right if the file lists no partitions,
 * or no QOS. */
static void resolve_names(struct jobs *jobs, struct document *input)
{
	jobs_find_names(jobs);
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		size_t first = job->first_requested, end = first + job->requested_count;

		for (size_t j = first; jobs->partition_count && j < end; j++)
			if (jobs->requested[j].partition == JOBS_NONE)
				wrong_name(jobs, i, "partitions", jobs->requested[j].name, input);
		if (jobs->qos_count && job->qos_name != JOBS_NONE && job->qos == JOBS_NONE)
			wrong_name(jobs, i, "qos", job->qos_name, input);
	}
}

/* ---- the document --------------------------------------------------------------------------- */

static const struct json_member members[] = {
	{ .name = "time", .read = read_time },
	{ .name = "settings", .read = read_settings },
	{ .name = "cluster", .read = read_cluster },
	{ .name = "hides_jobs", .value = { MEMBER(jobs, hides_jobs), .type = JSON_BOOL } },
	{ .name = "partitions", .element = read_partition, .shape = "{\"name\": ...}" },
	{ .name = "qos", .element = read_qos, .shape = "{\"name\": ...}" },
	{ .name = "jobs", .needed = true, .element = read_job, .shape = "{\"job_id\": ...}" },
	JSON_END
};

static const struct json_document document = {
	.format = FORMAT_NAME,
	.version = 1,
	.shape = "\"settings\": {...}, \"jobs\": [...]",
	.members = members,
	.strict = true,
	.page = "fathom-prio(1)",
};

/* Reads jobs by a table of members. */
static void read_document(struct document *input, const struct json_document *table,
			  struct jobs *jobs)
{
	*jobs = (struct jobs){ .settings = job_settings_standard() };
	json_read_document(input, table, jobs);
	resolve_names(jobs, input);
}

static void read_jobs(struct document *input, struct jobs *jobs)
{
	read_document(input, &document, jobs);
}

/* ---- the jobs of a cluster's snapshot ----------------------------------------------------- */

/* Reads the text of slurm.conf, which may also have other keys than those of priorities, or an
 * object that has only those. Of the text sets the general keys, but those whose value is
 * unknown. */
static void read_slurm_conf(struct json_reader *json, const struct parsed *value, void *into)
{
	struct jobs *jobs = into;
	struct slurm_conf conf;
	struct fathom_error wrong;

	if (!parsed_is(value, PARSED_TEXT)) {
		read_settings(json, value, into);
		return;
	}
	slurm_conf_read_text(&conf, json->input->name, parsed_text(value));
	for (size_t i = 0; i < conf.pair_count; i++) {
		const struct slurm_pair *pair = &conf.pair[i];

		if (pair->first == i && !pair->is_unknown && job_settings_know(pair->key) &&
		    job_settings_set(&jobs->settings, pair->key, pair->value, &wrong))
			json_wrong_member(json, need_print("line %u: %.48s: %s", pair->line,
							   pair->key, wrong.text));
	}
}

static const struct json_member members_of_snapshot[] = {
	{ .name = "time", .read = read_time },
	{ .name = "slurm_conf", .read = read_slurm_conf },
	{ .name = "cluster", .read = read_cluster },
	{ .name = "hides_jobs", .value = { MEMBER(jobs, hides_jobs), .type = JSON_BOOL } },
	{ .name = "partitions", .element = read_partition, .shape = "{\"name\": ...}" },
	{ .name = "qos", .element = read_qos, .shape = "{\"name\": ...}" },
	{ .name = "jobs", .element = read_job, .shape = "{\"job_id\": ...}", .members = members },
	JSON_END
};

static const struct json_document document_of_snapshot = SNAPSHOT_DOCUMENT(members_of_snapshot);

void snapshot_read_jobs(struct document *input, struct jobs *jobs)
{
	read_document(input, &document_of_snapshot, jobs);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Writes the counts of TRES, unless there are none. */
static void put_amounts(FILE *out, const struct jobs *jobs, const struct tres_amounts *amounts)
{
	if (!amounts->count)
		return;
	json_put(out, ", \"tres\": {");
	for (size_t i = 0; i < amounts->count; i++) {
		const struct tres_amount *amount = &jobs->amount[amounts->first + i];

		json_print(out, i ? ", %s: %zu" : "%s: %zu",
			   jobs_text(jobs, jobs->tres[amount->tres]), (size_t)amount->count);
	}
	json_put(out, "}");
}

/* Writes the names of the partitions that a job asks for. */
static void put_requested(FILE *out, const struct jobs *jobs, const struct job *job)
{
	if (!job->requested_count)
		return;
	json_put(out, ", \"partitions\": [");
	for (size_t i = 0; i < job->requested_count; i++)
		json_print(out, i ? ", %s" : "%s",
			   jobs_text(jobs, jobs->requested[job->first_requested + i].name));
	json_put(out, "]");
}

/* Writes a key that is read by its type: a switch or a number. standard: the value that is not
 * written. */
static void put_by_type(FILE *out, const struct json_key *key, const void *field,
			const double *standard)
{
	assert(!key->read && key->type <= JSON_BOOL && key->type != JSON_UINT64);
	if (key->type == JSON_BOOL) {
		if (*(const bool *)field)
			json_print(out, ", %s: true", key->name);
	} else if (*(const double *)field != *standard && !isnan(*(const double *)field)) {
		json_put_number_key(out, key->name, *(const double *)field);
	}
}

/* Writes a key of a job or a partition, unless its value is the one that a missing key stands for,
 * as `unknown` has it. How a key is read tells what it is. */
static void put_key(FILE *out, const struct jobs *jobs, const struct json_key *key,
		    const void *item, const void *unknown)
{
	const void *field = (const char *)item + key->at;
	const struct job *job = item;

	if (key->read == read_text || key->read == read_any_text) {
		if (*(const size_t *)field != JOBS_NONE)
			json_put_text_key(out, key->name, jobs_text(jobs, *(const size_t *)field));
	} else if (key->read == read_amounts) {
		put_amounts(out, jobs, field);
	} else if (key->read == read_partitions) {
		put_requested(out, jobs, job);
	} else if (key->read == read_state) {
		if (job->state != JOB_STATE_PENDING)
			json_put_text_key(out, key->name, job_state_name(job->state));
	} else if (key->read == read_eligible) {
		json_put(out, job->waits ? ", \"eligible\": false" : "");
	} else {
		put_by_type(out, key, field, (const void *)((const char *)unknown + key->at));
	}
}

/* Writes a job, or a partition, behind its first key. */
static void put_keys(FILE *out, const struct jobs *jobs, const struct json_key *keys,
		     const void *item, const void *unknown)
{
	for (const struct json_key *key = keys + 1; key->name; key++)
		put_key(out, jobs, key, item, unknown);
	json_put(out, "}");
}

/* Begins an element with its name. name: its place in jobs->text. listed: the names of the list so
 * far. False: the list has it already, and nothing is written. */
static bool begin_named(FILE *out, const struct jobs *jobs, size_t name, struct name_index *listed)
{
	struct piece text = piece_of(jobs_text(jobs, name));

	if (name_index_get(listed, text) != NAME_INDEX_NONE)
		return false;
	json_print(out, listed->count ? ",\n  {\"name\": %s" : "\n  {\"name\": %s", text.at);
	need_put(listed, text, 0);
	return true;
}

/* Lists the name of a partition or QOS that jobs name, but that is not described: the reader
 * refuses names that a list lacks. */
static void put_other(FILE *out, const struct jobs *jobs, size_t name, struct name_index *listed)
{
	if (name != JOBS_NONE && begin_named(out, jobs, name, listed))
		json_put(out, "}");
}

/* Writes the partitions that are described, and those that jobs only name. Writes nothing if none
 * is described. */
static void put_partitions(FILE *out, const struct jobs *jobs)
{
	static const struct jobs_partition unknown;
	struct name_index *listed = need_index();

	if (!jobs->partition_count)
		return;
	json_put(out, ",\n \"partitions\": [");
	for (size_t i = 0; i < jobs->partition_count; i++) {
		begin_named(out, jobs, jobs->partition[i].name, listed);
		put_keys(out, jobs, partition_keys, &jobs->partition[i], &unknown);
	}
	for (size_t i = 0; i < jobs->requested_count; i++)
		put_other(out, jobs, jobs->requested[i].name, listed);
	json_put(out, "]");
}

/* Writes the QOS that are described, and those that jobs only name. Writes nothing if none is
 * described. */
static void put_qos(FILE *out, const struct jobs *jobs)
{
	struct name_index *listed = need_index();

	if (!jobs->qos_count)
		return;
	json_put(out, ",\n \"qos\": [");
	for (size_t i = 0; i < jobs->qos_count; i++) {
		begin_named(out, jobs, jobs->qos[i].name, listed);
		json_print(out, ", \"priority\": %g}", jobs->qos[i].priority);
	}
	for (size_t i = 0; i < jobs->job_count; i++)
		put_other(out, jobs, jobs->job[i].qos_name, listed);
	json_put(out, "]");
}

void snapshot_put_jobs(FILE *out, const struct jobs *jobs)
{
	json_print(out, "\"cluster\": {\"nodes\": %g, \"cpus\": %g", jobs->nodes, jobs->cpus);
	if (jobs->highest_assoc > 0)
		json_put_number_key(out, "highest_assoc_priority", jobs->highest_assoc);
	json_put(out, jobs->hides_jobs ? "},\n \"hides_jobs\": true" : "}");
	put_partitions(out, jobs);
	put_qos(out, jobs);
	json_put(out, ",\n \"jobs\": [");
	for (size_t i = 0; i < jobs->job_count; i++) {
		json_print(out, i ? ",\n  {\"job_id\": %lld" : "\n  {\"job_id\": %lld",
			   (long long)jobs->job[i].id);
		put_keys(out, jobs, job_keys, &jobs->job[i], &job_unknown);
	}
	json_put(out, "]");
}

static void write_jobs(FILE *out, const struct jobs *jobs)
{
	json_begin(out, FORMAT_NAME, 1);
	if (jobs->has_time)
		json_print(out, ", \"time\": %lld", (long long)jobs->time);
	json_put(out, ",\n \"settings\": ");
	job_settings_put(out, &jobs->settings);
	json_put(out, ", ");
	snapshot_put_jobs(out, jobs);
	json_put(out, "}\n");
}

const struct format format_fathom_jobs = {
	.name = FORMAT_NAME,
	.summary = "jobs in fathom's own JSON, \"format\": \"" FORMAT_NAME "\"",
	.holds = HOLDS_JOBS | HOLDS_SETTINGS,
	.document = FORMAT_NAME,
	.read_jobs = read_jobs,
	.write_jobs = write_jobs,
};
