/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/slurm/sacct_lines.h"

#include "core/plural.h"
#include "format/accounting/record_times.h"
#include "format/accounting/tres_text.h"

#include <ctype.h>
#include <string.h>

#define MOST_JOINED 1048576	/* bytes of a job with line ends in its texts */
#define LEAST_FIELDS 9		/* of a line without a header, to be recognised */

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
	/* or a word, such as UNLIMITED, Partition_Limit or INVALID */
	return is_duration(text) || piece_digits(text).length == text.length ||
	       isalpha((unsigned char)*text.at);
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
	bool is_sure;	/* no line has another form, unless it is empty */
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
	[SACCT_SUBMIT] = { "Submit", is_time, .is_sure = true },
	[SACCT_ELIGIBLE] = { "Eligible", is_time, .is_sure = true },
	[SACCT_START] = { "Start", is_time, .is_sure = true },
	[SACCT_END] = { "End", is_time, .is_sure = true },
	[SACCT_ELAPSED] = { "Elapsed", is_duration, .is_sure = true },
	[SACCT_ELAPSED_RAW] = { "ElapsedRaw", is_count, .is_sure = true },
	[SACCT_STATE] = { "State", is_state },
	[SACCT_NODES] = { "NNodes", is_count },
	[SACCT_ALLOC_NODES] = { "AllocNodes", is_count },
	[SACCT_REQ_NODES] = { "ReqNodes", is_count },
	[SACCT_CPUS] = { "NCPUS", is_count },
	[SACCT_ALLOC_CPUS] = { "AllocCPUS", is_count },
	[SACCT_REQ_CPUS] = { "ReqCPUS", is_count },
	[SACCT_REQ_TRES] = { "ReqTRES", is_tres, .may_be_empty = true, .is_sure = true },
	[SACCT_ALLOC_TRES] = { "AllocTRES", is_tres, .may_be_empty = true, .is_sure = true },
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

/* The header that a file without one would have. */
static const char standard[] =
	"JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|Eligible|Start|End|"
	"Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|"
	"JobName";
#define STANDARD_COUNT 26	/* columns of `standard` */

/* ---- the columns of a file --------------------------------------------------------------- */

/* Returns the name of a column that usage needs and the file lacks; NULL: it has all. */
static const char *find_lacking(const struct sacct_lines *reader)
{
	bool start = sacct_has(reader, SACCT_START), end = sacct_has(reader, SACCT_END);
	bool elapsed = sacct_has(reader, SACCT_ELAPSED) || sacct_has(reader, SACCT_ELAPSED_RAW);

	if (!sacct_has(reader, SACCT_JOB_ID))
		return "JobID";
	if (!sacct_has(reader, SACCT_USER) && !sacct_has(reader, SACCT_ACCOUNT))
		return "User";
	if (!start && !end)
		return "Start";
	return elapsed || (start && end) ? NULL : "Elapsed";
}

/* Fails if the header lacks a column that usage needs. */
static void check_columns(const struct sacct_lines *reader)
{
	const char *lacking = find_lacking(reader);

	if (lacking)
		WRONG_LINE(reader, "no column %s in the header line, must have JobID, User or "
			   "Account, Start or End, and Elapsed", lacking);
}

/* Finds the columns by their names, and those of free text. */
static void find_columns(struct sacct_lines *reader, const struct piece *fields, size_t count)
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
static void read_header(struct sacct_lines *reader, struct piece line)
{
	struct piece *fields = reader->field;
	size_t count = split_by(reader->layout.delimiter, line, fields, SACCT_MOST_FIELDS);

	if (count > SACCT_MOST_COLUMNS)
		WRONG_LINE(reader, "%zu columns, must be at most %d", count, SACCT_MOST_COLUMNS);
	fields[count - 1] = piece_trim(fields[count - 1]);
	reader->layout.has_end = count > 1 && !fields[count - 1].length;
	find_columns(reader, fields, count - reader->layout.has_end);
}

/* Takes the columns of `standard`. Fails if the first line cannot have them: they are 26, and the
 * second one is a number. */
static void take_standard(struct sacct_lines *reader, struct piece line)
{
	struct piece fields[SACCT_MOST_FIELDS];
	size_t count = split_by(reader->layout.delimiter, line, fields, SACCT_MOST_FIELDS);
	uint64_t id;

	if (count < STANDARD_COUNT || parse_whole(fields[1], UINT64_MAX, &id))
		WRONG_LINE(reader, "%zu fields without a header line, must have one, or the 26 "
			   "fields of Open XDMoD; give the output of sacct -P", count);
	split_at('|', piece_of(standard), fields, STANDARD_COUNT);
	find_columns(reader, fields, STANDARD_COUNT);
}

void sacct_find_layout(struct sacct_lines *reader, struct piece line)
{
	struct sacct_layout *layout = &reader->layout;
	bool header = is_header(line);
	struct piece found = find_delimiter(line, header);

	layout->has_header = header;
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		layout->field_of[column] = SACCT_NO_FIELD;
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

/* How much must fit where delimiters stand in texts. */
enum fit {
	FIT_ALL,	/* each column has its form */
	FIT_OR_EMPTY,	/* or is empty */
	FIT_SURE,	/* or is empty, or is none of is_sure */
};

/* Returns whether a field can be that of a column. */
static bool fits_column(struct piece field, const struct sacct_column_row *row, enum fit fit)
{
	if (!row || !row->fits)
		return true;
	if (!field.length)
		return fit != FIT_ALL || row->may_be_empty;
	return (fit == FIT_SURE && !row->is_sure) || row->fits(field);
}

/* Returns whether two readings have the same texts in all columns so far that are read. */
static bool read_alike(const struct sacct_lines *reader, const struct reading *one,
		       const struct reading *other)
{
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		if (!piece_same(reader->field[one->field[column]],
				reader->field[other->field[column]]))
			return false;
	return true;
}

/* Adds a reading to another one that has come as far in the line. */
static void add_reading(const struct sacct_lines *reader, struct reading *to,
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

/* Lets a reading take a field for a column that is no free text. */
static void take_field(const struct sacct_lines *reader, struct reading *reading, size_t column,
		       size_t field, enum fit fit)
{
	const struct sacct_layout *layout = &reader->layout;
	const struct sacct_column_row *row = layout->row[column];
	struct piece text = reader->field[field];

	if ((text.length && memchr(text.at, '\n', text.length)) ||
	    (layout->text_count > 1 && !fits_column(text, row, fit)))
		reading->is_possible = false;
	if (row && row - columns < SACCT_COLUMN_COUNT && layout->field_of[row - columns] == column)
		reading->field[row - columns] = (uint16_t)field;
}

/* Splits a line, or several that are joined, at all delimiters. The one at the end does not count
 * if layout->has_end, nor do blanks there. Returns the number of fields, at most
 * SACCT_MOST_FIELDS of which are in reader->field. */
static size_t split_fields(struct sacct_lines *reader, struct piece line)
{
	const struct sacct_layout *layout = &reader->layout;
	size_t count = split_by(layout->delimiter, line, reader->field, SACCT_MOST_FIELDS);
	bool fits = count <= SACCT_MOST_FIELDS;
	struct piece *last = &reader->field[(fits ? count : SACCT_MOST_FIELDS) - 1];

	*last = piece_trim(*last);
	/* nothing is behind the delimiter at the end */
	return count - (count > 1 && fits && layout->has_end && !last->length);
}

/*
 * Reads a line of `count` fields, of which the surplus is due to delimiters in its free texts: of
 * columns `a text b`, fields 1|x|y|2 are 1, "x|y" and 2. Goes from column to column with a reading
 * for each number of delimiters in texts so far. Returns whether there is a reading of the whole
 * line, *found, which may be ambiguous.
 */
static bool find_reading(const struct sacct_lines *reader, size_t count, enum fit fit,
			 struct reading *found)
{
	const struct sacct_layout *layout = &reader->layout;
	struct reading reading[SACCT_MOST_FIELDS];
	size_t surplus;

	if (count < layout->field_count || count > SACCT_MOST_FIELDS)
		return false;
	surplus = count - layout->field_count;
	for (size_t inside = 0; inside <= surplus; inside++)
		reading[inside] = (struct reading){ .is_possible = !inside };
	for (size_t column = 0; column < layout->field_count; column++)
		for (size_t inside = 0; inside <= surplus; inside++)
			if (!is_text(layout, column))
				take_field(reader, &reading[inside], column, column + inside, fit);
			else if (inside)
				add_reading(reader, &reading[inside], &reading[inside - 1]);
	*found = reading[surplus];
	return found->is_possible;
}

/* Puts the fields of the columns that are read to their places. */
static void place_fields(struct sacct_lines *reader, const struct reading *reading)
{
	struct piece text[SACCT_COLUMN_COUNT];

	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		text[column] = reader->field[reading->field[column]];
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		if (sacct_has(reader, column))
			reader->field[reader->layout.field_of[column]] = text[column];
}

/* Returns whether a line of `count` fields, which may be a part, can begin a job, as far as JobID
 * tells before the first free text. */
static bool begins_job(const struct sacct_lines *reader, size_t count)
{
	size_t id = reader->layout.field_of[SACCT_JOB_ID];

	return id >= reader->layout.first_text ||
	       (id < count && fits_column(reader->field[id], &columns[SACCT_JOB_ID], FIT_ALL));
}

/* Returns how much must fit in lines that are joined: with no delimiter in a text, nothing has to
 * be told apart. */
static enum fit fit_of(const struct sacct_layout *layout, size_t count)
{
	return count > layout->field_count ? FIT_ALL : FIT_OR_EMPTY;
}

/* Joins a line with those behind it until they have the fields of a job, as line ends in a free
 * text have divided them. Returns false if they never have, or if one of these lines has all fields
 * by itself: then the first one was cut. */
static bool join_lines(struct sacct_lines *reader, struct piece line, struct reading *found)
{
	const struct sacct_layout *layout = &reader->layout;
	struct piece added;
	size_t count = 0;

	while (count <= SACCT_MOST_FIELDS && line.length <= MOST_JOINED &&
	       line_stream_join(&reader->lines, &line, &added)) {
		if (!memmem(added.at, added.length, layout->text, layout->delimiter.length))
			continue;
		count = split_fields(reader, added);
		if (begins_job(reader, count) &&
		    find_reading(reader, count, fit_of(layout, count), found))
			break;
		count = split_fields(reader, line);
		if (find_reading(reader, count, fit_of(layout, count), found))
			return true;
	}
	return false;
}

/* Fails as a line has `count` fields, and nothing tells to which columns they belong. */
static _Noreturn void wrong_count(struct sacct_lines *reader, size_t count)
{
	const struct sacct_layout *layout = &reader->layout;

	if (layout->text_count && count < layout->field_count)
		WRONG_LINE(reader, "%zu field%s, must be %zu as in the first line; if line ends in "
			   "a text such as JobName or SubmitLine divide the job, leave out that "
			   "column", count, PLURAL(count), layout->field_count);
	if (layout->text_count && count <= SACCT_MOST_FIELDS)
		WRONG_LINE(reader, "%zu fields, must be %zu as in the first line; several columns, "
			   "such as JobName and Comment, may have '%.*s' in them: give those last, "
			   "or leave them out", count, layout->field_count,
			   PIECE(layout->delimiter));
	WRONG_LINE(reader, "%zu field%s, must be %zu as in the first line", count, PLURAL(count),
		   layout->field_count);
}

/* Divides a line that has not the fields of the layout. Returns false if it is a part of the last
 * column of the job before. */
static bool split_odd_line(struct sacct_lines *reader, struct piece line, size_t count)
{
	const struct sacct_layout *layout = &reader->layout;
	struct reading found;
	bool is_found = find_reading(reader, count, FIT_ALL, &found) ||
			find_reading(reader, count, FIT_SURE, &found);

	if (!is_found && !begins_job(reader, count)) {
		if (reader->has_line && is_text(layout, layout->field_count - 1))
			return false;
		wrong_count(reader, count);
	}
	if (!is_found && count + layout->has_end > layout->first_text && count <= SACCT_MOST_FIELDS)
		is_found = join_lines(reader, line, &found);
	if (!is_found || found.is_ambiguous)
		wrong_count(reader, count);
	place_fields(reader, &found);
	return true;
}

bool sacct_split_line(struct sacct_lines *reader, struct piece line)
{
	size_t count = split_fields(reader, line);
	bool is_line = count == reader->layout.field_count || split_odd_line(reader, line, count);

	reader->has_line |= is_line;
	if (!is_line && !reader->parts++)
		reader->first_part = reader->lines.number;
	return is_line;
}

/* ---- lines for others ------------------------------------------------------------------ */

bool sacct_is_header_again(const struct sacct_lines *reader)
{
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		if (sacct_has(reader, column) &&
		    !piece_is_any_case(sacct_get(reader, column), columns[column].name))
			return false;
	return true;
}

void sacct_wrong(const struct sacct_lines *reader, enum sacct_column column, const char *right)
{
	wrong_field(reader->input, reader->lines.number, columns[column].name,
		    sacct_get(reader, column), right);
}

bool sacct_is_first_line(struct piece line)
{
	bool header = line.at && is_header(line);
	struct piece delimiter, fields[1];

	if (!line.at)
		return false;
	delimiter = find_delimiter(line, header);
	return delimiter.length && *delimiter.at != ' ' &&
	       (header || split_by(delimiter, line, fields, 1) >= LEAST_FIELDS);
}
