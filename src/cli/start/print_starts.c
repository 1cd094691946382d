/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints when pending jobs start: as a table, as sentences, or as JSON. */
#include "cli/explain/said_numbers.h"
#include "cli/print_table.h"
#include "cli/print_text.h"
#include "cli/start/start.h"
#include "core/plural.h"
#include "json/json.h"

#include <stdarg.h>

/* ---- texts ---------------------------------------------------------------------------------- */

/* Returns a time, seconds since 1970, in the local time zone, as squeue prints it; NULL: it is NAN,
 * not known, or INFINITY, never. */
static const char *said_time(double time)
{
	return isfinite(time) ? need_date(ceil(time), "%FT%T") : NULL;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* The context of the table. */
struct shown_starts {
	const struct start_cluster *cluster;
	const struct started_job *jobs;		/* one for each row */
};

/* Returns the answer of the cell's row. */
static const struct started_job *job_of(const struct cell *cell)
{
	const struct shown_starts *shown = cell->context;

	return &shown->jobs[cell->row];
}

/* Returns a text of the jobs by its offset; NULL for JOBS_NONE. */
static const char *name_of(const struct cell *cell, size_t offset)
{
	const struct shown_starts *shown = cell->context;

	return jobs_text(&shown->cluster->input.site.jobs, offset);
}

/* Returns an empty cell for NULL and "". */
static struct value text_or_none(const char *text)
{
	return text && *text ? value_of_text(text) : value_none();
}

static struct value job_id(const struct cell *cell)
{
	return value_of_integer(job_of(cell)->job->id);
}

static struct value user(const struct cell *cell)
{
	return text_or_none(name_of(cell, job_of(cell)->job->user));
}

/* The functions below are struct column.get. */

/* Shows the time that a member of struct started_job has. `detail` is the member's offset. */
static struct value time_at(const struct cell *cell)
{
	const char *job = (const char *)job_of(cell);

	return text_or_none(said_time(*(const double *)(job + cell->column->detail)));
}

/* Shows when slurmctld expects the job to start. */
static struct value by_slurmctld(const struct cell *cell)
{
	double time = job_of(cell)->job->expected_start;

	return text_or_none(time > 0 ? said_time(time) : NULL);
}

/* Shows how many pending jobs start before the job; nothing if it never starts. */
static struct value ahead(const struct cell *cell)
{
	return job_of(cell)->reason ? value_none() : value_of_integer((int64_t)job_of(cell)->ahead);
}

/* Shows why the job never starts, and what its start does not account for. */
static struct value note(const struct cell *cell)
{
	const struct started_job *job = job_of(cell);
	const char *list = need_join(job->not_modelled, job->not_modelled_count, ", ");

	if (!*list)
		return text_or_none(job->reason);
	return text_or_none(need_print("%s%s%s not counted", job->reason ? job->reason : "",
				       job->reason ? "; " : "", list));
}

#define TIME(member)                                                                            \
	.kind = COLUMN_TEXT, .get = time_at, .detail = offsetof(struct started_job, member)

/* Returns whether to show when slurmctld expects jobs to start: for the running cluster, or if a
 * snapshot tells it of a job. */
static bool has_slurmctlds(const struct start_cluster *cluster, const struct started_job *jobs,
			   size_t count)
{
	bool has = !cluster->options.files.from_count;

	for (size_t i = 0; i < count; i++)
		has |= jobs[i].job->expected_start > 0;
	return has;
}

void print_starts(const struct start_cluster *cluster, const struct started_job *jobs, size_t count,
		  bool has_header, bool is_parsable)
{
	static const struct column columns[] = {
		{ .name = "JOBID", .get = job_id },
		{ .name = "USER", .kind = COLUMN_TEXT, .get = user },
		{ .name = "START", TIME(start) },
		{ .name = "AHEAD", .get = ahead },
		{ .name = "NOTE", .kind = COLUMN_TEXT, .get = note, .shrinks = true },
	};
	static const struct column ranges[] = {
		{ .name = "EXPECTED", TIME(expected) },
		{ .name = "EARLIEST", TIME(earliest) },
		{ .name = "LATEST", TIME(latest) },
	};
	static const struct column slurmctlds = {
		.name = "SLURMCTLD", .kind = COLUMN_TEXT, .get = by_slurmctld };
	const struct shown_starts shown = { cluster, jobs };
	struct table table = { .row_count = count, .context = &shown, .has_header = has_header,
			       .narrow = "--parsable prints them" };

	table_add_all(&table, columns, 3);	/* AHEAD and NOTE come last */
	if (cluster->history)
		table_add_all(&table, ranges, 3);
	if (has_slurmctlds(cluster, jobs, count))
		table_add(&table, &slurmctlds)->hides = 1;
	table_add_all(&table, columns + 3, 2);
	print_either(&table, is_parsable);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Prints a sentence on lines of its own. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	print_wrapped(need_vprint(format, values), 0, 0);
	va_end(values);
}

/* Says when a job starts: by limits, by the history, and by slurmctld. */
static void say_when(const struct start_cluster *cluster, const struct started_job *started)
{
	double expected = started->job->expected_start;	/* by slurmctld */
	long long id = started->job->id;
	const char *start = said_time(started->start);
	const char *range = "hardly earlier or later";

	if (started->start > cluster->now)
		say("Job %lld starts at %s, %s from now, if jobs run as long as their time limits "
		    "allow.", id, start, say_duration(started->start - cluster->now));
	else
		say("Job %lld can start now (%s).", id, start);
	if (isfinite(started->earliest) && isfinite(started->latest)) {
		if (started->earliest < started->latest)
			range = need_print("between %s and %s", said_time(started->earliest),
					   said_time(started->latest));
		say("If they use as much of their limits as jobs of the past, it starts at about "
		    "%s, %s.", said_time(started->expected), range);
	}
	if (expected > 0)
		say("slurmctld expects it to start at %s.", said_time(expected));
}

/* "3 pending jobs start before it, the last of them job 7.", "1 pending job starts before it: job
 * 7." */
static void say_what_is_ahead(const struct started_job *started)
{
	bool is_one = started->ahead == 1;

	if (started->ahead)
		say("%zu pending job%s start%s before it%s job %lld.", started->ahead,
		    PLURAL(started->ahead), is_one ? "s" : "", is_one ? ":" : ", the last of them",
		    (long long)started->next_ahead->id);
	else
		say("No pending job starts before it.");
}

/* Prints the paragraph of a job. */
static void say_job(const struct start_cluster *cluster, const struct started_job *started)
{
	if (started->reason) {
		say("Job %lld does not start, as far as is known: %s.",
		    (long long)started->job->id, started->reason);
	} else {
		say_when(cluster, started);
		say_what_is_ahead(started);
	}
	if (started->not_modelled_count)
		say("This does not account for %s.",
		    need_join(started->not_modelled, started->not_modelled_count, ", "));
	for (size_t i = 0; i < started->advice_count; i++)
		say("It would start at %s %s.", said_time(started->advice[i].start),
		    started->advice[i].what);
}

void print_starts_in_words(const struct start_cluster *cluster, const struct started_job *jobs,
			   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			putchar('\n');
		say_job(cluster, &jobs[i]);
	}
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Writes a time as a number, and as a text under the key with "_iso"; null, if it is NAN or
 * INFINITY. */
static void put_time_key(const char *key, double time)
{
	const char *text_key = need_print("%s_iso", key);

	json_put_number_key(stdout, key, isfinite(time) ? ceil(time) : NAN);
	json_put_instant_key(stdout, text_key, ceil(time));
}

/* Writes the lists of advice and of what is not modelled, as members of an object. */
static void put_advice(const struct started_job *started)
{
	json_put(stdout, ", \"advice\": [");
	for (size_t i = 0; i < started->advice_count; i++) {
		json_print(stdout, i ? ", {\"what\": %s" : "{\"what\": %s",
			   started->advice[i].what);
		put_time_key("start", started->advice[i].start);
		json_put(stdout, "}");
	}
	json_put(stdout, "], \"not_modelled\": [");
	for (size_t i = 0; i < started->not_modelled_count; i++)
		json_print(stdout, i ? ", %s" : "%s", started->not_modelled[i]);
	json_put(stdout, "]");
}

/* Writes the answer for a job as an object. */
static void put_job(const struct started_job *started)
{
	json_print(stdout, "{\"job_id\": %lld", (long long)started->job->id);
	put_time_key("start", started->start);
	put_time_key("expected", started->expected);
	put_time_key("earliest", started->earliest);
	put_time_key("latest", started->latest);
	json_print(stdout, ", \"ahead\": %zu, \"next_ahead\": ", started->ahead);
	if (started->next_ahead)
		json_put_integer(stdout, started->next_ahead->id);
	else
		json_put(stdout, "null");
	json_put_text_key(stdout, "reason", started->reason);
	put_advice(started);
	put_time_key("slurmctld_start",
		     started->job->expected_start > 0 ? started->job->expected_start : NAN);
	json_put(stdout, "}");
}

void print_starts_json(const struct start_cluster *cluster, const struct started_job *jobs,
		       size_t count)
{
	json_begin(stdout, "fathom-start", 1);
	put_time_key("time", cluster->now);
	json_put_text_key(stdout, "policy", fathom_policy_name(cluster->policy));
	json_put(stdout, ",\n\"jobs\": [");
	for (size_t i = 0; i < count; i++) {
		json_put(stdout, i ? ",\n" : "\n");
		put_job(&jobs[i]);
	}
	json_put(stdout, "]}\n");
}
