/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the associations of slurmrestd, GET /slurmdb/VERSION/associations, or of
 * sacctmgr --json. Keys are found by their names, as versions of the API differ:
 *
 *	{"associations": [
 *	 {"account": "root", "user": "", "parent_account": "", "shares_raw": 1, ...},
 *	 {"account": "physics", "user": "", "parent_account": "root", "shares_raw": 60, ...},
 *	 {"account": "physics", "user": "ada", "partition": "gpu", "shares_raw": 1, ...}], ...}
 *
 * An association of a user has the name of its account. The answer has no usage.
 */
#include "core/error.h"
#include "core/name_index.h"
#include "format/tree_builder.h"

#include <jansson.h>
#include <string.h>

#define LIST "associations"
#define SHARES_KEY "shares_raw"
#define ROOT_NAME "root"
#define PARENT_SHARES INT32_MAX		/* so slurmdbd stores FairShare=parent */

struct reader {
	struct input *input;
	const json_t *list;
	struct name_index accounts;	/* rows by name */
	struct tree_builder builder;
	struct fathom_error *error;
};

static int wrong(struct reader *reader, size_t i, const char *key, const char *right)
{
	return input_wrong(reader->input, 0, reader->error, LIST "[%zu]: '%s' %s", i, key, right);
}

/* ---- values of keys ----------------------------------------------------------------------- */

/* Reads a text; a key that is missing or null is an empty one. */
static int read_text(struct reader *reader, size_t i, const char *key, struct piece *text)
{
	const json_t *value = json_object_get(json_array_get(reader->list, i), key);

	*text = (struct piece){ NULL, 0 };
	if (!value || json_is_null(value))
		return 0;
	if (!json_is_string(value))
		return wrong(reader, i, key, "must be a string");
	if (json_string_length(value))
		*text = (struct piece){ json_string_value(value), json_string_length(value) };
	return 0;
}

/* Reads shares, a number or {"set": true, "number": 1}. Shares that are not set are 1. */
static int read_shares(struct reader *reader, size_t i, uint32_t *shares)
{
	const json_t *value = json_object_get(json_array_get(reader->list, i), SHARES_KEY);
	json_int_t number;

	*shares = 1;
	if (json_is_object(value) && json_is_false(json_object_get(value, "set")))
		return 0;
	if (json_is_object(value))
		value = json_object_get(value, "number");
	if (!value || json_is_null(value))
		return 0;
	number = json_integer_value(value);
	if (!json_is_integer(value) || number < 0 || number >= FATHOM_SHARES_PARENT)
		return wrong(reader, i, SHARES_KEY, SHARES_RIGHT);
	*shares = number == PARENT_SHARES ? FATHOM_SHARES_PARENT : (uint32_t)number;
	return 0;
}

/* ---- associations --------------------------------------------------------------------------- */

static int add(struct reader *reader, size_t i, const struct fathom_row *row, struct piece name,
	       struct piece partition)
{
	struct fathom_row numbered = *row;

	numbered.id = (int64_t)reader->builder.count + 1;
	if (read_shares(reader, i, &numbered.raw_shares))
		return -1;
	return tree_builder_add(&reader->builder, reader->input, 0, &numbered, name, partition,
				reader->error);
}

/* Adds the row of an account. Its parent is found later, as it may come later. */
static int read_account(struct reader *reader, size_t i)
{
	struct fathom_row row = { .kind = FATHOM_ACCOUNT };
	struct piece account, user;

	if (!json_is_object(json_array_get(reader->list, i)))
		return input_wrong(reader->input, 0, reader->error, LIST "[%zu] is not an object",
				   i);
	if (read_text(reader, i, "account", &account) || read_text(reader, i, "user", &user))
		return -1;
	if (user.length)
		return 0;
	if (!account.length)
		return wrong(reader, i, "account", "must be a name");
	if (name_index_get(&reader->accounts, account) != NAME_INDEX_NONE)
		return input_wrong(reader->input, 0, reader->error,
				   LIST "[%zu]: a second account '%.*s', must be one; give the "
				   "answer for one cluster", i, PIECE(account));
	row.is_root = piece_is(account, ROOT_NAME);
	if (add(reader, i, &row, account, (struct piece){ NULL, 0 }))
		return -1;
	return name_index_put(&reader->accounts, account, reader->builder.count - 1,
			      reader->error);
}

static int find_account(struct reader *reader, size_t i, const char *key, struct piece name,
			int64_t *id)
{
	size_t row = name_index_get(&reader->accounts, name);

	if (row == NAME_INDEX_NONE)
		return input_wrong(reader->input, 0, reader->error,
				   LIST "[%zu]: '%s' is '%.*s', which has no association of its "
				   "own", i, key, PIECE(name));
	*id = reader->builder.row[row].id;
	return 0;
}

/* Sets the parent of an account, or adds a user. */
static int read_place(struct reader *reader, size_t i)
{
	struct fathom_row row = { .kind = FATHOM_USER };
	struct piece account, user, parent, partition;
	size_t own;

	if (read_text(reader, i, "account", &account) || read_text(reader, i, "user", &user) ||
	    read_text(reader, i, "parent_account", &parent) ||
	    read_text(reader, i, "partition", &partition))
		return -1;
	if (user.length)
		return find_account(reader, i, "account", account, &row.parent_id) ||
		       add(reader, i, &row, user, partition) ? -1 : 0;
	own = name_index_get(&reader->accounts, account);
	if (reader->builder.row[own].is_root)
		return 0;
	if (!parent.length)
		parent = (struct piece){ ROOT_NAME, strlen(ROOT_NAME) };
	return find_account(reader, i, "parent_account", parent,
			    &reader->builder.row[own].parent_id);
}

static int read_list(struct reader *reader)
{
	size_t count = json_array_size(reader->list);

	if (!count)
		return input_wrong(reader->input, 0, reader->error,
				   "\"" LIST "\" must be a list with the root account at least");
	for (size_t i = 0; i < count; i++)
		if (read_account(reader, i))
			return -1;
	for (size_t i = 0; i < count; i++)
		if (read_place(reader, i))
			return -1;
	return 0;
}

/* ---- the format ---------------------------------------------------------------------------- */

static int slurmrest_read(struct input *input, struct snapshot *snapshot,
			  struct fathom_error *error)
{
	struct reader reader = { .input = input, .error = error };
	size_t mark = input_mark(input);
	json_error_t wrong_json;
	json_t *root = json_loadb(input->text + mark, input->length - mark, JSON_REJECT_DUPLICATES,
				  &wrong_json);
	int status;

	if (!root)
		return input_wrong(input, (size_t)wrong_json.line, error, "not JSON: %s",
				   wrong_json.text);
	reader.list = json_object_get(root, LIST);
	status = read_list(&reader);
	if (!status)
		status = tree_builder_finish(&reader.builder, input, true, snapshot, error);
	tree_builder_clear(&reader.builder);
	name_index_clear(&reader.accounts);
	json_decref(root);
	return status;
}

/* An object of JSON with associations as slurmrestd has them. */
static bool slurmrest_recognize(const struct input *input)
{
	const char *at = input->text + input_mark(input);
	size_t length = input->length - input_mark(input);

	at += strspn(at, " \t\r\n");
	return *at == '{' && memmem(input->text, length, "\"" LIST "\"", strlen(LIST) + 2) &&
	       memmem(input->text, length, "\"" SHARES_KEY "\"", strlen(SHARES_KEY) + 2);
}

const struct format format_slurmrest = {
	.name = "slurmrest",
	.summary = "associations of slurmrestd, or of sacctmgr --json",
	.holds = HOLDS_TREE,
	.recognize = slurmrest_recognize,
	.read = slurmrest_read,
};
