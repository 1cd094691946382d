/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads shares as slurmrestd answers GET /slurm/VERSION/shares; sshare --json prints the same:
 *
 *	{"shares": {"shares": [
 *	 {"id": 1, "name": "root", "parent": "", "shares": {"set": false, ...}, "usage": 30},
 *	 {"id": 2, "name": "physics", "parent": "root", "type": [], "shares": {...}, "usage": 30},
 *	 {"id": 3, "name": "ada", "parent": "physics", "type": ["USER"], ...}], ...}, ...}
 *
 * An association names its parent account, and its usage contains that of its children.
 */
#include "format/format.h"
#include "format/slurm/slurm_json.h"
#include "format/tree_builder.h"
#include "memory/need_names.h"

#include <math.h>

#define ROOT_NAME "root"
#define MOST_USAGE 18446744073709551616.	/* 2^64; Slurm has 64 bits for it */

struct shares_reader {
	struct slurm_json json;
	struct tree_builder builder;	/* row i is element i of the list */
};

/* ---- an association ------------------------------------------------------------------ */

/* Adds a row without its parent, whose element may come later. Its usage is that of the list, which
 * contains that of its children. Without an id, the number of the element, from 1, is taken. */
static void add_association(struct shares_reader *reader)
{
	const struct slurm_json *json = &reader->json;
	bool is_user = slurm_json_has_word(slurm_json_at(json, "type"), "USER");
	struct piece name = slurm_json_text(json, "name");
	struct piece parent = slurm_json_text(json, "parent");
	struct piece partition = slurm_json_text(json, "partition");
	double id = slurm_json_number(json, "id"), usage = slurm_json_number(json, "usage");
	struct fathom_row row = {
		.id = id > 0 && id < UINT32_MAX ? (int64_t)id : (int64_t)json->i + 1,
		.kind = is_user ? FATHOM_USER : FATHOM_ACCOUNT,
		.is_root = !is_user && !parent.length, .usage = isnan(usage) ? 0 : usage,
		.raw_shares = slurm_json_shares(json, "shares"),
	};

	if (!(row.usage >= 0 && row.usage <= MOST_USAGE))
		slurm_json_wrong(json, "usage", AMOUNT_RIGHT);
	if (!name.length)
		slurm_json_wrong(json, "name", "must be a name");
	if (!is_user)
		slurm_json_check_account(json, reader->builder.accounts, name);
	tree_builder_add(&reader->builder, json->input, 0, &row, name, partition);
}

/* ---- the tree ---------------------------------------------------------------------- */

/* Sets the parent of the row of an element. */
static void find_parent(struct shares_reader *reader)
{
	struct piece name = slurm_json_text(&reader->json, "parent");
	size_t i = reader->json.i, parent;

	if (reader->builder.row[i].is_root)
		return;
	if (!name.length)
		name = piece_of(ROOT_NAME);
	parent = name_index_get(reader->builder.accounts, name);
	if (parent == NAME_INDEX_NONE)
		wrong_at(reader->json.input, 0, "shares[%zu]: 'parent' is '%.*s', which is not an "
			 "account of the list; give the output of sshare -a", i, PIECE(name));
	reader->builder.row[i].parent_id = reader->builder.row[parent].id;
}

/* Reads all elements of the list, and then finds their parents. The list is in an object of the
 * same name; some clients keep only that object of the answer. */
static void sshare_json_read(struct document *input, struct snapshot *snapshot)
{
	struct shares_reader reader = { .json = slurm_json_load(input), .builder.has_totals = true,
					.builder.accounts = need_index() };
	const struct parsed *object = parsed_member(reader.json.root, "shares");

	if (!parsed_is(object, PARSED_OBJECT))
		object = reader.json.root;
	slurm_json_choose(&reader.json, object, "shares");
	if (!parsed_count(reader.json.list))
		wrong_at(input, 0, "\"shares\" must be a list with the root account at least");
	while (slurm_json_next(&reader.json))
		add_association(&reader);
	while (slurm_json_next(&reader.json))
		find_parent(&reader);
	tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
}

static bool recognize(const struct document *input)
{
	static const char *const names[] = { "shares", NULL };

	return slurm_json_top(input, names) != SIZE_MAX;
}

const struct format format_sshare_json = {
	.name = "sshare-json",
	.summary = "the output of sshare --json, or shares of slurmrestd",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = recognize,
	.read = sshare_json_read,
};
