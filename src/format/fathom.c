/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom's own JSON: {"format": "fathom-tree", "version": 1, "time": t,
 * "nodes": [...]}. Jansson reads one value after the other, so that a node's
 * line is known and memory holds one node, not all of them.
 */
#include "format/draft.h"
#include "format/format.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define FORMAT_NAME "fathom-tree"
#define FORMAT_VERSION 1
#define VALUE_FLAGS (JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES)

struct reader {
	struct input *input;
	const char *at, *end;
	size_t line;
	const char *node_at;	/* the node being looked at begins here, */
	size_t node_line;	/* in this line, */
	size_t node_index;	/* as this element of "nodes" */
	struct draft draft;
	bool has_format, has_version, has_nodes, has_time;
	int64_t time;
	struct fathom_error *error;
};

/* ---- tokens ------------------------------------------------------------------ */

static size_t count_lines(const char *from, const char *to)
{
	size_t lines = 0;

	while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
		lines++;
		from++;
	}
	return lines;
}

static char next_character(struct reader *reader)
{
	for (; reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at; reader->at++)
		reader->line += *reader->at == '\n';
	return reader->at < reader->end ? *reader->at : '\0';
}

static bool take(struct reader *reader, char wanted)
{
	if (next_character(reader) != wanted || reader->at == reader->end)
		return false;
	reader->at++;
	return true;
}

static int expected(struct reader *reader, const char *what)
{
	char found = next_character(reader);

	if (reader->at == reader->end)
		return input_wrong(reader->input, reader->line, reader->error,
				   "the file ends where %s is expected", what);
	if (found <= ' ' || found >= 0x7f)
		return input_wrong(reader->input, reader->line, reader->error,
				   "byte 0x%02x where %s is expected", (unsigned char)found, what);
	return input_wrong(reader->input, reader->line, reader->error, "'%c' where %s is expected",
			   found, what);
}

static json_t *read_value(struct reader *reader)
{
	json_error_t wrong;
	const char *from;
	json_t *value;

	next_character(reader);
	from = reader->at;
	value = json_loadb(from, (size_t)(reader->end - from), VALUE_FLAGS, &wrong);
	if (!value) {
		size_t line = reader->line + (wrong.line > 0 ? (size_t)wrong.line - 1 : 0);

		input_wrong(reader->input, line, reader->error, "not JSON: %.200s", wrong.text);
		return NULL;
	}
	reader->at += wrong.position;
	reader->line += count_lines(from, reader->at);
	return value;
}

/* ---- a node's keys ------------------------------------------------------------ */

struct node {
	struct fathom_row row;
	struct piece name, partition;
	bool gives[FATHOM_RESOURCE_COUNT];
	double amount[FATHOM_RESOURCE_COUNT];
};

/* Where "key": stands in the text of the node, so that the line is exact. */
static size_t line_of_key(const struct reader *reader, const char *key)
{
	size_t length = strlen(key);
	const char *at = reader->node_at;

	while ((at = memchr(at, '"', (size_t)(reader->at - at)))) {
		const char *behind = at + 1 + length;

		at++;
		if (behind >= reader->at || strncmp(at, key, length) || *behind != '"')
			continue;
		behind++;
		if (behind[strspn(behind, " \t\r\n")] == ':')
			return reader->node_line + count_lines(reader->node_at, at);
	}
	return reader->node_line;
}

static int wrong_key(struct reader *reader, const char *key, const char *what)
{
	return input_wrong(reader->input, line_of_key(reader, key), reader->error,
			   "nodes[%zu]: '%.48s' %s", reader->node_index, key, what);
}

static int take_id(struct reader *reader, const char *key, const json_t *value, struct node *node)
{
	if (!json_is_integer(value))
		return wrong_key(reader, key, "is no integer, must be one that no other node has");
	node->row.id = json_integer_value(value);
	return 0;
}

static int take_parent(struct reader *reader, const char *key, const json_t *value,
		       struct node *node)
{
	if (!json_is_integer(value) && !json_is_null(value))
		return wrong_key(reader, key, "must be the id of an account, or null for the root");
	node->row.is_root = json_is_null(value);
	node->row.parent_id = json_integer_value(value);
	return 0;
}

static int take_text(struct reader *reader, const char *key, const json_t *value,
		     struct piece *piece)
{
	if (!json_is_string(value) || !json_string_length(value))
		return wrong_key(reader, key, "must be a string with at least one character");
	piece->at = json_string_value(value);
	piece->length = json_string_length(value);
	return 0;
}

static int take_name(struct reader *reader, const char *key, const json_t *value, struct node *node)
{
	return take_text(reader, key, value, &node->name);
}

static int take_partition(struct reader *reader, const char *key, const json_t *value,
			  struct node *node)
{
	return json_is_null(value) ? 0 : take_text(reader, key, value, &node->partition);
}

static int take_kind(struct reader *reader, const char *key, const json_t *value, struct node *node)
{
	static const char *const kinds[] = { [FATHOM_ACCOUNT] = "account", [FATHOM_USER] = "user" };
	const char *word = json_string_value(value);

	for (size_t i = 0; word && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(word, kinds[i]))
			continue;
		node->row.kind = (enum fathom_kind)i;
		return 0;
	}
	return wrong_key(reader, key, "must be \"account\" or \"user\"");
}

static int take_shares(struct reader *reader, const char *key, const json_t *value,
		       struct node *node)
{
	const char *word = json_string_value(value);
	json_int_t shares = json_integer_value(value);

	if (word && !strcmp(word, "parent")) {
		node->row.raw_shares = FATHOM_SHARES_PARENT;
		return 0;
	}
	if (!json_is_integer(value) || shares < 0 || shares >= FATHOM_SHARES_PARENT)
		return wrong_key(reader, key,
				 "must be an integer from 0 to 4294967294, or \"parent\"");
	node->row.raw_shares = (uint32_t)shares;
	return 0;
}

static int take_usage(struct reader *reader, const char *key, const json_t *value,
		      struct node *node)
{
	node->row.usage = json_number_value(value);
	if (!json_is_number(value) || !(node->row.usage >= 0))
		return wrong_key(reader, key, "must be a number of 0 or more");
	return 0;
}

static const char *const resource_names[FATHOM_RESOURCE_COUNT] = {
	[FATHOM_CPU_TIME] = "cpu_time",
	[FATHOM_RUN_TIME] = "run_time",
	[FATHOM_HIST_RUN_TIME] = "hist_run_time",
	[FATHOM_COMMITTED_RUN_TIME] = "committed_run_time",
	[FATHOM_JOB_SLOTS] = "job_slots",
	[FATHOM_MEMORY] = "memory",
	[FATHOM_ADJUSTMENT] = "adjustment",
};

static int take_resource(struct reader *reader, const char *key, const json_t *value,
			 struct node *node)
{
	double amount = json_number_value(value);
	size_t resource = 0;
	bool any_sign;

	while (strcmp(resource_names[resource], key))
		resource++;
	any_sign = resource == FATHOM_ADJUSTMENT;
	if (!json_is_number(value) || !(amount >= 0 || any_sign))
		return wrong_key(reader, key, any_sign ? "must be a number" :
							 "must be a number of 0 or more");
	node->gives[resource] = true;
	node->amount[resource] = amount;
	return 0;
}

static const struct key {
	const char *name;
	bool needed;
	int (*take)(struct reader *reader, const char *key, const json_t *value, struct node *node);
} keys[] = {
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

static int find_unknown_key(struct reader *reader, const json_t *object)
{
	const char *name;
	const json_t *value;

	json_object_foreach((json_t *)object, name, value) {
		size_t i = 0;

		while (i < sizeof(keys) / sizeof(*keys) && strcmp(keys[i].name, name))
			i++;
		if (i == sizeof(keys) / sizeof(*keys))
			return wrong_key(reader, name, "is unknown, see fathom-shares(1)");
	}
	return 0;
}

static int take_keys(struct reader *reader, const json_t *object, struct node *node)
{
	size_t taken = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const json_t *value = json_object_get(object, keys[i].name);

		if (!value && keys[i].needed)
			return wrong_key(reader, keys[i].name, "is missing");
		if (value && keys[i].take(reader, keys[i].name, value, node))
			return -1;
		taken += value != NULL;
	}
	if (taken < json_object_size(object))
		return find_unknown_key(reader, object);
	if (node->partition.at && node->row.kind != FATHOM_USER)
		return wrong_key(reader, "partition", "is of an account, must be of a user");
	return 0;
}

static int add_node(struct reader *reader, const struct node *node)
{
	if (draft_add(&reader->draft, reader->input, reader->node_line, &node->row, node->name,
		      node->partition, reader->error))
		return -1;
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++)
		if (node->gives[i] && draft_give(&reader->draft, (enum fathom_resource)i,
						 node->amount[i], reader->error))
			return -1;
	return 0;
}

static int read_node(struct reader *reader)
{
	struct node node = { 0 };
	json_t *object;
	int status;

	next_character(reader);
	reader->node_at = reader->at;
	reader->node_line = reader->line;
	object = read_value(reader);
	if (!object)
		return -1;
	if (json_is_object(object))
		status = take_keys(reader, object, &node);
	else
		status = input_wrong(reader->input, reader->node_line, reader->error,
				     "nodes[%zu] is no object, must be {\"id\": ...}",
				     reader->node_index);
	if (!status)
		status = add_node(reader, &node);
	json_decref(object);
	reader->node_index++;
	return status;
}

/* ---- the object around them ----------------------------------------------------- */

static int read_nodes(struct reader *reader)
{
	reader->has_nodes = true;
	if (!take(reader, '['))
		return expected(reader, "the '[' of \"nodes\"");
	if (take(reader, ']'))
		return 0;
	do {
		if (read_node(reader))
			return -1;
	} while (take(reader, ','));
	return take(reader, ']') ? 0 : expected(reader, "',' or ']'");
}

static int take_format(struct reader *reader, const json_t *value, size_t line)
{
	const char *word = json_string_value(value);

	reader->has_format = true;
	if (word && !strcmp(word, FORMAT_NAME))
		return 0;
	return input_wrong(reader->input, line, reader->error,
			   "\"format\" is %s%.48s%s, must be \"" FORMAT_NAME "\"", word ? "\"" : "",
			   word ? word : "no string", word ? "\"" : "");
}

static int take_version(struct reader *reader, const json_t *value, size_t line)
{
	reader->has_version = true;
	if (json_is_integer(value) && json_integer_value(value) == FORMAT_VERSION)
		return 0;
	if (json_is_integer(value))
		return input_wrong(reader->input, line, reader->error,
				   "\"version\" is %lld, this fathom reads %d",
				   (long long)json_integer_value(value), FORMAT_VERSION);
	return input_wrong(reader->input, line, reader->error, "\"version\" must be %d",
			   FORMAT_VERSION);
}

static int take_time(struct reader *reader, const json_t *value, size_t line)
{
	if (json_is_null(value))
		return 0;
	reader->has_time = true;
	reader->time = json_integer_value(value);
	if (json_is_integer(value) && reader->time >= 0)
		return 0;
	return input_wrong(reader->input, line, reader->error,
			   "\"time\" must be an integer, in seconds since 1970");
}

static int read_member(struct reader *reader, const char *key)
{
	static const struct {
		const char *name;
		int (*take)(struct reader *reader, const json_t *value, size_t line);
	} members[] = {
		{ "format", take_format }, { "version", take_version }, { "time", take_time },
	};
	size_t line;
	json_t *value;
	int status = 0;

	if (!strcmp(key, "nodes")) {
		if (reader->has_nodes)
			return input_wrong(reader->input, reader->line, reader->error,
					   "\"nodes\" stands twice, must be there once");
		return read_nodes(reader);
	}
	next_character(reader);
	line = reader->line;
	value = read_value(reader);
	if (!value)
		return -1;
	for (size_t i = 0; !status && i < sizeof(members) / sizeof(*members); i++)
		if (!strcmp(members[i].name, key))
			status = members[i].take(reader, value, line);
	json_decref(value);
	return status;
}

static int read_pair(struct reader *reader)
{
	json_t *key;
	int status;

	if (next_character(reader) != '"')
		return expected(reader, "a key in quotes");
	key = read_value(reader);
	if (!key)
		return -1;
	if (take(reader, ':'))
		status = read_member(reader, json_string_value(key));
	else
		status = expected(reader, "':'");
	json_decref(key);
	return status;
}

static int read_object(struct reader *reader)
{
	if (!take(reader, '{'))
		return expected(reader, "'{'");
	if (!take(reader, '}')) {
		do {
			if (read_pair(reader))
				return -1;
		} while (take(reader, ','));
		if (!take(reader, '}'))
			return expected(reader, "',' or '}'");
	}
	next_character(reader);
	if (reader->at < reader->end)
		return expected(reader, "the end of the file");
	return 0;
}

static int check_complete(struct reader *reader)
{
	const char *missing = !reader->has_format ? "format" : !reader->has_version ? "version" :
			      !reader->has_nodes ? "nodes" : NULL;

	if (missing)
		return input_wrong(reader->input, 1, reader->error,
				   "\"%s\" is missing, must be {\"format\": \"" FORMAT_NAME
				   "\", \"version\": %d, \"time\": ..., \"nodes\": [...]}", missing,
				   FORMAT_VERSION);
	return 0;
}

static int fathom_read(struct input *input, struct snapshot *snapshot, struct fathom_error *error)
{
	struct reader reader = {
		.input = input, .at = input->text + input_mark(input),
		.end = input->text + input->length, .line = 1, .error = error,
	};
	int status = read_object(&reader);

	if (!status)
		status = check_complete(&reader);
	if (!status)
		status = draft_finish(&reader.draft, input, true, snapshot, error);
	if (!status) {
		snapshot->has_time = reader.has_time;
		snapshot->time = reader.time;
	}
	draft_clear(&reader.draft);
	return status;
}

static bool fathom_recognize(const struct input *input)
{
	const char *at = input->text + input_mark(input);

	return at[strspn(at, " \t\r\n")] == '{';
}

const struct format format_fathom = {
	.name = "fathom",
	.summary = "fathom's own JSON, \"format\": \"" FORMAT_NAME "\"",
	.recognize = fathom_recognize,
	.read = fathom_read,
};
