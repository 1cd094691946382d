/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree in fathom's own JSON: {"format": "fathom-tree", "version": 1,
 * "time": t, "nodes": [...]}.
 */
#include "core/resource.h"
#include "format/draft.h"
#include "format/format.h"
#include "format/json_reader.h"

#include <string.h>

#define FORMAT_NAME "fathom-tree"

struct tree_file {
	struct draft draft;
	bool has_time;
	int64_t time;
};

/* ---- a node's keys ------------------------------------------------------------ */

struct node {
	struct fathom_row row;
	struct piece name, partition;
	bool gives[FATHOM_RESOURCE_COUNT];
	double amount[FATHOM_RESOURCE_COUNT];
};

static int take_id(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	if (!json_is_integer(value))
		return json_wrong_key(json, key, "is no integer, must be one that no other node has");
	node->row.id = json_integer_value(value);
	return 0;
}

static int take_parent(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	if (!json_is_integer(value) && !json_is_null(value))
		return json_wrong_key(json, key, "must be the id of an account, or null for the root");
	node->row.is_root = json_is_null(value);
	node->row.parent_id = json_integer_value(value);
	return 0;
}

static int take_text(struct json_reader *json, const char *key, const json_t *value,
		     struct piece *piece)
{
	if (!json_is_string(value) || !json_string_length(value))
		return json_wrong_key(json, key, "must be a string with at least one character");
	piece->at = json_string_value(value);
	piece->length = json_string_length(value);
	return 0;
}

static int take_name(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	return take_text(json, key, value, &node->name);
}

static int take_partition(struct json_reader *json, const char *key, const json_t *value,
			  void *into)
{
	struct node *node = into;

	return json_is_null(value) ? 0 : take_text(json, key, value, &node->partition);
}

static int take_kind(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	static const char *const kinds[] = { [FATHOM_ACCOUNT] = "account", [FATHOM_USER] = "user" };
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

static int take_shares(struct json_reader *json, const char *key, const json_t *value, void *into)
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

static int take_usage(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct node *node = into;

	node->row.usage = json_number_value(value);
	if (!json_is_number(value) || !(node->row.usage >= 0))
		return json_wrong_key(json, key, "must be a number of 0 or more");
	return 0;
}

static int take_resource(struct json_reader *json, const char *key, const json_t *value, void *into)
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
	node->gives[resource] = true;
	node->amount[resource] = amount;
	return 0;
}

static const struct json_key keys[] = {
	{ "id", true, take_id },
	{ "parent", true, take_parent },
	{ "name", true, take_name },
	{ "kind", true, take_kind },
	{ "shares", true, take_shares },
	{ "usage", true, take_usage },
	{ "partition", false, take_partition },
	{ "cpu_time", false, take_resource },
	{ "run_time", false, take_resource },
	{ "hist_run_time", false, take_resource },
	{ "committed_run_time", false, take_resource },
	{ "job_slots", false, take_resource },
	{ "memory", false, take_resource },
	{ "adjustment", false, take_resource },
};

static int take_keys(struct json_reader *json, const json_t *object, struct node *node)
{
	if (json_take_keys(json, object, keys, sizeof(keys) / sizeof(*keys), node))
		return -1;
	if (node->partition.at && node->row.kind != FATHOM_USER)
		return json_wrong_key(json, "partition", "is of an account, must be of a user");
	return 0;
}

static int add_node(struct json_reader *json, struct tree_file *file,
		    const struct node *node)
{
	if (draft_add(&file->draft, json->input, json->part_line, &node->row, node->name,
		      node->partition, json->error))
		return -1;
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++)
		if (node->gives[i] && draft_give(&file->draft, (enum fathom_resource)i,
						 node->amount[i], json->error))
			return -1;
	return 0;
}

static int take_node(struct json_reader *json, const json_t *object, void *into)
{
	struct node node = { 0 };

	return take_keys(json, object, &node) || add_node(json, into, &node) ? -1 : 0;
}

/* ---- the object around them ----------------------------------------------------- */

static int take_time(struct json_reader *json, const json_t *value, void *into)
{
	struct tree_file *file = into;

	if (json_is_null(value))
		return 0;
	file->has_time = true;
	file->time = json_integer_value(value);
	if (json_is_integer(value) && file->time >= 0)
		return 0;
	return json_wrong_member(json, "must be an integer, in seconds since 1970");
}

static const struct json_member members[] = {
	{ .name = "time", .take = take_time },
	{ .name = "nodes", .needed = true, .element = take_node, .shape = "{\"id\": ...}" },
};

static const struct json_document document = {
	.format = FORMAT_NAME,
	.version = 1,
	.shape = "\"time\": ..., \"nodes\": [...]",
	.members = members,
	.member_count = sizeof(members) / sizeof(*members),
	.page = "fathom-shares(1)",
};

static int fathom_read(struct input *input, struct snapshot *snapshot, struct fathom_error *error)
{
	struct tree_file file = { 0 };
	int status = json_read_document(input, &document, &file, error);

	if (!status)
		status = draft_finish(&file.draft, input, true, snapshot, error);
	if (!status) {
		snapshot->has_time = file.has_time;
		snapshot->time = file.time;
	}
	draft_clear(&file.draft);
	return status;
}

const struct format format_fathom = {
	.name = "fathom",
	.summary = "fathom's own JSON, \"format\": \"" FORMAT_NAME "\"",
	.recognize = json_recognize,
	.read = fathom_read,
};
