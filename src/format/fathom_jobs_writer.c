/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes jobs in fathom's own JSON, which fathom_jobs.c shows. Keys whose value is what a missing
 * key stands for, mostly 0, are left out. */
#include "format/fathom_jobs_writer.h"

#include "format/job_settings.h"
#include "jobs/job_states.h"
#include "json/json.h"
#include "memory/need_names.h"

#include <math.h>
#include <stddef.h>

/* A key whose value is a number. */
struct number_key {
	const char *name;
	size_t offset;		/* of a double in a job, or in a partition */
	double standard;	/* the value that a missing key stands for; NAN is never written */
};

#define OF_JOB(member) offsetof(struct job, member)

static const struct number_key job_keys[] = {
	{ "accrue_time", OF_JOB(accrue_time), 0 },
	{ "submit_time", OF_JOB(submit_time), 0 },
	{ "start_time", OF_JOB(started), 0 },
	{ "expected_start", OF_JOB(expected_start), 0 },
	{ "array_tasks", OF_JOB(array_tasks), 0 },
	{ "min_nodes", OF_JOB(min_nodes), 0 },
	{ "cpus", OF_JOB(cpus), 0 },
	{ "time_limit", OF_JOB(time_limit), 0 },
	{ "nice", OF_JOB(nice), 0 },
	{ "site", OF_JOB(site), 0 },
	{ "priority", OF_JOB(set_priority), 0 },
	{ "fairshare", OF_JOB(fairshare), NAN },
	{ "assoc_priority", OF_JOB(assoc_priority), 0 },
	{ "queue", OF_JOB(queue), NAN },
	{ "bank", OF_JOB(bank), NAN },
	{ "urgency", OF_JOB(urgency), NAN },
};

static const struct number_key partition_keys[] = {
	{ "priority_job_factor", offsetof(struct jobs_partition, job_factor), 0 },
	{ "max_time", offsetof(struct jobs_partition, max_time), 0 },
};

/* Writes the keys of a job or a partition. */
static void put_keys(FILE *out, const struct number_key *keys, size_t count, const void *item)
{
	for (size_t i = 0; i < count; i++) {
		double value = *(const double *)((const char *)item + keys[i].offset);

		if (value != keys[i].standard && !isnan(value))
			json_put_number_key(out, keys[i].name, value);
	}
}

#define PUT_KEYS(out, keys, item) put_keys(out, keys, sizeof(keys) / sizeof(*(keys)), item)

/* Writes a key with a text, given by its place in jobs->text, unless it is JOBS_NONE. */
static void put_text(FILE *out, const struct jobs *jobs, const char *key, size_t place)
{
	if (place != JOBS_NONE)
		json_put_text_key(out, key, jobs_text(jobs, place));
}

/* Writes the counts of TRES, unless there are none. */
static void put_tres(FILE *out, const struct jobs *jobs, const struct tres_amounts *amounts)
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

/* ---- jobs -------------------------------------------------------------------------- */

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

static void put_job(FILE *out, const struct jobs *jobs, const struct job *job)
{
	json_print(out, "{\"job_id\": %lld", (long long)job->id);
	put_text(out, jobs, "user", job->user);
	put_text(out, jobs, "account", job->account);
	put_requested(out, jobs, job);
	put_text(out, jobs, "qos", job->qos_name);
	if (job->state != JOB_STATE_PENDING)
		json_put_text_key(out, "state", job_state_name(job->state));
	PUT_KEYS(out, job_keys, job);
	put_tres(out, jobs, &job->tres);
	if (job->held)
		json_put(out, ", \"held\": true");
	put_text(out, jobs, "own_hold", job->own_hold);
	put_text(out, jobs, "reason", job->reason);
	put_text(out, jobs, "reason_clause", job->reason_clause);
	put_text(out, jobs, "comment", job->comment);
	put_text(out, jobs, "features", job->features);
	put_text(out, jobs, "licenses", job->licenses);
	put_text(out, jobs, "reservation", job->reservation);
	if (job->depends)
		json_put(out, ", \"dependency\": true");
	if (job->waits)
		json_put(out, ", \"eligible\": false");
	json_put(out, "}");
}

/* ---- the document -------------------------------------------------------------------- */

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
	struct name_index *listed = need_index();

	if (!jobs->partition_count)
		return;
	json_put(out, ",\n \"partitions\": [");
	for (size_t i = 0; i < jobs->partition_count; i++) {
		begin_named(out, jobs, jobs->partition[i].name, listed);
		PUT_KEYS(out, partition_keys, &jobs->partition[i]);
		put_tres(out, jobs, &jobs->partition[i].tres);
		json_put(out, "}");
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

/* Writes the member "cluster". */
static void put_cluster(FILE *out, const struct jobs *jobs)
{
	json_print(out, "\"cluster\": {\"nodes\": %g, \"cpus\": %g", jobs->nodes, jobs->cpus);
	if (jobs->highest_assoc > 0)
		json_put_number_key(out, "highest_assoc_priority", jobs->highest_assoc);
	json_put(out, "}");
}

void fathom_jobs_put_members(FILE *out, const struct jobs *jobs)
{
	put_cluster(out, jobs);
	if (jobs->hides_jobs)
		json_put(out, ",\n \"hides_jobs\": true");
	put_partitions(out, jobs);
	put_qos(out, jobs);
	json_put(out, ",\n \"jobs\": [");
	for (size_t i = 0; i < jobs->job_count; i++) {
		json_put(out, i ? ",\n  " : "\n  ");
		put_job(out, jobs, &jobs->job[i]);
	}
	json_put(out, "]");
}

void fathom_jobs_write(FILE *out, const struct jobs *jobs)
{
	json_put(out, "{\"format\": \"fathom-jobs\", \"version\": 1");
	if (jobs->has_time)
		json_print(out, ", \"time\": %lld", (long long)jobs->time);
	json_put(out, ",\n \"settings\": ");
	job_settings_put(out, &jobs->settings);
	json_put(out, ", ");
	fathom_jobs_put_members(out, jobs);
	json_put(out, "}\n");
}
