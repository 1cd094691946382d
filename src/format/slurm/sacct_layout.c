/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first line is a header, JobID|User|..., in any order and with any delimiter, or it is
 * a job, and each line has the fields of `standard`:
 *
 *	sacct --allusers --parsable2 --noheader --allocations --duplicates --format \
 *	jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,...,jobname
 *
 * Source of these: Open XDMoD, "Slurm", the input of its shredder.
 */
#include "core/plural.h"
#include "format/slurm/sacct_layout.h"


#include <ctype.h>
#include <string.h>

#define LEAST_FIELDS 9		/* of a line without a header, to be recognised */

static const char *const names[SACCT_COLUMN_COUNT] = {
	[SACCT_JOB_ID] = "JobID", [SACCT_JOB_ID_RAW] = "JobIDRaw", [SACCT_CLUSTER] = "Cluster",
	[SACCT_PARTITION] = "Partition", [SACCT_QOS] = "QOS", [SACCT_ACCOUNT] = "Account",
	[SACCT_USER] = "User", [SACCT_SUBMIT] = "Submit", [SACCT_ELIGIBLE] = "Eligible",
	[SACCT_START] = "Start", [SACCT_END] = "End", [SACCT_ELAPSED] = "Elapsed",
	[SACCT_ELAPSED_RAW] = "ElapsedRaw", [SACCT_STATE] = "State", [SACCT_NODES] = "NNodes",
	[SACCT_ALLOC_NODES] = "AllocNodes", [SACCT_REQ_NODES] = "ReqNodes", [SACCT_CPUS] = "NCPUS",
	[SACCT_ALLOC_CPUS] = "AllocCPUS", [SACCT_REQ_CPUS] = "ReqCPUS",
	[SACCT_REQ_TRES] = "ReqTRES", [SACCT_ALLOC_TRES] = "AllocTRES",
	[SACCT_TIME_LIMIT] = "Timelimit", [SACCT_TIME_LIMIT_RAW] = "TimelimitRaw",
	[SACCT_JOB_NAME] = "JobName",
};

/* Fields without a header; those without a place here are not read. */
static const enum sacct_column standard[] = {
	SACCT_JOB_ID, SACCT_JOB_ID_RAW, SACCT_CLUSTER, SACCT_PARTITION, SACCT_QOS, SACCT_ACCOUNT,
	SACCT_COLUMN_COUNT, SACCT_COLUMN_COUNT, SACCT_USER, SACCT_COLUMN_COUNT, SACCT_SUBMIT,
	SACCT_ELIGIBLE, SACCT_START, SACCT_END, SACCT_ELAPSED, SACCT_COLUMN_COUNT, SACCT_STATE,
	SACCT_NODES, SACCT_CPUS, SACCT_REQ_CPUS, SACCT_COLUMN_COUNT, SACCT_REQ_TRES,
	SACCT_ALLOC_TRES, SACCT_TIME_LIMIT, SACCT_COLUMN_COUNT, SACCT_JOB_NAME,
};
#define STANDARD_COUNT (sizeof(standard) / sizeof(*standard))

const char *sacct_column_name(enum sacct_column column)
{
	return names[column];
}

/* ---- the delimiter --------------------------------------------------------------------- */

static bool is_word(char character)
{
	return isalnum((unsigned char)character) && !((unsigned char)character & 0x80);
}

/* Returns the length of a job's id at the start of a line, such as 12_[1-3], 12+0 or 12.batch. */
static size_t job_id_length(struct piece line)
{
	size_t at = 0;

	while (at < line.length && isdigit((unsigned char)line.at[at]))
		at++;
	if (at && at + 1 < line.length && line.at[at] == '_' && line.at[at + 1] == '[') {
		const char *end = memchr(line.at + at, ']', line.length - at);

		return end ? (size_t)(end - line.at) + 1 : 0;
	}
	while (at && at + 1 < line.length && strchr("_+.", line.at[at]) && line.at[at] &&
	       is_word(line.at[at + 1]))
		for (at++; at < line.length && is_word(line.at[at]);)
			at++;
	return at;
}

/* A header has the field JobID. */
static bool is_header(struct piece line)
{
	static const char name[] = "JobID";
	const size_t length = sizeof(name) - 1;
	const char *found = memmem(line.at, line.length, name, length);
	const char *end = line.at + line.length;

	if (found && (size_t)(end - found) >= length + 3 && !memcmp(found + length, "Raw", 3))
		return true;
	return found && (found == line.at || !is_word(found[-1])) &&
	       (found + length == end || !is_word(found[length]));
}

/* Returns what is between the first field and the next one. */
static struct piece find_delimiter(struct piece line, bool header)
{
	size_t at = header ? 0 : job_id_length(line), from;

	while (header && at < line.length && is_word(line.at[at]))
		at++;
	from = at;
	while (at && at < line.length && !is_word(line.at[at]))
		at++;
	/* in a job's line, several delimiters in a row stand around empty fields */
	for (size_t length = 1; !header && from + 2 * length <= at; length++)
		if (!memcmp(line.at + from, line.at + from + length, length))
			at = from + length;
	return (struct piece){ line.at + from, at - from };
}

/* Splits at the delimiter; see split_at(). */
static size_t split(struct piece delimiter, struct piece line, struct piece *fields, size_t room)
{
	const char *at = line.at, *end = line.at + line.length;
	size_t count = 0;

	if (delimiter.length == 1)
		return split_at(*delimiter.at, line, fields, room);
	for (;;) {
		const char *found =
			memmem(at, (size_t)(end - at), delimiter.at, delimiter.length);

		if (count < room)
			fields[count] = (struct piece){ at, (size_t)((found ? found : end) - at) };
		count++;
		if (!found)
			return count;
		at = found + delimiter.length;
	}
}

bool sacct_layout_recognize(struct piece line)
{
	bool header = is_header(line);
	struct piece delimiter = find_delimiter(line, header), fields[1];

	if (!delimiter.length || *delimiter.at == ' ')
		return false;
	return header || split(delimiter, line, fields, 1) >= LEAST_FIELDS;
}

/* ---- the columns ------------------------------------------------------------------------ */

/* A delimiter stands at the end of each line of sacct --parsable, too. */
static size_t without_end(const struct piece *fields, size_t count)
{
	return count > 1 && count <= SACCT_MOST_FIELDS && !fields[count - 1].length ? count - 1 :
										       count;
}

static bool has(const struct sacct_layout *layout, enum sacct_column column)
{
	return layout->field_of[column] != SACCT_NO_FIELD;
}

/* Are there all columns that usage needs? */
static int check_columns(const struct sacct_layout *layout, struct document *input, size_t number,
			 struct fathom_error *error)
{
	const char *lacks = NULL;

	if (!has(layout, SACCT_JOB_ID))
		lacks = "JobID";
	else if (!has(layout, SACCT_USER) && !has(layout, SACCT_ACCOUNT))
		lacks = "User";
	else if (!has(layout, SACCT_START) && !has(layout, SACCT_END))
		lacks = "Start";
	else if (!has(layout, SACCT_ELAPSED) && !has(layout, SACCT_ELAPSED_RAW) &&
		 !(has(layout, SACCT_START) && has(layout, SACCT_END)))
		lacks = "Elapsed";
	if (!lacks)
		return 0;
	return input_wrong(input, number, error,
			   "no column %s in the header line, must have JobID, User or Account, "
			   "Start or End, and Elapsed", lacks);
}

static int read_header(struct sacct_layout *layout, struct document *input, struct piece line,
		       size_t number, struct fathom_error *error)
{
	struct piece fields[SACCT_MOST_FIELDS];
	size_t count = split(layout->delimiter, line, fields, SACCT_MOST_FIELDS);

	if (count > SACCT_MOST_FIELDS)
		return input_wrong(input, number, error, "%zu columns, must be at most %d", count,
				   SACCT_MOST_FIELDS);
	layout->field_count = without_end(fields, count);
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		for (size_t field = 0; field < layout->field_count; field++)
			if (!has(layout, (enum sacct_column)column) &&
			    piece_is_any_case(fields[field], names[column]))
				layout->field_of[column] = field;
	return check_columns(layout, input, number, error);
}

/* Checks that the first line has the fields of `standard`: the second one is a number, too. */
static int check_standard(const struct sacct_layout *layout, struct document *input,
			  struct piece line, size_t number, struct fathom_error *error)
{
	struct piece fields[SACCT_MOST_FIELDS];
	size_t count = split(layout->delimiter, line, fields, SACCT_MOST_FIELDS);
	uint64_t id;

	if (count >= STANDARD_COUNT && !parse_whole(fields[1], UINT64_MAX, &id))
		return 0;
	return input_wrong(input, number, error, "%zu fields without a header line, must have one, "
			   "or the 26 fields of Open XDMoD; give the output of sacct -P", count);
}

int sacct_layout_find(struct sacct_layout *layout, struct document *input, struct piece line,
		      size_t number, struct fathom_error *error)
{
	bool header = is_header(line);
	struct piece found = find_delimiter(line, header);

	*layout = (struct sacct_layout){ .has_header = header };
	for (size_t column = 0; column < SACCT_COLUMN_COUNT; column++)
		layout->field_of[column] = SACCT_NO_FIELD;
	if (!found.length || found.length > sizeof(layout->text))
		return input_wrong(input, number, error, "no delimiter after the first field, must "
				   "be the output of sacct -P");
	memcpy(layout->text, found.at, found.length);
	layout->delimiter = (struct piece){ layout->text, found.length };
	if (header)
		return read_header(layout, input, line, number, error);
	layout->field_count = STANDARD_COUNT;
	for (size_t field = 0; field < STANDARD_COUNT; field++)
		if (standard[field] != SACCT_COLUMN_COUNT)
			layout->field_of[standard[field]] = field;
	return check_standard(layout, input, line, number, error);
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Joins the fields of a job's name that has delimiters in it. */
static void join_name(const struct sacct_layout *layout, struct piece *fields, size_t count)
{
	size_t name = layout->field_of[SACCT_JOB_NAME], excess = count - layout->field_count;

	fields[name].length =
		(size_t)(fields[name + excess].at + fields[name + excess].length - fields[name].at);
	memmove(&fields[name + 1], &fields[name + 1 + excess],
		(layout->field_count - name - 1) * sizeof(*fields));
}

int sacct_layout_split(const struct sacct_layout *layout, struct document *input, struct piece line,
		       size_t number, struct piece *fields, struct fathom_error *error)
{
	size_t count = split(layout->delimiter, line, fields, SACCT_MOST_FIELDS);

	if (count == layout->field_count)
		return 0;
	if (count == layout->field_count + 1 && without_end(fields, count) < count)
		return 0;
	if (count > layout->field_count && count <= SACCT_MOST_FIELDS &&
	    has(layout, SACCT_JOB_NAME)) {
		join_name(layout, fields, count);
		return 0;
	}
	return input_wrong(input, number, error, "%zu field%s, must be %zu as in the first line",
			   count, PLURAL(count), layout->field_count);
}
