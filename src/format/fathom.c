/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes a tree in fathom's own JSON:
 *
 *	{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
 *	 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 *	 {"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 10, "usage": 50}]}
 */
#include "core/resource.h"
#include "document/json_reader.h"
#include "format/format.h"
#include "format/snapshot_parts.h"
#include "format/tree_builder.h"
#include "format/tree_writer.h"
#include "json/json.h"
#include "json/shares.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define FORMAT_NAME "fathom-tree"

/* A document while it is read. */
struct tree_reader {
	struct tree_builder builder;
	bool has_time;
	int64_t time;		/* seconds since 1970; if has_time */
};

/* ---- a node's keys ------------------------------------------------------------ */

/* A node while its object is read. */
struct node_reader {
	struct fathom_row row;
	const char *name, *partition;	/* partition: NULL: not given */
	double amount[FATHOM_RESOURCE_COUNT];	/* NAN: not given */
};

/* Reads "id"; tree_builder_finish() checks that no other node has it. */
static void read_id(struct json_reader *json, const struct json_key *key,
		    const struct parsed *value, void *node)
{
	if (!parsed_is(value, PARSED_INTEGER))
		json_wrong_key(json, key->name, "must be an integer that no other node has");
	((struct node_reader *)node)->row.id = parsed_integer(value);
}

/* Reads "parent": the id of an account, or null, by which the node is the root. */
static void read_parent(struct json_reader *json, const struct json_key *key,
			const struct parsed *value, void *into)
{
	struct node_reader *node = into;

	if (!parsed_is(value, PARSED_INTEGER) && !parsed_is(value, PARSED_NULL))
		json_wrong_key(json, key->name,
			       "must be the id of an account, or null for the root");
	node->row.is_root = parsed_is(value, PARSED_NULL);
	node->row.parent_id = parsed_integer(value);
}

static const char *const kinds[] = { [FATHOM_ACCOUNT] = "account", [FATHOM_USER] = "user" };

/* Reads "kind" by the words in `kinds`. */
static void read_kind(struct json_reader *json, const struct json_key *key,
		      const struct parsed *value, void *node)
{
	const char *word = parsed_text(value);
	size_t kind = 0;

	while (kind < sizeof(kinds) / sizeof(*kinds) && !(word && !strcmp(word, kinds[kind])))
		kind++;
	if (kind == sizeof(kinds) / sizeof(*kinds))
		json_wrong_key(json, key->name, "must be \"account\" or \"user\"");
	((struct node_reader *)node)->row.kind = (enum fathom_kind)kind;
}

/* Reads "shares": a number, or "parent". */
static void read_shares(struct json_reader *json, const struct json_key *key,
			const struct parsed *value, void *node)
{
	((struct node_reader *)node)->row.raw_shares = json_read_shares(json, value, key->name);
}

#define NODE(member) .at = offsetof(struct node_reader, member)
#define RESOURCE(resource) NODE(amount[resource]), .high = INFINITY, \
			   .right = "must be a number of 0 or more"

static const struct json_key keys[] = {
	{ "id", true, .read = read_id },
	{ "parent", true, .read = read_parent },
	{ "name", true, NODE(name), .type = JSON_TEXT },
	{ "kind", true, .read = read_kind },
	{ "shares", true, .read = read_shares },
	{ "usage", true, NODE(row.usage), .high = INFINITY,
	  .right = "must be a number of 0 or more" },
	{ "partition", NODE(partition), .or_null = true, .type = JSON_TEXT },
	{ "cpu_time", RESOURCE(FATHOM_CPU_TIME) },
	{ "run_time", RESOURCE(FATHOM_RUN_TIME) },
	{ "hist_run_time", RESOURCE(FATHOM_HIST_RUN_TIME) },
	{ "committed_run_time", RESOURCE(FATHOM_COMMITTED_RUN_TIME) },
	{ "job_slots", RESOURCE(FATHOM_JOB_SLOTS) },
	{ "memory", RESOURCE(FATHOM_MEMORY) },
	{ "adjustment", NODE(amount[FATHOM_ADJUSTMENT]), .low = -INFINITY, .high = INFINITY,
	  .right = "must be a number" },
	{ "reserved_slots", RESOURCE(FATHOM_RESERVED_SLOTS) },
	JSON_END
};

/* Reads an element of "nodes", and adds it as a row. */
static void read_node(struct json_reader *json, const struct parsed *object, void *into)
{
	struct tree_reader *reader = into;
	struct node_reader node = { .name = NULL };

	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++)
		node.amount[i] = NAN;
	json_read_keys(json, object, keys, &node);
	if (node.partition && node.row.kind != FATHOM_USER)
		json_wrong_key(json, "partition", "is of an account, must be of a user");
	tree_builder_add(&reader->builder, json->input, json->part_line, &node.row,
			 piece_of(node.name), piece_of(node.partition));
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++)
		if (!isnan(node.amount[i]))
			tree_builder_set_resource(&reader->builder, (enum fathom_resource)i,
						  node.amount[i]);
}

/* ---- the document ------------------------------------------------------------------ */

static void read_time(struct json_reader *json, const struct parsed *value, void *into)
{
	struct tree_reader *reader = into;

	json_read_time(json, value, &reader->has_time, &reader->time);
}

static const struct json_member members[] = {
	{ .name = "time", .read = read_time },
	{ .name = "nodes", .needed = true, .element = read_node, .shape = "{\"id\": ...}" },
	JSON_END
};

static const struct json_document document = {
	.format = FORMAT_NAME,
	.version = 1,
	.shape = "\"time\": ..., \"nodes\": [...]",
	.members = members,
	.page = "fathom-shares(1)",
};

#define IS_NEEDED true	/* for read_document() */

/* Reads a tree by a table of members. is_needed: fails if there are no nodes; else *snapshot keeps
 * its tree then. */
static void read_document(struct document *input, const struct json_document *table,
			  bool is_needed, struct snapshot *snapshot)
{
	struct tree_reader reader = { 0 };

	json_read_document(input, table, &reader);
	if (is_needed || reader.builder.count)
		tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
	snapshot->has_time = reader.has_time;
	snapshot->time = reader.time;
}

static void fathom_read(struct document *input, struct snapshot *snapshot)
{
	read_document(input, &document, IS_NEEDED, snapshot);
}

/* ---- the tree of a cluster's snapshot ------------------------------------------------ */

/* "tree" is a list of nodes, or a document of the format fathom-tree. */
static const struct json_member members_of_snapshot[] = {
	{ .name = "time", .read = read_time },
	{ .name = "tree", .element = read_node, .shape = "{\"id\": ...}", .members = members },
	JSON_END
};

static const struct json_document document_of_snapshot = SNAPSHOT_DOCUMENT(members_of_snapshot);

void snapshot_read_tree(struct document *input, struct snapshot *snapshot)
{
	*snapshot = (struct snapshot){ 0 };
	read_document(input, &document_of_snapshot, !IS_NEEDED, snapshot);
}

/* ---- writing ---------------------------------------------------------------------- */

/* Writes a node as an object; see tree_writer_run(). */
static void put_node(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	const char *partition = snapshot_partition(writer->snapshot, node);
	const uint32_t shares = fathom_tree_raw_shares(tree, node);
	FILE *out = writer->out;

	json_print(out, writer->count ? ",\n  {\"id\": %lld" : "\n  {\"id\": %lld",
		   (long long)fathom_tree_id(tree, node));
	if (depth)
		json_print(out, ", \"parent\": %lld",
			   (long long)fathom_tree_id(tree, fathom_tree_parent(tree, node)));
	else
		json_put(out, ", \"parent\": null");
	json_print(out, ", \"name\": %s, \"kind\": %s", snapshot_name(writer->snapshot, node),
		   kinds[fathom_tree_kind(tree, node)]);
	if (partition)
		json_put_text_key(out, "partition", partition);
	if (shares == FATHOM_SHARES_PARENT)
		json_put(out, ", \"shares\": \"parent\"");
	else
		json_print(out, ", \"shares\": %zu", (size_t)shares);
	json_put_number_key(out, "usage", fathom_tree_own_usage(tree, node));
	json_put_resources(out, tree, node);
	json_put(out, "}");
}

static void fathom_write(FILE *out, const struct snapshot *snapshot)
{
	struct tree_writer writer = { .out = out, .snapshot = snapshot };

	tree_writer_check_users(&writer, "fathom", USER_ONCE_BY_PARTITION);
	json_begin(out, FORMAT_NAME, 1);
	if (snapshot->has_time)
		json_print(out, ", \"time\": %lld", (long long)snapshot->time);
	json_put(out, ",\n \"nodes\": [");
	tree_writer_run(&writer, put_node);
	json_put(out, "]}\n");
}

const struct format format_fathom = {
	.name = "fathom",
	.summary = "fathom's own JSON, \"format\": \"" FORMAT_NAME "\"",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = json_recognize,
	.read = fathom_read,
	.write = fathom_write,
	.keeps = KEEPS_ALL & ~KEEPS_DEFAULTS,
};
