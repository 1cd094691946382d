/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the table "jobs" of flux-accounting's database: jobs that have ended. It has numbers of
 * users, whose names are in association_table, and tells nothing about how a job ended. Early
 * schemas have no columns for bank and durations, which then come from the jobspec. A job without
 * a bank belongs to its user's default bank. The job archive of flux-core is this table alone.
 */
#include "config.h"

#include "format/flux/flux_jobs.h"
#include "format/flux/flux_settings.h"

#ifdef HAVE_SQLITE
#include "core/error.h"
#include "document/text.h"
#include "format/accounting/accounting.h"
#include "format/flux/database.h"
#include "format/flux/flux_job_texts.h"
#include "format/flux/flux_priorities.h"
#include "jobs/job_states.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS "jobs"
#define ASSOCIATIONS "association_table"
#define NO_USER 65534	/* stands for users whom the host of the database does not know */
#define SQL_SIZE 1024

struct reader {
	struct database database;
	struct accounting *accounting;
	double node_weight, core_weight, gpu_weight;	/* of what a second is charged */
	struct flux_priorities banks, queues;
};

/* ---- the query -------------------------------------------------------------------------- */

/* Columns of the query. */
enum { ROW, ID, USER, SUBMIT, RUN, INACTIVE, RANKS, R, JOBSPEC, BANK, REQUESTED, NAME,
       DEFAULT_BANK };

static const char *const required[] = { "id", "userid", "t_submit", "t_run", "t_inactive", "ranks",
					"R", "jobspec", NULL };

/* Returns what to select for a column that early schemas do not have. */
static int optional(struct reader *reader, const char *table, const char *column, const char *term,
		    const char **chosen)
{
	bool has;

	*chosen = "NULL";
	if (database_has_column(&reader->database, table, column, &has))
		return -1;
	if (has)
		*chosen = term;
	return 0;
}

/* A number that several names share is nobody's. */
static int make_names(struct reader *reader, char *sql, size_t size)
{
	const char *default_bank, *number;

	if (optional(reader, ASSOCIATIONS, "userid", "userid", &number) ||
	    optional(reader, ASSOCIATIONS, "default_bank", "MAX(default_bank)", &default_bank))
		return -1;
	if (!strcmp(number, "NULL"))
		snprintf(sql, size, "SELECT NULL AS number, NULL AS name, NULL AS bank");
	else
		snprintf(sql, size, "SELECT userid AS number, MIN(username) AS name, %s AS bank"
			 " FROM " ASSOCIATIONS " WHERE userid <> %d GROUP BY userid"
			 " HAVING COUNT(DISTINCT username) = 1", default_bank, NO_USER);
	return 0;
}

static int prepare(struct reader *reader, sqlite3_stmt **statement)
{
	char sql[SQL_SIZE], names[SQL_SIZE / 2];
	const char *bank, *requested;

	if (optional(reader, JOBS, "bank", "j.bank", &bank) ||
	    optional(reader, JOBS, "requested_duration", "j.requested_duration", &requested) ||
	    make_names(reader, names, sizeof(names)))
		return -1;
	snprintf(sql, sizeof(sql), "SELECT j.rowid, j.id, j.userid, j.t_submit, j.t_run,"
		 " j.t_inactive, j.ranks, j.R, j.jobspec, %s, %s, u.name, u.bank FROM " JOBS " j"
		 " LEFT JOIN (%s) u ON u.number = j.userid ORDER BY j.rowid",
		 bank, requested, names);
	return database_prepare(&reader->database, JOBS, sql, statement);
}

/* ---- values -------------------------------------------------------------------------------- */

static const char *text_at(sqlite3_stmt *row, int column)
{
	return (const char *)sqlite3_column_text(row, column);
}

static struct piece piece_at(sqlite3_stmt *row, int column)
{
	const char *at = text_at(row, column);

	return (struct piece){ at ? at : "", at ? (size_t)sqlite3_column_bytes(row, column) : 0 };
}

static struct piece piece_or_empty(const char *text)
{
	return piece_of(text ? text : "");
}

static int wrong(struct reader *reader, sqlite3_stmt *row, int column, const char *right)
{
	return database_wrong_value(&reader->database, JOBS, row, column, right);
}

static int read_id(struct reader *reader, sqlite3_stmt *row, int64_t *id)
{
	uint64_t whole;

	if (parse_whole(piece_at(row, ID), INT64_MAX, &whole))
		return wrong(reader, row, ID, "must be the job's number, an integer of 0 or more");
	*id = (int64_t)whole;
	return 0;
}

/* Reads seconds since 1970; 0 and NULL are NAN, not known. */
static int read_time(struct reader *reader, sqlite3_stmt *row, int column, double *time)
{
	int type = sqlite3_column_type(row, column);

	*time = sqlite3_column_double(row, column);
	if (type != SQLITE_NULL && type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return wrong(reader, row, column, "must be seconds since 1970");
	if (!(*time > 0))
		*time = NAN;
	return 0;
}

static int read_times(struct reader *reader, sqlite3_stmt *row, struct accounted_job *job)
{
	double start;

	if (read_time(reader, row, SUBMIT, &job->submit) || read_time(reader, row, RUN, &start) ||
	    read_time(reader, row, INACTIVE, &job->end))
		return -1;
	job->eligible = job->submit;
	job->elapsed = job->end - start;
	if (job->elapsed < 0)	/* not NAN */
		job->elapsed = 0;
	return 0;
}

/* ---- a job -------------------------------------------------------------------------------- */

/* Writes the counts that are known as TRES. */
static struct piece tres_of(const struct flux_resources *got, char *text, size_t size)
{
	const struct { const char *name; double count; } tres[] = {
		{ "cpu", got->cores }, { "node", got->nodes }, { "gres/gpu", got->gpus },
	};
	size_t length = 0;

	for (size_t i = 0; i < sizeof(tres) / sizeof(*tres); i++)
		if (tres[i].count > 0)
			length += (size_t)snprintf(text + length, size - length, "%s%s=%.0f",
						   length ? "," : "", tres[i].name,
						   tres[i].count);
	return (struct piece){ text, length };
}

/* Without a usable R there is the set of ranks. */
static void set_resources(const struct reader *reader, sqlite3_stmt *row, struct accounted_job *job,
			  char *tres, size_t size)
{
	struct flux_resources got = flux_resources_of(text_at(row, R));

	if (!(got.nodes > 0))
		got.nodes = flux_idset_count(piece_at(row, RANKS));
	job->nodes = got.nodes;
	job->cpus = got.cores;
	job->billing = got.nodes * reader->node_weight + got.cores * reader->core_weight +
		       got.gpus * reader->gpu_weight;
	job->tres = tres_of(&got, tres, size);
}

/* Returns the first text that is not empty. */
static struct piece first_text(struct piece a, struct piece b, struct piece c)
{
	if (a.length)
		return a;
	return b.length ? b : c;
}

static void set_names(const struct reader *reader, sqlite3_stmt *row,
		      const struct flux_jobspec *jobspec, struct accounted_job *job)
{
	static const struct piece none = { "", 0 };

	job->user = first_text(piece_at(row, NAME), piece_at(row, USER), none);
	job->account = first_text(piece_at(row, BANK), piece_or_empty(jobspec->bank),
				  piece_at(row, DEFAULT_BANK));
	job->partitions = piece_or_empty(jobspec->queue);
	job->bank_priority = flux_priority_of(&reader->banks, job->account);
	job->queue_priority = flux_priority_of(&reader->queues, job->partitions);
}

/* Adds a job; an error names the row of the table. */
static int add(struct reader *reader, sqlite3_stmt *row, const struct accounted_job *job)
{
	struct fathom_error inner;

	if (!accounting_add(reader->accounting, job, &inner))
		return 0;
	return database_wrong(&reader->database, JOBS ", row %" PRId64 ": %s",
			      (int64_t)sqlite3_column_int64(row, ROW), inner.text);
}

static int read_job(struct reader *reader, sqlite3_stmt *row, const struct flux_jobspec *jobspec)
{
	struct accounted_job job = { .line = 0 };
	double duration = sqlite3_column_double(row, REQUESTED);
	char tres[96];
	bool ran;

	if (read_id(reader, row, &job.id) || read_times(reader, row, &job))
		return -1;
	set_resources(reader, row, &job, tres, sizeof(tres));
	set_names(reader, row, jobspec, &job);
	job.time_limit = (duration > 0 ? duration : jobspec->duration) / 60;
	ran = !isnan(job.elapsed);
	job.state = job_state_find(ran ? "CD" : "CA", 2);
	return add(reader, row, &job);
}

static int read_row(void *context, sqlite3_stmt *row)
{
	struct flux_jobspec jobspec = { 0 };
	int status;

	flux_jobspec_read(&jobspec, text_at(row, JOBSPEC));
	status = read_job(context, row, &jobspec);
	flux_jobspec_clear(&jobspec);
	return status;
}

/* ---- the table ---------------------------------------------------------------------------- */

static int read_weight(void *context, sqlite3_stmt *row)
{
	struct reader *reader = context;
	const struct { const char *key; double *weight; } weights[] = {
		{ "node_weight", &reader->node_weight }, { "core_weight", &reader->core_weight },
		{ "gpu_weight", &reader->gpu_weight },
	};
	double value = sqlite3_column_double(row, 1);

	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++)
		if (piece_is(piece_at(row, 0), weights[i].key) && value >= 0)
			*weights[i].weight = value;
	return 0;
}

/* Early releases have no such table; they charge nodes. */
static int read_weights(struct reader *reader)
{
	sqlite3_stmt *rows = NULL;
	bool has;
	int status = database_has_table(&reader->database, "config_table", &has);

	if (status || !has)
		return status;
	status = database_prepare(&reader->database, "config_table",
				  "SELECT key, value FROM config_table", &rows);
	if (!status)
		status = database_each_row(&reader->database, "config_table", rows, read_weight,
					   reader);
	sqlite3_finalize(rows);
	return status;
}

static int read_table(struct reader *reader)
{
	sqlite3_stmt *rows = NULL;
	int status = database_check_table(&reader->database, JOBS, required) ||
		     read_weights(reader) ||
		     flux_priorities_read(&reader->banks, &reader->database,
					  &flux_bank_priorities) ||
		     flux_priorities_read(&reader->queues, &reader->database,
					  &flux_queue_priorities) ||
		     prepare(reader, &rows) ? -1 : 0;

	if (!status)
		status = database_each_row(&reader->database, JOBS, rows, read_row, reader);
	sqlite3_finalize(rows);
	return status;
}

int flux_jobs_read(struct document *input, struct accounting *accounting,
		   struct fathom_error *error)
{
	struct reader reader = { .database = { .input = input, .error = error },
				 .accounting = accounting, .node_weight = 1 };
	bool has = false;
	int status = database_open(&reader.database) ||
		     database_has_table(&reader.database, JOBS, &has) ? -1 : 0;

	if (!status && has)
		status = read_table(&reader);
	flux_priorities_clear(&reader.banks);
	flux_priorities_clear(&reader.queues);
	database_close(&reader.database);
	return status;
}

bool flux_jobs_alone(struct document *input)
{
	struct fathom_error ignored;
	struct database database = { .input = input, .error = &ignored };
	bool has_jobs = false, has_banks = false;

	if (!database_open(&database) && !database_has_table(&database, JOBS, &has_jobs) &&
	    database_has_table(&database, "bank_table", &has_banks))
		has_jobs = false;
	database_close(&database);
	return has_jobs && !has_banks;
}
#else
bool flux_jobs_alone(struct document *input)
{
	(void)input;
	return false;
}

int flux_jobs_read(struct document *input, struct accounting *accounting,
		   struct fathom_error *error)
{
	(void)accounting;
	return input_wrong(input, 0, error, FLUX_WITHOUT_SQLITE);
}
#endif
