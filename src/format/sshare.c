/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `sshare -a -P` prints: a header, then one association a line in
 * depth-first order, its depth the number of spaces before the account. A
 * user's line bears the name of its account. Columns in any order.
 */
#include "format/draft.h"
#include "format/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_FIELDS 64
#define NO_FIELD SIZE_MAX

enum { ACCOUNT, USER, RAW_SHARES, RAW_USAGE, PARTITION, ID, COLUMN_COUNT };

static const struct { const char *name; bool needed; } columns[COLUMN_COUNT] = {
	[ACCOUNT] = { "Account", true },
	[USER] = { "User", true },
	[RAW_SHARES] = { "RawShares", true },
	[RAW_USAGE] = { "RawUsage", true },
	[PARTITION] = { "Partition", false },
	[ID] = { "ID", false },
};

struct reader {
	struct input *input;
	char *at, *end;		/* what is not read yet */
	size_t line;
	size_t field_count, field_of[COLUMN_COUNT];
	bool has_cluster;
	struct draft draft;
	double *usage, *children;	/* by row: RawUsage as printed; its children's sum */
	size_t usage_room;
	uint32_t *path;		/* row of the last account of each depth */
	size_t depth, path_room;	/* accounts in path */
	struct fathom_error *error;
};

/* ---- lines and fields ------------------------------------------------------------ */

/* The next line that is not blank, without its end; at NULL: there is none. */
static struct piece next_line(struct reader *reader)
{
	while (reader->at < reader->end) {
		char *at = reader->at, *end = memchr(at, '\n', (size_t)(reader->end - at));
		size_t length;

		if (!end)
			end = reader->end;
		reader->at = end + 1;
		reader->line++;
		length = (size_t)(end - at);
		if (length && at[length - 1] == '\r')
			length--;
		if (length)
			return (struct piece){ at, length };
	}
	return (struct piece){ NULL, 0 };
}

/* Splits at '|'; what is beyond `room` is counted but not given. */
static size_t split(struct piece line, struct piece *fields, size_t room)
{
	size_t count = 0;
	const char *at = line.at, *end = line.at + line.length;

	for (;;) {
		const char *bar = memchr(at, '|', (size_t)(end - at));

		if (count < room)
			fields[count] = (struct piece){ at, (size_t)((bar ? bar : end) - at) };
		count++;
		if (!bar)
			return count;
		at = bar + 1;
	}
}

static bool is_word(struct piece piece, const char *word)
{
	return piece.length == strlen(word) && !strncasecmp(piece.at, word, piece.length);
}

static int wrong_field(struct reader *reader, int column, struct piece field, const char *right)
{
	const char *name = columns[column].name;

	if (!field.length)
		return input_wrong(reader->input, reader->line, reader->error, "%s is empty, %s", name,
				   right);
	return input_wrong(reader->input, reader->line, reader->error, "%s is '%.*s', %s", name,
			   (int)(field.length < 48 ? field.length : 48), field.at, right);
}

/* ---- the header -------------------------------------------------------------- */

static int read_header(struct reader *reader)
{
	struct piece line = next_line(reader), fields[MOST_FIELDS];

	if (line.length > 9 && !strncmp(line.at, "CLUSTER: ", 9)) {
		reader->has_cluster = true;
		line = next_line(reader);
	}
	if (!line.at)
		return input_wrong(reader->input, 1, reader->error,
				   "the file is empty, must be the output of sshare -a -P");
	reader->field_count = split(line, fields, MOST_FIELDS);
	if (reader->field_count < 2)
		return input_wrong(reader->input, reader->line, reader->error,
				   "no '|' in the header line, must be the output of sshare -a -P");
	if (reader->field_count > MOST_FIELDS)
		return input_wrong(reader->input, reader->line, reader->error,
				   "%zu columns, must be at most %d", reader->field_count, MOST_FIELDS);
	for (size_t column = 0; column < COLUMN_COUNT; column++) {
		size_t field = 0;

		while (field < reader->field_count && !is_word(fields[field], columns[column].name))
			field++;
		reader->field_of[column] = field < reader->field_count ? field : NO_FIELD;
		if (field == reader->field_count && columns[column].needed)
			return input_wrong(reader->input, reader->line, reader->error,
					   "no column %s in the header line, must have Account, User, "
					   "RawShares and RawUsage", columns[column].name);
	}
	return 0;
}

/* ---- numbers -------------------------------------------------------------------- */

/* Digits alone; -1 for anything else, and above `most`. */
static int parse_whole(struct piece field, uint64_t most, uint64_t *value)
{
	uint64_t sum = 0;

	if (!field.length)
		return -1;
	for (size_t i = 0; i < field.length; i++) {
		uint64_t digit = (uint64_t)(field.at[i] - '0');

		if (field.at[i] < '0' || field.at[i] > '9' || sum > (most - digit) / 10)
			return -1;
		sum = 10 * sum + digit;
	}
	*value = sum;
	return 0;
}

static int take_root_shares(struct reader *reader, struct piece field)
{
	uint64_t shares = 1;

	if (field.length && (parse_whole(field, 1, &shares) || shares != 1))
		return wrong_field(reader, RAW_SHARES, field,
				   "must be empty or 1 for the root; take all of sshare -a -P");
	return 0;
}

static int take_shares(struct reader *reader, struct piece field, struct fathom_row *row)
{
	uint64_t shares;

	if (row->is_root)
		return take_root_shares(reader, field);
	if (is_word(field, "parent")) {
		row->raw_shares = FATHOM_SHARES_PARENT;
		return 0;
	}
	if (parse_whole(field, FATHOM_SHARES_PARENT - 1, &shares))
		return wrong_field(reader, RAW_SHARES, field,
				   "must be an integer from 0 to 4294967294, or parent");
	row->raw_shares = (uint32_t)shares;
	return 0;
}

static int take_usage(struct reader *reader, struct piece field, double *usage)
{
	uint64_t whole;
	char text[400], *end;

	if (!parse_whole(field, UINT64_MAX, &whole)) {
		*usage = (double)whole;
		return 0;
	}
	if (field.length && field.length < sizeof(text)) {
		memcpy(text, field.at, field.length);
		text[field.length] = '\0';
		if (strspn(text, "0123456789.eE+-") == field.length && *text != '+') {
			*usage = strtod(text, &end);
			if (!*end && *usage >= 0 && isfinite(*usage))
				return 0;
		}
	}
	return wrong_field(reader, RAW_USAGE, field, "must be a number of 0 or more");
}

static int take_id(struct reader *reader, struct piece field, struct fathom_row *row)
{
	uint64_t id;

	if (parse_whole(field, INT64_MAX, &id))
		return wrong_field(reader, ID, field, "must be an integer of 0 or more");
	row->id = (int64_t)id;
	return 0;
}

/* ---- a line's place ---------------------------------------------------------------- */

static int wrong_place(struct reader *reader, const char *what)
{
	return input_wrong(reader->input, reader->line, reader->error, "%s", what);
}

static int too_deep(struct reader *reader, size_t depth)
{
	return input_wrong(reader->input, reader->line, reader->error,
			   "%zu spaces before the account, must be at most %zu below the line "
			   "before", depth, reader->depth);
}

static bool is_account(const struct reader *reader, uint32_t row, struct piece name)
{
	const char *account = reader->draft.text + reader->draft.name[row];

	return strlen(account) == name.length && !memcmp(account, name.at, name.length);
}

static int find_parent(struct reader *reader, size_t depth, struct piece account,
		       struct fathom_row *row)
{
	row->is_root = !reader->draft.count;
	if (row->is_root)
		return depth || row->kind == FATHOM_USER ?
		       wrong_place(reader, "the first association must be the root account, without "
				   "spaces before it; take all of sshare -a -P") : 0;
	if (!depth)
		return wrong_place(reader, "no spaces before the account, which only the root is "
				   "without");
	if (depth > reader->depth)
		return too_deep(reader, depth);
	row->parent_id = reader->draft.row[reader->path[depth - 1]].id;
	if (row->kind == FATHOM_USER && !is_account(reader, reader->path[depth - 1], account))
		return input_wrong(reader->input, reader->line, reader->error,
				   "the user's account is '%.*s', must be '%.64s', below which it "
				   "stands", (int)(account.length < 64 ? account.length : 64), account.at,
				   reader->draft.text +
				   reader->draft.name[reader->path[depth - 1]]);
	return 0;
}

/* The usage that a row shows beyond its children's will be its own. */
static int keep_usage(struct reader *reader, size_t row, size_t depth, double usage)
{
	if (row >= reader->usage_room) {
		size_t room = reader->draft.room;
		double *grown = reallocarray(reader->usage, room, sizeof(*grown));

		if (grown)
			reader->usage = grown;
		grown = grown ? reallocarray(reader->children, room, sizeof(*grown)) : NULL;
		if (!grown)
			return wrong_place(reader, "out of memory");
		reader->children = grown;
		reader->usage_room = room;
	}
	reader->usage[row] = usage;
	reader->children[row] = 0;
	if (depth)
		reader->children[reader->path[depth - 1]] += usage;
	return 0;
}

static int enter_path(struct reader *reader, size_t row, size_t depth, enum fathom_kind kind)
{
	reader->depth = depth;
	if (kind == FATHOM_USER)
		return 0;
	if (depth == reader->path_room) {
		size_t room = depth ? 2 * depth : 16;
		uint32_t *path = reallocarray(reader->path, room, sizeof(*path));

		if (!path)
			return wrong_place(reader, "out of memory");
		reader->path = path;
		reader->path_room = room;
	}
	reader->path[depth] = (uint32_t)row;
	reader->depth++;
	return 0;
}

/* ---- an association ------------------------------------------------------------- */

static struct piece field_of(const struct reader *reader, const struct piece *fields, int column)
{
	size_t field = reader->field_of[column];

	return field == NO_FIELD ? (struct piece){ NULL, 0 } : fields[field];
}

static int read_association(struct reader *reader, const struct piece *fields)
{
	struct piece account = field_of(reader, fields, ACCOUNT);
	struct piece user = field_of(reader, fields, USER);
	struct piece partition = field_of(reader, fields, PARTITION);
	struct fathom_row row = { .kind = user.length ? FATHOM_USER : FATHOM_ACCOUNT };
	size_t depth = 0, at = reader->draft.count;
	double usage = 0;

	while (depth < account.length && account.at[depth] == ' ')
		depth++;
	account.at += depth;
	account.length -= depth;
	row.id = (int64_t)at + 1;
	if (!account.length)
		return wrong_field(reader, ACCOUNT, account, "must be a name");
	if (find_parent(reader, depth, account, &row) ||
	    take_shares(reader, field_of(reader, fields, RAW_SHARES), &row) ||
	    take_usage(reader, field_of(reader, fields, RAW_USAGE), &usage))
		return -1;
	if (reader->field_of[ID] != NO_FIELD &&
	    take_id(reader, field_of(reader, fields, ID), &row))
		return -1;
	if (!partition.length)
		partition.at = NULL;
	if (draft_add(&reader->draft, reader->input, reader->line, &row,
		      row.kind == FATHOM_USER ? user : account, partition, reader->error))
		return -1;
	if (keep_usage(reader, at, depth, usage))
		return -1;
	return enter_path(reader, at, depth, row.kind);
}

static int read_line(struct reader *reader, struct piece line)
{
	struct piece fields[MOST_FIELDS];
	size_t count = split(line, fields, MOST_FIELDS);

	if (count == 1 && line.length > 9 && !strncmp(line.at, "CLUSTER: ", 9))
		return wrong_place(reader, "a second cluster, must be one tree; take sshare -M with one");
	if (count != reader->field_count)
		return input_wrong(reader->input, reader->line, reader->error,
				   "%zu columns, must be %zu as in the header line", count,
				   reader->field_count);
	return read_association(reader, fields);
}

static void set_own_usage(struct reader *reader)
{
	for (size_t row = 0; row < reader->draft.count; row++) {
		double own = reader->usage[row] - reader->children[row];

		reader->draft.row[row].usage = own > 0 ? own : 0;
	}
}

static size_t mark_length(const struct input *input)
{
	return strncmp(input->text, "\xef\xbb\xbf", 3) ? 0 : 3;	/* byte order mark */
}

static int sshare_read(struct input *input, struct snapshot *snapshot, struct fathom_error *error)
{
	struct reader reader = {
		.input = input, .at = input->text + mark_length(input),
		.end = input->text + input->length, .error = error,
	};
	int status = read_header(&reader);
	size_t header_line = reader.line;

	while (!status) {
		struct piece line = next_line(&reader);

		if (!line.at)
			break;
		status = read_line(&reader, line);
	}
	if (!status && !reader.draft.count)
		status = input_wrong(input, header_line, error,
				     "no association after the header line, must be at least the root");
	if (!status) {
		set_own_usage(&reader);
		status = draft_finish(&reader.draft, input, reader.field_of[PARTITION] != NO_FIELD,
				      snapshot, error);
	}
	draft_clear(&reader.draft);
	free(reader.usage);
	free(reader.children);
	free(reader.path);
	return status;
}

/* A header line of sshare, whatever is wrong with it. */
static bool sshare_recognize(const struct input *input)
{
	const char *at = input->text + mark_length(input);
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

const struct format format_sshare = {
	.name = "sshare",
	.summary = "text of sshare -a -P with Account, User, RawShares, RawUsage",
	.recognize = sshare_recognize,
	.read = sshare_read,
};
