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
 * An association of a user names its account. The answer has no usage. The answer with accounts has
 * no shares either:
 *
 *	{"accounts": [{"name": "physics", "associations": [
 *	  {"account": "physics", "user": "ada", "partition": ""}, ...]}, ...], ...}
 */
#include "format/format.h"
#include "format/slurm/slurm_json.h"
#include "format/tree_builder.h"
#include "memory/need_names.h"

#include <stdio.h>

#define ROOT_NAME "root"

/* Members of an association that a tree cannot have. */
static const char *const left_out[] = { "qos", "default", "is_default", "priority", "max", "min",
					"comment" };

#define LEFT_OUT_COUNT (sizeof(left_out) / sizeof(*left_out))

struct slurmrest_reader {
	struct slurm_json json;
	struct piece cluster;		/* see slurm_json_check_cluster() */
	size_t lost[LEFT_OUT_COUNT];	/* the number of associations with each such member */
	struct tree_builder builder;
};

/* ---- associations --------------------------------------------------------------------------- */

/* Adds a row, whose id is its number from 1. */
static void add(struct slurmrest_reader *reader, struct fathom_row row, struct piece name,
		struct piece partition)
{
	row.id = (int64_t)reader->builder.count + 1;
	tree_builder_add(&reader->builder, reader->json.input, 0, &row, name, partition);
}

/* Adds the row of an account with the shares of the element. */
static void add_account(struct slurmrest_reader *reader, struct fathom_row row, struct piece name)
{
	slurm_json_check_account(&reader->json, reader->builder.accounts, name);
	row.raw_shares = slurm_json_shares(&reader->json, "shares_raw");
	add(reader, row, name, (struct piece){ NULL, 0 });
}

/* ---- what is left out ----------------------------------------------------------------------- */

/* Returns whether a member has a value that gets lost: a text that is not empty, a number above 0,
 * true, a limit that is set, a list that is not empty, or an object with one of these. */
static bool has_value(const struct parsed *value)
{
	const char *key;
	const struct parsed *member;

	if (parsed_is(value, PARSED_OBJECT) && parsed_member(value, "set"))
		return parsed_is(parsed_member(value, "set"), PARSED_TRUE) &&
		       !parsed_is(parsed_member(value, "infinite"), PARSED_TRUE) &&
		       parsed_number(parsed_member(value, "number")) < SLURM_JSON_NO_LIMIT;
	parsed_for_each_key(value, key, member)
		if (has_value(member))
			return true;
	return parsed_count(value) || parsed_is(value, PARSED_TRUE) || parsed_number(value) > 0 ||
	       parsed_length(value);
}

/* Tells the user which members were left out, and of how many associations. */
static void set_remark(const struct slurmrest_reader *reader)
{
	char *text = reader->json.input->remark;
	size_t size = sizeof(reader->json.input->remark), length = 0;

	for (size_t i = 0; i < LEFT_OUT_COUNT; i++)
		if (reader->lost[i])
			length += (size_t)snprintf(text + length, size - length, "%s%s (%zu)",
						   length ? ", " : "left out: ", left_out[i],
						   reader->lost[i]);
}

/* ---- the tree of associations --------------------------------------------------------------- */

/* Returns whether an association was deleted; a client may ask slurmrestd for such ones, too. */
static bool is_deleted(const struct slurmrest_reader *reader)
{
	return slurm_json_has_word(slurm_json_at(&reader->json, "flags"), "DELETED");
}

/* Adds the row of an association if it is that of an account. read_place() sets the parent, which
 * may come later. */
static void read_account(struct slurmrest_reader *reader)
{
	struct piece account = slurm_json_text(&reader->json, "account");
	struct piece user = slurm_json_text(&reader->json, "user");

	if (is_deleted(reader))
		return;
	slurm_json_check_cluster(&reader->json, &reader->cluster);
	if (user.length)
		return;
	if (!account.length)
		slurm_json_wrong(&reader->json, "account", "must be a name");
	add_account(reader, (struct fathom_row){ .kind = FATHOM_ACCOUNT,
						    .is_root = piece_is(account, ROOT_NAME) },
		    account);
}

/* Returns the id of an account. Fails if it has no row; key: that names it, for the error. */
static int64_t find_account(struct slurmrest_reader *reader, const char *key, struct piece name)
{
	size_t row = name_index_get(reader->builder.accounts, name);

	if (row == NAME_INDEX_NONE)
		wrong_at(reader->json.input, 0, "%s[%zu]: '%s' is '%.*s', which has no association "
			 "of its own", reader->json.name, reader->json.i, key, PIECE(name));
	return reader->builder.row[row].id;
}

/* Sets the parent of an account, whose row has been added; or adds the row of a user. */
static void read_place(struct slurmrest_reader *reader)
{
	const struct slurm_json *json = &reader->json;
	struct piece account, user, parent, partition;
	struct fathom_row *own;

	if (is_deleted(reader))
		return;
	for (size_t member = 0; member < LEFT_OUT_COUNT; member++)
		reader->lost[member] += has_value(slurm_json_at(json, left_out[member]));
	account = slurm_json_text(json, "account");
	user = slurm_json_text(json, "user");
	parent = slurm_json_text(json, "parent_account");
	partition = slurm_json_text(json, "partition");
	if (user.length) {
		add(reader, (struct fathom_row){
			.kind = FATHOM_USER, .parent_id = find_account(reader, "account", account),
			.raw_shares = slurm_json_shares(json, "shares_raw") }, user, partition);
		return;
	}
	own = &reader->builder.row[name_index_get(reader->builder.accounts, account)];
	if (!own->is_root)
		own->parent_id = find_account(reader, "parent_account",
					      parent.length ? parent : piece_of(ROOT_NAME));
}

/* Reads the list of associations, first all accounts. */
static void read_associations(struct slurmrest_reader *reader)
{
	if (!parsed_count(reader->json.list))
		wrong_at(reader->json.input, 0,
			 "\"associations\" must be a list with the root account at least");
	while (slurm_json_next(&reader->json))
		read_account(reader);
	while (slurm_json_next(&reader->json))
		read_place(reader);
	set_remark(reader);
}

/* ---- accounts ------------------------------------------------------------------------------- */

/* Adds the users of the element, the account that was added last. */
static void read_users(struct slurmrest_reader *reader)
{
	struct slurm_json users = reader->json;
	int64_t id = reader->builder.row[reader->builder.count - 1].id;

	slurm_json_choose(&users, reader->json.element, "associations");
	while (slurm_json_next(&users)) {
		struct piece user = slurm_json_text(&users, "user");
		struct piece partition = slurm_json_text(&users, "partition");

		slurm_json_check_cluster(&users, &reader->cluster);
		if (user.length)
			add(reader, (struct fathom_row){ .kind = FATHOM_USER, .parent_id = id,
							 .raw_shares = 1 }, user, partition);
	}
}

/* Puts all accounts below root, with one share each, as the answer does not tell their places. */
static void read_accounts(struct slurmrest_reader *reader)
{
	struct fathom_row root = { .kind = FATHOM_ACCOUNT, .is_root = true, .raw_shares = 1 };
	struct fathom_row row = { .kind = FATHOM_ACCOUNT, .parent_id = 1 };
	struct document *input = reader->json.input;

	add(reader, root, piece_of(ROOT_NAME), (struct piece){ NULL, 0 });
	while (slurm_json_next(&reader->json)) {
		struct piece name = slurm_json_text(&reader->json, "name");

		if (!name.length)
			slurm_json_wrong(&reader->json, "name", "must be a name");
		if (piece_is(name, ROOT_NAME))
			continue;
		add_account(reader, row, name);
		read_users(reader);
	}
	document_remark(input, "accounts of slurmrestd have no parents and no shares: all are "
			"below root with 1 share; its associations have both");
}

/* ---- the format ---------------------------------------------------------------------------- */

/* The list that an answer has at its top. */
enum answer { ASSOCIATIONS, ACCOUNTS, SHARES };

static const char *const answers[] = { "associations", "accounts", "shares", NULL };

static void slurmrest_read(struct document *input, struct snapshot *snapshot)
{
	size_t answer = slurm_json_top(input, answers);
	struct slurmrest_reader reader = { .builder.accounts = need_index() };

	if (answer == SHARES) {
		format_sshare_json.read(input, snapshot);
		return;
	}
	reader.json = slurm_json_load(input);
	/* without any of the lists, the error is that of missing associations */
	answer = answer == ACCOUNTS ? ACCOUNTS : ASSOCIATIONS;
	slurm_json_choose(&reader.json, reader.json.root, answers[answer]);
	(answer == ACCOUNTS ? read_accounts : read_associations)(&reader);
	tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
}

/* An answer with shares is recognised as that of sshare --json. */
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
