/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads lsb.acct, the log of ended jobs of LSF and OpenLava: a line for each event, with fields
 * separated by blanks. Texts stand in quotes; "" in a text is one quote. Events of the kind
 * JOB_FINISH tell what a job used:
 *
 *	"JOB_FINISH" "9.11" END JOB UID OPTIONS SLOTS SUBMIT BEGIN TERM START "USER" "QUEUE"
 *	9 texts, 0 2 "16*host1" "16*host2" STATUS FACTOR "NAME" "COMMAND" USER-TIME SYSTEM-TIME
 *	17 numbers "MAIL" "PROJECT" EXIT-STATUS MOST-SLOTS "SHELL" ...		(all in one line)
 *
 * The account is the group in the share account that LSF charged (chargedSAAP), such as physics of
 * /physics/ada; of a record without one it is the project. The slots are counted from the execution
 * hosts: each is listed once for each slot, or with a number before it. If that makes fewer than
 * the slots asked for, because some sites list each host once, the latter count.
 * Source: LSF, "lsb.acct".
 */
#include "core/plural.h"
#include "document/text.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "jobs/job_states.h"

#include <math.h>
#include <string.h>

#define STATUS_EXIT 0x20
#define STATUS_DONE 0x40

/* How many fields are passed over before a field that is read. */
enum {
	BEFORE_HOSTS = 9,	/* from the resources asked for to the job's file */
	BEFORE_CPU_TIME = 3,	/* from the host's factor to the command */
	BEFORE_PROJECT = 18,	/* from the largest resident set to the mail's user */
	BEFORE_TIME_EVENT = 3,	/* from the exit status to the shell */
	BEFORE_CHARGED = 12	/* from the index in the array to the warning's time */
};

/* A file while it is read. */
struct reader {
	struct document *input;
	struct line_stream lines;
	const char *begin, *end;	/* the present line */
	const char *at;			/* the first byte of it that is not read yet */
	size_t other_count;	/* records of other kinds */
};

/* ---- fields ------------------------------------------------------------------------------ */

/* Fails with "NAME is 'FIELD', RIGHT". */
static _Noreturn void wrong(const struct reader *reader, const char *name, struct piece field,
			    const char *right)
{
	wrong_field(reader->input, reader->lines.number, name, field, right);
}

/* Returns the quote that ends a text; NULL: it has no end. at: behind the quote that begins it. */
static const char *end_of_text(const char *at, const char *end)
{
	while ((at = memchr(at, '"', (size_t)(end - at))) && at + 1 < end && at[1] == '"')
		at += 2;
	return at;
}

/* Returns the next field, a text with its quotes; its `at` is NULL at the end of the line. */
static struct piece next_field(struct reader *reader)
{
	const char *at = reader->at, *end;

	while (at < reader->end && *at == ' ')
		at++;
	if (at == reader->end)
		return (struct piece){ NULL, 0 };
	if (*at == '"') {
		end = end_of_text(at + 1, reader->end);
		if (!end)
			WRONG_LINE(reader, "no '\"' ends the text that begins at byte %td", at -
				   reader->begin + 1);
		end++;
	} else {
		end = memchr(at, ' ', (size_t)(reader->end - at));
		end = end ? end : reader->end;
	}
	reader->at = end;
	return (struct piece){ at, (size_t)(end - at) };
}

/* Returns the next field. Fails, see wrong_at(), at the end of the line. name: for the message. */
static struct piece expect_field(struct reader *reader, const char *name)
{
	struct piece field = next_field(reader);

	if (!field.at)
		WRONG_LINE(reader, "the record ends before %s", name);
	return field;
}

/* Passes over `count` fields, which stand before the field `name`. */
static void skip(struct reader *reader, size_t count, const char *name)
{
	while (count--)
		expect_field(reader, name);
}

/* Returns whether a field is a text in quotes. */
static bool is_text(struct piece field)
{
	return field.length > 1 && *field.at == '"';
}

/* Removes the quotes around a text in place, and one of each two quotes in it. Returns the text. */
static struct piece unquote(struct piece field)
{
	char *to = (char *)field.at;	/* in input->text, which a reader may change */
	struct piece text = { to, 0 };

	for (size_t i = 1; i + 1 < field.length; i++) {
		to[text.length++] = field.at[i];
		i += field.at[i] == '"';
	}
	return text;
}

/* The next functions read the next field. They fail, see wrong_at(), if it is missing or wrong.
 * name: for the message. */

static struct piece read_text(struct reader *reader, const char *name)
{
	struct piece text = expect_field(reader, name);

	if (!is_text(text))
		wrong(reader, name, text, "must be a text in quotes");
	return unquote(text);
}

/* Returns a whole number. most: UINT32_MAX or INT64_MAX, as the message tells one of these. */
static uint64_t read_number(struct reader *reader, const char *name, uint64_t most)
{
	struct piece field = expect_field(reader, name);
	uint64_t number;

	if (parse_whole(field, most, &number))
		wrong(reader, name, field, most > UINT32_MAX ?
		      "must be an integer up to 9223372036854775807" :
		      "must be an integer from 0 to 4294967295");
	return number;
}

/* Returns seconds since 1970; 0: the time is not known. */
static double read_time(struct reader *reader, const char *name)
{
	struct piece field = expect_field(reader, name);
	uint64_t time;

	if (parse_whole(field, UINT64_MAX, &time))
		wrong(reader, name, field, "must be seconds since 1970");
	return (double)time;
}

/* Returns a number of seconds; -1: not known. */
static double read_seconds(struct reader *reader, const char *name)
{
	struct piece field = expect_field(reader, name);
	double seconds;

	if (piece_is(field, "-1") || piece_is(field, "-1.000000"))
		return -1;
	if (parse_amount(field, &seconds))
		wrong(reader, name, field, "must be a number of seconds, or -1");
	return seconds;
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* Returns the slots in a field of the list of hosts: 16 of "16*host1", 1 of "host1". */
static double slots_of_host(struct piece field)
{
	struct piece parts[2];
	uint64_t slots;

	if (split_at('*', field, parts, 2) < 2)
		return 1;
	if (is_text(field))
		piece_cut(&parts[0], 1);
	return parse_whole(parts[0], UINT32_MAX, &slots) ? 1 : (double)slots;
}

/* Reads a list of hosts, which begins with the number of its fields. Returns the slots; *hosts: how
 * many hosts the list has; one that is listed several times in a row is one. name: of the number of
 * fields. */
static double read_hosts(struct reader *reader, const char *name, double *hosts)
{
	struct piece host, last = { NULL, 0 };
	uint64_t count = read_number(reader, name, UINT32_MAX);
	double slots = 0;

	*hosts = 0;
	while (count--) {
		host = expect_field(reader, "the last of the hosts");
		slots += slots_of_host(host);
		*hosts += !last.at || !piece_same(last, host);
		last = host;
	}
	return slots;
}

/* Passes over `count` fields, and returns the next one; its `at` is NULL if the line ends
 * before. */
static struct piece field_after(struct reader *reader, size_t count)
{
	struct piece field = next_field(reader);

	while (field.at && count--)
		field = next_field(reader);
	return field;
}

/* Returns the share account that was charged; empty in old records and those of OpenLava, which
 * lack it. */
static struct piece read_charged(struct reader *reader)
{
	struct piece field = field_after(reader, BEFORE_TIME_EVENT);

	if (field.at && is_text(field))	/* the time event, a text that OpenLava does not have */
		field = field_after(reader, BEFORE_CHARGED);
	else
		field.at = NULL;
	return field.at && is_text(field) ? unquote(field) : (struct piece){ "", 0 };
}

/* Cuts the last name off a path, and returns it: "ada" of "/physics/ada", which leaves
 * "/physics". */
static struct piece pop_name(struct piece *path)
{
	struct piece name = { path->at + path->length, 0 };

	while (name.at > path->at && name.at[-1] != '/') {
		name.at--;
		name.length++;
	}
	path->length -= name.length;
	path->length -= path->length > 0;	/* the '/' */
	return name;
}

/* Returns the group in the share account that was charged: physics of /physics/ada and of
 * /physics/others; empty if the user has shares in no group, or the record has no share account. */
static struct piece charged_group(struct piece path, struct piece user)
{
	struct piece name = pop_name(&path);

	if (piece_same(name, user))
		name = pop_name(&path);
	if (piece_is(name, "others") || piece_is(name, "default"))
		name = pop_name(&path);
	return name;
}

/* Reads the fields of a record up to the queue. *asked: the slots asked for. Returns the start; 0:
 * the job has not started. */
static double read_request(struct reader *reader, struct accounted_job *job, double *asked)
{
	double start;

	skip(reader, 1, "the end");	/* the version */
	job->end = read_time(reader, "the end");
	job->id = (int64_t)read_number(reader, "the job", INT64_MAX);
	skip(reader, 2, "the number of slots");	/* the number of the user, and options */
	*asked = (double)read_number(reader, "the number of slots", UINT32_MAX);
	job->submit = read_time(reader, "the submit time");
	/* the job may not start before */
	job->eligible = fmax(job->submit, read_time(reader, "the begin time"));
	skip(reader, 1, "the start");	/* the time by which it had to end */
	start = read_time(reader, "the start");
	job->elapsed = start > 0 ? fmax(job->end - start, 0) : NAN;
	job->user = read_text(reader, "the user");
	job->partitions = read_text(reader, "the queue");
	return start;
}

/* Reads the status: the bits of EXIT and DONE, and others. Returns the state that Slurm would
 * show. */
static size_t read_state(struct reader *reader, bool has_started, uint64_t *status)
{
	const char *state;

	*status = read_number(reader, "the status", UINT32_MAX);
	state = *status & STATUS_DONE ? "COMPLETED" : has_started ? "FAILED" : "CANCELLED";
	return job_state_find(state, strlen(state));
}

/* Reads a record of the kind JOB_FINISH behind its kind, field by field in the order of the file,
 * and adds the job. */
static void read_job(struct reader *reader, struct accounting *accounting)
{
	struct accounted_job job = { .line = reader->lines.number };
	double asked, start = read_request(reader, &job, &asked), slots, hosts_asked;
	double user_time, system_time;
	struct piece project;
	uint64_t status;

	skip(reader, BEFORE_HOSTS, "the hosts");
	read_hosts(reader, "the number of hosts asked for", &hosts_asked);	/* not needed */
	slots = read_hosts(reader, "the number of execution hosts", &job.nodes);
	job.billing = fmax(slots, asked);
	job.cpus = fmin(job.billing, UINT32_MAX);
	job.state = read_state(reader, start > 0, &status);
	skip(reader, BEFORE_CPU_TIME, "the user time");
	user_time = read_seconds(reader, "the user time");
	system_time = read_seconds(reader, "the system time");
	job.has_cpu_time = user_time >= 0 && system_time >= 0;
	job.cpu_time = job.has_cpu_time ? user_time + system_time : 0;
	skip(reader, BEFORE_PROJECT, "the project");
	project = read_text(reader, "the project");
	job.account = charged_group(read_charged(reader), job.user);
	if (!job.account.length)
		job.account = project;
	if (!(status & (STATUS_EXIT | STATUS_DONE)))
		WRONG_LINE(reader, "the status is %u, must have the bit %d (EXIT) or %d (DONE)",
			   (unsigned)status, STATUS_EXIT, STATUS_DONE);
	accounting_add(accounting, &job);
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Reads a line; records of other kinds are only counted. */
static void read_line(struct reader *reader, struct accounting *accounting, struct piece line)
{
	struct piece kind;

	reader->begin = reader->at = line.at;
	reader->end = line.at + line.length;
	if (*line.at == '#')	/* a line that tells LSF where the newest events begin */
		return;
	kind = next_field(reader);
	if (kind.at && !is_text(kind))
		WRONG_LINE(reader, "must begin with the kind of the record in quotes, such as "
			   "\"JOB_FINISH\"");
	if (kind.at && piece_is(unquote(kind), "JOB_FINISH"))
		read_job(reader, accounting);
	else if (kind.at)
		reader->other_count++;
}

static void lsf_acct_read(struct document *input, struct accounting *accounting)
{
	struct reader reader = { .input = input, .lines = line_stream_of(input) };
	struct piece line;

	while (line_stream_next(&reader.lines, &line))
		read_line(&reader, accounting, line);
	if (reader.other_count)
		document_remark(input, "left out: %zu record%s that %s not of the kind JOB_FINISH",
				reader.other_count, PLURAL(reader.other_count),
				reader.other_count == 1 ? "is" : "are");
}

/* Returns whether the first record begins with its kind, in capitals and quotes, and a version in
 * quotes. */
static bool lsf_acct_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line, words[2];

	do
		line = lines_next(&lines);
	while (line.at && *line.at == '#');
	if (!line.at || split_words(line, words, 2) < 2 || !is_text(words[0]))
		return false;
	for (size_t i = 1; i + 1 < words[0].length; i++)
		if (words[0].at[i] != '_' && (words[0].at[i] < 'A' || words[0].at[i] > 'Z'))
			return false;
	return *words[1].at == '"' && words[0].at[words[0].length - 1] == '"';
}

const struct format format_lsf_acct = {
	.name = "lsf-acct",
	.summary = "lsb.acct of LSF and OpenLava: records of ended jobs",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.policy = "lsf",
	.recognize = lsf_acct_recognize,
	.read_accounting = lsf_acct_read,
};
