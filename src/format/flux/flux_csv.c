/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes flux-accounting's tree as text: a line for each node, depth first, with
 * level, bank, user, shares and usage. A bank's own line has the user "%^+_nouser".
 * There is no header:
 *
 *	0,root,%^+_nouser,1,100
 *	1,physics,%^+_nouser,60,100
 *	2,physics,ada,1,100
 */
#include "format/format.h"
#include "format/indented_tree.h"

#include "core/plural.h"
#include "format/tree_writer.h"

#include <inttypes.h>
#include <string.h>

#define NO_USER "%^+_nouser"
#define DEEPEST UINT32_MAX	/* highest level */

/* Fields of a line. */
enum { LEVEL, BANK, USER, SHARES, USAGE, FIELD_COUNT };

static const char *const field_names[FIELD_COUNT] = { "level", "bank", "user", "shares", "usage" };

/* A file while it is read. */
struct reader {
	struct document *input;
	struct lines lines;
	struct piece field[FIELD_COUNT];	/* of the present line */
	struct indented_tree tree;
};

/* Fails, see wrong_at(), about a field of the present line. right: what would be right. */
static _Noreturn void wrong(struct reader *reader, int field, const char *right)
{
	wrong_field(reader->input, reader->lines.number, field_names[field], reader->field[field],
		    right);
}

/* Returns the level of a line, which is its depth in the tree. Fails, see wrong_at(), if a line of
 * this level, or of this kind, may not follow the line before, or if the bank of a user's line is
 * not the bank above the line. */
static size_t read_level(struct reader *reader, enum fathom_kind kind)
{
	struct indented_tree *tree = &reader->tree;
	bool first = !tree->builder.count;
	const char *bank;
	uint64_t level;

	if (parse_whole(reader->field[LEVEL], DEEPEST, &level))
		wrong(reader, LEVEL, "must be an integer of 0 or more");
	if (first && (level || kind == FATHOM_USER))
		WRONG_LINE(reader, "the first line must be the root bank's: level 0, and user %s",
			   NO_USER);
	if (!first && !level)
		wrong(reader, LEVEL,
		      "which only the first line, the root's, has; must be 1 or more");
	if (level > tree->depth)
		WRONG_LINE(reader, "level is %zu, must be at most %zu after the previous line",
			   (size_t)level, tree->depth);
	bank = kind == FATHOM_USER ? indented_tree_parent_name(tree, level) : NULL;
	if (bank && !piece_is(reader->field[BANK], bank))
		WRONG_LINE(reader, "the user's bank is '%.*s', must be '%.64s', the bank above the "
			   "line", PIECE(reader->field[BANK]), bank);
	return level;
}

/* Adds the node of a line. */
static void read_line(struct reader *reader, struct piece line)
{
	size_t count = split_at(',', line, reader->field, FIELD_COUNT), depth;
	bool is_bank = count == FIELD_COUNT && piece_is(reader->field[USER], NO_USER);
	struct fathom_row row = { .id = (int64_t)reader->tree.builder.count + 1,
				  .kind = is_bank ? FATHOM_ACCOUNT : FATHOM_USER };

	if (count != FIELD_COUNT)
		WRONG_LINE(reader, "%zu field%s, must be 5: level, bank, user, shares and usage, "
			   "separated by commas", count, PLURAL(count));
	if (!reader->field[USER].length)
		wrong(reader, USER, "must be a name, or " NO_USER " in a bank's own line");
	if (!reader->field[BANK].length)
		wrong(reader, BANK, "must be a name");
	depth = read_level(reader, row.kind);
	if (parse_shares(reader->field[SHARES], &row.raw_shares))
		wrong(reader, SHARES, SHARES_RIGHT);
	if (parse_amount(reader->field[USAGE], &row.usage))
		wrong(reader, USAGE, AMOUNT_RIGHT);
	indented_tree_add(&reader->tree, reader->input, reader->lines.number, depth, &row,
			  reader->field[is_bank ? BANK : USER], (struct piece){ NULL, 0 });
}

static void flux_csv_read(struct document *input, struct snapshot *snapshot)
{
	struct reader reader = { .input = input, .lines = lines_of(input) };
	struct piece line;

	while ((line = lines_next(&reader.lines)).at)
		read_line(&reader, line);
	if (!reader.tree.builder.count)
		wrong_at(input, 1, "the file is empty, must have a line for each bank and user");
	tree_builder_finish(&reader.tree.builder, input, PARTITIONS_KNOWN, snapshot);
}

/* Returns whether the first line has the mark of a bank's line, or four to six fields of which the
 * first is a number. With a field too many or too few, the reader says what is wrong. */
static bool flux_csv_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines), field[FIELD_COUNT];
	uint64_t level;
	size_t count;

	if (!line.at)
		return false;
	if (memmem(line.at, line.length, "," NO_USER, strlen(NO_USER) + 1))
		return true;
	count = split_at(',', line, field, FIELD_COUNT);
	return count >= FIELD_COUNT - 1 && count <= FIELD_COUNT + 1 &&
	       !parse_whole(field[LEVEL], DEEPEST, &level);
}

/* ---- writing ------------------------------------------------------------------------- */

/* Writes the line of a node. Fails, see wrong_at(), if the format cannot have its name or
 * shares. */
static void put_line(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	bool is_bank = fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT;
	const char *name = snapshot_name(snapshot, node);

	tree_writer_check_name(writer, node, name, ",", "", "flux-csv");
	tree_writer_check_shares(writer, node, "flux-csv");
	if (!strcmp(name, NO_USER))
		wrong_at(NULL, 0, "%s '%s': the name is reserved in flux-csv; rename it",
			 tree_writer_kind(writer, node), name);
	fprintf(writer->out, "%zu,%s,%s,%" PRIu32 ",%.17g\n", depth,
		snapshot_account(snapshot, node), is_bank ? NO_USER : name,
		fathom_tree_raw_shares(snapshot->tree, node),
		fathom_tree_usage(snapshot->tree, node));
}

static void flux_csv_write(FILE *out, const struct snapshot *snapshot)
{
	struct tree_writer writer = { .out = out, .snapshot = snapshot };

	tree_writer_check_users(&writer, "flux-csv", USER_ONCE);
	tree_writer_run(&writer, put_line);
}

const struct format format_flux_csv = {
	.name = "flux-csv",
	.summary = "flux-accounting's tree as level,bank,user,shares,usage",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = flux_csv_recognize,
	.read = flux_csv_read,
	.write = flux_csv_write,
	.keeps = KEEPS_USAGE | KEEPS_FRACTIONS | KEEPS_PARENT_SHARES | KEEPS_EMPTY_ACCOUNTS |
		 KEEPS_CAPITALS | KEEPS_UNKNOWN_SHARES,
};
