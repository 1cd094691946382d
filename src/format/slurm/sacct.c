/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the output of `sacct -P`: a line for each job, task of a job array and component of a
 * heterogeneous job, each of which is charged by itself. Lines of steps are left out, as a job's
 * line includes its steps.
 *
 *	JobID|User|Account|State|Start|End|Elapsed|AllocTRES
 *	12|ada|physics|COMPLETED|2023-05-09T19:50:04|2023-05-09T19:52:05|00:02:01|billing=4,cpu=4
 *	12.batch||physics|COMPLETED|2023-05-09T19:50:04|2023-05-09T19:52:05|00:02:01|cpu=4
 *
 * The first line is a header, with columns in any order and with any delimiter; or it is a job, and
 * each line has the fields of `standard` in sacct_lines.c, as this command prints them:
 *
 *	sacct --allusers --parsable2 --noheader --allocations --duplicates --format \
 *	jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,...,jobname
 *
 * Sources: Slurm, sacct(1); Open XDMoD, "Slurm", the input of its shredder.
 */
#include "core/plural.h"
#include "format/accounting/accounting.h"
#include "format/accounting/record_times.h"
#include "format/accounting/tres_text.h"
#include "format/format.h"
#include "format/slurm/sacct_lines.h"
#include "format/slurm/slurm_jobs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAME 64		/* bytes of a cluster's name, with the NUL */

struct sacct_reader {
	struct sacct_lines text;
	struct local_days days;
	char cluster[MOST_NAME];	/* of the first job that has one; "": none so far */
	size_t first_line;		/* the line of that job */
	struct unknown_states unknown;
	struct missing_billing missing;
	size_t unsized;		/* jobs that ran, but have nothing that could be charged */
};

/* Returns the text of a column of the line that is being read; empty if there is no such column. */
static struct piece get(const struct sacct_reader *reader, enum sacct_column column)
{
	return sacct_get(&reader->text, column);
}

/* Fails because of a column of the line. right: what it must be. */
static _Noreturn void wrong(const struct sacct_reader *reader, enum sacct_column column,
			    const char *right)
{
	sacct_wrong(&reader->text, column, right);
}

/* ---- the job's id --------------------------------------------------------------------- */

/* Reads the job's number from JobIDRaw, or else from JobID, 12, 12_3, 12_[4-9] or 12+1; and from
 * JobID the number of tasks that are pending. */
static void read_id(struct sacct_reader *reader, struct accounted_job *job)
{
	struct piece text = get(reader, SACCT_JOB_ID), raw = get(reader, SACCT_JOB_ID_RAW);
	const char *bracket = memchr(text.at, '[', text.length);
	uint64_t id;

	if (parse_whole(raw.length ? raw : piece_digits(text), UINT32_MAX, &id))
		wrong(reader, raw.length ? SACCT_JOB_ID_RAW : SACCT_JOB_ID,
		      "must be a job's number");
	job->id = (int64_t)id;
	if (!bracket)
		return;
	piece_cut(&text, (size_t)(bracket + 1 - text.at));
	if (!text.length || text.at[text.length - 1] != ']')
		wrong(reader, SACCT_JOB_ID, "must end in ']'");
	text.length--;
	if (slurm_jobs_count_tasks(text, &job->array_tasks))
		wrong(reader, SACCT_JOB_ID, "must have numbers of tasks, such as 12_[1-3,7]");
}

/* ---- other columns ----------------------------------------------------------------------- */

/* Reads the state; without the column, the job has ended. */
static void read_state(struct sacct_reader *reader, struct accounted_job *job)
{
	struct piece text = get(reader, SACCT_STATE), word = piece_of("COMPLETED");

	piece_next(&text, ' ', &word);	/* "CANCELLED by 1000"; without a text, `word` stays */
	job->state = slurm_jobs_find_ended(&reader->unknown, word);
}

/* Reads a time, in seconds since 1970; NAN: not known. */
static void read_time(struct sacct_reader *reader, enum sacct_column column, double *time)
{
	if (record_time_parse(&reader->days, get(reader, column), time))
		wrong(reader, column, "must be a time such as 2023-05-09T19:50:03, or Unknown");
}

/* Reads the time that the job ran, in seconds; NAN: not known. */
static void read_elapsed(struct sacct_reader *reader, double *elapsed)
{
	struct piece raw = get(reader, SACCT_ELAPSED_RAW);

	*elapsed = NAN;
	if (raw.length && parse_amount(raw, elapsed))
		wrong(reader, SACCT_ELAPSED_RAW, "must be a number of seconds");
	if (raw.length || !get(reader, SACCT_ELAPSED).length)
		return;
	if (record_duration_parse(get(reader, SACCT_ELAPSED), elapsed))
		wrong(reader, SACCT_ELAPSED, "must be a duration such as 1-02:03:04");
}

/* Reads all times of a job. Its state has been read. */
static void read_times(struct sacct_reader *reader, struct accounted_job *job)
{
	double start;

	read_time(reader, SACCT_SUBMIT, &job->submit);
	read_time(reader, SACCT_ELIGIBLE, &job->eligible);
	read_time(reader, SACCT_START, &start);
	read_time(reader, SACCT_END, &job->end);
	read_elapsed(reader, &job->elapsed);
	slurm_jobs_settle_times(job, start, get(reader, SACCT_NODE_LIST));
	if (record_duration_parse(get(reader, SACCT_TOTAL_CPU), &job->cpu_time))
		wrong(reader, SACCT_TOTAL_CPU, "must be a duration such as 1-02:03:04");
	job->has_cpu_time = job->cpu_time > 0;	/* 0: no step was measured */
}

/* Reads a count from a column; from another one if the column is empty; and from the column `last`
 * if both are empty or the count is 0. *count: 0 if all are empty. */
static void read_count(struct sacct_reader *reader, enum sacct_column column,
		       enum sacct_column other, enum sacct_column last, double *count)
{
	struct piece text = get(reader, column);

	if (!text.length) {
		column = other;
		text = get(reader, column);
	}
	if (!text.length || piece_is(text, "0")) {
		column = last;
		text = get(reader, column);
	}
	*count = 0;
	if (!text.length)
		return;
	if (tres_count_parse(text, count) || *count > UINT32_MAX)
		wrong(reader, column, "must be a count such as 64 or 1.50K");
	*count = trunc(*count);
}

/* Reads the time limit; 0: none, as for UNLIMITED, Partition_Limit and other words. */
static void read_time_limit(struct sacct_reader *reader, double *minutes)
{
	struct piece raw = get(reader, SACCT_TIME_LIMIT_RAW), text = get(reader, SACCT_TIME_LIMIT);

	*minutes = 0;
	if (piece_digits(raw).length && parse_amount(raw, minutes))
		wrong(reader, SACCT_TIME_LIMIT_RAW, "must be a number of minutes");
	if (raw.length || !piece_digits(text).length)
		return;
	if (record_duration_parse(text, minutes))
		wrong(reader, SACCT_TIME_LIMIT, "must be a duration such as 1-00:00:00");
	*minutes /= 60;
}

/* Returns whether the file has a column that tells how much jobs have. */
static bool has_size(const struct sacct_reader *reader)
{
	for (size_t column = SACCT_NODES; column <= SACCT_ALLOC_TRES; column++)
		if (sacct_has(&reader->text, column))
			return true;
	return false;
}

/* Reads a count of the job's TRES, if no column had it, so that it is 0. */
static void read_tres_count(struct sacct_reader *reader, const struct accounted_job *job,
			    const char *name, double *count)
{
	bool is_allocated = get(reader, SACCT_ALLOC_TRES).length;

	if (*count > 0)
		return;
	if (tres_text_count(job->tres, name, count) < 0 || *count > UINT32_MAX)
		wrong(reader, is_allocated ? SACCT_ALLOC_TRES : SACCT_REQ_TRES,
		      "must be counts such as billing=4,cpu=4,mem=8000M");
	*count = trunc(*count);
}

/* Reads what a job has: CPUs, nodes, TRES. It is charged billing TRES, or else CPUs, or else
 * nodes. Fails if it has run, and the file has none of these columns. */
static void read_size(struct sacct_reader *reader, struct accounted_job *job)
{
	struct piece allocated = get(reader, SACCT_ALLOC_TRES);

	job->tres = allocated.length ? allocated : get(reader, SACCT_REQ_TRES);
	read_count(reader, SACCT_ALLOC_CPUS, SACCT_CPUS, SACCT_REQ_CPUS, &job->cpus);
	read_count(reader, SACCT_ALLOC_NODES, SACCT_NODES, SACCT_REQ_NODES, &job->nodes);
	read_tres_count(reader, job, "cpu", &job->cpus);
	read_tres_count(reader, job, "node", &job->nodes);
	job->billing = NAN;
	tres_text_count(allocated, "billing", &job->billing);
	slurm_jobs_settle_billing(&reader->missing, job, allocated.length);
	if (job->billing > 0 || job->cpus > 0 || job->nodes > 0 || !(job->elapsed > 0))
		return;
	reader->unsized++;
	if (!has_size(reader))
		WRONG_LINE(&reader->text, "the job has run, but no column tells what to charge it; "
			   "must have AllocTRES, NCPUS or NNodes");
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Fails if the job is of another cluster than the first one. */
static void check_cluster(struct sacct_reader *reader)
{
	struct piece cluster = get(reader, SACCT_CLUSTER);

	if (!cluster.length)
		return;
	if (!*reader->cluster) {
		snprintf(reader->cluster, sizeof(reader->cluster), "%.*s", PIECE(cluster));
		reader->first_line = reader->text.lines.number;
	}
	if (cluster.length < sizeof(reader->cluster) && !piece_is(cluster, reader->cluster))
		WRONG_LINE(&reader->text, "Cluster is '%.*s', must be '%s' as in line %zu; give "
			   "the jobs of one cluster", PIECE(cluster), reader->cluster,
			   reader->first_line);
}

/* Reads the job of the line that is split into fields. */
static struct accounted_job read_job(struct sacct_reader *reader)
{
	struct accounted_job job = {
		.line = reader->text.lines.number,
		.user = get(reader, SACCT_USER), .account = get(reader, SACCT_ACCOUNT),
		.qos = get(reader, SACCT_QOS), .partitions = get(reader, SACCT_PARTITION),
	};

	read_state(reader, &job);
	check_cluster(reader);
	read_id(reader, &job);
	read_times(reader, &job);
	read_time_limit(reader, &job.time_limit);
	read_size(reader, &job);
	return job;
}

/* Returns whether the line is that of a step, such as 12.batch. */
static bool is_step(const struct sacct_reader *reader)
{
	struct piece id = get(reader, SACCT_JOB_ID);
	const char *dot = id.length ? memchr(id.at, '.', id.length) : NULL;

	/* the dots in 12_[1,3,...] stand for tasks that are left out */
	return dot && !memchr(id.at, '[', (size_t)(dot - id.at));
}

/* Adds the job of a line, unless it is a step. */
static void read_line(struct sacct_reader *reader, struct accounting *accounting, struct piece line)
{
	struct accounted_job job;

	if (!sacct_split_line(&reader->text, line) || is_step(reader) ||
	    sacct_is_header_again(&reader->text))
		return;
	job = read_job(reader);
	accounting_add(accounting, &job);
}

/* Tells the user of lines and jobs that may not be what they seem. */
static void tell_doubts(const struct sacct_reader *reader)
{
	const struct sacct_lines *lines = &reader->text;

	slurm_jobs_tell_unknown(&reader->unknown, lines->input);
	if (reader->unsized)
		document_remark(lines->input, "%zu job%s ran without CPUs, nodes or billing "
				"TRES, and cannot be charged", reader->unsized,
				PLURAL(reader->unsized));
	if (lines->parts)
		document_remark(lines->input, "%zu line%s from line %zu on read as text of the job "
				"before", lines->parts, PLURAL(lines->parts), lines->first_part);
	slurm_jobs_tell_missing(&reader->missing, lines->input);
}

static void sacct_read(struct document *input, struct accounting *accounting)
{
	struct sacct_reader reader = { .text = { .input = input, .lines = line_stream_of(input) } };
	struct line_stream *lines = &reader.text.lines;
	struct piece line;
	bool found = line_stream_next(lines, &line);

	if (!found)
		wrong_at(input, 1, "the file is empty, must be the output of sacct -P");
	sacct_find_layout(&reader.text, line);
	if (reader.text.layout.has_header)
		found = line_stream_next(lines, &line);
	for (; found; found = line_stream_next(lines, &line))
		read_line(&reader, accounting, line);
	tell_doubts(&reader);
}

/* Returns whether the first line is a header of sacct, or begins as a job of sacct. */
static bool sacct_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);

	return sacct_is_first_line(lines_next(&lines));
}

const struct format format_sacct = {
	.name = "sacct",
	.summary = "text of Slurm's sacct -P, with a header or in the 26 columns of Open XDMoD",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.recognize = sacct_recognize,
	.read_accounting = sacct_read,
};
