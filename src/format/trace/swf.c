/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads traces in the Standard Workload Format, version 2.2: a line of 18 numbers for each job; -1
 * stands for a number that is not known. Lines that begin with ';' are the header. Words after the
 * 18th are ignored. User 3 is called user3; group 7 is the account group7; partition 1 is called
 * partition1:
 *
 *	; UnixStartTime: 843480031
 *	1 0 964980 97225 56 -1 -1 56 210000 -1 1 1 1 -1 -1 -1 -1 -1
 *
 * Source: D. Feitelson, "The Standard Workload Format", Parallel Workloads Archive.
 */
#include "core/plural.h"
#include "document/text.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/trace/swf_writer.h"
#include "jobs/job_states.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fields, from 0. */
enum { JOB, SUBMIT, WAIT, RUN, PROCESSORS, USED_PROCESSOR_TIME, USED_MEMORY, REQUESTED_PROCESSORS,
       REQUESTED_TIME, REQUESTED_MEMORY, STATUS, USER, GROUP, EXECUTABLE, QUEUE, PARTITION,
       PRECEDING, THINK_TIME, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = {
	"the job number", "the submit time", "the wait time", "the run time",
	"the number of processors", "the used processor time", "the used memory",
	"the number of requested processors", "the requested time", "the requested memory",
	"the status", "the user", "the group", "the executable", "the queue", "the partition",
	"the preceding job", "the think time",
};

/* By the status of a line: the state that Slurm would show; NULL: the line is for a part of a
 * job. */
static const char *const states[] = { "FAILED", "COMPLETED", NULL, NULL, NULL, "CANCELLED" };
#define STATE_COUNT ((int)(sizeof(states) / sizeof(*states)))
#define STATUS_COMPLETED 1
#define STATUS_CANCELLED 5
#define MOST_NAME 48		/* bytes of a name such as partition1, with the NUL */

/* A file while it is read. */
struct reader {
	struct document *input;
	struct line_stream lines;
	/* The fields of the present line: */
	struct piece word[FIELD_COUNT];
	double value[FIELD_COUNT];	/* below 0: not known; set for those that are read */

	double unix_start;		/* UnixStartTime, or SWF_NO_START */
	bool has_processors;		/* MaxProcs was in the header */
	/* Room for the names of the present job: */
	char user[MOST_NAME], group[MOST_NAME], partition[MOST_NAME];
	size_t partial_count;		/* lines for parts of jobs */
};

/* Fails, see wrong_at(), about a field of the present line. right: what would be right. */
static _Noreturn void wrong(const struct reader *reader, int field, const char *right)
{
	wrong_field(reader->input, reader->lines.number, field_names[field], reader->word[field],
		    right);
}

/* ---- the header ------------------------------------------------------------------------ */

/* Reads UnixStartTime, the time 0 of the trace in seconds since 1970. */
static void read_unix_start(struct reader *reader, struct piece word)
{
	uint64_t seconds;

	if (piece_is(word, "-1"))	/* not known */
		return;
	if (parse_whole(word, (uint64_t)1 << 40, &seconds))
		wrong_field(reader->input, reader->lines.number, "UnixStartTime", word,
			    "must be seconds since 1970");
	reader->unix_start = fmax((double)seconds, SWF_NO_START);	/* 0 means not known */
}

/* Reads MaxProcs, or MaxNodes, which counts if there is no MaxProcs. Only a replay needs the
 * number, so that one that is wrong is ignored. */
static void read_machine(struct reader *reader, struct accounting *accounting, struct piece word,
			 bool is_processors)
{
	uint64_t count;

	if ((reader->has_processors && !is_processors) || parse_whole(word, UINT32_MAX, &count) ||
	    !count)
		return;
	reader->has_processors |= is_processors;
	accounting_notes(accounting)->machine_cpus = (double)count;
}

/* Splits "; UnixStartTime: 843480031 (Tue)" into the label and the first word behind it; some
 * traces have no blank behind the colon, or one before it. Returns false if the line has another
 * form. */
static bool split_header(struct piece line, struct piece *label, struct piece *word)
{
	struct piece parts[2] = { 0 };

	while (line.length && *line.at == ';')
		piece_cut(&line, 1);
	if (split_at(':', line, parts, 2) < 2)
		return false;
	*label = piece_trim(parts[0]);
	parts[1].length = line.length - (size_t)(parts[1].at - line.at);	/* may have ':' */
	return split_words(parts[1], word, 1) > 0;
}

/* Reads a line of the header. Other labels than these say nothing about jobs. */
static void read_header_line(struct reader *reader, struct accounting *accounting,
			     struct piece line)
{
	struct piece label, word;

	if (!split_header(line, &label, &word))
		return;
	if (piece_is_any_case(label, "UnixStartTime"))
		read_unix_start(reader, word);
	else if (piece_is_any_case(label, "MaxProcs") || piece_is_any_case(label, "MaxNodes"))
		read_machine(reader, accounting, word, piece_is_any_case(label, "MaxProcs"));
}

/* ---- jobs ------------------------------------------------------------------------------ */

/* Reads a decimal number, which may be negative. -1: the word is no number. */
static int parse_number(struct piece word, double *value)
{
	bool negative = word.length && *word.at == '-';

	piece_cut(&word, negative);
	if (parse_amount(word, value))
		return -1;
	if (negative)
		*value = -*value;
	return 0;
}

/* Returns whether a field is read; others may have any words. */
static bool is_read(int field)
{
	return field != USED_PROCESSOR_TIME && field != USED_MEMORY && field != EXECUTABLE &&
	       field < PRECEDING;
}

/* Reads the numbers of a line. Fails, see wrong_at(), if one is missing or wrong. */
static void read_numbers(struct reader *reader, struct piece line)
{
	size_t count = split_words(line, reader->word, FIELD_COUNT);

	if (count < FIELD_COUNT)
		wrong_at(reader->input, reader->lines.number, "%zu field%s, must be 18 numbers; "
			 "-1 is one that is not known", count, PLURAL(count));
	for (int field = 0; field < FIELD_COUNT; field++)
		if (is_read(field) && parse_number(reader->word[field], &reader->value[field]))
			wrong(reader, field, "must be a number");
}

/* Returns the name of a user, group or partition, which is `prefix` and the number in its field;
 * empty if it is not known. name: room for MOST_NAME bytes. */
static struct piece make_name(const struct reader *reader, int field, const char *prefix,
			      char *name)
{
	struct piece word = reader->word[field];
	uint64_t number;
	int length = 0;

	if (!(reader->value[field] < 0)) {
		if (parse_whole(word, UINT64_MAX, &number))
			wrong(reader, field, "must be an integer, or -1");
		length = snprintf(name, MOST_NAME, "%s%" PRIu64, prefix, number);
	}
	return (struct piece){ name, (size_t)length };
}

/* Returns the number in a field; 0 if it is not known. */
static double known(const struct reader *reader, int field)
{
	return fmax(reader->value[field], 0);
}

/* Returns the state of a job, see job_state_find(). A job whose status is not known has completed
 * if it has run; otherwise it was cancelled. */
static size_t state_of(const struct reader *reader)
{
	int status = (int)reader->value[STATUS];
	const char *state;

	if (status < 0)
		state = states[reader->value[RUN] < 0 ? STATUS_CANCELLED : STATUS_COMPLETED];
	else
		state = states[status];
	return job_state_find(state, strlen(state));
}

/* Returns whether the line is for a part of a job, which has another line for the whole. Fails, see
 * wrong_at(), if the status is not one of the format. */
static bool is_part(const struct reader *reader)
{
	double status = reader->value[STATUS];

	if (status != trunc(status) || status < -1 || status >= STATE_COUNT)
		wrong(reader, STATUS, "must be an integer from -1 to 5");
	return status >= 0 && !states[(int)status];
}

/* Returns the number of the job without its fraction; 0 if it is not known. */
static int64_t read_id(const struct reader *reader)
{
	uint64_t whole;

	if (reader->value[JOB] < 0)
		return 0;
	/* a double would not hold each integer above 2^53 */
	if (!parse_whole(reader->word[JOB], INT64_MAX, &whole))
		return (int64_t)whole;
	if (!(reader->value[JOB] < 0x1p63))
		wrong(reader, JOB, "must be at most 9223372036854775807");
	return (int64_t)reader->value[JOB];
}

/* Returns whether the job has run. One that was cancelled while it waited may have a run time of 0,
 * but then it has no processors. */
static bool has_run(const struct reader *reader)
{
	const double *value = reader->value;

	if (value[STATUS] == STATUS_CANCELLED && !(value[PROCESSORS] > 0))
		return value[RUN] > 0;
	return value[RUN] >= 0;
}

/* Adds the job of the line whose numbers have been read. */
static void read_job(struct reader *reader, struct accounting *accounting)
{
	double submit = reader->unix_start + known(reader, SUBMIT);
	bool has_submit = reader->value[SUBMIT] >= 0;
	struct accounted_job job = {
		.line = reader->lines.number, .submit = has_submit ? submit : NAN,
		.trace_start = reader->unix_start, .trace_submit = known(reader, SUBMIT),
		.eligible = has_submit ? submit : NAN,
		.elapsed = has_run(reader) ? reader->value[RUN] : NAN,
		.billing = reader->value[PROCESSORS] > 0 ? reader->value[PROCESSORS]
							 : known(reader, REQUESTED_PROCESSORS),
		.time_limit = known(reader, REQUESTED_TIME) / 60,
		.state = state_of(reader),
	};

	if (reader->value[QUEUE] >= 0)
		job.queue = reader->word[QUEUE];
	job.cpus = fmin(trunc(job.billing), UINT32_MAX);
	job.end = submit + known(reader, WAIT) + known(reader, RUN);
	job.end_is_guess = reader->value[WAIT] < 0;
	job.id = read_id(reader);
	job.user = make_name(reader, USER, "user", reader->user);
	job.account = make_name(reader, GROUP, "group", reader->group);
	job.partitions = make_name(reader, PARTITION, "partition", reader->partition);
	accounting_add(accounting, &job);
}

/* Reads a line of the header, of a job or of a part of one. */
static void read_line(struct reader *reader, struct accounting *accounting, struct piece line)
{
	while (line.length && is_blank(*line.at))
		piece_cut(&line, 1);
	if (!line.length)
		return;
	if (*line.at == ';') {
		read_header_line(reader, accounting, line);
		return;
	}
	read_numbers(reader, line);
	if (is_part(reader)) {
		reader->partial_count++;
		accounting_notes(accounting)->parts++;
	} else {
		read_job(reader, accounting);
	}
}

static void swf_read(struct document *input, struct accounting *accounting)
{
	struct reader reader = { .input = input, .lines = line_stream_of(input),
				 .unix_start = SWF_NO_START };
	struct piece line;

	accounting_notes(accounting)->has_own_time = true;
	while (line_stream_next(&reader.lines, &line))
		read_line(&reader, accounting, line);
	if (reader.partial_count)
		document_remark(input, "left out: %zu line%s for parts of jobs, status 2 to 4",
				reader.partial_count, PLURAL(reader.partial_count));
}

/* ---- the format ------------------------------------------------------------------------- */

/* Returns whether the file begins with a line of the header, or with one of 18 numbers, one of
 * which may be wrong or missing, so that the reader says so. */
static bool swf_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines), word[FIELD_COUNT];
	size_t count, numbers = 0;
	double value;

	if (!line.at)
		return false;
	if (*line.at == ';')
		return true;
	count = split_words(line, word, FIELD_COUNT);
	for (size_t i = 0; i < count && i < FIELD_COUNT; i++)
		numbers += !parse_number(word[i], &value);
	return numbers >= FIELD_COUNT - 1;
}

const struct format format_swf = {
	.name = "swf",
	.summary = "a trace in the Standard Workload Format",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.keeps_text = true,
	.recognize = swf_recognize,
	.read_accounting = swf_read,
	.write_jobs = swf_write,
	.jobs_lost = swf_lost,
};
