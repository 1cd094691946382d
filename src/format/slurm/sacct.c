/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the output of `sacct -P`: a line for each job, task of a job array and component of a
 * heterogeneous job, which are charged each for itself. Lines of steps are left out, as they
 * have part of what the job has.
 *
 *	JobID|User|Account|State|Start|End|Elapsed|AllocTRES
 *	12|ada|physics|COMPLETED|2023-05-09T19:50:04|2023-05-09T19:52:05|00:02:01|billing=4,cpu=4
 *	12.batch||physics|COMPLETED|2023-05-09T19:50:04|2023-05-09T19:52:05|00:02:01|cpu=4
 *
 * Source: Slurm, sacct(1).
 */
#include "core/plural.h"
#include "document/line_stream.h"
#include "format/accounting/accounting.h"
#include "format/accounting/record_times.h"
#include "format/accounting/tres_text.h"
#include "format/format.h"
#include "format/slurm/sacct_layout.h"
#include "format/slurm/slurm_jobs.h"
#include "jobs/job_states.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAME 64

struct reader {
	struct document *input;
	struct line_stream lines;
	struct sacct_layout layout;
	struct local_days days;
	struct piece field[SACCT_MOST_FIELDS];
	char cluster[MOST_NAME];	/* of the first job, or "" */
	size_t first_line;		/* of the first job */
	size_t ended_state;		/* for states that are not known */
	char unknown[MOST_NAME];	/* the first one of these */
	size_t unknown_count;
	struct fathom_error *error;
};

/* Returns the text of a column; `at` is NULL if there is no such column. */
static struct piece get(const struct reader *reader, enum sacct_column column)
{
	size_t field = reader->layout.field_of[column];

	return field == SACCT_NO_FIELD ? (struct piece){ NULL, 0 } : reader->field[field];
}

/* Returns the text of the first of two columns that is not empty, with the column. */
static struct piece get_either(const struct reader *reader, enum sacct_column *column,
			       enum sacct_column other)
{
	struct piece text = get(reader, *column);

	if (text.length)
		return text;
	*column = other;
	return get(reader, other);
}

static int wrong(struct reader *reader, enum sacct_column column, const char *right)
{
	wrong_field(reader->input, reader->lines.number, sacct_column_name(column),
		    get(reader, column), right);
}

/* ---- the job's id --------------------------------------------------------------------- */

/* Counts the tasks of a pending job array: "1-3,7%2" has four. -1: it is no such list. */
static int count_tasks(struct piece list, double *count)
{
	const char *percent = memchr(list.at, '%', list.length);
	struct piece parts[2];

	if (percent)
		list.length = (size_t)(percent - list.at);
	*count = 0;
	while (list.length) {
		size_t found = split_at(',', list, parts, 2);
		struct piece word = parts[0], ends[2];
		uint64_t first, last;

		if (split_at('-', word, ends, 2) == 1)
			ends[1] = ends[0];
		if (parse_whole(ends[0], UINT32_MAX, &first) ||
		    parse_whole(ends[1], UINT32_MAX, &last) || last < first)
			return -1;
		*count += (double)(last - first) + 1;
		if (found == 1)
			break;
		list.length -= (size_t)(parts[1].at - list.at);
		list.at = parts[1].at;
	}
	return 0;
}

/* Reads 12, 12_3, 12_[4-9] or 12+1: the number that sacct calls raw, if it has that column. */
static int read_id(struct reader *reader, struct accounted_job *job)
{
	struct piece text = get(reader, SACCT_JOB_ID), raw = get(reader, SACCT_JOB_ID_RAW);
	const char *bracket = memchr(text.at, '[', text.length);
	struct piece number = { text.at, 0 };
	uint64_t id;

	while (number.length < text.length && number.at[number.length] >= '0' &&
	       number.at[number.length] <= '9')
		number.length++;
	if (parse_whole(raw.length ? raw : number, UINT32_MAX, &id))
		return wrong(reader, raw.length ? SACCT_JOB_ID_RAW : SACCT_JOB_ID,
			     "must be a job's number");
	job->id = (int64_t)id;
	if (!bracket)
		return 0;
	text.length -= (size_t)(bracket + 1 - text.at);
	text.at = bracket + 1;
	if (!text.length || text.at[text.length - 1] != ']')
		return wrong(reader, SACCT_JOB_ID, "must end in ']'");
	text.length--;
	if (count_tasks(text, &job->array_tasks))
		return wrong(reader, SACCT_JOB_ID, "must have numbers of tasks, such as "
						   "12_[1-3,7]");
	return 0;
}

/* ---- other columns ----------------------------------------------------------------------- */

/* A state that is not known counts as ended, as jobs that wait or run have known states. */
static size_t unknown_state(struct reader *reader, struct piece word)
{
	if (!reader->unknown_count++)
		snprintf(reader->unknown, sizeof(reader->unknown), "%.*s", PIECE(word));
	return reader->ended_state;
}

static void read_state(struct reader *reader, struct accounted_job *job)
{
	struct piece word = get(reader, SACCT_STATE);
	const char *blank = word.length ? memchr(word.at, ' ', word.length) : NULL;

	job->state = reader->ended_state;
	if (!word.length)
		return;
	if (blank)	/* CANCELLED by 1000 */
		word.length = (size_t)(blank - word.at);
	job->state = slurm_jobs_find_state(word);
	if (job->state == JOB_STATE_UNKNOWN)
		job->state = unknown_state(reader, word);
}

static int read_time(struct reader *reader, enum sacct_column column, double *time)
{
	return record_time_parse(&reader->days, get(reader, column), time) ?
		       wrong(reader, column, "must be a time such as 2023-05-09T19:50:03, or "
					     "Unknown") :
		       0;
}

static int read_elapsed(struct reader *reader, double *elapsed)
{
	struct piece raw = get(reader, SACCT_ELAPSED_RAW);

	*elapsed = NAN;
	if (raw.length && parse_amount(raw, elapsed))
		return wrong(reader, SACCT_ELAPSED_RAW, "must be a number of seconds");
	if (raw.length || !get(reader, SACCT_ELAPSED).length)
		return 0;
	if (record_duration_parse(get(reader, SACCT_ELAPSED), elapsed))
		return wrong(reader, SACCT_ELAPSED, "must be a duration such as 1-02:03:04");
	return 0;
}

static int read_times(struct reader *reader, struct accounted_job *job)
{
	double start;

	if (read_time(reader, SACCT_SUBMIT, &job->submit) ||
	    read_time(reader, SACCT_ELIGIBLE, &job->eligible) ||
	    read_time(reader, SACCT_START, &start) ||
	    read_time(reader, SACCT_END, &job->end) || read_elapsed(reader, &job->elapsed))
		return -1;
	record_times_settle(start, &job->end, &job->elapsed);
	return 0;
}

static int read_count(struct reader *reader, enum sacct_column column, enum sacct_column other,
		      enum sacct_column last, double *count)
{
	struct piece text = get_either(reader, &column, other);

	if (!text.length || piece_is(text, "0")) {
		column = last;
		text = get(reader, last);
	}
	*count = 0;
	if (!text.length)
		return 0;
	return tres_count_parse(text, count) || *count > UINT32_MAX ?
		       wrong(reader, column, "must be a count such as 64 or 1.50K") :
		       (*count = trunc(*count), 0);
}

static bool is_number(struct piece text)
{
	return text.length && *text.at >= '0' && *text.at <= '9';
}

/* UNLIMITED, Partition_Limit and the like count as none. */
static int read_time_limit(struct reader *reader, double *minutes)
{
	struct piece raw = get(reader, SACCT_TIME_LIMIT_RAW), text = get(reader, SACCT_TIME_LIMIT);

	*minutes = 0;
	if (raw.length && is_number(raw) && parse_amount(raw, minutes))
		return wrong(reader, SACCT_TIME_LIMIT_RAW, "must be a number of minutes");
	if (raw.length || !is_number(text))
		return 0;
	if (record_duration_parse(text, minutes))
		return wrong(reader, SACCT_TIME_LIMIT, "must be a duration such as 1-00:00:00");
	*minutes /= 60;
	return 0;
}

/* Takes a count of the job's TRES if no column has it. */
static int read_tres_count(struct reader *reader, const struct accounted_job *job, const char *name,
			   double *count)
{
	bool is_allocated = get(reader, SACCT_ALLOC_TRES).length;

	if (*count > 0)
		return 0;
	if (tres_text_count(job->tres, name, count) >= 0 && *count <= UINT32_MAX)
		return *count = trunc(*count), 0;
	return wrong(reader, is_allocated ? SACCT_ALLOC_TRES : SACCT_REQ_TRES,
		     "must be counts such as billing=4,cpu=4,mem=8000M");
}

/* A job is charged billing TRES; else CPUs; else nodes. */
static int read_size(struct reader *reader, struct accounted_job *job)
{
	struct piece allocated = get(reader, SACCT_ALLOC_TRES);

	job->tres = allocated.length ? allocated : get(reader, SACCT_REQ_TRES);
	if (read_count(reader, SACCT_ALLOC_CPUS, SACCT_CPUS, SACCT_REQ_CPUS, &job->cpus) ||
	    read_count(reader, SACCT_ALLOC_NODES, SACCT_NODES, SACCT_REQ_NODES, &job->nodes) ||
	    read_tres_count(reader, job, "cpu", &job->cpus) ||
	    read_tres_count(reader, job, "node", &job->nodes))
		return -1;
	if (tres_text_count(allocated, "billing", &job->billing) < 1)
		job->billing = job->cpus > 0 ? job->cpus : job->nodes;
	return 0;
}

/* ---- lines ------------------------------------------------------------------------------ */

static int check_cluster(struct reader *reader)
{
	struct piece cluster = get(reader, SACCT_CLUSTER);

	if (!cluster.length)
		return 0;
	if (!*reader->cluster) {
		snprintf(reader->cluster, sizeof(reader->cluster), "%.*s", PIECE(cluster));
		reader->first_line = reader->lines.number;
	}
	if (cluster.length >= sizeof(reader->cluster) || piece_is(cluster, reader->cluster))
		return 0;
	return input_wrong(reader->input, reader->lines.number, reader->error,
			   "Cluster is '%.*s', must be '%s' as in line %zu; give the jobs of one "
			   "cluster", PIECE(cluster), reader->cluster, reader->first_line);
}

static int read_job(struct reader *reader, struct accounted_job *job)
{
	*job = (struct accounted_job){
		.line = reader->lines.number,
		.user = get(reader, SACCT_USER), .account = get(reader, SACCT_ACCOUNT),
		.qos = get(reader, SACCT_QOS), .partitions = get(reader, SACCT_PARTITION),
	};
	read_state(reader, job);
	if (check_cluster(reader) || read_id(reader, job) || read_times(reader, job) ||
	    read_time_limit(reader, &job->time_limit))
		return -1;
	return read_size(reader, job);
}

static bool is_step(const struct reader *reader)
{
	struct piece id = get(reader, SACCT_JOB_ID);

	return id.length && memchr(id.at, '.', id.length);
}

static int read_line(struct reader *reader, struct accounting *accounting, struct piece line)
{
	struct accounted_job job;

	if (sacct_layout_split(&reader->layout, reader->input, line, reader->lines.number,
			       reader->field, reader->error))
		return -1;
	if (is_step(reader))
		return 0;
	if (read_job(reader, &job))
		return -1;
	accounting_add(accounting, &job);
	return 0;
}

static int sacct_read(struct document *input, struct accounting *accounting,
		      struct fathom_error *error)
{
	struct reader reader = {
		.input = input, .lines = line_stream_of(input), .error = error,
		.ended_state = job_state_find("COMPLETED", strlen("COMPLETED")),
	};
	struct piece line;
	bool found = line_stream_next(&reader.lines, &line);

	if (!found)
		return input_wrong(input, 1, error, "the file is empty, must be the output of "
				   "sacct -P");
	if (sacct_layout_find(&reader.layout, input, line, reader.lines.number, error))
		return -1;
	if (reader.layout.has_header)
		found = line_stream_next(&reader.lines, &line);
	for (; found; found = line_stream_next(&reader.lines, &line))
		if (read_line(&reader, accounting, line))
			return -1;
	if (reader.unknown_count)
		snprintf(input->remark, sizeof(input->remark),
			 "state '%s' is unknown; %zu job%s of unknown states count as ended",
			 reader.unknown, reader.unknown_count,
			 PLURAL(reader.unknown_count));
	return 0;
}

static bool sacct_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines);

	return line.at && sacct_layout_recognize(line);
}

const struct format format_sacct = {
	.name = "sacct",
	.summary = "text of Slurm's sacct -P, with a header or in the 26 columns of Open XDMoD",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.recognize = sacct_recognize,
	.read_accounting = sacct_read,
};
