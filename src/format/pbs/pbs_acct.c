/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads accounting records of PBS and TORQUE: a line for each event. Those of type E, the end of a
 * job, tell what it used. A job without an account has its group as its account:
 *
 *	01/26/2016 00:00:37;E;2994.pbs;user=ada group=physics ctime=1453756297 start=1453766281
 *	 Resource_List.walltime=00:02:43 end=1453766437 Exit_status=0 resources_used.ncpus=65
 *	 resources_used.walltime=00:02:36	(all in one line)
 *
 * Source: Altair, PBS Professional, "Accounting"; Adaptive Computing, TORQUE, "Accounting records".
 */
#include "document/text.h"
#include "format/accounting/accounting.h"
#include "format/accounting/record_times.h"
#include "format/format.h"
#include "jobs/job_states.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define DATE_FORM "dd/dd/dddd dd:dd:dd;"	/* d: a digit */

/* Attributes that are read, in the order of `names`. */
enum { USER, GROUP, ACCOUNT, QUEUE, CREATED, ELIGIBLE, START, END, EXIT_STATUS, USED_WALLTIME,
       USED_CPUS, USED_CPU_TIME, USED_MEMORY, USED_GPUS, EXEC_HOST, CPUS, NODES, WALLTIME, CPU_TIME,
       MEMORY, GPUS, ATTRIBUTE_COUNT };

static const char *const names[ATTRIBUTE_COUNT] = {
	"user", "group", "account", "queue", "ctime", "etime", "start", "end", "Exit_status",
	"resources_used.walltime", "resources_used.ncpus", "resources_used.cput",
	"resources_used.mem", "resources_used.ngpus", "exec_host", "Resource_List.ncpus",
	"Resource_List.nodect", "Resource_List.walltime", "Resource_List.cput",
	"Resource_List.mem", "Resource_List.ngpus",
};

/* A file while it is read. */
struct reader {
	struct document *input;
	struct line_stream lines;
	struct piece value[ATTRIBUTE_COUNT];	/* of the present record; `at` NULL: it lacks the
						 * attribute */
};

/* Fails, see wrong_at(), about an attribute of the present record. right: what would be right. */
static _Noreturn void wrong(const struct reader *reader, int attribute, const char *right)
{
	wrong_field(reader->input, reader->lines.number, names[attribute],
		    reader->value[attribute], right);
}

/* ---- attributes ---------------------------------------------------------------------------- */

/* Returns whether a character that a value begins with is a quote which encloses the value. A
 * double quote does not enclose a job's name, which is written as it is; a single one only encloses
 * values of resources, whose names have a dot. name: of the attribute. */
static bool is_quote(char character, struct piece name)
{
	if (character == '\'')
		return memchr(name.at, '.', name.length);
	return character == '"' && !piece_is(name, "jobname");
}

/* Cuts a value in quotes off the text, without the quotes: "chem lab" or 'a "b" c'. The closing
 * quote stands before a blank or at the end. Returns false, and changes nothing, if the text does
 * not begin with such a value. */
static bool cut_quoted(struct piece *text, struct piece name, struct piece *value)
{
	char quote = text->length ? *text->at : '\0';

	if (!is_quote(quote, name))
		return false;
	for (size_t i = 1; i < text->length; i++)
		if (text->at[i] == quote && (i + 1 == text->length || is_blank(text->at[i + 1]))) {
			*value = (struct piece){ text->at + 1, i - 1 };
			*text = (struct piece){ text->at + i + 1, text->length - i - 1 };
			return true;
		}
	return false;
}

/* Cuts the next attribute off the text. A word without '=' has the name "", and no value; it is
 * part of a value with blanks. Returns false at the end of the text. */
static bool next_attribute(struct piece *text, struct piece *name, struct piece *value)
{
	struct piece rest, word;
	const char *equals;

	*text = piece_trim(*text);
	if (!text->length)
		return false;
	rest = *text;
	word = piece_cut_word(text);
	equals = memchr(word.at, '=', word.length);
	*name = (struct piece){ word.at, equals ? (size_t)(equals - word.at) : 0 };
	if (!equals)
		return true;
	piece_cut(&rest, name->length + 1);
	*value = (struct piece){ rest.at, word.length - name->length - 1 };
	if (cut_quoted(&rest, *name, value))
		*text = rest;
	return true;
}

/* Splits the attributes of a record into reader->value. If one occurs twice, the last value counts;
 * of user, group and account the first one: they stand before the name of the job, which may look
 * like attributes. */
static void find_attributes(struct reader *reader, struct piece text)
{
	struct piece name, value;

	memset(reader->value, 0, sizeof(reader->value));
	while (next_attribute(&text, &name, &value))
		for (int i = 0; name.length && i < ATTRIBUTE_COUNT; i++) {
			bool first_counts = i <= ACCOUNT;

			if (piece_is(name, names[i]) && !(first_counts && reader->value[i].at))
				reader->value[i] = value;
		}
}

/* The next functions return the value of an attribute. They fail, see wrong_at(), if it is
 * wrong. */

/* Seconds since 1970; NAN: the attribute is missing. */
static double read_time(const struct reader *reader, int attribute)
{
	uint64_t seconds;

	if (!reader->value[attribute].length)
		return NAN;
	if (parse_whole(reader->value[attribute], UINT64_MAX, &seconds))
		wrong(reader, attribute, "must be seconds since 1970");
	return (double)seconds;
}

/* Seconds, which are written as such or as HH:MM:SS; `missing`, if the attribute is missing. */
static double read_duration(const struct reader *reader, int attribute, double missing)
{
	struct piece text = reader->value[attribute];
	double seconds;

	if (!text.length)
		return missing;
	/* both return -1 for a text of another form */
	if (parse_amount(text, &seconds) && record_duration_parse(text, &seconds))
		wrong(reader, attribute, "must be a duration such as 12:30:00");
	return seconds;
}

/* An integer, behind which some servers write more: 1 of "1:ppn=24". 0: the attribute is
 * missing. */
static double read_count(const struct reader *reader, int attribute)
{
	struct piece number[1];
	uint64_t whole;

	if (!reader->value[attribute].length)
		return 0;
	split_at(':', reader->value[attribute], number, 1);
	if (parse_whole(number[0], UINT32_MAX, &whole))
		wrong(reader, attribute, "must be an integer of 0 or more");
	return (double)whole;
}

/* Returns `used`, the attribute for what was used; if the record lacks it, `asked`, that for what
 * was asked for. */
static int either(const struct reader *reader, int used, int asked)
{
	return reader->value[used].length ? used : asked;
}

/* Returns megabytes of an amount of memory such as 13145236kb or 12.27M. 0: the attribute is
 * missing, or has another form, such as words instead of bytes. */
static double read_memory(const struct reader *reader, int attribute)
{
	static const char units[] = "bkmgtp";
	struct piece text = reader->value[attribute], number = { text.at, 0 };
	const char *unit = units;
	double amount;

	while (number.length < text.length && strchr("0123456789.", text.at[number.length]))
		number.length++;
	if (parse_amount(number, &amount))
		return 0;
	if (number.length < text.length)
		unit = strchr(units, tolower((unsigned char)text.at[number.length]));
	/* each unit is 2^10 times the one before; megabytes are 2^20 bytes */
	return unit ? ldexp(amount, 10 * (int)(unit - units) - 20) : 0;
}

/* ---- the size of a job ---------------------------------------------------------------------- */

/* Returns how many slots a part of a host's list has: "0-3" four, "0*13" 13, "7" one. */
static double count_on_host(struct piece slots)
{
	struct piece parts[2];
	uint64_t first, last;

	if (split_at('*', slots, parts, 2) == 2 && !parse_whole(parts[1], UINT32_MAX, &last))
		return (double)last;
	if (split_at('-', slots, parts, 2) == 2 && !parse_whole(parts[0], UINT32_MAX, &first) &&
	    !parse_whole(parts[1], UINT32_MAX, &last) && last >= first)
		return (double)(last - first) + 1;
	return 1;
}

/* Returns the number of slots on hosts: 18 of "n1/0-3+n2/0*13+n3/7", 3 of "n1/0,2-3". */
static double count_slots(struct piece hosts)
{
	struct piece slots, host_name, part;
	double count = 0;

	while (piece_next(&hosts, '+', &slots)) {
		piece_next(&slots, '/', &host_name);	/* leaves the list behind "n1/" */
		while (piece_next(&slots, ',', &part))
			count += count_on_host(part);
	}
	return count;
}

/* ---- records ------------------------------------------------------------------------------- */

/* Reads the times of a job. Without resources_used.walltime, it ran from its start to its end. */
static void read_times(const struct reader *reader, struct accounted_job *job)
{
	double start;

	job->submit = read_time(reader, CREATED);
	job->eligible = read_time(reader, ELIGIBLE);
	start = read_time(reader, START);
	job->end = read_time(reader, END);
	job->time_limit = read_duration(reader, WALLTIME, 0) / 60;
	job->elapsed = read_duration(reader, USED_WALLTIME,
				     job->end > start ? job->end - start : 0);
}

/* Returns the CPUs of a job: those that it used; if they are not known, its slots on hosts; else
 * those that it asked for. */
static double read_cpus(const struct reader *reader)
{
	double cpus = read_count(reader, USED_CPUS);

	if (!(cpus > 0))
		cpus = count_slots(reader->value[EXEC_HOST]);
	return cpus > 0 ? cpus : read_count(reader, CPUS);
}

/* Reads the record of a job's end, and adds the job. attributes: the line behind the job's id. */
static void read_end(struct reader *reader, struct accounting *accounting, struct piece id,
		     struct piece attributes)
{
	struct accounted_job job = { .line = reader->lines.number };
	uint64_t number;
	bool failed;

	find_attributes(reader, attributes);
	/* 2994 of 2994.pbs, 12 of 12[3].pbs */
	if (parse_whole(piece_digits(id), INT64_MAX, &number))
		wrong_field(reader->input, reader->lines.number, "the job", id,
			    "must begin with a number up to 9223372036854775807");
	job.id = (int64_t)number;
	read_times(reader, &job);
	job.cpus = read_cpus(reader);
	job.nodes = read_count(reader, NODES);
	job.cpu_time = read_duration(reader, either(reader, USED_CPU_TIME, CPU_TIME), 0);
	job.has_cpu_time = true;	/* 0 if the record has neither attribute */
	job.memory = read_memory(reader, either(reader, USED_MEMORY, MEMORY));
	job.gpus = read_count(reader, either(reader, USED_GPUS, GPUS));
	failed = reader->value[EXIT_STATUS].length && !piece_is(reader->value[EXIT_STATUS], "0");
	job.state = job_state_find(failed ? "F" : "CD", failed ? strlen("F") : strlen("CD"));
	job.billing = job.cpus > 0 ? job.cpus : job.nodes;
	job.user = reader->value[USER];
	job.group = reader->value[GROUP];
	job.account = reader->value[reader->value[ACCOUNT].length ? ACCOUNT : GROUP];
	job.partitions = reader->value[QUEUE];
	accounting_add(accounting, &job);
}

/* Returns whether an id is that of a whole array, 12[].pbs. Each of its subjobs has a record of its
 * own. */
static bool is_array(struct piece id)
{
	piece_cut(&id, piece_digits(id).length);
	return id.length >= 2 && !memcmp(id.at, "[]", 2);
}

/* Reads the record on a line; only those of type E are used. */
static void read_line(struct reader *reader, struct accounting *accounting, struct piece line)
{
	struct piece fields[4];

	if (!piece_begins_like(line, DATE_FORM))
		WRONG_LINE(reader, "must begin with MM/DD/YYYY HH:MM:SS;");
	if (split_at(';', line, fields, 4) < 4)
		WRONG_LINE(reader, "must have date, type, job and attributes, separated by ';'");
	fields[3].length = line.length - (size_t)(fields[3].at - line.at);	/* may have ';' */
	if (piece_is(fields[1], "E") && !is_array(fields[2]))
		read_end(reader, accounting, fields[2], fields[3]);
}

static void pbs_acct_read(struct document *input, struct accounting *accounting)
{
	struct reader reader = { .input = input, .lines = line_stream_of(input) };
	struct piece line;

	while (line_stream_next(&reader.lines, &line))
		read_line(&reader, accounting, line);
}

static bool pbs_acct_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines);

	return line.at && piece_begins_like(line, DATE_FORM);
}

const struct format format_pbs_acct = {
	.name = "pbs-acct",
	.summary = "accounting records of PBS and TORQUE",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.policy = "pbs",
	.recognize = pbs_acct_recognize,
	.read_accounting = pbs_acct_read,
};
