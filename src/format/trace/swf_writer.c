/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes jobs as a trace: a line of 18 numbers for each, in the order of their submit times; -1
 * stands for a number that is not known. Users, accounts and partitions are written as numbers. If
 * all their names are such as the reader makes of numbers, user3, the number in the name is
 * written; otherwise names are numbered, and tables in the header tell the names:
 *
 *	; UnixStartTime: 1700000000
 *	; User 1: ada
 *	7 0 10 60 4 -1 -1 -1 120 -1 1 1 1 -1 -1 1 -1 -1
 *
 * Source: D. Feitelson, "The Standard Workload Format", Parallel Workloads Archive.
 */
#include "format/trace/swf_writer.h"

#include "core/plural.h"
#include "document/text.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROOT_NAME "root"	/* the account of a job whose group is not known */
#define UNKNOWN (-1.)

/* The names of users, accounts or partitions, and how they become numbers. */
struct swf_names {
	const char *prefix;	/* of names that the reader makes of numbers: "user" */
	const char *title;	/* of the table in the header: "User" */
	struct numbered_names *list;	/* in the order of their first jobs */
	bool are_numbers;	/* all names are the prefix and a number, which is written */
};

struct swf_writer {
	FILE *out;
	const struct jobs *jobs;
	const struct job **job;	/* by submit time */
	double start;		/* UnixStartTime */
	struct swf_names users, groups, partitions;
	/* Only the prefix is used: partitions such as queue5, which the reader has made of a queue,
	 * are written as queues. */
	struct swf_names queues;
};

/* ---- names -------------------------------------------------------------------------- */

/* Returns the number of a name that is the prefix and a number, as the reader makes it, without
 * leading zeros; NAN: the name has another form. */
static double number_within(const struct swf_names *names, const char *name)
{
	size_t length = strlen(names->prefix), count;
	const char *digits = name + length;

	if (strncmp(name, names->prefix, length))
		return NAN;
	count = strspn(digits, "0123456789");
	/* a double holds each number of 15 digits */
	if (!count || count > 15 || digits[count] || (*digits == '0' && count > 1))
		return NAN;
	return strtod(digits, NULL);
}

/* Adds a name, unless it is NULL. Fails, see wrong_at(), if a header cannot have it. */
static void add_name(struct swf_names *names, const char *name)
{
	if (!name)
		return;
	if (!piece_is_printable(piece_of(name)))
		wrong_at(NULL, 0, "%s '%.64s': swf cannot have control characters in a name; "
			 "rename it", names->prefix, name);
	names->are_numbers &= !isnan(number_within(names, name));
	need_name(names->list, name);
}

/* Returns the number that is written for a name; UNKNOWN for NULL. */
static double number_of(const struct swf_names *names, const char *name)
{
	if (!name)
		return UNKNOWN;
	if (names->are_numbers)
		return number_within(names, name);
	return (double)numbered_names_find(names->list, name) + 1;
}

/* Returns the name of a job's group, its account; NULL: it has none. */
static const char *group_of(const struct jobs *jobs, const struct job *job)
{
	const char *account = jobs_text(jobs, job->account);

	return account && strcmp(account, ROOT_NAME) ? account : NULL;
}

/* Returns the first partition of a job, as a trace has one for each; NULL: it has none. */
static const char *partition_of(const struct jobs *jobs, const struct job *job)
{
	return job->requested_count ? jobs_text(jobs, jobs->requested[job->first_requested].name)
				    : NULL;
}

/* Writes the table of names, unless their numbers are in them. */
static void put_names(FILE *out, const struct swf_names *names)
{
	for (size_t i = 0; !names->are_numbers && i < names->list->count; i++)
		fprintf(out, "; %s %zu: %s\n", names->title, i + 1, names->list->name[i]);
}

/* ---- jobs --------------------------------------------------------------------------- */

/* Returns the status of a job: 0, failed, for each state that the format does not have; UNKNOWN if
 * the job has not ended, or its state is not known. */
static double status_of(const struct job *job)
{
	static const struct { const char *state; double status; } statuses[] = {
		{ "COMPLETED", 1 }, { "CANCELLED", 5 }, { "PENDING", UNKNOWN },
		{ "RUNNING", UNKNOWN }, { "SUSPENDED", UNKNOWN },
	};
	const char *name = job_state_name(job->state);

	for (size_t i = 0; name && i < sizeof(statuses) / sizeof(*statuses); i++)
		if (!strcmp(statuses[i].state, name))
			return statuses[i].status;
	return name ? 0 : UNKNOWN;
}

/* Returns a number to be written. value: 0 if it is not known. */
static double known(double value)
{
	return value > 0 ? value : UNKNOWN;
}

/* Writes the line of a job: its number, and the 17 other fields of the format, see swf.c. */
static void put_job(const struct swf_writer *writer, const struct job *job)
{
	const struct jobs *jobs = writer->jobs;
	bool has_run = job->start_time > 0, has_submit = job->submit_time > 0;
	bool has_ended = !job_state_has_not_ended(job->state);
	double wait = fmax(job->start_time - job->submit_time, 0);
	const char *partition = partition_of(jobs, job);
	bool is_queue = partition && !isnan(number_within(&writer->queues, partition));
	const double field[] = {
		has_submit ? job->submit_time - writer->start : UNKNOWN,
		has_run && has_submit ? wait : UNKNOWN,
		has_run && has_ended ? job->elapsed : UNKNOWN,
		has_run ? known(job->cpus) : UNKNOWN,
		UNKNOWN, UNKNOWN,	/* CPU time and memory used */
		has_run ? UNKNOWN : known(job->cpus),
		known(job->time_limit * 60),
		UNKNOWN,		/* requested memory */
		status_of(job),
		number_of(&writer->users, jobs_text(jobs, job->user)),
		number_of(&writer->groups, group_of(jobs, job)),
		UNKNOWN,		/* executable */
		is_queue ? number_within(&writer->queues, partition) : UNKNOWN,
		is_queue ? UNKNOWN : number_of(&writer->partitions, partition),
		UNKNOWN, UNKNOWN,	/* the job before, and the time since then */
	};

	fprintf(writer->out, "%" PRId64, job->id);
	for (size_t i = 0; i < sizeof(field) / sizeof(*field); i++)
		fprintf(writer->out, " %.15g", field[i]);
	fputc('\n', writer->out);
}

/* Compares pointers to jobs by submit time; jobs of the same time keep their order in jobs->job,
 * into which the pointers point. */
static int compare_submits(const void *first, const void *second)
{
	const struct job *a = *(const struct job *const *)first;
	const struct job *b = *(const struct job *const *)second;

	if (a->submit_time != b->submit_time)
		return a->submit_time < b->submit_time ? -1 : 1;
	return (a > b) - (a < b);
}

/* ---- the trace ---------------------------------------------------------------------- */

/* Returns when the trace begins: as the trace that was read; else with the second in which the
 * first job was submitted; 0: no submit time is known. */
static double start_of(const struct jobs *jobs)
{
	double start = INFINITY;

	if (jobs->has_trace_start)
		return jobs->trace_start;
	for (size_t i = 0; i < jobs->job_count; i++)
		if (jobs->job[i].submit_time > 0)
			start = fmin(start, jobs->job[i].submit_time);
	return isinf(start) ? 0 : floor(start);
}

/* Adds the names of a job to the tables. */
static void add_names(struct swf_writer *writer, const struct job *job)
{
	const char *partition = partition_of(writer->jobs, job);

	if (partition && !isnan(number_within(&writer->queues, partition)))
		partition = NULL;	/* it is written as a queue */
	add_name(&writer->users, jobs_text(writer->jobs, job->user));
	add_name(&writer->groups, group_of(writer->jobs, job));
	add_name(&writer->partitions, partition);
}

/* Writes the header, with the tables of names. */
static void put_header(const struct swf_writer *writer)
{
	fprintf(writer->out, "; Version: 2.2\n; MaxJobs: %zu\n; MaxRecords: %zu\n",
		writer->jobs->job_count, writer->jobs->job_count);
	if (writer->start > SWF_NO_START)
		fprintf(writer->out, "; UnixStartTime: %.0f\n", writer->start);
	if (writer->jobs->cpus > 0)
		fprintf(writer->out, "; MaxProcs: %.0f\n", writer->jobs->cpus);
	put_names(writer->out, &writer->users);
	put_names(writer->out, &writer->groups);
	put_names(writer->out, &writer->partitions);
}

void swf_write(FILE *out, const struct jobs *jobs)
{
	struct swf_writer writer = {
		.out = out, .jobs = jobs, .start = start_of(jobs),
		/* until a name has another form */
		.users = { "user", "User", need_names(), .are_numbers = true },
		.groups = { "group", "Group", need_names(), .are_numbers = true },
		.partitions = { "partition", "Partition", need_names(), .are_numbers = true },
		.queues = { .prefix = "queue" },
	};

	writer.job = need_zeros(jobs->job_count, sizeof(*writer.job));
	for (size_t i = 0; i < jobs->job_count; i++)
		writer.job[i] = &jobs->job[i];
	qsort(writer.job, jobs->job_count, sizeof(*writer.job), compare_submits);
	for (size_t i = 0; i < jobs->job_count; i++)	/* numbers them in this order */
		add_names(&writer, writer.job[i]);
	put_header(&writer);
	for (size_t i = 0; i < jobs->job_count; i++)
		put_job(&writer, writer.job[i]);
}

/* ---- what a trace does not have --------------------------------------------------------- */

/* Details of jobs that a trace cannot keep: formats with the number of jobs, and "s" or "". */
static const char *const details[] = {
	"when %zu job%s became eligible, other than when submitted",
	"the QOS of %zu job%s",
	"partitions but the first of %zu job%s",
	"nodes, memory and other TRES of %zu job%s",
	"nice, holds and set priorities of %zu job%s",
	"comments of %zu job%s",
	"the number of tasks of %zu job%s",
	"the state of %zu job%s, such as TIMEOUT",
	"the state and the run time of %zu job%s that had not ended",
};

#define DETAIL_COUNT (sizeof(details) / sizeof(*details))

/* Returns whether a job has counts of other TRES than `cpu` and `billing`. */
static bool has_tres(const struct jobs *jobs, const struct job *job, size_t cpu, size_t billing)
{
	const struct tres_amount *amount = jobs->amount + job->tres.first;
	size_t others = 0;

	for (size_t i = 0; i < job->tres.count; i++)
		others += amount[i].tres != cpu && amount[i].tres != billing;
	return others;
}

void swf_lost(const struct jobs *jobs, void (*note)(void *context, const char *text), void *context)
{
	const size_t cpu = jobs_tres_named(jobs, "cpu"), billing = jobs_tres_named(jobs, "billing");
	const size_t failed = job_state_find("FAILED", strlen("FAILED"));
	size_t count[DETAIL_COUNT] = { 0 };

	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		const bool has[DETAIL_COUNT] = {	/* in the order of `details` */
			job->accrue_time > 0 && job->accrue_time != job->submit_time,
			job->qos_name != JOBS_NONE,
			job->requested_count > 1,
			has_tres(jobs, job, cpu, billing),
			job->nice != 0 || job->site != 0 || job->set_priority != 0 || job->held,
			job->comment != JOBS_NONE,
			job->array_tasks > 1,
			status_of(job) == 0 && job->state != failed,
			job_state_has_not_ended(job->state),
		};

		for (size_t detail = 0; detail < DETAIL_COUNT; detail++)
			count[detail] += has[detail];
	}
	for (size_t i = 0; i < DETAIL_COUNT; i++)
		if (count[i])
			note(context, need_print(details[i], count[i], PLURAL(count[i])));
}
