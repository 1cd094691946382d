/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads jobs in fathom's own JSON:
 *
 *	{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 *	 "settings": {"PriorityWeightAge": 1000}, "cluster": {"nodes": 10, "cpus": 640},
 *	 "partitions": [{"name": "main"}], "qos": [{"name": "normal"}],
 *	 "jobs": [{"job_id": 1, "user": "ada", "account": "physics", "cpus": 16}]}
 *
 * A key that is left out is 0.
 */
#include "core/error.h"
#include "core/name_index.h"
#include "document/json_reader.h"
#include "format/fathom_jobs_writer.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/slurm_conf.h"
#include "format/snapshot_parts.h"
#include "jobs/job_states.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT_NAME "fathom-jobs"

/* slurmctld stores nice values with an offset of 2^31, and reserves the ends of the range */
#define MOST_NICE 2147483645
#define MOST_DOUBLE 9007199254740992.	/* 2^53; a double holds every integer up to it */

/* ---- values of keys --------------------------------------------------------------------- */

/* What the functions of members and keys read into. */
struct target {
	struct jobs *jobs;
	void *item;	/* a job, a partition, a QOS or, for the cluster, the jobs */
};

/* A key whose value is a number. */
struct number {
	const char *name;
	size_t offset;		/* of the number in its item */
	double low, high;	/* the range, both included */
	bool whole;		/* must be an integer */
	const char *right;	/* what the error says that the value must be */
};

/* The ranges that several keys have. */
#define ANY_UINT32 \
	.high = UINT32_MAX, .whole = true, \
	.right = "must be an integer from 0 to 4294967295"
#define MINUTES \
	.high = INFINITY, .right = "must be a number of minutes, 0 or more"
#define NICE \
	.low = -MOST_NICE, .high = MOST_NICE, .whole = true, \
	.right = "must be an integer from -2147483645 to 2147483645"
#define ANY_NUMBER .low = -INFINITY, .high = INFINITY, .right = "must be a number"

/* Reads a number into target->item. numbers: a table with this key, or the search has no end: every
 * key of job_keys that read_job_number() reads is in job_numbers, and so on. */
static int read_number(struct json_reader *json, const struct number *numbers, const char *key,
		       const json_t *value, struct target *target)
{
	double amount = json_number_value(value);

	while (strcmp(numbers->name, key))
		numbers++;
	if (json_is_null(value))
		return 0;
	if (!json_is_number(value) || !(amount >= numbers->low && amount <= numbers->high) ||
	    (numbers->whole && amount != trunc(amount)))
		return json_wrong_key(json, key, numbers->right);
	*(double *)((char *)target->item + numbers->offset) = amount;
	return 0;
}

static int read_text(struct json_reader *json, const char *key, const json_t *value,
		     struct jobs *jobs, size_t *at)
{
	if (json_is_null(value))
		return 0;
	if (!json_is_string(value) || !json_string_length(value))
		return json_wrong_key(json, key, "must be a string with at least one character");
	*at = jobs_add_text(jobs, json_string_value(value));
	return 0;
}

static int add_amount(struct json_reader *json, struct jobs *jobs, const char *name,
		      const json_t *value)
{
	struct tres_amount amount = { .count = (uint64_t)json_integer_value(value) };

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return json_wrong_key(json, name,
				      "must be a count of this TRES, an integer of 0 or "
				      "more");
	amount.tres = jobs_find_tres(jobs, name);
	JOBS_ADD(jobs, amount, amount);
	return 0;
}

static int read_amounts(struct json_reader *json, const char *key, const json_t *value,
			struct jobs *jobs, struct tres_amounts *amounts)
{
	const char *name;
	const json_t *count;

	if (json_is_null(value))
		return 0;
	if (!json_is_object(value))
		return json_wrong_key(json, key, "must be an object, for example {\"cpu\": 16}");
	amounts->first = jobs->amount_count;
	json_object_foreach((json_t *)value, name, count)
		if (add_amount(json, jobs, name, count))
			return -1;
	amounts->count = jobs->amount_count - amounts->first;
	return 0;
}

/* ---- settings and the cluster ---------------------------------------------------------------- */

/* Writes a value as slurm.conf has it. NULL: slurm.conf has no such values. */
static const char *text_of(const json_t *value, char *buffer, size_t size)
{
	if (json_is_string(value))
		return json_string_value(value);
	if (json_is_boolean(value))
		return json_is_true(value) ? "yes" : "no";
	if (!json_is_number(value))
		return NULL;
	snprintf(buffer, size, "%.17g", json_number_value(value));
	return buffer;
}

static int read_setting(struct json_reader *json, struct jobs *jobs, const char *key,
			const json_t *value)
{
	char buffer[64];
	const char *text = text_of(value, buffer, sizeof(buffer));
	struct fathom_error wrong;
	char what[sizeof(wrong.text) + 32];

	if (!text)
		return json_wrong_key(json, key, "must be a string, a number or true or false");
	if (!job_settings_set(&jobs->settings, key, text, &wrong))
		return 0;
	snprintf(what, sizeof(what), "is %s%s", wrong.code == ENOENT ? "" : "wrong: ", wrong.text);
	return json_wrong_key(json, key, what);
}

static int read_settings(struct json_reader *json, const json_t *value, void *into)
{
	struct target *target = into;
	const char *key;
	const json_t *setting;

	if (!json_is_object(value))
		return json_wrong_member(json,
					 "must be an object of slurm.conf's keys, for example "
					 "{\"PriorityWeightAge\": 1000}");
	json_object_foreach((json_t *)value, key, setting)
		if (read_setting(json, target->jobs, key, setting))
			return -1;
	return 0;
}

static const struct number cluster_numbers[] = {
	{ "nodes", offsetof(struct jobs, nodes), ANY_UINT32 },
	{ "cpus", offsetof(struct jobs, cpus), ANY_UINT32 },
	{ "highest_assoc_priority", offsetof(struct jobs, highest_assoc), ANY_UINT32 },
};

static int read_cluster_number(struct json_reader *json, const char *key, const json_t *value,
			       void *into)
{
	return read_number(json, cluster_numbers, key, value, into);
}

static const struct json_key cluster_keys[] = {
	{ "nodes", false, read_cluster_number },
	{ "cpus", false, read_cluster_number },
	{ "highest_assoc_priority", false, read_cluster_number },
};

#define READ_KEYS(json, object, keys, into) \
	json_read_keys(json, object, keys, sizeof(keys) / sizeof(*(keys)), into)

static int read_cluster(struct json_reader *json, const json_t *value, void *into)
{
	struct target *target = into;

	target->item = target->jobs;
	if (!json_is_object(value))
		return json_wrong_member(json, "must be {\"nodes\": ..., \"cpus\": ...}");
	return READ_KEYS(json, value, cluster_keys, target);
}

static int read_time(struct json_reader *json, const json_t *value, void *into)
{
	struct jobs *jobs = ((struct target *)into)->jobs;

	return json_read_time(json, value, &jobs->has_time, &jobs->time);
}

/* ---- partitions ----------------------------------------------------------------------------- */

static const struct number partition_numbers[] = {
	{ "priority_job_factor", offsetof(struct jobs_partition, job_factor), ANY_UINT32 },
	{ "max_time", offsetof(struct jobs_partition, max_time), MINUTES },
};

static int read_partition_number(struct json_reader *json, const char *key, const json_t *value,
				 void *into)
{
	return read_number(json, partition_numbers, key, value, into);
}

static int read_partition_name(struct json_reader *json, const char *key, const json_t *value,
			       void *into)
{
	struct target *target = into;

	return read_text(json, key, value, target->jobs,
			 &((struct jobs_partition *)target->item)->name);
}

static int read_partition_tres(struct json_reader *json, const char *key, const json_t *value,
			       void *into)
{
	struct target *target = into;

	return read_amounts(json, key, value, target->jobs,
			    &((struct jobs_partition *)target->item)->tres);
}

static const struct json_key partition_keys[] = {
	{ "name", true, read_partition_name },
	{ "priority_job_factor", false, read_partition_number },
	{ "max_time", false, read_partition_number },
	{ "tres", false, read_partition_tres },
};

static int read_partition(struct json_reader *json, const json_t *object, void *into)
{
	struct target *target = into;
	struct jobs *jobs = target->jobs;
	struct jobs_partition partition = { .name = JOBS_NONE };

	target->item = &partition;
	if (READ_KEYS(json, object, partition_keys, target))
		return -1;
	if (partition.name == JOBS_NONE)
		return json_wrong_key(json, "name", "must be a string with at least one character");
	if (jobs_partition_named(jobs, jobs_text(jobs, partition.name)) != JOBS_NONE)
		return json_wrong_key(json, "name",
				      "is the name of an earlier partition, must be unique");
	JOBS_ADD(jobs, partition, partition);
	return 0;
}

/* ---- QOS ------------------------------------------------------------------------------------- */

static const struct number qos_numbers[] = {
	{ "priority", offsetof(struct jobs_qos, priority), ANY_UINT32 },
};

static int read_qos_number(struct json_reader *json, const char *key, const json_t *value,
			   void *into)
{
	return read_number(json, qos_numbers, key, value, into);
}

static int read_qos_name(struct json_reader *json, const char *key, const json_t *value,
			 void *into)
{
	struct target *target = into;

	return read_text(json, key, value, target->jobs, &((struct jobs_qos *)target->item)->name);
}

static const struct json_key qos_keys[] = {
	{ "name", true, read_qos_name },
	{ "priority", false, read_qos_number },
};

static size_t find_qos(const struct jobs *jobs, const char *name)
{
	for (size_t i = 0; i < jobs->qos_count; i++)
		if (!strcmp(jobs_text(jobs, jobs->qos[i].name), name))
			return i;
	return JOBS_NONE;
}

static int read_qos(struct json_reader *json, const json_t *object, void *into)
{
	struct target *target = into;
	struct jobs *jobs = target->jobs;
	struct jobs_qos qos = { .name = JOBS_NONE };

	target->item = &qos;
	if (READ_KEYS(json, object, qos_keys, target))
		return -1;
	if (qos.name == JOBS_NONE)
		return json_wrong_key(json, "name", "must be a string with at least one character");
	if (find_qos(jobs, jobs_text(jobs, qos.name)) != JOBS_NONE)
		return json_wrong_key(json, "name",
				      "is the name of an earlier QOS, must be unique");
	JOBS_ADD(jobs, qos, qos);
	return 0;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

#define OF_JOB(member) offsetof(struct job, member)

static const struct number job_numbers[] = {
	{ "accrue_time", OF_JOB(accrue_time), .high = INFINITY,
	  .right = "must be a number of seconds since 1970, or 0" },
	{ "submit_time", OF_JOB(submit_time), .high = INFINITY,
	  .right = "must be a number of seconds since 1970, or 0" },
	{ "array_tasks", OF_JOB(array_tasks), ANY_UINT32 },
	{ "min_nodes", OF_JOB(min_nodes), ANY_UINT32 },
	{ "cpus", OF_JOB(cpus), ANY_UINT32 },
	{ "time_limit", OF_JOB(time_limit), MINUTES },
	{ "nice", OF_JOB(nice), NICE },
	{ "site", OF_JOB(site), NICE },
	{ "priority", OF_JOB(set_priority), ANY_UINT32 },
	{ "fairshare", OF_JOB(fairshare), .high = 1, .right = "must be a number from 0 to 1" },
	{ "assoc_priority", OF_JOB(assoc_priority), ANY_UINT32 },
	{ "queue", OF_JOB(queue), ANY_NUMBER },
	{ "bank", OF_JOB(bank), ANY_NUMBER },
	{ "urgency", OF_JOB(urgency), .high = 31, .whole = true,
	  .right = "must be an integer from 0 to 31" },
};

static int read_job_number(struct json_reader *json, const char *key, const json_t *value,
			   void *into)
{
	return read_number(json, job_numbers, key, value, into);
}

/* Some programs write an integer as 7.0 or 7e0. */
static int read_id(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct job *job = ((struct target *)into)->item;
	double number = json_number_value(value);

	if (json_is_null(value))
		return 0;
	if (!json_is_number(value) || !(number >= 0) ||
	    (!json_is_integer(value) && !(number <= MOST_DOUBLE && number == trunc(number))))
		return json_wrong_key(json, key, "must be an integer of 0 or more");
	job->id = json_is_integer(value) ? json_integer_value(value) : (int64_t)number;
	return 0;
}

static int read_job_text(struct json_reader *json, const char *key, const json_t *value,
			 void *into)
{
	struct target *target = into;
	struct job *job = target->item;
	size_t *at = &job->user;

	if (!strcmp(key, "account"))
		at = &job->account;
	else if (!strcmp(key, "qos"))
		at = &job->qos_name;
	return read_text(json, key, value, target->jobs, at);
}

static int read_switch(struct json_reader *json, const char *key, const json_t *value, bool *into)
{
	if (!json_is_boolean(value) && !json_is_null(value))
		return json_wrong_key(json, key, "must be true or false");
	*into = json_is_true(value);
	return 0;
}

static int read_held(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct job *job = ((struct target *)into)->item;

	return read_switch(json, key, value, &job->held);
}

static int read_dependency(struct json_reader *json, const char *key, const json_t *value,
			   void *into)
{
	struct job *job = ((struct target *)into)->item;

	return read_switch(json, key, value, &job->depends);
}

static int read_eligible(struct json_reader *json, const char *key, const json_t *value,
			 void *into)
{
	struct job *job = ((struct target *)into)->item;
	bool is_eligible = true;

	if (json_is_null(value))
		return 0;
	if (read_switch(json, key, value, &is_eligible))
		return -1;
	job->waits = !is_eligible;
	return 0;
}

static int read_state(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct job *job = ((struct target *)into)->item;

	if (json_is_null(value))
		return 0;
	job->state = json_is_string(value) ? job_state_find(json_string_value(value),
							    json_string_length(value)) :
					     JOB_STATE_UNKNOWN;
	if (job->state != JOB_STATE_UNKNOWN)
		return 0;
	return json_wrong_key(json, key, "must be a state such as \"PENDING\" or \"RUNNING\"");
}

static int read_job_tres(struct json_reader *json, const char *key, const json_t *value,
			 void *into)
{
	struct target *target = into;

	return read_amounts(json, key, value, target->jobs, &((struct job *)target->item)->tres);
}

static int add_requested(struct json_reader *json, const char *key, const json_t *value,
		     struct jobs *jobs)
{
	struct requested_partition requested = { .name = JOBS_NONE };

	if (read_text(json, key, value, jobs, &requested.name))
		return -1;
	if (requested.name == JOBS_NONE)
		return json_wrong_key(json, key, "must be a list of names");
	JOBS_ADD(jobs, requested, requested);
	return 0;
}

static int read_partitions(struct json_reader *json, const char *key, const json_t *value,
			   void *into)
{
	struct target *target = into;
	struct jobs *jobs = target->jobs;
	struct job *job = target->item;
	size_t i;
	const json_t *name;

	if (json_is_null(value))
		return 0;
	if (!json_is_array(value))
		return json_wrong_key(json, key, "must be a list of names");
	job->first_requested = jobs->requested_count;
	json_array_foreach((json_t *)value, i, name)
		if (add_requested(json, key, name, jobs))
			return -1;
	job->requested_count = jobs->requested_count - job->first_requested;
	return 0;
}

static const struct json_key job_keys[] = {
	{ "job_id", false, read_id },
	{ "user", false, read_job_text },
	{ "account", false, read_job_text },
	{ "partitions", false, read_partitions },
	{ "qos", false, read_job_text },
	{ "accrue_time", false, read_job_number },
	{ "min_nodes", false, read_job_number },
	{ "cpus", false, read_job_number },
	{ "time_limit", false, read_job_number },
	{ "tres", false, read_job_tres },
	{ "nice", false, read_job_number },
	{ "site", false, read_job_number },
	{ "held", false, read_held },
	{ "dependency", false, read_dependency },
	{ "state", false, read_state },
	{ "submit_time", false, read_job_number },
	{ "array_tasks", false, read_job_number },
	{ "priority", false, read_job_number },
	{ "eligible", false, read_eligible },
	{ "fairshare", false, read_job_number },
	{ "assoc_priority", false, read_job_number },
	{ "queue", false, read_job_number },
	{ "bank", false, read_job_number },
	{ "urgency", false, read_job_number },
};

static int read_job(struct json_reader *json, const json_t *object, void *into)
{
	struct target *target = into;
	struct jobs *jobs = target->jobs;
	struct job job = {
		.line = json->part_line, .user = JOBS_NONE, .account = JOBS_NONE,
		.qos_name = JOBS_NONE, .qos = JOBS_NONE, .fairshare = NAN,
		.urgency = FATHOM_FLUX_URGENCY,
	};

	target->item = &job;
	if (READ_KEYS(json, object, job_keys, target))
		return -1;
	JOBS_ADD(jobs, job, job);
	return 0;
}

/* ---- names of partitions and QOS ------------------------------------------------------ */

static int wrong_name(const struct jobs *jobs, size_t job, const char *what, size_t name,
		      struct document *input, struct fathom_error *error)
{
	return input_wrong(input, jobs->job[job].line, error, "jobs[%zu]: \"%s\" has no '%.64s'",
			   job, what, jobs_text(jobs, name));
}

/* Finds the partitions and QOS that jobs name. If the file lists none, any name is right. */
static int resolve_names(struct jobs *jobs, struct document *input, struct fathom_error *error)
{
	jobs_find_names(jobs);
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		size_t first = job->first_requested, end = first + job->requested_count;

		for (size_t j = first; jobs->partition_count && j < end; j++)
			if (jobs->requested[j].partition == JOBS_NONE)
				return wrong_name(jobs, i, "partitions", jobs->requested[j].name,
						  input, error);
		if (jobs->qos_count && job->qos_name != JOBS_NONE && job->qos == JOBS_NONE)
			return wrong_name(jobs, i, "qos", job->qos_name, input, error);
	}
	return 0;
}

/* ---- the document --------------------------------------------------------------------------- */

static const struct json_member members[] = {
	{ .name = "time", .read = read_time },
	{ .name = "settings", .read = read_settings },
	{ .name = "cluster", .read = read_cluster },
	{ .name = "partitions", .element = read_partition, .shape = "{\"name\": ...}" },
	{ .name = "qos", .element = read_qos, .shape = "{\"name\": ...}" },
	{ .name = "jobs", .needed = true, .element = read_job, .shape = "{\"job_id\": ...}" },
};

static const struct json_document document = {
	.format = FORMAT_NAME,
	.version = 1,
	.shape = "\"settings\": {...}, \"jobs\": [...]",
	.members = members,
	.member_count = sizeof(members) / sizeof(*members),
	.strict = true,
	.page = "fathom-prio(1)",
};

static int read_document(struct document *input, const struct json_document *as, struct jobs *jobs,
			 struct fathom_error *error)
{
	struct target target = { .jobs = jobs };

	*jobs = (struct jobs){ .settings = job_settings_standard() };
	if (!json_read_document(input, as, &target, error) &&
	    !resolve_names(jobs, input, error))
		return 0;
	jobs_clear(jobs);
	return -1;
}

static int read_jobs(struct document *input, struct jobs *jobs, struct fathom_error *error)
{
	return read_document(input, &document, jobs, error);
}

/* ---- the jobs of a cluster's snapshot ----------------------------------------------------- */

static int set_keys(struct json_reader *json, const struct slurm_conf *conf, struct jobs *jobs)
{
	struct fathom_error wrong;
	char what[sizeof(wrong.text) + 96];

	for (size_t i = 0; i < conf->pair_count; i++) {
		const struct slurm_pair *pair = &conf->pair[i];

		if (pair->first != i || pair->is_unknown || !job_settings_know(pair->key) ||
		    !job_settings_set(&jobs->settings, pair->key, pair->value, &wrong))
			continue;
		snprintf(what, sizeof(what), "line %u: %.48s: %s", pair->line, pair->key,
			 wrong.text);
		return json_wrong_member(json, what);
	}
	return 0;
}

/* Reads the text of slurm.conf, in which other keys than those of priorities may be, or an object
 * with keys of priorities. */
static int read_slurm_conf(struct json_reader *json, const json_t *value, void *into)
{
	struct target *target = into;
	struct slurm_conf conf;
	int status;

	if (json_is_null(value))
		return 0;
	if (!json_is_string(value))
		return read_settings(json, value, into);
	if (slurm_conf_read_text(&conf, json->input->name, json_string_value(value), json->error))
		return -1;
	status = set_keys(json, &conf, target->jobs);
	slurm_conf_clear(&conf);
	return status;
}

static const struct json_member members_of_snapshot[] = {
	{ .name = "time", .read = read_time },
	{ .name = "slurm_conf", .read = read_slurm_conf },
	{ .name = "cluster", .read = read_cluster },
	{ .name = "partitions", .element = read_partition, .shape = "{\"name\": ...}" },
	{ .name = "qos", .element = read_qos, .shape = "{\"name\": ...}" },
	{ .name = "jobs", .element = read_job, .shape = "{\"job_id\": ...}",
	  .members = members, .member_count = sizeof(members) / sizeof(*members) },
};

static const struct json_document document_of_snapshot =
	SNAPSHOT_DOCUMENT(members_of_snapshot,
			  sizeof(members_of_snapshot) / sizeof(*members_of_snapshot));

int snapshot_read_jobs(struct document *input, struct jobs *jobs, struct fathom_error *error)
{
	return read_document(input, &document_of_snapshot, jobs, error);
}

static bool recognize(const struct document *input)
{
	return json_is_format(input, FORMAT_NAME);
}

const struct format format_fathom_jobs = {
	.name = FORMAT_NAME,
	.summary = "jobs in fathom's own JSON, \"format\": \"" FORMAT_NAME "\"",
	.holds = HOLDS_JOBS | HOLDS_SETTINGS,
	.recognize = recognize,
	.read_jobs = read_jobs,
	.write_jobs = fathom_jobs_write,
};
