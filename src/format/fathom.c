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
#include "format/tree_details.h"
#include "format/tree_writer.h"
#include "json/json.h"

#include <string.h>

#define FORMAT_NAME "fathom-tree"

struct tree_file {
	struct tree_builder builder;
	bool has_time;
	int64_t time;
};

/* ---- a node's keys ------------------------------------------------------------ */

struct node {
	struct fathom_row row;
	struct piece name, partition;
	bool has_resource[FATHOM_RESOURCE_COUNT];
	double amount[FATHOM_RESOURCE_COUNT];
};

static int read_id(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	if (!json_is_integer(value))
		return json_wrong_key(json, key,
				      "must be an integer that no other node has");
	node->row.id = json_integer_value(value);
	return 0;
}

static int read_parent(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	if (!json_is_integer(value) && !json_is_null(value))
		return json_wrong_key(json, key,
				      "must be the id of an account, or null for the root");
	node->row.is_root = json_is_null(value);
	node->row.parent_id = json_integer_value(value);
	return 0;
}

static int read_text(struct json_reader *json, const char *key, const json_t *value,
		     struct piece *piece)
{
	if (!json_is_string(value) || !json_string_length(value))
		return json_wrong_key(json, key, "must be a string with at least one character");
	piece->at = json_string_value(value);
	piece->length = json_string_length(value);
	return 0;
}

static int read_name(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	return read_text(json, key, value, &node->name);
}

static int read_partition(struct json_reader *json, const char *key, const json_t *value,
			  void *into)
{
	struct node *node = into;

	return json_is_null(value) ? 0 : read_text(json, key, value, &node->partition);
}

static const char *const kinds[] = { [FATHOM_ACCOUNT] = "account", [FATHOM_USER] = "user" };

static int read_kind(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;
	const char *word = json_string_value(value);

	for (size_t i = 0; word && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(word, kinds[i]))
			continue;
		node->row.kind = (enum fathom_kind)i;
		return 0;
	}
	return json_wrong_key(json, key, "must be \"account\" or \"user\"");
}

static int read_shares(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;
	const char *word = json_string_value(value);
	json_int_t shares = json_integer_value(value);

	if (word && !strcmp(word, "parent")) {
		node->row.raw_shares = FATHOM_SHARES_PARENT;
		return 0;
	}
	if (!json_is_integer(value) || shares < 0 || shares >= FATHOM_SHARES_PARENT)
		return json_wrong_key(json, key,
				      "must be an integer from 0 to 4294967294, or \"parent\"");
	node->row.raw_shares = (uint32_t)shares;
	return 0;
}

static int read_usage(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	node->row.usage = json_number_value(value);
	if (!json_is_number(value) || !(node->row.usage >= 0))
		return json_wrong_key(json, key, "must be a number of 0 or more");
	return 0;
}

static int read_resource(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;
	double amount = json_number_value(value);
	size_t resource = 0;
	bool any_sign;

	while (strcmp(fathom_resource_name((enum fathom_resource)resource), key))
		resource++;
	any_sign = resource == FATHOM_ADJUSTMENT;
	if (!json_is_number(value) || !(amount >= 0 || any_sign))
		return json_wrong_key(json, key, any_sign ? "must be a number" :
							       "must be a number of 0 or more");
	node->has_resource[resource] = true;
	node->amount[resource] = amount;
	return 0;
}

static const struct json_key keys[] = {
	{ "id", true, read_id },
	{ "parent", true, read_parent },
	{ "name", true, read_name },
	{ "kind", true, read_kind },
	{ "shares", true, read_shares },
	{ "usage", true, read_usage },
	{ "partition", false, read_partition },
	{ "cpu_time", false, read_resource },
	{ "run_time", false, read_resource },
	{ "hist_run_time", false, read_resource },
	{ "committed_run_time", false, read_resource },
	{ "job_slots", false, read_resource },
	{ "memory", false, read_resource },
	{ "adjustment", false, read_resource },
	{ "reserved_slots", false, read_resource },
};

static int read_keys(struct json_reader *json, const json_t *object, struct node *node)
{
	if (json_read_keys(json, object, keys, sizeof(keys) / sizeof(*keys), node))
		return -1;
	if (node->partition.at && node->row.kind != FATHOM_USER)
		return json_wrong_key(json, "partition", "is of an account, must be of a user");
	return 0;
}

static int add_node(struct json_reader *json, struct tree_file *file,
		    const struct node *node)
{
	if (tree_builder_add(&file->builder, json->input, json->part_line, &node->row, node->name,
			     node->partition, json->error))
		return -1;
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++)
		if (node->has_resource[i])
			tree_builder_set_resource(&file->builder, (enum fathom_resource)i,
						  node->amount[i]);
	return 0;
}

static int read_node(struct json_reader *json, const json_t *object, void *into)
{
	struct node node = { 0 };

	return read_keys(json, object, &node) || add_node(json, into, &node) ? -1 : 0;
}

/* ---- the object around them ----------------------------------------------------- */

static int read_time(struct json_reader *json, const json_t *value, void *into)
{
	struct tree_file *file = into;

	return json_read_time(json, value, &file->has_time, &file->time);
}

static const struct json_member members[] = {
	{ .name = "time", .read = read_time },
	{ .name = "nodes", .needed = true, .element = read_node, .shape = "{\"id\": ...}" },
};

static const struct json_document document = {
	.format = FORMAT_NAME,
	.version = 1,
	.shape = "\"time\": ..., \"nodes\": [...]",
	.members = members,
	.member_count = sizeof(members) / sizeof(*members),
	.page = "fathom-shares(1)",
};

static int read_document(struct document *input, const struct json_document *as, bool is_needed,
			 struct snapshot *snapshot, struct fathom_error *error)
{
	struct tree_file file = { 0 };
	int status = json_read_document(input, as, &file, error);

	if (!status && (is_needed || file.builder.count))
		status = tree_builder_finish(&file.builder, input, true, snapshot, error);
	if (!status) {
		snapshot->has_time = file.has_time;
		snapshot->time = file.time;
	}
	tree_builder_clear(&file.builder);
	return status;
}

static int fathom_read(struct document *input, struct snapshot *snapshot,
		       struct fathom_error *error)
{
	return read_document(input, &document, true, snapshot, error);
}

/* ---- the tree of a cluster's snapshot ------------------------------------------------ */

static const struct json_member members_of_snapshot[] = {
	{ .name = "time", .read = read_time },
	{ .name = "tree", .element = read_node, .shape = "{\"id\": ...}", .members = members,
	  .member_count = sizeof(members) / sizeof(*members) },
};

static const struct json_document document_of_snapshot =
	SNAPSHOT_DOCUMENT(members_of_snapshot,
			  sizeof(members_of_snapshot) / sizeof(*members_of_snapshot));

int snapshot_read_tree(struct document *input, struct snapshot *snapshot,
		       struct fathom_error *error)
{
	*snapshot = (struct snapshot){ 0 };
	return read_document(input, &document_of_snapshot, false, snapshot, error);
}

/* ---- writing ---------------------------------------------------------------------- */

static void put_shares(FILE *out, const struct fathom_tree *tree, size_t node)
{
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	json_put(out, ", \"shares\": ");
	if (shares == FATHOM_SHARES_PARENT)
		json_put_string(out, "parent");
	else
		json_put_integer(out, shares);
}

static void put_resources(FILE *out, const struct fathom_tree *tree, size_t node)
{
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		enum fathom_resource resource = (enum fathom_resource)i;

		if (fathom_tree_has_resource(tree, resource))
			json_put_number_key(out, fathom_resource_name(resource),
					    fathom_tree_own_resource(tree, node, resource));
	}
}

static int put_node(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct fathom_tree *tree = writer->snapshot->tree;
	const char *partition = snapshot_partition(writer->snapshot, node);
	FILE *out = writer->out;

	json_put(out, writer->count ? ",\n  {\"id\": " : "\n  {\"id\": ");
	json_put_integer(out, fathom_tree_id(tree, node));
	json_put(out, ", \"parent\": ");
	if (depth)
		json_put_integer(out, fathom_tree_id(tree, fathom_tree_parent(tree, node)));
	else
		json_put(out, "null");
	json_put_text_key(out, "name", snapshot_name(writer->snapshot, node));
	json_put_text_key(out, "kind", kinds[fathom_tree_kind(tree, node)]);
	if (partition)
		json_put_text_key(out, "partition", partition);
	put_shares(out, tree, node);
	json_put_number_key(out, "usage", fathom_tree_own_usage(tree, node));
	put_resources(out, tree, node);
	json_put(out, "}");
	return 0;
}

static int fathom_write(FILE *out, const struct snapshot *snapshot, struct fathom_error *error)
{
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .error = error };

	json_put(out, "{\"format\": \"" FORMAT_NAME "\", \"version\": 1");
	if (snapshot->has_time) {
		json_put(out, ", \"time\": ");
		json_put_integer(out, snapshot->time);
	}
	json_put(out, ",\n \"nodes\": [");
	if (tree_writer_run(&writer, put_node))
		return -1;
	json_put(out, "]}\n");
	return 0;
}

const struct format format_fathom = {
	.name = "fathom",
	.summary = "fathom's own JSON, \"format\": \"" FORMAT_NAME "\"",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = json_recognize,
	.read = fathom_read,
	.write = fathom_write,
	.keeps = KEEPS_ALL,
};
