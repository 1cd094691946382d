/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a slot pool in fathom's own JSON:
 *
 *	{"format": "fathom-pool", "version": 1, "slots": 100, "queues": [
 *	 {"name": "short", "share": 60, "demand": 80},
 *	 {"name": "long", "share": 40, "demand": 10, "priority": 5}]}
 */
#include "format/pool_file.h"

#include "core/name_index.h"
#include "document/json_reader.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- a queue's keys ------------------------------------------------------------- */

/* A queue while its object is read. */
struct queue_reader {
	struct fathom_pool_queue queue;
	const char *name;
};

#define NOT_GIVEN -1	/* in place of a share */

#define QUEUE(member) .at = offsetof(struct queue_reader, member)
#define SLOTS .type = JSON_UINT64, .high = (double)FATHOM_MAX_SLOTS

static const struct json_key keys[] = {
	{ "name", true, QUEUE(name), .type = JSON_TEXT },
	{ "share", QUEUE(queue.share), .high = 100,
	  .right = "must be a number of percent, above 0 and at most 100" },
	{ "demand", true, QUEUE(queue.demand), SLOTS,
	  .right = "must be an integer of 0 to 2^53: slots" },
	{ "priority", QUEUE(queue.priority), .low = -INFINITY, .high = INFINITY,
	  .right = "must be a number" },
	{ "limit", QUEUE(queue.limit), .or_null = true, SLOTS,
	  .right = "must be an integer of 0 to 2^53, or null for none" },
	{ "pool", QUEUE(queue.in_pool), .type = JSON_BOOL },
	{ "used", QUEUE(queue.used), .high = INFINITY, .right = "must be a number of 0 or more" },
	JSON_END
};

/* ---- queues ---------------------------------------------------------------------- */

/* Adds a queue. A queue in the pool needs a share above 0. */
static void read_queue(struct json_reader *json, const struct parsed *object, void *into)
{
	struct queue_reader reader = { .queue = { .in_pool = true, .limit = FATHOM_NO_LIMIT,
						  .share = NOT_GIVEN } };
	struct pool_file *file = into;
	size_t names = file->count, lines = names;	/* NEED_ADD() counts each array */

	json_read_keys(json, object, keys, &reader);
	if (reader.queue.share < 0) {
		if (reader.queue.in_pool)
			json_wrong_key(json, "share",
				       "is missing, is required unless \"pool\" is false");
		reader.queue.share = 0;
	}
	if (reader.queue.in_pool && !(reader.queue.share > 0))
		json_wrong_key(json, "share", "must be above 0");
	NEED_ADD(file->name, names, need_text(reader.name));
	NEED_ADD(file->line, lines, json->part_line);
	NEED_ADD(file->queue, file->count, reader.queue);
}

/* ---- the object around them ----------------------------------------------------- */

#define POOL(member) .at = offsetof(struct pool_file, pool.member)

static const struct json_member members[] = {
	{ .name = "slots", .needed = true,
	  .value = { POOL(slots), SLOTS, .right = "must be an integer of 0 to 2^53" } },
	{ .name = "max_slots_in_pool",
	  .value = { POOL(max_slots), SLOTS, .right = "must be an integer of 0 to 2^53" } },
	{ .name = "use_priority_in_pool", .value = { POOL(use_priority), .type = JSON_BOOL } },
	{ .name = "queues", .needed = true, .element = read_queue, .shape = "{\"name\": ...}" },
	JSON_END
};

static const struct json_document document = {
	.format = "fathom-pool",
	.version = 1,
	.shape = "\"slots\": ..., \"queues\": [...]",
	.members = members,
	.strict = true,
	.page = "fathom-pools(1)",
};

/* Checks that no two queues have the same name. */
static void check_names(struct document *input, const struct pool_file *file)
{
	struct name_index *names = need_index();	/* from names to queues */

	for (size_t i = 0; i < file->count; i++) {
		size_t first = name_index_get(names, piece_of(file->name[i]));

		if (first != NAME_INDEX_NONE)
			wrong_at(input, file->line[i], "queue '%.48s' is already in line %zu",
				 file->name[i], file->line[first]);
		need_put(names, piece_of(file->name[i]), i);
	}
}

void pool_read(struct document *input, struct pool_file *file)
{
	*file = (struct pool_file){ .pool = { .max_slots = FATHOM_NO_LIMIT } };
	json_read_document(input, &document, file);
	check_names(input, file);
}
