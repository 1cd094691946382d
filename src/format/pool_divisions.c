/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a slot pool that is not divided yet:
 *
 *	{"format": "fathom-pool", "version": 1, "slots": 100, "queues": [
 *	 {"name": "short", "share": 60, "demand": 80},
 *	 {"name": "long", "share": 40, "demand": 10, "priority": 5}]}
 *
 * and divided slot pools, from a FiguresFile, a cluster's snapshot or what
 * fathom pools --json prints:
 *
 *	{"format": "fathom-division", "version": 1, "pools": [
 *	 {"pool": "nodes", "slots": 15, "queues": [
 *	  {"name": "day", "deserved": 8, "got": 11, "lent": 3, ...}]}]}
 *
 * For a pool of a file of its own, which has no name, fathom pools prints "slots" and "queues"
 * without "pools" around them.
 */
#include "format/pool_divisions.h"

#include "document/json_reader.h"
#include "format/snapshot_parts.h"
#include "json/figures.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- a queue --------------------------------------------------------------------- */

/* A queue while its object is read. Its grant is 0 in a pool that is not divided yet. */
struct granted_queue {
	struct fathom_pool_queue queue;
	struct fathom_pool_grant grant;
	const char *name;
};

#define QUEUE(member) .at = offsetof(struct granted_queue, member)
#define SLOTS .type = JSON_UINT64, .high = INFINITY, \
	      .right = "must be an integer of 0 or more: slots"
#define USED { "used", QUEUE(queue.used), .high = INFINITY, \
	       .right = "must be a number of 0 or more" }

/* Reads "share": percent, or null for a queue outside the pool. */
static void read_share(struct json_reader *json, const struct json_key *key,
		       const struct parsed *value, void *into)
{
	struct fathom_pool_queue *queue = &((struct granted_queue *)into)->queue;

	queue->in_pool = !parsed_is(value, PARSED_NULL);
	queue->share = parsed_number(value);
	if (queue->in_pool && !(parsed_is_number(value) && queue->share > 0))
		json_wrong_key(json, key->name, "must be a number above 0, or null");
}

static const struct json_key keys[] = {
	{ "name", true, QUEUE(name), .type = JSON_COPY },
	{ "deserved", true, QUEUE(grant.deserved), SLOTS },
	{ "got", true, QUEUE(grant.got), SLOTS },
	{ "lent", true, QUEUE(grant.lent), SLOTS },
	{ "share", .read = read_share },
	{ "demand", QUEUE(queue.demand), SLOTS },
	USED,
	JSON_END
};

/* ---- a pool ---------------------------------------------------------------------- */

/* Appends a queue and its grant to a division. link_grants() later lets grants point to their
 * queues, which may still move now. */
static void append_queue(struct pool_division *division, const struct granted_queue *queue)
{
	size_t names = division->count, grants = names;	/* NEED_ADD() counts each array */

	NEED_ADD(division->queue_name, names, (char *)queue->name);
	NEED_ADD(division->grant, grants, queue->grant);
	NEED_ADD(division->queue, division->count, queue->queue);
}

/* Lets each grant point to its queue. */
static void link_grants(struct pool_division *division)
{
	for (size_t i = 0; i < division->count; i++)
		division->grant[i].queue = &division->queue[i];
}

/* Reads a queue of a division. */
static void add_queue(struct json_reader *json, const struct parsed *object, void *division)
{
	struct granted_queue queue = { 0 };

	json_read_keys(json, object, keys, &queue);
	append_queue(division, &queue);
}

#define POOL_SLOTS { .at = offsetof(struct pool_division, slots), .type = JSON_UINT64, \
		     .high = INFINITY, .right = "must be an integer of 0 or more" }

static const struct json_member pool_members[] = {
	{ .name = "pool", .needed = true,
	  .value = { .at = offsetof(struct pool_division, name), .type = JSON_COPY } },
	{ .name = "slots", .needed = true, .value = POOL_SLOTS },
	{ .name = "queues", .needed = true, .element = add_queue, .shape = "{\"name\": ...}" },
	JSON_END
};

/* ---- the document ---------------------------------------------------------------- */

/* Returns the only pool of the document, which has no name; makes it if need be. */
static struct pool_division *unnamed_pool(struct pool_divisions *divisions)
{
	if (!divisions->count)
		need_append(&divisions->list, &divisions->count, sizeof(*divisions->list));
	return &divisions->list[0];
}

/* Reads "slots" of a pool without a name. */
static void read_slots_alone(struct json_reader *json, const struct parsed *value, void *into)
{
	static const struct json_key slots = POOL_SLOTS;

	json_read_value(json, &slots, value, unnamed_pool(into));
}

/* Adds a queue to a pool without a name. */
static void add_queue_alone(struct json_reader *json, const struct parsed *object, void *into)
{
	add_queue(json, object, unnamed_pool(into));
}

#define POOLS { .name = "pools", JSON_LIST(pool_divisions, list, count), .members = pool_members, \
		.shape = "{\"pool\": ..., \"slots\": ..., \"queues\": [...]}" }

static const struct json_member members_of_figures[] = {
	{ .name = "time", .needed = true,
	  .value = { .at = offsetof(struct pool_divisions, time), .type = JSON_UINT64,
		     .high = INFINITY, .right = "must be an integer" } },
	{ .name = "cluster",
	  .value = { .at = offsetof(struct pool_divisions, cluster), .type = JSON_COPY } },
	POOLS,
	JSON_END
};

static const struct json_member members_of_division[] = {
	{ .name = "slots", .read = read_slots_alone },
	{ .name = "queues", .element = add_queue_alone, .shape = "{\"name\": ...}" },
	POOLS,
	JSON_END
};

static const struct json_member members_of_snapshot[] = { POOLS, JSON_END };

static const struct json_document documents[] = {
	{ .format = SNAPSHOT_FORMAT, .version = SNAPSHOT_VERSION, .shape = "\"pools\": [...]",
	  .members = members_of_snapshot, .page = SNAPSHOT_PAGE },
	{ .format = JSON_FIGURES_FORMAT, .version = JSON_FIGURES_VERSION,
	  .shape = "\"time\": ..., \"pools\": [...]", .members = members_of_figures,
	  .page = "fathom-pools(1)" },
	{ .format = JSON_DIVISION_FORMAT, .version = JSON_DIVISION_VERSION,
	  .shape = "\"pools\": [...]", .members = members_of_division, .page = "fathom-pools(1)" },
};

/* Returns the table for the input's "format"; NULL: it has no divided pools. */
static const struct json_document *find_document(const struct document *input)
{
	for (size_t i = 0; i < COUNT(documents); i++)
		if (json_is_format(input, documents[i].format))
			return &documents[i];
	return NULL;
}

bool pool_divisions_recognize(const struct document *input)
{
	return find_document(input);
}

void pool_divisions_read(struct document *input, struct pool_divisions *divisions)
{
	*divisions = (struct pool_divisions){ 0 };
	json_read_document(input, find_document(input), divisions);
	for (size_t i = 0; i < divisions->count; i++)
		link_grants(&divisions->list[i]);
}

/* ---- a pool that is not divided yet -------------------------------------------------- */

/* The pool while it is read. */
struct pool_reader {
	struct fathom_pool rule;
	struct pool_division division;
	struct name_index *lines;	/* from names of queues to their lines */
};

#define NOT_GIVEN -1	/* in place of a share; no share is below 0 */
#define LIMITED_SLOTS .type = JSON_UINT64, .high = (double)FATHOM_MAX_SLOTS

static const struct json_key undivided_keys[] = {
	{ "name", true, QUEUE(name), .type = JSON_TEXT },
	{ "share", QUEUE(queue.share), .high = 100,
	  .right = "must be a number of percent, above 0 and at most 100" },
	{ "demand", true, QUEUE(queue.demand), LIMITED_SLOTS,
	  .right = "must be an integer of 0 to 2^53: slots" },
	{ "priority", QUEUE(queue.priority), .low = -INFINITY, .high = INFINITY,
	  .right = "must be a number" },
	{ "limit", QUEUE(queue.limit), .or_null = true, LIMITED_SLOTS,
	  .right = "must be an integer of 0 to 2^53, or null for none" },
	{ "pool", QUEUE(queue.in_pool), .type = JSON_BOOL },
	USED,
	JSON_END
};

/* Adds a queue, whose name must be new. A queue in the pool needs a share above 0. */
static void read_queue(struct json_reader *json, const struct parsed *object, void *into)
{
	struct granted_queue queue = { .queue = { .in_pool = true, .limit = FATHOM_NO_LIMIT,
						  .share = NOT_GIVEN } };
	struct pool_reader *reader = into;
	size_t line;

	json_read_keys(json, object, undivided_keys, &queue);
	if (queue.queue.in_pool && queue.queue.share < 0)
		json_wrong_key(json, "share",
			       "is missing, is required unless \"pool\" is false");
	if (queue.queue.in_pool && !(queue.queue.share > 0))
		json_wrong_key(json, "share", "must be above 0");
	queue.queue.share = fmax(queue.queue.share, 0);	/* NOT_GIVEN becomes 0 */
	queue.name = need_text(queue.name);
	line = name_index_get(reader->lines, piece_of(queue.name));
	if (line != NAME_INDEX_NONE)
		wrong_at(json->input, json->part_line, "queue '%.48s' is already in line %zu",
			 queue.name, line);
	need_put(reader->lines, piece_of(queue.name), json->part_line);
	append_queue(&reader->division, &queue);
}

#define RULE(member) .at = offsetof(struct pool_reader, rule.member)

static const struct json_member undivided_members[] = {
	{ .name = "slots", .needed = true,
	  .value = { RULE(slots), LIMITED_SLOTS, .right = "must be an integer of 0 to 2^53" } },
	{ .name = "max_slots_in_pool",
	  .value = { RULE(max_slots), LIMITED_SLOTS, .right = "must be an integer of 0 to 2^53" } },
	{ .name = "use_priority_in_pool", .value = { RULE(use_priority), .type = JSON_BOOL } },
	{ .name = "queues", .needed = true, .element = read_queue, .shape = "{\"name\": ...}" },
	JSON_END
};

static const struct json_document undivided_document = {
	.format = "fathom-pool",
	.version = 1,
	.shape = "\"slots\": ..., \"queues\": [...]",
	.members = undivided_members,
	.strict = true,
	.page = "fathom-pools(1)",
};

struct fathom_pool pool_read(struct document *input, struct pool_division *division)
{
	struct pool_reader reader = { .rule.max_slots = FATHOM_NO_LIMIT, .lines = need_index() };

	json_read_document(input, &undivided_document, &reader);
	*division = reader.division;
	division->slots = reader.rule.slots;
	division->has_priorities = true;
	return reader.rule;
}
