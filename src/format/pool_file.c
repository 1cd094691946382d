/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a slot pool in fathom's own JSON:
 *
 *	{"format": "fathom-pool", "version": 1, "slots": 100, "queues": [
 *	 {"name": "short", "share": 60, "demand": 80},
 *	 {"name": "long", "share": 40, "demand": 10, "priority": 5}]}
 */
#include "format/pool_file.h"

#include "core/error.h"
#include "core/name_index.h"
#include "document/json_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- a queue's keys ------------------------------------------------------------- */

struct queue {
	struct fathom_pool_queue queue;
	const char *name;
	bool has_share;
};

static int read_name(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct queue *queue = into;

	queue->name = json_string_value(value);
	if (!queue->name || !*queue->name)
		return json_wrong_key(json, key, "must be a string with at least one character");
	return 0;
}

static int read_share(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct queue *queue = into;

	queue->queue.share = json_number_value(value);
	queue->has_share = true;
	if (!json_is_number(value) || !(queue->queue.share >= 0 && queue->queue.share <= 100))
		return json_wrong_key(json, key,
				      "must be a number of percent, above 0 and at most 100");
	return 0;
}

static bool is_slots(const json_t *value)
{
	return json_is_integer(value) && json_integer_value(value) >= 0 &&
	       (uint64_t)json_integer_value(value) <= FATHOM_MAX_SLOTS;
}

static int read_demand(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct queue *queue = into;

	queue->queue.demand = (uint64_t)json_integer_value(value);
	if (!is_slots(value))
		return json_wrong_key(json, key, "must be an integer of 0 to 2^53: slots");
	return 0;
}

static int read_limit(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct queue *queue = into;

	if (json_is_null(value))
		return 0;
	queue->queue.limit = (uint64_t)json_integer_value(value);
	if (!is_slots(value))
		return json_wrong_key(json, key,
				      "must be an integer of 0 to 2^53, or null for none");
	return 0;
}

static int read_priority(struct json_reader *json, const char *key, const json_t *value,
			 void *into)
{
	struct queue *queue = into;

	queue->queue.priority = json_number_value(value);
	return json_is_number(value) ? 0 : json_wrong_key(json, key, "must be a number");
}

static int read_in_pool(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct queue *queue = into;

	queue->queue.in_pool = json_is_true(value);
	return json_is_boolean(value) ? 0 : json_wrong_key(json, key, "must be true or false");
}

static int read_used(struct json_reader *json, const char *key, const json_t *value, void *into)
{
	struct queue *queue = into;

	queue->queue.used = json_number_value(value);
	if (!json_is_number(value) || !(queue->queue.used >= 0))
		return json_wrong_key(json, key, "must be a number of 0 or more");
	return 0;
}

static const struct json_key keys[] = {
	{ "name", true, read_name },
	{ "share", false, read_share },
	{ "demand", true, read_demand },
	{ "priority", false, read_priority },
	{ "limit", false, read_limit },
	{ "pool", false, read_in_pool },
	{ "used", false, read_used },
};

/* ---- queues ---------------------------------------------------------------------- */

static int resize(void *list, size_t room, size_t size)
{
	void *bigger = realloc(*(void **)list, room * size);

	if (!bigger)
		return -1;
	*(void **)list = bigger;
	return 0;
}

static int make_room(struct pool_file *file)
{
	size_t room = file->room ? 2 * file->room : 16;

	if (file->count < file->room)
		return 0;
	if (resize(&file->queue, room, sizeof(*file->queue)) ||
	    resize(&file->name, room, sizeof(*file->name)) ||
	    resize(&file->line, room, sizeof(*file->line)))
		return -1;
	file->room = room;
	return 0;
}

static int add_queue(struct pool_file *file, const struct queue *queue, size_t line)
{
	if (make_room(file) || !(file->name[file->count] = strdup(queue->name)))
		return -1;
	file->queue[file->count] = queue->queue;
	file->line[file->count++] = line;
	return 0;
}

static int read_queue(struct json_reader *json, const json_t *object, void *into)
{
	struct queue queue = { .queue = { .in_pool = true, .limit = FATHOM_NO_LIMIT } };

	if (json_read_keys(json, object, keys, COUNT(keys), &queue))
		return -1;
	if (queue.queue.in_pool && !queue.has_share)
		return json_wrong_key(json, "share",
				      "is missing, is required unless \"pool\" is false");
	if (queue.queue.in_pool && !(queue.queue.share > 0))
		return json_wrong_key(json, "share", "must be above 0");
	if (add_queue(into, &queue, json->part_line))
		return fathom_error_set(json->error, ENOMEM, "out of memory");
	return 0;
}

/* ---- the object around them ----------------------------------------------------- */

static int read_slots(struct json_reader *json, const json_t *value, void *into)
{
	struct pool_file *file = into;

	file->pool.slots = (uint64_t)json_integer_value(value);
	return is_slots(value) ? 0 : json_wrong_member(json, "must be an integer of 0 to 2^53");
}

static int read_max_slots(struct json_reader *json, const json_t *value, void *into)
{
	struct pool_file *file = into;

	file->pool.max_slots = (uint64_t)json_integer_value(value);
	return is_slots(value) ? 0 : json_wrong_member(json, "must be an integer of 0 to 2^53");
}

static int read_use_priority(struct json_reader *json, const json_t *value, void *into)
{
	struct pool_file *file = into;

	file->pool.use_priority = json_is_true(value);
	return json_is_boolean(value) ? 0 : json_wrong_member(json, "must be true or false");
}

static const struct json_member members[] = {
	{ .name = "slots", .needed = true, .read = read_slots },
	{ .name = "max_slots_in_pool", .read = read_max_slots },
	{ .name = "use_priority_in_pool", .read = read_use_priority },
	{ .name = "queues", .needed = true, .element = read_queue, .shape = "{\"name\": ...}" },
};

static const struct json_document document = {
	.format = "fathom-pool",
	.version = 1,
	.shape = "\"slots\": ..., \"queues\": [...]",
	.members = members,
	.member_count = COUNT(members),
	.strict = true,
	.page = "fathom-pools(1)",
};

/* Checks that no two queues have the same name. */
static int check_names(struct document *input, const struct pool_file *file,
		       struct fathom_error *error)
{
	struct name_index names = { 0 };	/* from names to queues */
	int status = 0;

	for (size_t i = 0; i < file->count && !status; i++) {
		struct piece name = { file->name[i], strlen(file->name[i]) };
		size_t first = name_index_get(&names, name);

		if (first == NAME_INDEX_NONE)
			status = name_index_put(&names, name, i, error);
		else
			status = input_wrong(input, file->line[i], error,
					     "queue '%.48s' is already in line %zu", name.at,
					     file->line[first]);
	}
	name_index_clear(&names);
	return status;
}

int pool_read(struct document *input, struct pool_file *file, struct fathom_error *error)
{
	int status;

	*file = (struct pool_file){ .pool = { .max_slots = FATHOM_NO_LIMIT } };
	status = json_read_document(input, &document, file, error);
	if (!status)
		status = check_names(input, file, error);
	if (status)
		pool_clear(file);
	return status;
}

void pool_clear(struct pool_file *file)
{
	for (size_t i = 0; i < file->count; i++)
		free(file->name[i]);
	free(file->name);
	free(file->queue);
	free(file->line);
	memset(file, 0, sizeof(*file));
}
