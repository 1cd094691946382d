/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads trees as slurmrestd answers them: GET /slurmdb/VERSION/associations or sacctmgr --json, GET
 * /slurmdb/VERSION/accounts, and GET /slurm/VERSION/shares (sshare_json.c). Keys are found by their
 * names, as versions of the API differ:
 *
 *	{"associations": [
 *	 {"account": "root", "user": "", "parent_account": "", "shares_raw": 1, ...},
 *	 {"account": "physics", "user": "", "parent_account": "root", "shares_raw": 60, ...},
 *	 {"account": "physics", "user": "ada", "partition": "gpu", "shares_raw": 1, ...}], ...}
 *
 * An association of a user has the name of its account. The answer has no usage. That of accounts
 * has no shares either:
 *
 *	{"accounts": [{"name": "physics", "associations": [
 *	  {"account": "physics", "user": "ada", "partition": ""}, ...]}, ...], ...}
 */
#include "core/error.h"
#include "core/name_index.h"
#include "format/slurm/slurm_json.h"
#include "format/slurm/sshare_json.h"
#include "format/tree_builder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROOT_NAME "root"
#define NO_LIMIT 4294967294.		/* from here on a number means no limit or no value */
#define PARENT_SHARES INT32_MAX		/* so slurmdbd stores FairShare=parent */

/* Members of an association that a tree has no place for. */
static const char *const left_out[] = { "qos", "default", "is_default", "priority", "max", "min",
					"comment" };

#define LEFT_OUT_COUNT (sizeof(left_out) / sizeof(*left_out))

struct reader {
	struct slurm_json json;
	struct name_index accounts;	/* rows by name */
	size_t lost[LEFT_OUT_COUNT];	/* associations that have such a member */
	struct tree_builder builder;
	struct fathom_error *error;
};

/* ---- associations --------------------------------------------------------------------------- */

/* Reads shares. Those that are not set are 1. */
static int read_shares(struct reader *reader, size_t i, uint32_t *shares)
{
	double number;

	if (slurm_json_number(&reader->json, i, "shares_raw", &number))
		return -1;
	*shares = 1;
	if (isnan(number))
		return 0;
	if (!(number >= 0 && number < FATHOM_SHARES_PARENT && number == trunc(number)))
		return slurm_json_wrong(&reader->json, i, "shares_raw", SHARES_RIGHT);
	*shares = number == PARENT_SHARES ? FATHOM_SHARES_PARENT : (uint32_t)number;
	return 0;
}

static int add(struct reader *reader, size_t i, const struct fathom_row *row, struct piece name,
	       struct piece partition)
{
	struct fathom_row numbered = *row;

	numbered.id = (int64_t)reader->builder.count + 1;
	if (read_shares(reader, i, &numbered.raw_shares))
		return -1;
	return tree_builder_add(&reader->builder, reader->json.input, 0, &numbered, name,
				partition, reader->error);
}

static int add_account(struct reader *reader, size_t i, const struct fathom_row *row,
		       struct piece name)
{
	if (name_index_get(&reader->accounts, name) != NAME_INDEX_NONE)
		return input_wrong(reader->json.input, 0, reader->error,
				   "%s[%zu]: a second account '%.*s', must be one; give the "
				   "answer for one cluster", reader->json.name, i, PIECE(name));
	if (add(reader, i, row, name, (struct piece){ NULL, 0 }))
		return -1;
	return name_index_put(&reader->accounts, name, reader->builder.count - 1, reader->error);
}

/* ---- what is left out ----------------------------------------------------------------------- */

/* Returns whether a member says something: a text, a number, a limit that is set, or an object or
 * list with one of these. */
static bool says_something(const json_t *value)
{
	const char *key;
	json_t *member;

	if (json_is_object(value) && json_object_get(value, "set"))
		return json_is_true(json_object_get(value, "set")) &&
		       !json_is_true(json_object_get(value, "infinite")) &&
		       json_number_value(json_object_get(value, "number")) < NO_LIMIT;
	json_object_foreach((json_t *)value, key, member)
		if (says_something(member))
			return true;
	return json_array_size(value) || json_is_true(value) || json_number_value(value) > 0 ||
	       json_string_length(value);
}

static void note_lost(struct reader *reader, size_t i)
{
	for (size_t member = 0; member < LEFT_OUT_COUNT; member++)
		reader->lost[member] +=
			says_something(slurm_json_at(&reader->json, i, left_out[member]));
}

static void set_remark(const struct reader *reader)
{
	char *text = reader->json.input->remark;
	size_t size = sizeof(reader->json.input->remark), length = 0;

	for (size_t i = 0; i < LEFT_OUT_COUNT; i++)
		if (reader->lost[i])
			length += (size_t)snprintf(text + length, size - length, "%s%s (%zu)",
						   length ? ", " : "left out: ", left_out[i],
						   reader->lost[i]);
}

/* ---- places --------------------------------------------------------------------------------- */

/* An answer may be asked to have associations that were deleted. */
static bool is_deleted(const struct reader *reader, size_t i)
{
	return slurm_json_has_word(slurm_json_at(&reader->json, i, "flags"), "DELETED");
}

/* Adds the row of an account. Its parent is found later, as it may come later. */
static int read_account(struct reader *reader, size_t i)
{
	struct fathom_row row = { .kind = FATHOM_ACCOUNT };
	struct piece account, user;

	if (slurm_json_text(&reader->json, i, "account", &account) ||
	    slurm_json_text(&reader->json, i, "user", &user))
		return -1;
	if (user.length || is_deleted(reader, i))
		return 0;
	if (!account.length)
		return slurm_json_wrong(&reader->json, i, "account", "must be a name");
	row.is_root = piece_is(account, ROOT_NAME);
	return add_account(reader, i, &row, account);
}

static int find_account(struct reader *reader, size_t i, const char *key, struct piece name,
			int64_t *id)
{
	size_t row = name_index_get(&reader->accounts, name);

	if (row == NAME_INDEX_NONE)
		return input_wrong(reader->json.input, 0, reader->error,
				   "%s[%zu]: '%s' is '%.*s', which has no association of its "
				   "own", reader->json.name, i, key, PIECE(name));
	*id = reader->builder.row[row].id;
	return 0;
}

/* Sets the parent of an account, or adds a user. */
static int read_place(struct reader *reader, size_t i)
{
	const struct slurm_json *json = &reader->json;
	struct fathom_row row = { .kind = FATHOM_USER };
	struct piece account, user, parent, partition;
	size_t own;

	if (is_deleted(reader, i))
		return 0;
	note_lost(reader, i);
	if (slurm_json_text(json, i, "account", &account) ||
	    slurm_json_text(json, i, "user", &user) ||
	    slurm_json_text(json, i, "parent_account", &parent) ||
	    slurm_json_text(json, i, "partition", &partition))
		return -1;
	if (user.length)
		return find_account(reader, i, "account", account, &row.parent_id) ||
		       add(reader, i, &row, user, partition) ? -1 : 0;
	own = name_index_get(&reader->accounts, account);
	if (reader->builder.row[own].is_root)
		return 0;
	if (!parent.length)
		parent = piece_of(ROOT_NAME);
	return find_account(reader, i, "parent_account", parent,
			    &reader->builder.row[own].parent_id);
}

static int read_associations(struct reader *reader)
{
	size_t count = json_array_size(reader->json.list);

	if (!count)
		return input_wrong(reader->json.input, 0, reader->error,
				   "\"associations\" must be a list with the root account at "
				   "least");
	for (size_t i = 0; i < count; i++)
		if (read_account(reader, i))
			return -1;
	for (size_t i = 0; i < count; i++)
		if (read_place(reader, i))
			return -1;
	set_remark(reader);
	return 0;
}

/* ---- accounts ------------------------------------------------------------------------------- */

/* Adds the users of the account that was added last. */
static int read_users(struct reader *reader, size_t i)
{
	struct slurm_json users = reader->json;
	int64_t id = reader->builder.row[reader->builder.count - 1].id;

	if (slurm_json_choose(&users, json_array_get(reader->json.list, i), "associations"))
		return -1;
	for (size_t j = 0; j < json_array_size(users.list); j++) {
		struct fathom_row row = { .kind = FATHOM_USER, .parent_id = id, .raw_shares = 1 };
		struct piece user, partition;

		row.id = (int64_t)reader->builder.count + 1;
		if (slurm_json_text(&users, j, "user", &user) ||
		    slurm_json_text(&users, j, "partition", &partition))
			return -1;
		if (user.length && tree_builder_add(&reader->builder, users.input, 0, &row, user,
						    partition, reader->error))
			return -1;
	}
	return 0;
}

/* Puts all accounts below root, with one share each, as the answer does not tell their places. */
static int read_accounts(struct reader *reader)
{
	struct fathom_row root = { .id = 1, .kind = FATHOM_ACCOUNT, .is_root = true,
				   .raw_shares = 1 };
	struct fathom_row row = { .kind = FATHOM_ACCOUNT, .parent_id = 1 };
	struct piece name = { ROOT_NAME, strlen(ROOT_NAME) };
	struct document *input = reader->json.input;

	if (tree_builder_add(&reader->builder, input, 0, &root, name, (struct piece){ NULL, 0 },
			     reader->error))
		return -1;
	for (size_t i = 0; i < json_array_size(reader->json.list); i++) {
		if (slurm_json_text(&reader->json, i, "name", &name))
			return -1;
		if (!name.length)
			return slurm_json_wrong(&reader->json, i, "name", "must be a name");
		if (piece_is(name, ROOT_NAME))
			continue;
		if (add_account(reader, i, &row, name) || read_users(reader, i))
			return -1;
	}
	snprintf(input->remark, sizeof(input->remark), "accounts of slurmrestd have no parents and "
		 "no shares: all are below root with 1 share; its associations have both");
	return 0;
}

/* ---- the format ---------------------------------------------------------------------------- */

/* What an answer may have at its top; SHARES are read elsewhere. */
enum answer { ASSOCIATIONS, ACCOUNTS, SHARES };

static const char *const answers[] = { "associations", "accounts", "shares", NULL };

/* Reads one of the lists. */
static int read_answer(struct reader *reader, enum answer which)
{
	if (slurm_json_choose(&reader->json, reader->json.root, answers[which]))
		return -1;
	return which == ACCOUNTS ? read_accounts(reader) : read_associations(reader);
}

static int slurmrest_read(struct document *input, struct snapshot *snapshot,
			  struct fathom_error *error)
{
	struct reader reader = { .error = error };
	size_t which = slurm_json_top(input, answers);
	int status;

	if (which == SHARES)
		return sshare_json_read(input, snapshot, error);
	status = slurm_json_load(&reader.json, input, error);
	if (!status)
		status = read_answer(&reader, which == ACCOUNTS ? ACCOUNTS : ASSOCIATIONS);
	if (!status)
		status = tree_builder_finish(&reader.builder, input, true, snapshot, error);
	tree_builder_clear(&reader.builder);
	name_index_clear(&reader.accounts);
	slurm_json_clear(&reader.json);
	return status;
}

static bool slurmrest_recognize(const struct document *input)
{
	return slurm_json_top(input, answers) < SHARES;
}

const struct format format_slurmrest = {
	.name = "slurmrest",
	.summary = "associations, accounts or shares of slurmrestd, or sacctmgr --json",
	.holds = HOLDS_TREE,
	.recognize = slurmrest_recognize,
	.read = slurmrest_read,
};
