/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the table "jobs" of flux-accounting's database: jobs that have ended. It has numbers of
 * users, whose names are in association_table, and does not tell how a job ended. Early schemas
 * have no columns for bank and duration, which then come from the jobspec. A job without a bank
 * belongs to its user's default bank. The job archive of flux-core has this table alone.
 *
 * The resources of a job are in R, a text of JSON. In its R_lite, each rank of an entry's set has
 * the children of the entry. This R has 4 nodes, 4 * 36 = 144 cores and 4 GPUs:
 *
 *	{"version": 1, "execution": {"R_lite": [
 *		{"rank": "0-3", "children": {"core": "0-35", "gpu": "0"}}]}}
 */
#include "config.h"

#include "format/flux/flux.h"

#ifdef HAVE_SQLITE
#include "core/name_index.h"
#include "document/parsed_json.h"
#include "document/text.h"
#include "format/accounting/accounting.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define JOBS "jobs"
#define ASSOCIATIONS "association_table"
#define NO_USER 65534	/* the number of all users whom the host of the database does not know */
#define SQL_SIZE 1024	/* enough for each query */

/* What a job had. Whole numbers; 0: not known. */
struct flux_resources {
	double nodes, cores, gpus;
};

/* What a jobspec asks for. It owns its texts. Start with all members 0. */
struct flux_jobspec {
	char *queue, *bank;	/* NULL: it names none */
	double duration;	/* seconds; 0: no limit, or not known */
};

/* ---- sets of numbers -------------------------------------------------------------------- */

/* Returns how many numbers a range has: 1 for "7", 4 for "0-3". 0: it is no range. */
static double range_count(struct piece range)
{
	struct piece end[2];
	size_t count = split_at('-', range, end, 2);
	uint64_t first, last;

	if (count > 2 || parse_whole(end[0], UINT32_MAX, &first) ||
	    parse_whole(end[count - 1], UINT32_MAX, &last) || last < first)
		return 0;
	return (double)(last - first) + 1;
}

/* Returns how many numbers a set has: 5 for "0-3,7" or "[0-3,7]". 0: it is no set, or has more than
 * UINT32_MAX. Source: Flux, RFC 22, "Idset String Representation". */
static double flux_idset_count(struct piece text)
{
	bool has_brackets = text.length > 1 && *text.at == '[' && text.at[text.length - 1] == ']';
	struct piece rest = { text.at + has_brackets, text.length - 2 * has_brackets };
	struct piece range;
	double sum = 0;

	while (piece_next(&rest, ',', &range)) {
		double count = range_count(range);

		if (!(count > 0))
			return 0;
		sum += count;
	}
	return sum <= UINT32_MAX ? sum : 0;
}

/* ---- R ---------------------------------------------------------------------------------- */

/* Returns how many numbers the set under a key has; 0: the object lacks it. */
static double idset_at(const struct parsed *object, const char *key)
{
	const char *text = parsed_text(parsed_member(object, key));

	return text ? flux_idset_count(piece_of(text)) : 0;
}

/* Returns a count; 0, not known, if it is too large for a job. */
static double known(double count)
{
	return count <= UINT32_MAX ? count : 0;
}

/* Returns the root of a text of JSON, which `values` owns; NULL: the text is NULL or not JSON. */
static const struct parsed *parse_text(struct parsed_values *values, const char *text)
{
	struct json_source source = { .text = text, .length = text ? strlen(text) : 0,
				      .is_whole = true, .may_repeat = true };

	return text ? json_parse(values, &source) : NULL;
}

/* Returns the resources in R. text: if it is NULL, or not an R, nothing is known. Source: Flux, RFC
 * 20, "Resource Set Specification Version 1". */
static struct flux_resources flux_resources_of(const char *text)
{
	struct parsed_values values = { 0 };
	const struct parsed *root = parse_text(&values, text);
	const struct parsed *list = parsed_member(parsed_member(root, "execution"), "R_lite");
	struct flux_resources sum = { 0 };

	for (size_t i = 0; i < parsed_count(list); i++) {
		const struct parsed *entry = parsed_at(list, i);
		const struct parsed *children = parsed_member(entry, "children");
		double nodes = idset_at(entry, "rank");

		sum.nodes += nodes;
		sum.cores += nodes * idset_at(children, "core");
		sum.gpus += nodes * idset_at(children, "gpu");
	}
	parsed_values_clear(&values);
	return (struct flux_resources){ known(sum.nodes), known(sum.cores), known(sum.gpus) };
}

/* ---- the jobspec ---------------------------------------------------------------------------- */

/* Returns a copy of the text under a key, to be freed by need_free(); NULL: the object has no text
 * there. */
static char *json_text_at(const struct parsed *object, const char *key)
{
	const struct parsed *value = parsed_member(object, key);
	size_t size = parsed_length(value) + 1;

	return parsed_is(value, PARSED_TEXT) ? memcpy(need_zeros(size, 1), parsed_text(value), size)
				     : NULL;
}

/* Reads a jobspec. text: if it is NULL, or not a jobspec, nothing is known. Source: Flux, RFC 25,
 * "Job Specification Version 1"; the bank is flux-accounting's: attributes.system.bank. */
static void flux_jobspec_read(struct flux_jobspec *jobspec, const char *text)
{
	struct parsed_values values = { 0 };
	const struct parsed *root = parse_text(&values, text);
	const struct parsed *system = parsed_member(parsed_member(root, "attributes"), "system");
	double duration = parsed_number(parsed_member(system, "duration"));

	jobspec->queue = json_text_at(system, "queue");
	jobspec->bank = json_text_at(system, "bank");
	jobspec->duration = isfinite(duration) && duration > 0 ? duration : 0;
	parsed_values_clear(&values);
}

static void flux_jobspec_clear(struct flux_jobspec *jobspec)
{
	need_free(jobspec->queue);
	need_free(jobspec->bank);
	*jobspec = (struct flux_jobspec){ 0 };
}

/* ---- priorities of banks and queues ------------------------------------------------------- */

/* Priorities by the names of banks, or of queues. */
struct flux_priorities {
	double *priority;
	size_t count;
	struct name_index *index;	/* from names to indices of `priority` */
};

/* A table with names and, in the column "priority", priorities. */
struct priority_table {
	const char *table, *column;	/* of the names */
	const char *condition;		/* a column: rows with 0 there do not count; or NULL */
};

static const struct priority_table bank_priorities = { "bank_table", "bank", "active" },
				   queue_priorities = { "queue_table", "queue", NULL };

/* Adds a row, a name and its priority, to the priorities; for database_each_row(). */
static void read_priority(void *context, sqlite3_stmt *row)
{
	struct flux_priorities *priorities = context;
	const char *name = (const char *)sqlite3_column_text(row, 0);
	double priority = sqlite3_column_double(row, 1);

	if (!name || !isfinite(priority))
		return;
	need_put(priorities->index, piece_of(need_text(name)), priorities->count);
	NEED_ADD(priorities->priority, priorities->count, priority);
}

/* Reads the priorities of a table. There are none in a release that lacks the table or a column. */
static struct flux_priorities read_priorities(const struct database *database,
					      const struct priority_table *table)
{
	struct flux_priorities priorities = { .index = need_index() };
	const char *condition = table->condition;
	char sql[SQL_SIZE];

	if (!database_has_column(database, table->table, "priority") ||
	    (condition && !database_has_column(database, table->table, condition)))
		return priorities;
	snprintf(sql, sizeof(sql), "SELECT %s, priority FROM %s WHERE %s", table->column,
		 table->table, condition ? condition : "1");
	database_each_row(database, table->table, sql, read_priority, &priorities);
	return priorities;
}

/* Returns the priority of a name; 0 if it has none. */
static double priority_of(const struct flux_priorities *priorities, struct piece name)
{
	size_t found = name_index_get(priorities->index, name);

	return found == NAME_INDEX_NONE ? 0 : priorities->priority[found];
}

/* A file while it is read. */
struct reader {
	struct database database;
	struct accounting *accounting;
	double node_weight, core_weight, gpu_weight;	/* what each is charged for a second */
	struct flux_priorities banks, queues;
};

/* ---- the query -------------------------------------------------------------------------- */

/* Columns of the query. ROW is the table's rowid, NAME that of the user whose number is USER. */
enum { ROW, ID, USER, SUBMIT, RUN, INACTIVE, RANKS, R, JOBSPEC, BANK, REQUESTED, NAME,
       DEFAULT_BANK };

/* The columns that the table "jobs" must have. */
static const char *const required[] = { "id", "userid", "t_submit", "t_run", "t_inactive", "ranks",
					"R", "jobspec", NULL };

/* Returns what to select for a column that early schemas lack: `term`, or NULL without the
 * column. */
static const char *optional(const struct reader *reader, const char *table, const char *column,
			    const char *term)
{
	return database_has_column(&reader->database, table, column) ? term : "NULL";
}

/* Makes the query for the names and the default banks of users by their numbers. A number that
 * several names share, and NO_USER, have no name. */
static void make_names(const struct reader *reader, char *sql, size_t size)
{
	const char *number = optional(reader, ASSOCIATIONS, "userid", "userid");
	const char *default_bank = optional(reader, ASSOCIATIONS, "default_bank",
					    "MAX(default_bank)");

	if (!strcmp(number, "NULL"))
		snprintf(sql, size, "SELECT NULL AS number, NULL AS name, NULL AS bank");
	else
		snprintf(sql, size, "SELECT userid AS number, MIN(username) AS name, %s AS bank"
			 " FROM " ASSOCIATIONS " WHERE userid <> %d GROUP BY userid"
			 " HAVING COUNT(DISTINCT username) = 1", default_bank, NO_USER);
}

/* Makes the query for the jobs, in the order of the table. */
static void make_query(const struct reader *reader, char *sql, size_t size)
{
	char names[SQL_SIZE / 2];

	make_names(reader, names, sizeof(names));
	snprintf(sql, size, "SELECT j.rowid, j.id, j.userid, j.t_submit, j.t_run,"
		 " j.t_inactive, j.ranks, j.R, j.jobspec, %s, %s, u.name, u.bank FROM " JOBS " j"
		 " LEFT JOIN (%s) u ON u.number = j.userid ORDER BY j.rowid",
		 optional(reader, JOBS, "bank", "j.bank"),
		 optional(reader, JOBS, "requested_duration", "j.requested_duration"), names);
}

/* ---- values -------------------------------------------------------------------------------- */

/* Texts of a row are valid until the statement's next step. */

/* Returns the text of a column; NULL if it is NULL. */
static const char *text_at(sqlite3_stmt *row, int column)
{
	return (const char *)sqlite3_column_text(row, column);
}

/* Returns the text of a column; empty if it is NULL. */
static struct piece piece_at(sqlite3_stmt *row, int column)
{
	const char *at = text_at(row, column);

	return (struct piece){ at ? at : "", at ? (size_t)sqlite3_column_bytes(row, column) : 0 };
}

/* Returns a text as a piece; empty for NULL. */
static struct piece piece_or_empty(const char *text)
{
	return piece_of(text ? text : "");
}

/* Returns the id of a job. Fails, see wrong_at(), if it is no integer of 0 or more. */
static int64_t read_id(const struct reader *reader, sqlite3_stmt *row)
{
	uint64_t whole;

	if (parse_whole(piece_at(row, ID), INT64_MAX, &whole))
		database_wrong_value(&reader->database, JOBS, row, ID,
				     "must be the job's number, an integer of 0 or more");
	return (int64_t)whole;
}

/* Reads seconds since 1970; 0 and NULL are NAN, not known. */
static double read_time(const struct reader *reader, sqlite3_stmt *row, int column)
{
	int type = sqlite3_column_type(row, column);
	double time = sqlite3_column_double(row, column);

	if (type != SQLITE_NULL && type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		database_wrong_value(&reader->database, JOBS, row, column,
				     "must be seconds since 1970");
	return time > 0 ? time : NAN;
}

/* Reads the times of a job. elapsed is NAN if the job has not started or not ended. */
static void read_times(const struct reader *reader, sqlite3_stmt *row, struct accounted_job *job)
{
	double start;

	job->submit = read_time(reader, row, SUBMIT);
	start = read_time(reader, row, RUN);
	job->end = read_time(reader, row, INACTIVE);
	job->eligible = job->submit;
	job->elapsed = job->end - start;
	if (job->elapsed < 0)	/* false for NAN */
		job->elapsed = 0;
}

/* ---- a job -------------------------------------------------------------------------------- */

/* Writes the resources that are known as Slurm writes TRES: "cpu=144,node=4,gres/gpu=4". Returns
 * them in `text`. */
static struct piece tres_of(const struct flux_resources *resources, char *text, size_t size)
{
	const struct { const char *name; double count; } tres[] = {
		{ "cpu", resources->cores }, { "node", resources->nodes },
		{ "gres/gpu", resources->gpus },
	};
	size_t length = 0;

	for (size_t i = 0; i < sizeof(tres) / sizeof(*tres); i++)
		if (tres[i].count > 0)
			length += (size_t)snprintf(text + length, size - length, "%s%s=%.0f",
						   length ? "," : "", tres[i].name, tres[i].count);
	return (struct piece){ text, length };
}

/* Sets the resources of a job, and what it is charged for them. If R does not tell the nodes, the
 * set of ranks does. tres: room for the text of job->tres. */
static void set_resources(const struct reader *reader, sqlite3_stmt *row, struct accounted_job *job,
			  char *tres, size_t size)
{
	struct flux_resources resources = flux_resources_of(text_at(row, R));

	if (!(resources.nodes > 0))
		resources.nodes = flux_idset_count(piece_at(row, RANKS));
	job->nodes = resources.nodes;
	job->cpus = resources.cores;
	job->billing = resources.nodes * reader->node_weight +
		       resources.cores * reader->core_weight +
		       resources.gpus * reader->gpu_weight;
	job->tres = tres_of(&resources, tres, size);
}

/* Returns the first text that is not empty; if all are empty, c. */
static struct piece first_text(struct piece a, struct piece b, struct piece c)
{
	if (a.length)
		return a;
	return b.length ? b : c;
}

/* Sets user, bank and queue of a job, and their priorities. A user without a name is called by
 * number. */
static void set_names(const struct reader *reader, sqlite3_stmt *row,
		      const struct flux_jobspec *jobspec, struct accounted_job *job)
{
	static const struct piece none = { "", 0 };

	job->user = first_text(piece_at(row, NAME), piece_at(row, USER), none);
	job->account = first_text(piece_at(row, BANK), piece_or_empty(jobspec->bank),
				  piece_at(row, DEFAULT_BANK));
	job->partitions = piece_or_empty(jobspec->queue);
	job->bank_priority = priority_of(&reader->banks, job->account);
	job->queue_priority = priority_of(&reader->queues, job->partitions);
}

/* Reads a row of the query, and adds its job. */
static void read_row(void *context, sqlite3_stmt *row)
{
	struct reader *reader = context;
	struct accounted_job job = { .id = read_id(reader, row),
				     .row = sqlite3_column_int64(row, ROW) };
	double duration = sqlite3_column_double(row, REQUESTED);
	struct flux_jobspec jobspec = { 0 };
	char tres[96];

	read_times(reader, row, &job);
	set_resources(reader, row, &job, tres, sizeof(tres));
	flux_jobspec_read(&jobspec, text_at(row, JOBSPEC));
	set_names(reader, row, &jobspec, &job);
	job.time_limit = (duration > 0 ? duration : jobspec.duration) / 60;
	/* cancelled if it has not run; else completed, as the table does not tell how it ended */
	job.state = job_state_find(isnan(job.elapsed) ? "CA" : "CD", 2);
	accounting_add(reader->accounting, &job);
	flux_jobspec_clear(&jobspec);
}

/* ---- the table ---------------------------------------------------------------------------- */

/* Reads a row of config_table, a key and a value; only weights matter. */
static void read_weight(void *context, sqlite3_stmt *row)
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
}

/* Reads the weights and priorities, then the jobs that need them. */
static void read_table(struct reader *reader)
{
	struct database *database = &reader->database;
	char sql[SQL_SIZE];

	database_check_table(database, JOBS, required);
	if (database_has_table(database, "config_table"))
		database_each_row(database, "config_table", "SELECT key, value FROM config_table",
				  read_weight, reader);
	reader->banks = read_priorities(database, &bank_priorities);
	reader->queues = read_priorities(database, &queue_priorities);
	make_query(reader, sql, sizeof(sql));
	database_each_row(database, JOBS, sql, read_row, reader);
}

void flux_jobs_read(struct document *input, struct accounting *accounting)
{
	struct reader reader = { .database = database_open(input), .accounting = accounting,
				 .node_weight = 1 };	/* releases without weights charge nodes */

	if (database_has_table(&reader.database, JOBS))
		read_table(&reader);
}

/* Which tables a database has. */
struct found_tables {
	struct document *input;
	bool has_jobs, has_banks;
};

/* For document_try(). */
static void look_for_tables(void *context)
{
	struct found_tables *found = context;
	struct database database = database_open(found->input);

	found->has_banks = database_has_table(&database, "bank_table");
	found->has_jobs = database_has_table(&database, JOBS);
}

bool flux_jobs_alone(struct document *input)
{
	struct found_tables found = { .input = input };
	struct failure ignored;		/* the reader that is chosen fails with it again */

	return !document_try(look_for_tables, &found, &ignored) && found.has_jobs &&
	       !found.has_banks;
}
#else
bool flux_jobs_alone(struct document *input)
{
	(void)input;
	return false;
}

void flux_jobs_read(struct document *input, struct accounting *accounting)
{
	(void)accounting;
	wrong_at(input, 0, FLUX_WITHOUT_SQLITE);
}
#endif
