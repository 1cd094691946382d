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

#include "core/error.h"
#include "format/tree_details.h"
#include "format/tree_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIELDS 64
#define FIRST_ROWS 1024
#define NO_FIELD SIZE_MAX	/* the file lacks the column */

enum { ACCOUNT, USER, RAW_SHARES, RAW_USAGE, PARTITION, ID, FAIRSHARE, CLUSTER,
       COLUMN_COUNT };

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

struct reader {
	struct document *input;
	struct lines lines;
	size_t field_count;
	size_t field_of[COLUMN_COUNT];	/* by column: its place in a line, or NO_FIELD */
	struct indented_tree tree;
	double *factor;		/* by row: FairShare as printed, or NAN */
	size_t factor_room;
	struct piece cluster;	/* of the first line */
	struct fathom_error *error;
};

static int wrong(struct reader *reader, int column, struct piece field, const char *right)
{
	return wrong_field(reader->input, reader->lines.number, reader->error,
			   columns[column].name, field, right);
}

/* ---- the header -------------------------------------------------------------- */

static int read_header(struct reader *reader)
{
	struct piece line = lines_next(&reader->lines), fields[MOST_FIELDS];

	if (line.length > 9 && !strncmp(line.at, "CLUSTER: ", 9))
		line = lines_next(&reader->lines);
	if (!line.at)
		return input_wrong(reader->input, 1, reader->error,
				   "the file is empty, must be the output of sshare -a -P");
	reader->field_count = split_at('|', line, fields, MOST_FIELDS);
	if (reader->field_count < 2)
		return input_wrong(reader->input, reader->lines.number, reader->error,
				   "no '|' in the header line, must be the output of sshare -a -P");
	if (reader->field_count > MOST_FIELDS)
		return input_wrong(reader->input, reader->lines.number, reader->error,
				   "%zu columns, must be at most %d", reader->field_count,
				   MOST_FIELDS);
	for (size_t column = 0; column < COLUMN_COUNT; column++) {
		size_t field = 0;

		while (field < reader->field_count &&
		       !piece_is_any_case(fields[field], columns[column].name))
			field++;
		reader->field_of[column] = field < reader->field_count ? field : NO_FIELD;
		if (field == reader->field_count && columns[column].needed)
			return input_wrong(
				reader->input, reader->lines.number, reader->error,
				"no column %s in the header line, must have Account, User, "
				"RawShares and RawUsage",
				columns[column].name);
	}
	return 0;
}

/* ---- numbers -------------------------------------------------------------------- */

/* sshare prints no shares for the root. */
static int read_root_shares(struct reader *reader, struct piece field)
{
	uint64_t shares = 1;

	if (field.length && (parse_whole(field, 1, &shares) || shares != 1))
		return wrong(
			reader, RAW_SHARES, field,
			"must be empty or 1 for the root; give the whole output of sshare -a -P");
	return 0;
}

static int read_shares(struct reader *reader, struct piece field, struct fathom_row *row)
{
	if (row->is_root)
		return read_root_shares(reader, field);
	if (piece_is_any_case(field, "parent"))
		row->raw_shares = FATHOM_SHARES_PARENT;
	else if (parse_shares(field, &row->raw_shares))
		return wrong(reader, RAW_SHARES, field, SHARES_RIGHT ", or parent");
	return 0;
}

static int read_usage(struct reader *reader, struct piece field, double *usage)
{
	return parse_amount(field, usage) ? wrong(reader, RAW_USAGE, field, AMOUNT_RIGHT) : 0;
}

static int read_id(struct reader *reader, struct piece field, struct fathom_row *row)
{
	uint64_t id;

	if (parse_whole(field, INT64_MAX, &id))
		return wrong(reader, ID, field, "must be an integer of 0 or more");
	row->id = (int64_t)id;
	return 0;
}

/* Notes the printed factor. It is only compared, so that a wrong number is no error. */
static int add_factor(struct reader *reader, struct piece field)
{
	size_t row = reader->tree.builder.count;
	double factor;

	if (row == reader->factor_room) {
		size_t room = row ? 2 * row : FIRST_ROWS;
		double *grown = reallocarray(reader->factor, room, sizeof(*grown));

		if (!grown)
			return fathom_error_set(reader->error, ENOMEM, "%s", strerror(ENOMEM));
		reader->factor = grown;
		reader->factor_room = room;
	}
	reader->factor[row] = parse_amount(field, &factor) ? NAN : factor;
	return 0;
}

/* Moves the factors into the snapshot, by node. -1: ENOMEM. */
static int set_printed_factors(const struct reader *reader, struct snapshot *snapshot)
{
	size_t count = fathom_tree_count(snapshot->tree);

	snapshot->printed_factor = calloc(count, sizeof(*snapshot->printed_factor));
	if (!snapshot->printed_factor) {
		snapshot_clear(snapshot);
		return fathom_error_set(reader->error, ENOMEM, "%s", strerror(ENOMEM));
	}
	for (size_t row = 0; row < count; row++)
		snapshot->printed_factor[fathom_tree_node_of_row(snapshot->tree, row)] =
			reader->factor[row];
	return 0;
}

/* ---- the depth of a line ------------------------------------------------------------ */

static int refuse_line(struct reader *reader, const char *what)
{
	return input_wrong(reader->input, reader->lines.number, reader->error, "%s", what);
}

static int refuse_depth(struct reader *reader, size_t depth)
{
	return input_wrong(reader->input, reader->lines.number, reader->error,
			   "%zu spaces before the account, must be at most %zu after the previous "
			   "line", depth, reader->tree.depth);
}

static int check_depth(struct reader *reader, size_t depth, struct piece account,
		       const struct fathom_row *row)
{
	if (row->is_root && (depth || row->kind == FATHOM_USER))
		return refuse_line(reader, "the first association must be the root account, "
				   "without spaces before it; give the whole output of "
				   "sshare -a -P");
	if (row->is_root)
		return 0;
	if (!depth)
		return refuse_line(reader, "no spaces before the account; only the root has none");
	if (depth > reader->tree.depth)
		return refuse_depth(reader, depth);
	if (row->kind == FATHOM_USER &&
	    !piece_is(account, indented_tree_parent_name(&reader->tree, depth)))
		return input_wrong(
			reader->input, reader->lines.number, reader->error,
			"the user's account is '%.*s', must be '%.64s', the account above "
			"the line",
			PIECE(account), indented_tree_parent_name(&reader->tree, depth));
	return 0;
}

/* ---- an association ------------------------------------------------------------- */

static struct piece field_of(const struct reader *reader, const struct piece *fields, int column)
{
	size_t field = reader->field_of[column];

	return field == NO_FIELD ? (struct piece){ NULL, 0 } : fields[field];
}

static int check_cluster(struct reader *reader, struct piece cluster)
{
	if (!reader->tree.builder.count)
		reader->cluster = cluster;
	if (cluster.length == reader->cluster.length &&
	    (!cluster.length || !memcmp(cluster.at, reader->cluster.at, cluster.length)))
		return 0;
	return wrong(reader, CLUSTER, cluster, "must be that of the first line; give the output "
					       "for one cluster");
}

static int read_association(struct reader *reader, const struct piece *fields)
{
	struct piece account = field_of(reader, fields, ACCOUNT);
	struct piece user = field_of(reader, fields, USER);
	struct piece partition = field_of(reader, fields, PARTITION);
	struct fathom_row row = { .kind = user.length ? FATHOM_USER : FATHOM_ACCOUNT };
	size_t depth = 0;
	double usage = 0;

	while (depth < account.length && account.at[depth] == ' ')
		depth++;
	account.at += depth;
	account.length -= depth;
	row.id = (int64_t)reader->tree.builder.count + 1;
	row.is_root = !reader->tree.builder.count;
	if (!account.length)
		return wrong(reader, ACCOUNT, account, "must be a name");
	if (check_cluster(reader, field_of(reader, fields, CLUSTER)) ||
	    check_depth(reader, depth, account, &row) ||
	    read_shares(reader, field_of(reader, fields, RAW_SHARES), &row) ||
	    read_usage(reader, field_of(reader, fields, RAW_USAGE), &usage))
		return -1;
	if (reader->field_of[ID] != NO_FIELD &&
	    read_id(reader, field_of(reader, fields, ID), &row))
		return -1;
	if (add_factor(reader, field_of(reader, fields, FAIRSHARE)))
		return -1;
	if (!partition.length)
		partition.at = NULL;
	return indented_tree_add(&reader->tree, reader->input, reader->lines.number, depth, &row,
				 row.kind == FATHOM_USER ? user : account, partition, usage,
				 reader->error);
}

static int read_line(struct reader *reader, struct piece line)
{
	struct piece fields[MOST_FIELDS];
	size_t count = split_at('|', line, fields, MOST_FIELDS);

	if (count == 1 && line.length > 9 && !strncmp(line.at, "CLUSTER: ", 9))
		return refuse_line(
			reader, "a second cluster, must be one; give the output for one cluster");
	if (count != reader->field_count)
		return input_wrong(reader->input, reader->lines.number, reader->error,
				   "%zu columns, must be %zu as in the header line", count,
				   reader->field_count);
	return read_association(reader, fields);
}

static int sshare_read(struct document *input, struct snapshot *snapshot,
		       struct fathom_error *error)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .error = error };
	int status = read_header(&reader);
	size_t header_line = reader.lines.number;
	struct piece line;

	while (!status && (line = lines_next(&reader.lines)).at)
		status = read_line(&reader, line);
	if (!status && !reader.tree.builder.count)
		status = input_wrong(
			input, header_line, error,
			"no association after the header line, must be at least the root");
	if (!status)
		status = indented_tree_finish(&reader.tree, input,
					      reader.field_of[PARTITION] != NO_FIELD, snapshot,
					      error);
	if (!status)
		status = set_printed_factors(&reader, snapshot);
	indented_tree_clear(&reader.tree);
	free(reader.factor);
	return status;
}

/* The file begins with a header line of sshare; columns may be missing. */
static bool sshare_recognize(const struct document *input)
{
	const char *at = input->text + document_mark(input);
	size_t length;

	at += strspn(at, "\r\n");
	if (!strncmp(at, "CLUSTER: ", 9)) {
		at += strcspn(at, "\n");
		at += strspn(at, "\r\n");
	}
	length = strcspn(at, "\n");
	return memmem(at, length, "Account", 7) &&
	       (memmem(at, length, "RawShares", 9) || memmem(at, length, "RawUsage", 8) ||
		memmem(at, length, "User", 4));
}

/* ---- writing ------------------------------------------------------------------- */

static int put_name(struct tree_writer *writer, size_t node, const char *name)
{
	if (tree_writer_check_name(writer, node, name, "|", " ", "sshare"))
		return -1;
	fputs(name, writer->out);
	return 0;
}

/* Writes a line; the root has no shares, as in sshare. */
static int put_line(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const bool *with_partition = writer->context;
	const char *partition = snapshot_partition(snapshot, node);
	uint32_t shares = fathom_tree_raw_shares(snapshot->tree, node);

	fprintf(writer->out, "%*s", (int)depth, "");
	if (put_name(writer, node, snapshot_account(snapshot, node)))
		return -1;
	fputc('|', writer->out);
	if (fathom_tree_kind(snapshot->tree, node) == FATHOM_USER &&
	    put_name(writer, node, snapshot_name(snapshot, node)))
		return -1;
	if (*with_partition)
		fputc('|', writer->out);
	if (partition && put_name(writer, node, partition))
		return -1;
	if (!node)
		fputs("||", writer->out);
	else if (shares == FATHOM_SHARES_PARENT)
		fputs("|parent|", writer->out);
	else
		fprintf(writer->out, "|%" PRIu32 "|", shares);
	fprintf(writer->out, "%.0f\n", fathom_tree_usage(snapshot->tree, node));
	return 0;
}

static int sshare_write(FILE *out, const struct snapshot *snapshot, struct fathom_error *error)
{
	bool with_partition = false;
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .error = error,
				      .context = &with_partition };

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		with_partition |= snapshot_partition(snapshot, node) != NULL;
	fprintf(out, "Account|User|%sRawShares|RawUsage\n", with_partition ? "Partition|" : "");
	return tree_writer_run(&writer, put_line);
}

const struct format format_sshare = {
	.name = "sshare",
	.summary = "text of sshare -a -P with Account, User, RawShares, RawUsage",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = sshare_recognize,
	.read = sshare_read,
	.write = sshare_write,
	.keeps = KEEPS_USAGE | KEEPS_PARENT_SHARES | KEEPS_PARTITIONS | KEEPS_EMPTY_ACCOUNTS,
};
