/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes the output of `sshare -a -P`: a header, then a line for each association,
 * depth first. Spaces before the account show the depth. A user's line has the name
 * of its account. Columns may have any order.
 *
 *	Account|User|RawShares|RawUsage|FairShare
 *	root||||
 *	 physics||60|1200|
 *	  physics|ada|1|1200|0.5
 */
#include "format/format.h"
#include "format/indented_tree.h"

#include "format/tree_writer.h"
#include "memory/need_memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_FIELDS 64		/* of a line */
#define NO_FIELD SIZE_MAX	/* the file lacks the column */
#define CLUSTER_LINE "CLUSTER: "	/* a name follows */

enum { ACCOUNT, USER, RAW_SHARES, RAW_USAGE, PARTITION, ID, FAIRSHARE, CLUSTER, COLUMN_COUNT };

/* find_column() names those that are needed. */
static const struct { const char *name; bool needed; } columns[COLUMN_COUNT] = {
	[ACCOUNT] = { "Account", true },
	[USER] = { "User", true },
	[RAW_SHARES] = { "RawShares", true },
	[RAW_USAGE] = { "RawUsage", true },
	[PARTITION] = { "Partition", false },
	[ID] = { "ID", false },
	[FAIRSHARE] = { "FairShare", false },
	[CLUSTER] = { "Cluster", false },
};

struct sshare_reader {
	struct document *input;
	struct lines lines;
	size_t field_count;		/* of each line */
	size_t field_of[COLUMN_COUNT];	/* by column: index of its field, or NO_FIELD */
	struct indented_tree tree;
	double *factor;		/* by row: FairShare as printed, or NAN */
	struct piece cluster;	/* of the first association; empty without the column */
};

/* Fails because of a field of the line. right: what it must be. */
static _Noreturn void wrong(struct sshare_reader *reader, int column, struct piece field,
			    const char *right)
{
	wrong_field(reader->input, reader->lines.number, columns[column].name, field, right);
}

/* ---- the header -------------------------------------------------------------- */

/* Returns whether sshare --clusters prints a line before the header of a cluster. */
static bool is_cluster_line(struct piece line)
{
	return line.length > strlen(CLUSTER_LINE) &&
	       !strncmp(line.at, CLUSTER_LINE, strlen(CLUSTER_LINE));
}

/* Returns the index of the field of a column in the header; NO_FIELD: the header lacks it. Fails if
 * the column is needed. */
static size_t find_column(struct sshare_reader *reader, const struct piece *fields, size_t column)
{
	bool is_sacctmgr = false;	/* it has a column that sacctmgr show assoc prints */

	for (size_t field = 0; field < reader->field_count; field++) {
		if (piece_is_any_case(fields[field], columns[column].name))
			return field;
		is_sacctmgr |= piece_is(fields[field], "Share");
	}
	if (columns[column].needed)
		WRONG_LINE(reader, "no column %s in the header line, must have Account, User, "
			   "RawShares and RawUsage%s", columns[column].name, is_sacctmgr ? " "
			   "(sacctmgr dump can be read)" : "");
	return NO_FIELD;
}

/* Reads the header, and the line "CLUSTER: NAME" that sshare --clusters prints before it. */
static void read_header(struct sshare_reader *reader)
{
	struct piece line = lines_next(&reader->lines), fields[MOST_FIELDS];

	if (is_cluster_line(line))
		line = lines_next(&reader->lines);
	if (!line.at)
		wrong_at(reader->input, 1, "the file is empty, must be the output of sshare -a -P");
	reader->field_count = split_at('|', line, fields, MOST_FIELDS);
	if (reader->field_count < 2)
		WRONG_LINE(reader, "no '|' in the header line, must be the output of sshare -a -P");
	if (reader->field_count > MOST_FIELDS)
		WRONG_LINE(reader, "%zu columns, must be at most %d", reader->field_count,
			   MOST_FIELDS);
	for (size_t column = 0; column < COLUMN_COUNT; column++)
		reader->field_of[column] = find_column(reader, fields, column);
}

/* ---- numbers -------------------------------------------------------------------- */

/* Sets the shares of a row, but the root's, which do not matter; sshare prints none for it. */
static void read_shares(struct sshare_reader *reader, struct piece field, struct fathom_row *row)
{
	if (row->is_root && field.length && !piece_is(field, "1"))
		wrong(reader, RAW_SHARES, field,
		      "must be empty or 1 for the root; give the whole output of sshare -a -P");
	if (piece_is_any_case(field, "parent"))
		row->raw_shares = FATHOM_SHARES_PARENT;
	else if (!row->is_root && parse_shares(field, &row->raw_shares))
		wrong(reader, RAW_SHARES, field, SHARES_RIGHT ", or parent");
}

/* Moves the factors into the snapshot, by node. */
static void set_printed_factors(const struct sshare_reader *reader, struct snapshot *snapshot)
{
	size_t count = fathom_tree_count(snapshot->tree);

	snapshot->printed_factor = need_zeros(count, sizeof(*snapshot->printed_factor));
	for (size_t row = 0; row < count; row++)
		snapshot->printed_factor[fathom_tree_node_of_row(snapshot->tree, row)] =
			reader->factor[row];
}

/* ---- the depth of a line ------------------------------------------------------------ */

/* Checks that an association may have this depth behind the lines before it, and that the account
 * above a user is the one that the line names. account: the line's. */
static void check_depth(struct sshare_reader *reader, size_t depth, struct piece account,
			const struct fathom_row *row)
{
	struct document *input = reader->input;
	size_t line = reader->lines.number;

	if (row->is_root && (depth || row->kind == FATHOM_USER))
		wrong_at(input, line, "the first association must be the root account, without "
			 "spaces before it; give the whole output of sshare -a -P");
	if (row->is_root)
		return;
	if (!depth)
		wrong_at(input, line, "no spaces before the account; only the root has none");
	if (depth > reader->tree.depth)
		wrong_at(input, line, "%zu spaces before the account, must be at most %zu after "
			 "the previous line", depth, reader->tree.depth);
	if (row->kind == FATHOM_USER &&
	    !piece_is(account, indented_tree_parent_name(&reader->tree, depth)))
		wrong_at(input, line, "the user's account is '%.*s', must be '%.64s', the account "
			 "above the line", PIECE(account),
			 indented_tree_parent_name(&reader->tree, depth));
}

/* ---- an association ------------------------------------------------------------- */

/* Returns the field of a column; without the column it is empty. */
static struct piece field_of(const struct sshare_reader *reader, const struct piece *fields,
			     int column)
{
	size_t field = reader->field_of[column];

	return field == NO_FIELD ? (struct piece){ NULL, 0 } : fields[field];
}

/* Adds the association of a line to the tree. The first one is the root. */
static void read_association(struct sshare_reader *reader, const struct piece *fields)
{
	struct piece account = field_of(reader, fields, ACCOUNT);
	struct piece user = field_of(reader, fields, USER);
	struct piece partition = field_of(reader, fields, PARTITION);
	struct fathom_row row = { .kind = user.length ? FATHOM_USER : FATHOM_ACCOUNT };
	struct piece cluster = field_of(reader, fields, CLUSTER);
	size_t depth = 0, rows = reader->tree.builder.count;
	uint64_t id = rows + 1;		/* of an association in a file without ids */
	double factor;

	row.is_root = !rows;
	for (; account.length && *account.at == ' '; depth++)
		piece_cut(&account, 1);
	if (!account.length)
		wrong(reader, ACCOUNT, account, "must be a name");
	if (row.is_root)
		reader->cluster = cluster;
	if (!piece_same(cluster, reader->cluster))
		wrong(reader, CLUSTER, cluster, "must be that of the first line; give the output "
		      "for one cluster");
	check_depth(reader, depth, account, &row);
	read_shares(reader, field_of(reader, fields, RAW_SHARES), &row);
	if (parse_amount(field_of(reader, fields, RAW_USAGE), &row.usage))
		wrong(reader, RAW_USAGE, field_of(reader, fields, RAW_USAGE), AMOUNT_RIGHT);
	if (reader->field_of[ID] != NO_FIELD &&
	    parse_whole(field_of(reader, fields, ID), INT64_MAX, &id))
		wrong(reader, ID, field_of(reader, fields, ID),
		      "must be an integer of 0 or more");
	row.id = (int64_t)id;
	/* it is only compared with ours, so a wrong number is not an error */
	if (parse_amount(field_of(reader, fields, FAIRSHARE), &factor))
		factor = NAN;
	NEED_ADD(reader->factor, rows, factor);
	if (!partition.length)
		partition.at = NULL;	/* all partitions */
	indented_tree_add(&reader->tree, reader->input, reader->lines.number, depth, &row,
			  row.kind == FATHOM_USER ? user : account, partition);
}

/* Reads a line behind the header. */
static void read_line(struct sshare_reader *reader, struct piece line)
{
	struct piece fields[MOST_FIELDS];
	size_t count = split_at('|', line, fields, MOST_FIELDS);

	if (count == 1 && is_cluster_line(line))
		WRONG_LINE(reader, "a second cluster, must be one; give the output for one "
			   "cluster");
	if (count != reader->field_count)
		WRONG_LINE(reader, "%zu columns, must be %zu as in the header line", count,
			   reader->field_count);
	read_association(reader, fields);
}

static void sshare_read(struct document *input, struct snapshot *snapshot)
{
	struct sshare_reader reader = { .input = input, .lines = lines_of(input) };
	struct piece line;
	size_t header_line;

	read_header(&reader);
	header_line = reader.lines.number;
	while ((line = lines_next(&reader.lines)).at)
		read_line(&reader, line);
	if (!reader.tree.builder.count)
		wrong_at(input, header_line,
			 "no association after the header line, must be at least the root");
	tree_builder_finish(&reader.tree.builder, input, reader.field_of[PARTITION] != NO_FIELD,
			    snapshot);
	set_printed_factors(&reader, snapshot);
}

/* The first line, or the one behind "CLUSTER: NAME", names Account and at least one of RawShares,
 * RawUsage and, between bars, User. Tables of sacct and sacctmgr have Account and User, too. */
static bool sshare_recognize(const struct document *input)
{
	const char *at = input->text + document_mark(input);
	size_t length;

	at += strspn(at, "\r\n");
	if (!strncmp(at, CLUSTER_LINE, strlen(CLUSTER_LINE))) {
		at += strcspn(at, "\n");
		at += strspn(at, "\r\n");
	}
	length = strcspn(at, "\n");
	return memmem(at, length, "Account", 7) &&
	       (memmem(at, length, "RawShares", 9) || memmem(at, length, "RawUsage", 8) ||
		(memmem(at, length, "User", 4) && memchr(at, '|', length)));
}

/* ---- writing ------------------------------------------------------------------- */

/* Writes a name. Fails if it has a '|', or begins with a space, which would be read as depth. */
static void put_name(struct tree_writer *writer, size_t node, const char *name)
{
	tree_writer_check_name(writer, node, name, "|", " ", "sshare");
	fputs(name, writer->out);
}

/* Writes the line of a node. The root has no shares, as in sshare. */
static void put_line(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const bool *with_partition = writer->context;	/* there is a column Partition */
	const char *partition = snapshot_partition(snapshot, node);
	uint32_t shares = fathom_tree_raw_shares(snapshot->tree, node);

	fprintf(writer->out, "%*s", (int)depth, "");
	put_name(writer, node, snapshot_account(snapshot, node));
	fputc('|', writer->out);
	if (fathom_tree_kind(snapshot->tree, node) == FATHOM_USER)
		put_name(writer, node, snapshot_name(snapshot, node));
	if (*with_partition)
		fputc('|', writer->out);
	if (partition)
		put_name(writer, node, partition);
	if (!node)
		fputs("||", writer->out);
	else if (shares == FATHOM_SHARES_PARENT)
		fputs("|parent|", writer->out);
	else
		fprintf(writer->out, "|%" PRIu32 "|", shares);
	fprintf(writer->out, "%.0f\n", fathom_tree_usage(snapshot->tree, node));
}

static void sshare_write(FILE *out, const struct snapshot *snapshot)
{
	bool with_partition = false;
	struct tree_writer writer = { .out = out, .snapshot = snapshot,
				      .context = &with_partition };

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		with_partition |= snapshot_partition(snapshot, node) != NULL;
	fprintf(out, "Account|User|%sRawShares|RawUsage\n", with_partition ? "Partition|" : "");
	tree_writer_run(&writer, put_line);
}

const struct format format_sshare = {
	.name = "sshare",
	.summary = "text of sshare -a -P with Account, User, RawShares, RawUsage",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = sshare_recognize,
	.read = sshare_read,
	.write = sshare_write,
	.keeps = KEEPS_USAGE | KEEPS_PARENT_SHARES | KEEPS_PARTITIONS | KEEPS_EMPTY_ACCOUNTS |
		 KEEPS_CAPITALS | KEEPS_UNKNOWN_SHARES,
};
