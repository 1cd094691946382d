/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads shares as sshare --json prints them, and slurmrestd, GET /slurm/VERSION/shares:
 *
 *	{"shares": {"shares": [
 *	 {"id": 1, "name": "root", "parent": "", "shares": {"set": false, ...}, "usage": 30},
 *	 {"id": 2, "name": "physics", "parent": "root", "type": [], "shares": {...}, "usage": 30},
 *	 {"id": 3, "name": "ada", "parent": "physics", "type": ["USER"], ...}], ...}, ...}
 *
 * An association names its parent account, and its usage contains that of its children.
 */
#include "format/slurm/sshare_json.h"

#include "core/error.h"
#include "core/name_index.h"
#include "format/slurm/slurm_json.h"
#include "format/tree_builder.h"

#include <math.h>
#include <stdlib.h>

#define ROOT_NAME "root"
#define PARENT_SHARES 2147483647.	/* so slurmctld stores FairShare=parent */
#define MOST_USAGE 18446744073709551616.
#define NO_PARENT SIZE_MAX

struct shares_reader {
	struct slurm_json json;
	struct name_index accounts;	/* rows by name */
	struct tree_builder builder;
	size_t *parent;			/* by row: that of its parent, or NO_PARENT */
	struct fathom_error *error;
};

/* ---- an association ---------------------------------------------------------------- */

/* Shares that are not set, as the root's, are 1. */
static int read_shares(struct shares_reader *reader, size_t i, uint32_t *shares)
{
	double number;

	if (slurm_json_number(&reader->json, i, "shares", &number))
		return -1;
	*shares = 1;
	if (isnan(number))
		return 0;
	if (!(number >= 0 && number < FATHOM_SHARES_PARENT && number == trunc(number)))
		return slurm_json_wrong(&reader->json, i, "shares", SHARES_RIGHT);
	*shares = number == PARENT_SHARES ? FATHOM_SHARES_PARENT : (uint32_t)number;
	return 0;
}

static int read_usage(struct shares_reader *reader, size_t i, double *usage)
{
	if (slurm_json_number(&reader->json, i, "usage", usage))
		return -1;
	if (isnan(*usage))
		*usage = 0;
	return *usage >= 0 && *usage <= MOST_USAGE
		       ? 0 : slurm_json_wrong(&reader->json, i, "usage", AMOUNT_RIGHT);
}

static int read_id(struct shares_reader *reader, size_t i, int64_t *id)
{
	double number;

	if (slurm_json_number(&reader->json, i, "id", &number))
		return -1;
	*id = number > 0 && number < UINT32_MAX ? (int64_t)number : (int64_t)i + 1;
	return 0;
}

static int add_association(struct shares_reader *reader, size_t i)
{
	bool is_user = slurm_json_has_word(slurm_json_at(&reader->json, i, "type"), "USER");
	struct fathom_row row = { .kind = is_user ? FATHOM_USER : FATHOM_ACCOUNT };
	struct piece name, parent, partition;

	if (slurm_json_text(&reader->json, i, "name", &name) ||
	    slurm_json_text(&reader->json, i, "parent", &parent) ||
	    slurm_json_text(&reader->json, i, "partition", &partition) ||
	    read_id(reader, i, &row.id) || read_shares(reader, i, &row.raw_shares) ||
	    read_usage(reader, i, &row.usage))
		return -1;
	row.is_root = !is_user && !parent.length;
	if (!name.length)
		return slurm_json_wrong(&reader->json, i, "name", "must be a name");
	if (!is_user && name_index_get(&reader->accounts, name) != NAME_INDEX_NONE)
		return input_wrong(reader->json.input, 0, reader->error,
				   "shares[%zu]: a second account '%.*s', must be one; give the "
				   "answer for one cluster", i, PIECE(name));
	if (tree_builder_add(&reader->builder, reader->json.input, 0, &row, name, partition,
			     reader->error))
		return -1;
	return is_user ? 0 : name_index_put(&reader->accounts, name, i, reader->error);
}

/* ---- the tree ---------------------------------------------------------------------- */

static int find_parent(struct shares_reader *reader, size_t i)
{
	struct piece parent;

	reader->parent[i] = NO_PARENT;
	if (reader->builder.row[i].is_root)
		return 0;
	if (slurm_json_text(&reader->json, i, "parent", &parent))
		return -1;
	if (!parent.length)
		parent = piece_of(ROOT_NAME);
	reader->parent[i] = name_index_get(&reader->accounts, parent);
	if (reader->parent[i] == NAME_INDEX_NONE)
		return input_wrong(reader->json.input, 0, reader->error,
				   "shares[%zu]: 'parent' is '%.*s', which is not an account of "
				   "the list; give the output of sshare -a", i, PIECE(parent));
	reader->builder.row[i].parent_id = reader->builder.row[reader->parent[i]].id;
	return 0;
}

/* Sets own usage: that of a row minus that of its children. */
static int set_own_usage(struct shares_reader *reader)
{
	size_t count = reader->builder.count;
	struct fathom_row *row = reader->builder.row;
	double *whole = malloc((count + 1) * sizeof(*whole));

	if (!whole)
		return fathom_error_no_memory(reader->error);
	for (size_t i = 0; i < count; i++)
		whole[i] = row[i].usage;
	for (size_t i = 0; i < count; i++)
		if (reader->parent[i] != NO_PARENT)
			row[reader->parent[i]].usage -= whole[i];
	for (size_t i = 0; i < count; i++)
		row[i].usage = fmax(row[i].usage, 0);
	free(whole);
	return 0;
}

static int read_list(struct shares_reader *reader)
{
	size_t count = json_array_size(reader->json.list);

	if (!count)
		return input_wrong(reader->json.input, 0, reader->error,
				   "\"shares\" must be a list with the root account at least");
	reader->parent = calloc(count, sizeof(*reader->parent));
	if (!reader->parent)
		return fathom_error_no_memory(reader->error);
	for (size_t i = 0; i < count; i++)
		if (add_association(reader, i))
			return -1;
	for (size_t i = 0; i < count; i++)
		if (find_parent(reader, i))
			return -1;
	return set_own_usage(reader);
}

/* The list stands in an object of the same name; the answers of some clients are that object. */
static int choose_list(struct shares_reader *reader)
{
	const json_t *object = json_object_get(reader->json.root, "shares");

	if (!json_is_object(object))
		object = reader->json.root;
	return slurm_json_choose(&reader->json, object, "shares");
}

int sshare_json_read(struct document *input, struct snapshot *snapshot, struct fathom_error *error)
{
	struct shares_reader reader = { .error = error };
	int status = slurm_json_load(&reader.json, input, error);

	if (!status)
		status = choose_list(&reader) || read_list(&reader) ? -1 : 0;
	if (!status)
		status = tree_builder_finish(&reader.builder, input, true, snapshot, error);
	tree_builder_clear(&reader.builder);
	name_index_clear(&reader.accounts);
	free(reader.parent);
	slurm_json_clear(&reader.json);
	return status;
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
