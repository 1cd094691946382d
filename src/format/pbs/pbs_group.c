/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tree of OpenPBS's fair share, the file sched_priv/resource_group: a line
 * for each group or entity with its name, number, group and shares. A group's line
 * comes before its members. The root and the group "unknown" always exist. Names are
 * unique in the tree. The file has no usage:
 *
 *	physics	10	root	60
 *	ada	11	physics	1
 */
#include "core/name_index.h"
#include "format/tree_builder.h"

#include <string.h>

#define ROOT_NAME "TREEROOT"
#define ROOT_ALIAS "root"	/* as a parent */
#define ROOT_ID 0
#define UNKNOWN_NAME "unknown"	/* the group of all entities that the file does not list */
#define UNKNOWN_ID 1

enum { NAME, ID, PARENT, SHARES, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = {
	"the name", "the number", "the group", "shares",
};

struct reader {
	struct input *input;
	struct lines lines;
	struct name_index rows;	/* by name */
	struct tree_builder builder;
	struct fathom_error *error;
};

static struct piece piece_of(const char *text)
{
	return (struct piece){ text, strlen(text) };
}

static int wrong(struct reader *reader, int field, const struct piece *fields, const char *right)
{
	return wrong_field(reader->input, reader->lines.number, reader->error, field_names[field],
			   fields[field], right);
}

/* ---- rows -------------------------------------------------------------------------- */

static int add(struct reader *reader, struct piece name, const struct fathom_row *row)
{
	if (tree_builder_add(&reader->builder, reader->input, reader->lines.number, row, name,
			     (struct piece){ NULL, 0 }, reader->error))
		return -1;
	return name_index_put(&reader->rows, name, reader->builder.count - 1, reader->error);
}

/* Adds the root and the group "unknown". */
static int add_reserved(struct reader *reader)
{
	static const struct fathom_row root = {
		.id = ROOT_ID, .is_root = true, .kind = FATHOM_ACCOUNT,
	};
	static const struct fathom_row unknown = {
		.id = UNKNOWN_ID, .parent_id = ROOT_ID, .kind = FATHOM_ACCOUNT,
	};

	if (add(reader, piece_of(ROOT_NAME), &root))
		return -1;
	return add(reader, piece_of(UNKNOWN_NAME), &unknown);
}

static int check_name(struct reader *reader, const struct piece *fields)
{
	size_t other = name_index_get(&reader->rows, fields[NAME]);

	if (other == NAME_INDEX_NONE)
		return 0;
	if (!reader->builder.line[other])
		return wrong(reader, NAME, fields, "which is reserved; must be another name");
	return input_wrong(reader->input, reader->lines.number, reader->error,
			   "'%.*s' is already in line %zu", PIECE(fields[NAME]),
			   reader->builder.line[other]);
}

/* Finds the parent of a row; a row with members becomes a group. */
static int read_parent(struct reader *reader, const struct piece *fields, struct fathom_row *row)
{
	bool is_root = piece_is(fields[PARENT], ROOT_ALIAS);
	size_t parent =
		name_index_get(&reader->rows, is_root ? piece_of(ROOT_NAME) : fields[PARENT]);

	if (parent == NAME_INDEX_NONE)
		return wrong(reader, PARENT, fields,
			     "must be " ROOT_ALIAS " or the name of an earlier line");
	reader->builder.row[parent].kind = FATHOM_ACCOUNT;
	row->parent_id = reader->builder.row[parent].id;
	return 0;
}

static int read_entry(struct reader *reader, const struct piece *fields)
{
	struct fathom_row row = { .kind = FATHOM_USER };
	uint64_t id;

	if (parse_whole(fields[ID], INT64_MAX, &id))
		return wrong(reader, ID, fields, "must be an integer of 2 or more");
	row.id = (int64_t)id;
	if (parse_shares(fields[SHARES], &row.raw_shares))
		return wrong(reader, SHARES, fields, SHARES_RIGHT);
	if (check_name(reader, fields) || read_parent(reader, fields, &row))
		return -1;
	return add(reader, fields[NAME], &row);
}

/* ---- the file ----------------------------------------------------------------------- */

/* Splits the next line that is not a comment into words. Returns their number, 0 after the last
 * line. Words after the fourth are ignored, as in OpenPBS. */
static size_t next_entry(struct lines *lines, struct piece *fields)
{
	struct piece line;

	while ((line = lines_next(lines)).at) {
		size_t count = split_words(line, fields, FIELD_COUNT);

		if (count && *fields[0].at != '#' && *fields[0].at != '*')
			return count;
	}
	return 0;
}

static int read_entries(struct reader *reader)
{
	struct piece fields[FIELD_COUNT];
	size_t count, reserved = reader->builder.count;

	while ((count = next_entry(&reader->lines, fields))) {
		if (count < FIELD_COUNT)
			return input_wrong(
				reader->input, reader->lines.number, reader->error,
				"%zu field%s, must be 4: name, number, group and shares, "
				"between blanks",
				count, count == 1 ? "" : "s");
		if (read_entry(reader, fields))
			return -1;
	}
	if (reader->builder.count == reserved)
		return input_wrong(reader->input, 1, reader->error,
				   "only comments, must have a line for each group and entity");
	return 0;
}

static int pbs_group_read(struct input *input, struct snapshot *snapshot,
			  struct fathom_error *error)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .error = error };
	int status = add_reserved(&reader);

	if (!status)
		status = read_entries(&reader);
	if (!status)
		status = tree_builder_finish(&reader.builder, input, true, snapshot, error);
	tree_builder_clear(&reader.builder);
	name_index_clear(&reader.rows);
	return status;
}

static bool is_number(struct piece field)
{
	uint64_t value;

	return !parse_whole(field, UINT64_MAX, &value);
}

/* The first entry has a number and shares around a group; one of the numbers may be wrong or
 * missing. */
static bool pbs_group_recognize(const struct input *input)
{
	struct lines lines = lines_of(input);
	struct piece fields[FIELD_COUNT];
	size_t count = next_entry(&lines, fields);

	if (count <= PARENT || is_number(fields[PARENT]))
		return false;
	if (count < FIELD_COUNT)
		return is_number(fields[ID]);
	return is_number(fields[ID]) + is_number(fields[SHARES]) > (count > FIELD_COUNT);
}

const struct format format_pbs_group = {
	.name = "pbs-group",
	.summary = "OpenPBS's resource_group: name, number, group, shares",
	.recognize = pbs_group_recognize,
	.read = pbs_group_read,
};
