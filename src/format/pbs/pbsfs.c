/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what OpenPBS's pbsfs prints: a line for each node, depth first, with the number of its
 * group (Grp), its own number (cgrp), its shares and its usage. The sibling that was defined last
 * stands first:
 *
 *	Fairshare usage units are in: cput
 *	TREEROOT  : Grp: -1     cgrp: 0    Shares: -1     Usage: 1201   Perc: 100.000%
 *	group2    : Grp: 0      cgrp: 11   Shares: 60     Usage: 1001   Perc: 60.000%
 *	scott     : Grp: 11     cgrp: 15   Shares: 40     Usage: 1000   Perc: 24.000%
 *
 * The usage of a group is 1 + that of the entities below it. An entity whose usage is 1 has used
 * nothing.
 */
#include "core/id_index.h"
#include "format/format.h"
#include "format/tree_builder.h"
#include "memory/need_memory.h"

#include <string.h>

#define AFTER_NAME ": Grp:"
#define NO_USAGE 1		/* the usage with which each node starts */
#define UNKNOWN_ID 1		/* of the group "unknown", which may be empty */

/* Values of a line; OWN is the node's own number. */
enum { GROUP, OWN, SHARES, USAGE, PERCENT, VALUE_COUNT };

static const char *const headings[VALUE_COUNT] = { "Grp", "cgrp", "Shares", "Usage", "Perc" };

/* A file while it is read. */
struct reader {
	struct document *input;
	struct lines lines;
	struct tree_builder builder;
	struct id_index *rows;	/* from numbers of nodes to rows of the builder */
};

/* Fails, see wrong_at(), about a value of the present line. right: what would be right. */
static _Noreturn void wrong(const struct reader *reader, int value, const struct piece *values,
			    const char *right)
{
	wrong_field(reader->input, reader->lines.number, headings[value], values[value], right);
}

/* Splits a line into values and the name of the node. Returns the name. */
static struct piece split_line(const struct reader *reader, struct piece line, struct piece *values)
{
	const char *after = memmem(line.at, line.length, AFTER_NAME, strlen(AFTER_NAME));
	struct piece words[2 * VALUE_COUNT], rest, name;

	if (!after)
		WRONG_LINE(reader, "no '" AFTER_NAME "', must be the output of pbsfs or pbsfs -p");
	name = (struct piece){ line.at, (size_t)(after - line.at) };
	while (name.length && name.at[name.length - 1] == ' ')
		name.length--;
	rest = (struct piece){ after + 2, line.length - (size_t)(after + 2 - line.at) };
	if (split_words(rest, words, 2 * VALUE_COUNT) != 2 * VALUE_COUNT)
		WRONG_LINE(reader, "must have Grp, cgrp, Shares, Usage and Perc with one value "
			   "each");
	for (int i = 0; i < VALUE_COUNT; i++) {	/* a heading, then the value */
		struct piece heading = words[2 * i], word = { NULL, 0 };

		piece_next(&heading, ':', &word);
		if (!piece_is(word, headings[i]) || words[2 * i].length != word.length + 1)
			WRONG_LINE(reader, "'%.*s' must be %s:", PIECE(words[2 * i]), headings[i]);
		values[i] = words[2 * i + 1];
	}
	return name;
}

/* Sets the rest of the row of the first line. */
static void read_root(const struct reader *reader, const struct piece *values,
		      struct fathom_row *row)
{
	row->is_root = true;
	row->kind = FATHOM_ACCOUNT;
	if (!piece_is(values[GROUP], "-1"))
		wrong(reader, GROUP, values, "must be -1 in the first line, that of the root");
}

/* Sets the rest of the row of a further line. Its parent, which counts as an entity until then,
 * becomes a group without usage of its own. */
static void read_node(struct reader *reader, const struct piece *values, struct fathom_row *row)
{
	uint64_t group;
	uint32_t parent;

	if (parse_whole(values[GROUP], INT64_MAX, &group) ||
	    !id_index_find(reader->rows, group, &parent))
		wrong(reader, GROUP, values, "must be the cgrp of an earlier line");
	if (parse_shares(values[SHARES], &row->raw_shares))
		wrong(reader, SHARES, values, SHARES_RIGHT);
	row->parent_id = (int64_t)group;
	reader->builder.row[parent].kind = FATHOM_ACCOUNT;
	reader->builder.row[parent].usage = 0;
}

/* Adds the node of a line. */
static void read_line(struct reader *reader, struct piece line)
{
	struct fathom_row row = { .kind = FATHOM_USER };
	struct piece values[VALUE_COUNT], name = split_line(reader, line, values);
	uint64_t own;
	uint32_t other;

	if (parse_whole(values[OWN], INT64_MAX, &own))
		wrong(reader, OWN, values, "must be an integer of 0 or more");
	if (id_index_find(reader->rows, own, &other))
		WRONG_LINE(reader, "cgrp %.*s is already in line %zu", PIECE(values[OWN]),
			   reader->builder.line[other]);
	row.id = (int64_t)own;
	if (parse_amount(values[USAGE], &row.usage))
		wrong(reader, USAGE, values, AMOUNT_RIGHT);
	if (reader->builder.count)
		read_node(reader, values, &row);
	else
		read_root(reader, values, &row);
	if (row.usage <= NO_USAGE || row.is_root)
		row.usage = 0;
	if (own == UNKNOWN_ID)
		row.kind = FATHOM_ACCOUNT;
	tree_builder_add(&reader->builder, reader->input, reader->lines.number, &row, name,
			     (struct piece){ NULL, 0 });
	need_done(id_index_put(reader->rows, own, (uint32_t)reader->builder.count - 1));
}

/* Swaps two elements of an array. */
static void swap(size_t *array, size_t a, size_t b)
{
	size_t kept = array[a];

	array[a] = array[b];
	array[b] = kept;
}

/* Reverses all rows, so that siblings stand in the order in which they were defined. A tree's rows
 * need no particular order of parents and children. */
static void reverse(struct tree_builder *builder)
{
	for (size_t a = 0, b = builder->count; a + 1 < b; a++) {
		struct fathom_row row = builder->row[a];

		b--;
		builder->row[a] = builder->row[b];
		builder->row[b] = row;
		swap(builder->name, a, b);
		swap(builder->partition, a, b);
		swap(builder->line, a, b);
	}
}

/* Returns whether a line is the heading, which tells the units of usage. */
static bool is_heading(struct piece line)
{
	static const char heading[] = "Fairshare usage units are in:";

	return line.length >= strlen(heading) && !memcmp(line.at, heading, strlen(heading));
}

NEED_DESTROYER(clear_rows, id_index_clear)

static void pbsfs_read(struct document *input, struct snapshot *snapshot)
{
	struct reader reader = { .input = input, .lines = lines_of(input) };
	struct piece line = lines_next(&reader.lines);

	reader.rows = need_owned(need_object(sizeof(*reader.rows)), clear_rows);
	if (line.at && is_heading(line))
		line = lines_next(&reader.lines);
	for (; line.at; line = lines_next(&reader.lines))
		read_line(&reader, line);
	if (!reader.builder.count)
		wrong_at(input, 1, "no node, must be the output of pbsfs");
	reverse(&reader.builder);
	tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
}

static bool pbsfs_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines);

	return line.at && (is_heading(line) || memmem(line.at, line.length, AFTER_NAME,
						      strlen(AFTER_NAME)));
}

const struct format format_pbsfs = {
	.name = "pbsfs",
	.summary = "the output of OpenPBS's pbsfs: groups, entities, shares, usage",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.by_user = true,
	.policy = "pbs",
	.strangers = "unknown",
	.recognize = pbsfs_recognize,
	.read = pbsfs_read,
};
