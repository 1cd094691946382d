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
#include <string.h>

#define JOBS "jobs"
#define ASSOCIATIONS "association_table"
#define NO_USER 65534	/* the number of all users whom the host of the database does not know */

/* What a job had. Whole numbers; 0: not known. */
struct flux_resources {
	double nodes, cores, gpus;
};

/* Priorities by the names of banks, or of queues. */
struct flux_priorities {
	double *priority;
	size_t count;
	struct name_index *index;	/* from names to indices of `priority` */
};

/* A file while it is read. */
struct reader {
	struct database database;
	struct accounting *accounting;
	double node_weight, core_weight, gpu_weight;	/* what each is charged for a second */
	struct flux_priorities banks, queues;
	struct parsed_values *values;	/* of a row's R, then of its jobspec */
	char tres[96];			/* of the present job */
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

/* Returns the root of the JSON in a column, valid until the next call; NULL: it is not JSON. */
static const struct parsed *parse(const struct reader *reader, sqlite3_stmt *row, int column)
{
	struct piece text = database_text(row, column);
	struct json_source source = { .text = text.at, .length = strlen(text.at),
				      .is_whole = true, .may_repeat = true };

	return json_parse(reader->values, &source);
}

/* Returns the resources in R. root: if it is not an R, nothing is known. Source: Flux, RFC 20,
 * "Resource Set Specification Version 1". */
static struct flux_resources flux_resources_of(const struct parsed *root)
{
	const struct parsed *list = parsed_member(parsed_member(root, "execution"), "R_lite");
	const struct parsed *entry;
	struct flux_resources sum = { 0 };
	size_t i;

	parsed_for_each(list, i, entry) {
		const struct parsed *children = parsed_member(entry, "children");
		double nodes = idset_at(entry, "rank");

		sum.nodes += nodes;
		sum.cores += nodes * idset_at(children, "core");
		sum.gpus += nodes * idset_at(children, "gpu");
	}
	return (struct flux_resources){ known(sum.nodes), known(sum.cores), known(sum.gpus) };
}

/* ---- priorities of banks and queues ------------------------------------------------------- */

/* Adds a row, a name and its priority, to the priorities; for database_each_pair(). */
static void read_priority(void *context, const char *name, const char *value, double priority)
{
	struct flux_priorities *priorities = context;

	(void)value;
	if (!isfinite(priority))
		return;
	need_put(priorities->index, piece_of(need_text(name)), priorities->count);
	NEED_ADD(priorities->priority, priorities->count, priority);
}

/* Returns the priorities of a table. There are none in a release that lacks it or a column. */
static struct flux_priorities read_priorities(const struct database *database,
					      const struct database_pairs *table)
{
	struct flux_priorities priorities = { .index = need_index() };

	database_each_pair(database, table, read_priority, &priorities);
	return priorities;
}

/* Returns the priority of a name; 0 if it has none. */
static double priority_of(const struct flux_priorities *priorities, struct piece name)
{
	size_t found = name_index_get(priorities->index, name);

	return found == NAME_INDEX_NONE ? 0 : priorities->priority[found];
}

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

/* Returns the query for the names and the default banks of users by their numbers. A number that
 * several names share, and NO_USER, have no name. */
static const char *names_query(const struct reader *reader)
{
	if (!database_has_column(&reader->database, ASSOCIATIONS, "userid"))
		return "SELECT NULL AS number, NULL AS name, NULL AS bank";
	return need_print("SELECT userid AS number, MIN(username) AS name, %s AS bank FROM "
			  ASSOCIATIONS " WHERE userid <> %d GROUP BY userid"
			  " HAVING COUNT(DISTINCT username) = 1",
			  optional(reader, ASSOCIATIONS, "default_bank", "MAX(default_bank)"),
			  NO_USER);
}

/* Returns the query for the jobs, in the order of the table. */
static const char *jobs_query(const struct reader *reader)
{
	return need_print("SELECT j.rowid, j.id, j.userid, j.t_submit, j.t_run, j.t_inactive, "
			  "j.ranks, j.R, j.jobspec, %s, %s, u.name, u.bank FROM " JOBS " j "
			  "LEFT JOIN (%s) u ON u.number = j.userid ORDER BY j.rowid",
			  optional(reader, JOBS, "bank", "j.bank"),
			  optional(reader, JOBS, "requested_duration", "j.requested_duration"),
			  names_query(reader));
}

/* ---- values -------------------------------------------------------------------------------- */

/* Returns the id of a job. Fails, see wrong_at(), if it is no integer of 0 or more. */
static int64_t read_id(const struct reader *reader, sqlite3_stmt *row)
{
	uint64_t whole;

	if (parse_whole(database_text(row, ID), INT64_MAX, &whole))
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

/* Sets the resources of a job, and what it is charged for them. If R does not tell the nodes, the
 * set of ranks does. TRES are those that are known, as Slurm writes them:
 * "cpu=144,node=4,gres/gpu=4". */
static void set_resources(struct reader *reader, sqlite3_stmt *row, struct accounted_job *job)
{
	struct flux_resources resources = flux_resources_of(parse(reader, row, R));
	double nodes = resources.nodes > 0 ? resources.nodes
					   : flux_idset_count(database_text(row, RANKS));
	const struct { const char *name; double count; } tres[] = {
		{ "cpu", resources.cores }, { "node", nodes }, { "gres/gpu", resources.gpus },
	};
	char *end = reader->tres;

	for (size_t i = 0; i < sizeof(tres) / sizeof(*tres); i++)	/* counts have 10 digits */
		if (tres[i].count > 0)
			end += sprintf(end, "%s%s=%.0f", end > reader->tres ? "," : "",
				       tres[i].name, tres[i].count);
	job->tres = (struct piece){ reader->tres, (size_t)(end - reader->tres) };
	job->nodes = nodes;
	job->cpus = resources.cores;
	job->billing = nodes * reader->node_weight + resources.cores * reader->core_weight +
		       resources.gpus * reader->gpu_weight;
}

/* Returns the first text if it is not empty, else the other one. */
static struct piece either(struct piece text, struct piece other)
{
	return text.length ? text : other;
}

/* Sets what a job asked for: user, bank and queue with their priorities, and the time limit. A user
 * without a name is called by number. Source: Flux, RFC 25, "Job Specification Version 1"; the bank
 * is flux-accounting's: attributes.system.bank. */
static void set_request(struct reader *reader, sqlite3_stmt *row, struct accounted_job *job)
{
	const struct parsed *root = parse(reader, row, JOBSPEC);
	const struct parsed *system = parsed_member(parsed_member(root, "attributes"), "system");
	double asked = parsed_number(parsed_member(system, "duration"));
	double duration = sqlite3_column_double(row, REQUESTED);

	job->user = either(database_text(row, NAME), database_text(row, USER));
	job->account = either(database_text(row, BANK),
			      either(piece_of(parsed_text(parsed_member(system, "bank"))),
				     database_text(row, DEFAULT_BANK)));
	job->partitions = piece_of(parsed_text(parsed_member(system, "queue")));
	job->bank_priority = priority_of(&reader->banks, job->account);
	job->queue_priority = priority_of(&reader->queues, job->partitions);
	if (!(duration > 0))
		duration = isfinite(asked) && asked > 0 ? asked : 0;
	job->time_limit = duration / 60;
}

/* Reads a row of the query, and adds its job. */
static void read_row(void *context, sqlite3_stmt *row)
{
	struct reader *reader = context;
	struct accounted_job job = { .id = read_id(reader, row),
				     .row = sqlite3_column_int64(row, ROW) };

	read_times(reader, row, &job);
	set_resources(reader, row, &job);
	set_request(reader, row, &job);
	/* cancelled if it has not run; else completed, as the table does not tell how it ended */
	job.state = job_state_find(isnan(job.elapsed) ? "CA" : "CD", 2);
	accounting_add(reader->accounting, &job);
}

/* ---- the table ---------------------------------------------------------------------------- */

/* Reads a row of config_table, a key and a value; only weights matter. */
static void read_weight(void *context, const char *key, const char *text, double value)
{
	struct reader *reader = context;
	const struct { const char *key; double *weight; } weights[] = {
		{ "node_weight", &reader->node_weight }, { "core_weight", &reader->core_weight },
		{ "gpu_weight", &reader->gpu_weight },
	};

	(void)text;
	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++)
		if (!strcmp(key, weights[i].key) && value >= 0)
			*weights[i].weight = value;
}

NEED_DESTROYER(free_values, parsed_values_clear)

/* Reads the weights and priorities, then the jobs that need them. */
static void read_table(struct reader *reader)
{
	static const struct database_pairs
		config = { "config_table", "key", "value", NULL, false },
		banks = { "bank_table", "bank", "priority", "active", false },
		queues = { "queue_table", "queue", "priority", NULL, false };
	struct database *database = &reader->database;

	database_check_table(database, JOBS, required);
	database_each_pair(database, &config, read_weight, reader);
	reader->banks = read_priorities(database, &banks);
	reader->queues = read_priorities(database, &queues);
	reader->values = need_owned(need_object(sizeof(*reader->values)), free_values);
	database_each_row(database, JOBS, jobs_query(reader), read_row, reader);
}

void flux_jobs_read(struct document *input, struct accounting *accounting)
{
	struct reader reader = { .database = database_open(input), .accounting = accounting,
				 .node_weight = 1 };	/* releases without weights charge nodes */

	if (database_has_table(&reader.database, JOBS))
		read_table(&reader);
}

/* A database that may be a job archive. */
struct archive {
	struct document *input;
	bool has_jobs_alone;
};

/* Sets has_jobs_alone of the archive; for document_try(). */
static void look_for_tables(void *context)
{
	struct archive *archive = context;
	struct database database = database_open(archive->input);

	archive->has_jobs_alone = database_has_table(&database, JOBS) &&
				  !database_has_table(&database, "bank_table");
}

bool flux_jobs_alone(struct document *input)
{
	struct archive archive = { .input = input };
	struct failure ignored;		/* the reader that is chosen fails with it again */

	return !document_try(look_for_tables, &archive, &ignored) && archive.has_jobs_alone;
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
