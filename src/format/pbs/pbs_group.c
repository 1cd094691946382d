/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the tree of OpenPBS's fair share, the file sched_priv/resource_group: a line for
 * each group or entity, with its name, number, group and shares. The line of a group stands before
 * those of its members. The root and the group "unknown" exist without a line. Names are unique in
 * the tree. The file has no usage:
 *
 *	physics	10	root	60
 *	ada	11	physics	1
 */
#include "conf/conf_parse.h"
#include "core/plural.h"
#include "format/format.h"
#include "format/tree_builder.h"
#include "format/tree_writer.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"

#include <inttypes.h>

#define ROOT_NAME "TREEROOT"
#define ROOT_ALIAS "root"	/* as a parent */
#define ROOT_ID 0
#define UNKNOWN_NAME "unknown"	/* the group of all entities that the file does not list */
#define UNKNOWN_ID 1

/* Fields of a line. */
enum { NAME, ID, PARENT, SHARES, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = {
	"the name", "the number", "the group", "shares",
};

/* A file while it is read. */
struct reader {
	struct document *input;
	struct lines lines;
	struct name_index *rows;	/* from names to rows of the builder */
	struct tree_builder builder;
};

/* Fails, see wrong_at(), about a field of the present line. right: what would be right. */
static _Noreturn void wrong(const struct reader *reader, int field, const struct piece *fields,
			    const char *right)
{
	wrong_field(reader->input, reader->lines.number, field_names[field], fields[field], right);
}

/* ---- rows -------------------------------------------------------------------------- */

/* Adds a row at the present line; line 0 before the first. */
static void add(struct reader *reader, struct piece name, const struct fathom_row *row)
{
	tree_builder_add(&reader->builder, reader->input, reader->lines.number, row, name,
			 (struct piece){ NULL, 0 });
	need_put(reader->rows, name, reader->builder.count - 1);
}

/* Fails, see wrong_at(), if an earlier line has the name, or it is reserved. */
static void check_name(const struct reader *reader, const struct piece *fields)
{
	size_t other = name_index_get(reader->rows, fields[NAME]);

	if (other == NAME_INDEX_NONE)
		return;
	if (!reader->builder.line[other])
		wrong(reader, NAME, fields, "which is reserved; must be another name");
	WRONG_LINE(reader, "'%.*s' is already in line %zu", PIECE(fields[NAME]),
		   reader->builder.line[other]);
}

/* Returns the id of the parent that the fields name; its row becomes a group, as it has a member.
 * Fails, see wrong_at(), if no earlier line has the name. */
static int64_t read_parent(struct reader *reader, const struct piece *fields)
{
	bool is_root = piece_is(fields[PARENT], ROOT_ALIAS);
	size_t parent =
		name_index_get(reader->rows, is_root ? piece_of(ROOT_NAME) : fields[PARENT]);

	if (parent == NAME_INDEX_NONE)
		wrong(reader, PARENT, fields,
		      "must be " ROOT_ALIAS " or the name of an earlier line");
	reader->builder.row[parent].kind = FATHOM_ACCOUNT;
	return reader->builder.row[parent].id;
}

/* Adds the group or entity of a line. It counts as an entity until a line names it as a group. */
static void read_entry(struct reader *reader, const struct piece *fields)
{
	struct fathom_row row = { .kind = FATHOM_USER };
	uint64_t id;

	if (parse_whole(fields[ID], INT64_MAX, &id))
		wrong(reader, ID, fields, "must be an integer of 2 or more");
	row.id = (int64_t)id;
	if (parse_shares(fields[SHARES], &row.raw_shares))
		wrong(reader, SHARES, fields, SHARES_RIGHT);
	check_name(reader, fields);
	row.parent_id = read_parent(reader, fields);
	add(reader, fields[NAME], &row);
}

/* ---- the file ----------------------------------------------------------------------- */

/* Splits the next line that is not a comment into words. Returns their number; 0: at the end of the
 * file. fields: gets the first four; further ones are ignored, as in OpenPBS. */
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

static void pbs_group_read(struct document *input, struct snapshot *snapshot)
{
	static const struct fathom_row
		root = { .id = ROOT_ID, .is_root = true, .kind = FATHOM_ACCOUNT },
		unknown = { .id = UNKNOWN_ID, .parent_id = ROOT_ID, .kind = FATHOM_ACCOUNT };
	struct reader reader = { .input = input, .lines = lines_of(input), .rows = need_index() };
	struct piece fields[FIELD_COUNT];
	size_t count;

	add(&reader, piece_of(ROOT_NAME), &root);	/* both have the line 0 */
	add(&reader, piece_of(UNKNOWN_NAME), &unknown);
	while ((count = next_entry(&reader.lines, fields))) {
		if (count < FIELD_COUNT)
			WRONG_LINE(&reader, "%zu field%s, must be 4: name, number, group and "
				   "shares, between blanks", count, PLURAL(count));
		read_entry(&reader, fields);
	}
	if (reader.builder.count == 2)
		wrong_at(input, 1, "only comments, must have a line for each group and entity");
	tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
}

/* Returns whether a field is an integer of 0 or more. */
static bool is_number(struct piece field)
{
	uint64_t value;

	return !parse_whole(field, UINT64_MAX, &value);
}

/* Returns whether the first entry has a number and shares, and between them a group that is no
 * number. If it has four words, one of the two may be wrong, so that the reader says so; with three
 * words the shares may be missing; with more than four, both must be numbers. */
static bool pbs_group_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece fields[FIELD_COUNT];
	size_t count = next_entry(&lines, fields);
	bool has_id, has_shares;

	if (count <= PARENT || is_number(fields[PARENT]))
		return false;
	has_id = is_number(fields[ID]);
	if (count < FIELD_COUNT)
		return has_id;
	has_shares = is_number(fields[SHARES]);
	return count == FIELD_COUNT ? has_id || has_shares : has_id && has_shares;
}

/* ---- writing ----------------------------------------------------------------------- */

/* The context of the tree_writer. */
struct group_writer {
	struct name_index *nodes;	/* from names that are written to nodes */
	bool keeps_ids;		/* the nodes' ids become numbers; else lines are numbered */
	int64_t last_id;	/* the number that was used last */
};

/* Returns the name of a node's parent. */
static const char *parent_name(const struct snapshot *snapshot, size_t node)
{
	return snapshot_name(snapshot, fathom_tree_parent(snapshot->tree, node));
}

/* Fails, see wrong_at(), if a name is reserved or has been written before; else notes it. */
static void check_unique_name(struct tree_writer *writer, size_t node, struct piece name)
{
	const struct snapshot *snapshot = writer->snapshot;
	struct group_writer *group = writer->context;
	size_t other = name_index_get(group->nodes, name);

	if (piece_is(name, ROOT_NAME) || piece_is(name, ROOT_ALIAS) || piece_is(name, UNKNOWN_NAME))
		wrong_at(NULL, 0, "%s '%s': the name is reserved in resource_group; rename it",
			 tree_writer_kind(writer, node), name.at);
	if (other != NAME_INDEX_NONE)
		wrong_at(NULL, 0, "%s '%.64s' in '%.64s' and %s '%.64s' in '%.64s': resource_group "
			 "has each name once", tree_writer_kind(writer, other), name.at,
			 parent_name(snapshot, other), tree_writer_kind(writer, node), name.at,
			 parent_name(snapshot, node));
	need_put(group->nodes, name, node);
}

/* Fails, see wrong_at(), if a file that begins with the name would be taken for one of another
 * format, as "{x} 12 root 1" for JSON. */
static void check_first_name(const struct tree_writer *writer, size_t node, const char *name)
{
	const char *line = need_print("%s 12 root 1\n", name);
	struct document file = document_of("resource_group", piece_of(line));
	const struct format *format = conf_recognize(line) ? NULL : format_recognize(&file);

	if (format != &format_pbs_group)
		wrong_at(NULL, 0, "%s '%.64s': as the first name of resource_group it looks like "
			 "%s; rename it", tree_writer_kind(writer, node), name,
			 format ? format->name : "fathom.conf");
	document_clear(&file);
}

/* Writes the line of a node. The root and the group "unknown" have no line, but use up a number if
 * lines are numbered. */
static void put_entry(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	struct group_writer *group = writer->context;
	const char *name = snapshot_name(snapshot, node);
	size_t parent = fathom_tree_parent(snapshot->tree, node);

	group->last_id = group->keeps_ids ? fathom_tree_id(snapshot->tree, node) :
					    group->last_id + 1;
	if (!depth || pbs_unknown_group_is(snapshot, node))
		return;
	tree_writer_check_name(writer, node, name, " \t", "#*", "resource_group");
	check_unique_name(writer, node, piece_of(name));
	if (group->nodes->count == 1)
		check_first_name(writer, node, name);
	tree_writer_check_shares(writer, node, "resource_group");
	fprintf(writer->out, "%s\t%" PRId64 "\t%s\t%" PRIu32 "\n", name, group->last_id,
		parent ? snapshot_name(snapshot, parent) : ROOT_ALIAS,
		fathom_tree_raw_shares(snapshot->tree, node));
}

static void pbs_group_write(FILE *out, const struct snapshot *snapshot)
{
	struct group_writer group = { .nodes = need_index(), .keeps_ids = true,
				      .last_id = UNKNOWN_ID };
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .context = &group };

	/* numbers up to UNKNOWN_ID are reserved for the root and "unknown" */
	for (size_t node = 1; node < fathom_tree_count(snapshot->tree); node++)
		group.keeps_ids &= fathom_tree_id(snapshot->tree, node) > UNKNOWN_ID ||
				   pbs_unknown_group_is(snapshot, node);
	tree_writer_run(&writer, put_entry);
}

const struct format format_pbs_group = {
	.name = "pbs-group",
	.summary = "OpenPBS's resource_group: name, number, group, shares",
	.holds = HOLDS_TREE,
	.by_user = true,
	.policy = "pbs",
	.strangers = UNKNOWN_NAME,
	.recognize = pbs_group_recognize,
	.read = pbs_group_read,
	.write = pbs_group_write,
	.keeps = KEEPS_PARENT_SHARES | KEEPS_CAPITALS,
};
