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
 * each line has the fields of `standard`, as this command prints them:
 *
 *	sacct --allusers --parsable2 --noheader --allocations --duplicates --format \
 *	jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,...,jobname
 *
 * Sources: Slurm, sacct(1); Open XDMoD, "Slurm", the input of its shredder.
 */
#include "core/plural.h"
#include "document/text.h"
#include "format/accounting/accounting.h"
#include "format/accounting/record_times.h"
#include "format/accounting/tres_text.h"
#include "format/format.h"
#include "format/slurm/slurm_jobs.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_NAME 64		/* bytes of a cluster's name, with the NUL */
#define MOST_COLUMNS 128
#define MOST_FIELDS 512		/* of a line, if delimiters in its texts divide these, too */
#define MOST_JOINED 1048576	/* bytes of a job with line ends in its texts */
#define NO_FIELD SIZE_MAX
#define LEAST_FIELDS 9		/* of a line without a header, to be recognised */

/* The columns that are read. Those from SACCT_NODES to SACCT_ALLOC_TRES tell a job's size. Others
 * that are known are behind them in `columns`. */
enum sacct_column {
	SACCT_JOB_ID, SACCT_JOB_ID_RAW, SACCT_CLUSTER, SACCT_PARTITION, SACCT_QOS, SACCT_ACCOUNT,
	SACCT_USER, SACCT_SUBMIT, SACCT_ELIGIBLE, SACCT_START, SACCT_END, SACCT_ELAPSED,
	SACCT_ELAPSED_RAW, SACCT_STATE, SACCT_NODES, SACCT_ALLOC_NODES, SACCT_REQ_NODES,
	SACCT_CPUS, SACCT_ALLOC_CPUS, SACCT_REQ_CPUS, SACCT_REQ_TRES, SACCT_ALLOC_TRES,
	SACCT_TIME_LIMIT, SACCT_TIME_LIMIT_RAW, SACCT_TOTAL_CPU, SACCT_NODE_LIST,
	SACCT_COLUMN_COUNT
};

/* ---- the delimiter --------------------------------------------------------------------- */

/* Returns whether a byte is a letter or digit of ASCII, whatever the locale is. */
static bool is_alphanumeric(char character)
{
	return isalnum((unsigned char)character) && !((unsigned char)character & 0x80);
}

/* Returns the length of the word at the start of a line. */
static size_t word_length(struct piece line)
{
	size_t length = 0;

	while (length < line.length && is_alphanumeric(line.at[length]))
		length++;
	return length;
}

/* Returns the length of a job's id at the start of a line, such as 12_[1-3], 12+0 or 12.batch. */
static size_t job_id_length(struct piece line)
{
	size_t at = piece_digits(line).length;

	if (at && at + 1 < line.length && line.at[at] == '_' && line.at[at + 1] == '[') {
		const char *end = memchr(line.at + at, ']', line.length - at);

		return end ? (size_t)(end - line.at) + 1 : 0;
	}
	/* a task, a component, a step: a sign and a word each */
	while (at && at < line.length && line.at[at] && strchr("_+.", line.at[at])) {
		size_t word = word_length((struct piece){ line.at + at + 1, line.length - at - 1 });

		if (!word)
			break;
		at += 1 + word;
	}
	return at;
}

/* Returns whether a line is a header: it has the field JobID or JobIDRaw. */
static bool is_header(struct piece line)
{
	static const char name[] = "JobID";
	const size_t length = sizeof(name) - 1;
	const char *found = memmem(line.at, line.length, name, length);
	const char *end = line.at + line.length;

	if (found && (size_t)(end - found) >= length + 3 && !memcmp(found + length, "Raw", 3))
		return true;
	return found && (found == line.at || !is_alphanumeric(found[-1])) &&
	       (found + length == end || !is_alphanumeric(found[length]));
}

/* Returns the delimiter behind the first field of the first line; empty: there is none. header: the
 * line is one, else a job. */
static struct piece find_delimiter(struct piece line, bool header)
{
	size_t from = header ? word_length(line) : job_id_length(line), end = from;
	struct piece found = { line.at + from, 0 };

	while (from && end < line.length && !is_alphanumeric(line.at[end]))
		end++;
	found.length = end - from;
	/* a job's next fields may be empty, so that the delimiter is repeated: take it once */
	for (size_t length = 1; !header && 2 * length <= found.length; length++)
		if (!memcmp(found.at, found.at + length, length))
			found.length = length;
	return found;
}

/* ---- the columns of sacct ----------------------------------------------------------------- */

/* Returns whether a text is the id of a job, a task, a component or a step. */
static bool is_job_id(struct piece text)
{
	return job_id_length(text) == text.length;
}

static bool is_count(struct piece text)
{
	double count;

	return !tres_count_parse(text, &count);
}

static bool is_duration(struct piece text)
{
	double seconds;

	return !record_duration_parse(text, &seconds);
}

static bool is_time(struct piece text)
{
	return piece_begins_like(text, "dddd-dd-ddT") || piece_digits(text).length == text.length ||
	       piece_is(text, "Unknown") || piece_is(text, "None");
}

static bool is_time_limit(struct piece text)
{
	return is_duration(text) || piece_digits(text).length == text.length ||
	       piece_is(text, "UNLIMITED") || piece_is(text, "Partition_Limit");
}

static bool is_tres(struct piece text)
{
	double count;

	return tres_text_count(text, "", &count) >= 0;
}

/* Returns whether a text is as COMPLETED, or "CANCELLED by 1000". */
static bool is_state(struct piece text)
{
	struct piece word = piece_cut_word(&text);

	for (size_t i = 0; i < word.length; i++)
		if ((word.at[i] < 'A' || word.at[i] > 'Z') && word.at[i] != '_')
			return false;
	return word.length && (!text.length || piece_begins_like(text, " by d"));
}

/* A column. Where a text of another one has a delimiter or a line end in it, forms tell which. */
struct sacct_column_row {
	const char *name;
	bool (*fits)(struct piece text);	/* not for empty ones; NULL: any text */
	bool may_be_empty;
	bool is_text;	/* may have delimiters and line ends in it, and is not read */
};

static const struct sacct_column_row columns[] = {
	[SACCT_JOB_ID] = { "JobID", is_job_id },
	[SACCT_JOB_ID_RAW] = { "JobIDRaw", is_job_id },
	[SACCT_CLUSTER] = { "Cluster" },
	[SACCT_PARTITION] = { "Partition" },
	[SACCT_QOS] = { "QOS" },
	[SACCT_ACCOUNT] = { "Account" },
	[SACCT_USER] = { "User" },
	[SACCT_SUBMIT] = { "Submit", is_time },
	[SACCT_ELIGIBLE] = { "Eligible", is_time },
	[SACCT_START] = { "Start", is_time },
	[SACCT_END] = { "End", is_time },
	[SACCT_ELAPSED] = { "Elapsed", is_duration },
	[SACCT_ELAPSED_RAW] = { "ElapsedRaw", is_count },
	[SACCT_STATE] = { "State", is_state },
	[SACCT_NODES] = { "NNodes", is_count },
	[SACCT_ALLOC_NODES] = { "AllocNodes", is_count },
	[SACCT_REQ_NODES] = { "ReqNodes", is_count },
	[SACCT_CPUS] = { "NCPUS", is_count },
	[SACCT_ALLOC_CPUS] = { "AllocCPUS", is_count },
	[SACCT_REQ_CPUS] = { "ReqCPUS", is_count },
	[SACCT_REQ_TRES] = { "ReqTRES", is_tres, .may_be_empty = true },
	[SACCT_ALLOC_TRES] = { "AllocTRES", is_tres, .may_be_empty = true },
	[SACCT_TIME_LIMIT] = { "Timelimit", is_time_limit, .may_be_empty = true },
	[SACCT_TIME_LIMIT_RAW] = { "TimelimitRaw", is_time_limit, .may_be_empty = true },
	[SACCT_TOTAL_CPU] = { "TotalCPU", is_duration },
	[SACCT_NODE_LIST] = { "NodeList" },
	/* not read: of these only the forms matter */
	{ "Suspended", is_duration },
	{ "UserCPU", is_duration },
	{ "JobName", .is_text = true },
	{ "Comment", .is_text = true },
	{ "AdminComment", .is_text = true },
	{ "SystemComment", .is_text = true },
	{ "Constraints", .is_text = true },
	{ "Container", .is_text = true },
	{ "Extra", .is_text = true },
	{ "Licenses", .is_text = true },
	{ "StdErr", .is_text = true },
	{ "StdIn", .is_text = true },
	{ "StdOut", .is_text = true },
	{ "SubmitLine", .is_text = true },
	{ "WorkDir", .is_text = true },
};
#define ROW_COUNT (sizeof(columns) / sizeof(*columns))

/* Returns the row of a column's name; NULL: the column is not known. */
static const struct sacct_column_row *find_row(struct piece name)
{
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (piece_is_any_case(name, columns[i].name))
			return &columns[i];
	return NULL;
}

/* How the lines of a file are divided, found by the first line. */
struct sacct_layout {
	struct piece delimiter;		/* points into `text`, so that a layout is not copied */
	char text[16];			/* the delimiter; not ended by NUL */
	size_t field_count;		/* of each line */
	size_t field_of[SACCT_COLUMN_COUNT];	/* by column: index of its field, or NO_FIELD */
	const struct sacct_column_row *row[MOST_COLUMNS];	/* by field; NULL: another column */
	size_t text_count;		/* fields of free text */
	size_t first_text;		/* index of the first one; field_count: there is none */
	bool has_header;
	bool has_end;	/* a delimiter ends each line, as by sacct --parsable; the header tells */
};

/* The header that a file without one would have. */
static const char standard[] =
	"JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|Eligible|Start|End|"
	"Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|"
	"JobName";
#define STANDARD_COUNT 26	/* columns of `standard` */

/* ---- the columns of a file --------------------------------------------------------------- */

struct sacct_reader {
	struct document *input;
	struct line_stream lines;
	struct sacct_layout layout;
	struct local_days days;
	struct piece field[MOST_FIELDS];	/* of the line that is being read */
	char cluster[MOST_NAME];	/* of the first job that has one; "": none so far */
	size_t first_line;		/* the line of that job */
	struct unknown_states unknown;
	struct missing_billing missing;
	bool has_line;		/* a job or step has been read */
	size_t parts;		/* lines that are text of the jobs before them */
	size_t unsized;		/* jobs that ran, but have nothing that could be charged */
};

/* Returns whether the file has a column. */
static bool has(const struct sacct_reader *reader, size_t column)
{
	return reader->layout.field_of[column] != NO_FIELD;
}

/* Returns the text of a column of the line that is being read; empty if there is no such column. */
static struct piece get(const struct sacct_reader *reader, size_t column)
{
	return has(reader, column) ? reader->field[reader->layout.field_of[column]]
				   : (struct piece){ "", 0 };
}

/* Returns whether the file has a column that tells how much jobs have. */
static bool has_size(const struct sacct_reader *reader)
{
	for (size_t column = SACCT_NODES; column <= SACCT_ALLOC_TRES; column++)
		if (has(reader, column))
			return true;
	return false;
}

/* Returns the name of a column that usage needs and the file lacks; NULL: it has all. */
static const char *find_lacking(const struct sacct_reader *reader)
{
	bool start = has(reader, SACCT_START), end = has(reader, SACCT_END);
	bool elapsed = has(reader, SACCT_ELAPSED) || has(reader, SACCT_ELAPSED_RAW);

	if (!has(reader, SACCT_JOB_ID))
		return "JobID";
	if (!has(reader, SACCT_USER) && !has(reader, SACCT_ACCOUNT))
		return "User";
	if (!start && !end)
		return "Start";
	return elapsed || (start && end) ? NULL : "Elapsed";
}

/* Fails if the header lacks a column that usage needs. */
static void check_columns(const struct sacct_reader *reader)
{
	const char *lacking = find_lacking(reader);

	if (lacking)
		WRONG_LINE(reader, "no column %s in the header line, must have JobID, User or "
			   "Account, Start or End, and Elapsed", lacking);
}

/* Finds the columns by their names, and those of free text. */
static void find_columns(struct sacct_reader *reader, const struct piece *fields, size_t count)
{
	struct sacct_layout *layout = &reader->layout;

	layout->field_count = layout->first_text = count;
	for (size_t field = count; field-- > 0;) {	/* of two, the first one counts */
		const struct sacct_column_row *row = find_row(fields[field]);

		layout->row[field] = row;
		if (row && row - columns < SACCT_COLUMN_COUNT)
			layout->field_of[row - columns] = field;
		if (row && row->is_text) {
			layout->first_text = field;
			layout->text_count++;
		}
	}
	check_columns(reader);
}

/* Reads the header. */
static void read_header(struct sacct_reader *reader, struct piece line)
{
	struct piece *fields = reader->field;
	size_t count = split_by(reader->layout.delimiter, line, fields, MOST_FIELDS);

	if (count > MOST_COLUMNS)
		WRONG_LINE(reader, "%zu columns, must be at most %d", count, MOST_COLUMNS);
	fields[count - 1] = piece_trim(fields[count - 1]);
	reader->layout.has_end = count > 1 && !fields[count - 1].length;
	find_columns(reader, fields, count - reader->layout.has_end);
}

/* Takes the columns of `standard`. Fails if the first line cannot have them: they are 26, and the
 * second one is a number. */
static void take_standard(struct sacct_reader *reader, struct piece line)
{
	struct piece fields[MOST_FIELDS];
	size_t count = split_by(reader->layout.delimiter, line, fields, MOST_FIELDS);
	uint64_t id;

	if (count < STANDARD_COUNT || parse_whole(fields[1], UINT64_MAX, &id))
		WRONG_LINE(reader, "%zu fields without a header line, must have one, or the 26 "
			   "fields of Open XDMoD; give the output of sacct -P", count);
	split_at('|', piece_of(standard), fields, STANDARD_COUNT);
	find_columns(reader, fields, STANDARD_COUNT);
}

/* Finds the layout by the first line, a header or a job. Fails if it is neither. */
static void find_layout(struct sacct_reader *reader, struct piece line)
{
	struct sacct_layout *layout = &reader->layout;
	bool header = is_header(line);
	struct piece found = find_delimiter(line, header);

	layout->has_header = header;
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		layout->field_of[column] = NO_FIELD;
	if (!found.length || found.length > sizeof(layout->text))
		WRONG_LINE(reader, "no delimiter after the first field, must be the output of "
			   "sacct -P");
	memcpy(layout->text, found.at, found.length);
	layout->delimiter = (struct piece){ layout->text, found.length };
	(header ? read_header : take_standard)(reader, line);
}

/* ---- the fields of a line ----------------------------------------------------------------- */

/* A way to divide the beginning of a line into columns, with some of its delimiters in texts. */
struct reading {
	bool is_possible;
	bool is_ambiguous;	/* there are others, by which columns that are read differ */
	uint16_t field[SACCT_COLUMN_COUNT];	/* by column: its field in the line; 0: none yet */
};

/* Returns whether a field can be that of a column. may_be_empty: whatever the column is. */
static bool fits_column(struct piece field, const struct sacct_column_row *row, bool may_be_empty)
{
	if (!row || !row->fits)
		return true;
	return field.length ? row->fits(field) : may_be_empty || row->may_be_empty;
}

/* Returns whether two readings have the same texts in all columns so far that are read. */
static bool read_alike(const struct sacct_reader *reader, const struct reading *one,
		       const struct reading *other)
{
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		if (!piece_same(reader->field[one->field[column]],
				reader->field[other->field[column]]))
			return false;
	return true;
}

/* Adds a reading to another one that has come as far in the line. */
static void add_reading(const struct sacct_reader *reader, struct reading *to,
			const struct reading *from)
{
	if (!to->is_possible)
		*to = *from;
	else if (from->is_possible)
		to->is_ambiguous |= from->is_ambiguous || !read_alike(reader, to, from);
}

/* Returns whether a field of the layout is free text. */
static bool is_text(const struct sacct_layout *layout, size_t field)
{
	return layout->row[field] && layout->row[field]->is_text;
}

/* Lets a reading take a field for a column that is no free text. may_be_empty: whatever the column
 * is. */
static void take_field(const struct sacct_reader *reader, struct reading *reading, size_t column,
		       size_t field, bool may_be_empty)
{
	const struct sacct_layout *layout = &reader->layout;
	const struct sacct_column_row *row = layout->row[column];
	struct piece text = reader->field[field];

	if ((text.length && memchr(text.at, '\n', text.length)) ||
	    (layout->text_count > 1 && !fits_column(text, row, may_be_empty)))
		reading->is_possible = false;
	if (row && row - columns < SACCT_COLUMN_COUNT && layout->field_of[row - columns] == column)
		reading->field[row - columns] = (uint16_t)field;
}

/* Splits a line, or several that are joined, at all delimiters. The one at the end does not count
 * if layout->has_end, nor do blanks there. Returns the number of fields, at most MOST_FIELDS of
 * which are in reader->field. */
static size_t split_fields(struct sacct_reader *reader, struct piece line)
{
	const struct sacct_layout *layout = &reader->layout;
	size_t count = split_by(layout->delimiter, line, reader->field, MOST_FIELDS);
	struct piece *last = &reader->field[(count < MOST_FIELDS ? count : MOST_FIELDS) - 1];

	*last = piece_trim(*last);
	/* nothing is behind the delimiter at the end */
	return count - (count > 1 && count <= MOST_FIELDS && layout->has_end && !last->length);
}

/*
 * Reads a line of `count` fields, of which the surplus is due to delimiters in its free texts: of
 * columns `a text b`, fields 1|x|y|2 are 1, "x|y" and 2. Goes from column to column with a reading
 * for each number of delimiters in texts so far. Returns whether there is a reading of the whole
 * line, *found, which may be ambiguous.
 */
static bool find_reading(const struct sacct_reader *reader, size_t count, struct reading *found)
{
	const struct sacct_layout *layout = &reader->layout;
	size_t surplus = count - layout->field_count;
	struct reading reading[MOST_FIELDS];

	if (count < layout->field_count || count > MOST_FIELDS)
		return false;
	for (size_t inside = 0; inside <= surplus; inside++)
		reading[inside] = (struct reading){ .is_possible = !inside };
	for (size_t column = 0; column < layout->field_count; column++)
		for (size_t inside = 0; inside <= surplus; inside++)
			if (!is_text(layout, column))
				take_field(reader, &reading[inside], column, column + inside,
					   !surplus);
			else if (inside)
				add_reading(reader, &reading[inside], &reading[inside - 1]);
	*found = reading[surplus];
	return found->is_possible;
}

/* Puts the fields of the columns that are read to their places. */
static void place_fields(struct sacct_reader *reader, const struct reading *reading)
{
	struct piece text[SACCT_COLUMN_COUNT];

	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		text[column] = reader->field[reading->field[column]];
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		if (has(reader, column))
			reader->field[reader->layout.field_of[column]] = text[column];
}

/* Returns whether a line of `count` fields, which may be a part, can begin a job, as far as JobID
 * tells before the first free text. */
static bool begins_job(const struct sacct_reader *reader, size_t count)
{
	size_t id = reader->layout.field_of[SACCT_JOB_ID];

	return id >= reader->layout.first_text ||
	       (id < count && fits_column(reader->field[id], &columns[SACCT_JOB_ID], false));
}

/* Joins a line with those behind it until they have the fields of a job, as line ends in a free
 * text have divided them. Returns false if they never have, or if one of these lines has all fields
 * by itself: then the first one was cut. */
static bool join_lines(struct sacct_reader *reader, struct piece line, struct reading *found)
{
	size_t count = 0;
	struct piece added;

	while (count <= MOST_FIELDS && line.length <= MOST_JOINED &&
	       line_stream_join(&reader->lines, &line, &added)) {
		count = split_fields(reader, added);
		if (count == 1)
			continue;
		if (begins_job(reader, count) && find_reading(reader, count, found))
			break;
		count = split_fields(reader, line);
		if (find_reading(reader, count, found))
			return true;
	}
	return false;
}

/* Fails as a line has `count` fields, and nothing tells to which columns they belong. */
static _Noreturn void wrong_count(struct sacct_reader *reader, size_t count)
{
	const struct sacct_layout *layout = &reader->layout;

	if (layout->text_count && count < layout->field_count)
		WRONG_LINE(reader, "%zu field%s, must be %zu as in the first line; if line ends in "
			   "a text such as JobName or SubmitLine divide the job, leave out that "
			   "column", count, PLURAL(count), layout->field_count);
	if (layout->text_count && count <= MOST_FIELDS)
		WRONG_LINE(reader, "%zu fields, must be %zu as in the first line; several columns, "
			   "such as JobName and Comment, may have '%.*s' in them: give those last, "
			   "or leave them out", count, layout->field_count,
			   PIECE(layout->delimiter));
	WRONG_LINE(reader, "%zu field%s, must be %zu as in the first line", count, PLURAL(count),
		   layout->field_count);
}

/* Splits a line into the fields of the layout; joins it with others if free text has line ends.
 * Returns false if it is a part of the last column of the job before. */
static bool split_line(struct sacct_reader *reader, struct piece line)
{
	const struct sacct_layout *layout = &reader->layout;
	size_t count = split_fields(reader, line);
	struct reading found;
	bool is_found;

	if (count == layout->field_count)
		return true;
	is_found = find_reading(reader, count, &found);
	if (!is_found && !begins_job(reader, count)) {
		if (reader->has_line && is_text(layout, layout->field_count - 1))
			return false;
		wrong_count(reader, count);
	}
	if (!is_found && count + layout->has_end > layout->first_text && count <= MOST_FIELDS)
		is_found = join_lines(reader, line, &found);
	if (!is_found || found.is_ambiguous)
		wrong_count(reader, count);
	place_fields(reader, &found);
	return true;
}

/* Fails because of a column of the line. right: what it must be. */
static _Noreturn void wrong(struct sacct_reader *reader, enum sacct_column column,
			    const char *right)
{
	wrong_field(reader->input, reader->lines.number, columns[column].name, get(reader, column),
		    right);
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
		WRONG_LINE(reader, "the job has run, but no column tells what to charge it; must "
			   "have AllocTRES, NCPUS or NNodes");
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
		reader->first_line = reader->lines.number;
	}
	if (cluster.length < sizeof(reader->cluster) && !piece_is(cluster, reader->cluster))
		WRONG_LINE(reader, "Cluster is '%.*s', must be '%s' as in line %zu; give the jobs "
			   "of one cluster", PIECE(cluster), reader->cluster, reader->first_line);
}

/* Reads the job of the line that is split into reader->field. */
static struct accounted_job read_job(struct sacct_reader *reader)
{
	struct accounted_job job = {
		.line = reader->lines.number,
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

/* Returns whether the line is the header once more, as where outputs of sacct were joined. */
static bool is_header_again(const struct sacct_reader *reader)
{
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		if (has(reader, column) &&
		    !piece_is_any_case(get(reader, column), columns[column].name))
			return false;
	return true;
}

/* Adds the job of a line, unless it is a step. */
static void read_line(struct sacct_reader *reader, struct accounting *accounting, struct piece line)
{
	struct accounted_job job;

	if (!split_line(reader, line)) {
		reader->parts++;
		return;
	}
	reader->has_line = true;
	if (is_step(reader) || is_header_again(reader))
		return;
	job = read_job(reader);
	accounting_add(accounting, &job);
}

/* Tells the user of lines and jobs that may not be what they seem. */
static void tell_doubts(const struct sacct_reader *reader)
{
	slurm_jobs_tell_unknown(&reader->unknown, reader->input);
	if (reader->unsized)
		document_remark(reader->input, "%zu job%s ran without CPUs, nodes or billing TRES, "
				"and cannot be charged", reader->unsized, PLURAL(reader->unsized));
	if (reader->parts)
		document_remark(reader->input, "%zu line%s read as text of the job before",
				reader->parts, PLURAL(reader->parts));
	slurm_jobs_tell_missing(&reader->missing, reader->input);
}

static void sacct_read(struct document *input, struct accounting *accounting)
{
	struct sacct_reader reader = { .input = input, .lines = line_stream_of(input) };
	struct piece line;
	bool found = line_stream_next(&reader.lines, &line);

	if (!found)
		wrong_at(input, 1, "the file is empty, must be the output of sacct -P");
	find_layout(&reader, line);
	if (reader.layout.has_header)
		found = line_stream_next(&reader.lines, &line);
	for (; found; found = line_stream_next(&reader.lines, &line))
		read_line(&reader, accounting, line);
	tell_doubts(&reader);
}

/* Returns whether the first line is a header of sacct, or begins as a job of sacct. */
static bool sacct_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines), delimiter, fields[1];
	bool header = line.at && is_header(line);

	if (!line.at)
		return false;
	delimiter = find_delimiter(line, header);
	return delimiter.length && *delimiter.at != ' ' &&
	       (header || split_by(delimiter, line, fields, 1) >= LEAST_FIELDS);
}

const struct format format_sacct = {
	.name = "sacct",
	.summary = "text of Slurm's sacct -P, with a header or in the 26 columns of Open XDMoD",
	.holds = HOLDS_USAGE | HOLDS_JOBS,
	.recognize = sacct_recognize,
	.read_accounting = sacct_read,
};
