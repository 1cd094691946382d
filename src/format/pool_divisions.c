/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads divided slot pools, from a FiguresFile, a cluster's snapshot or what
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

#include <math.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- a queue --------------------------------------------------------------------- */

/* A queue while its object is read. */
struct granted_queue {
	struct fathom_pool_queue queue;
	struct fathom_pool_grant grant;
	const char *name;
};

#define QUEUE(member) .at = offsetof(struct granted_queue, member)
#define SLOTS .type = JSON_UINT64, .high = INFINITY, \
	      .right = "must be an integer of 0 or more: slots"

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
	{ "used", QUEUE(queue.used), .high = INFINITY, .right = "must be a number of 0 or more" },
	JSON_END
};

/* ---- a pool ---------------------------------------------------------------------- */

/* Adds a queue and its grant to a division. pool_divisions_read() later lets grants point to their
 * queues, which may still move now. */
static void add_queue(struct json_reader *json, const struct parsed *object, void *into)
{
	struct pool_division *division = into;
	size_t names = division->count, grants = names;	/* NEED_ADD() counts each array */
	struct granted_queue reader = { 0 };

	json_read_keys(json, object, keys, &reader);
	NEED_ADD(division->queue_name, names, (char *)reader.name);
	NEED_ADD(division->grant, grants, reader.grant);
	NEED_ADD(division->queue, division->count, reader.queue);
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

/* Reads the name of the cluster; a value that is not a string is ignored. */
static void read_cluster(struct json_reader *json, const struct parsed *value, void *into)
{
	(void)json;
	if (parsed_is(value, PARSED_TEXT))
		((struct pool_divisions *)into)->cluster = need_text(parsed_text(value));
}

/* Adds a pool, and returns it, valid until the next one is added. */
static void *begin_pool(void *into)
{
	struct pool_divisions *divisions = into;

	return need_append(&divisions->list, &divisions->count, sizeof(*divisions->list));
}

/* Returns the only pool of the document, which has no name; makes it if need be. */
static struct pool_division *unnamed_pool(struct pool_divisions *divisions)
{
	return divisions->count ? &divisions->list[0] : begin_pool(divisions);
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

#define POOLS { .name = "pools", .is_list = true, .members = pool_members, .begin = begin_pool, \
		.shape = "{\"pool\": ..., \"slots\": ..., \"queues\": [...]}" }

static const struct json_member members_of_figures[] = {
	{ .name = "time", .needed = true,
	  .value = { .at = offsetof(struct pool_divisions, time), .type = JSON_UINT64,
		     .high = INFINITY, .right = "must be an integer" } },
	{ .name = "cluster", .read = read_cluster },
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
		for (size_t j = 0; j < divisions->list[i].count; j++)
			divisions->list[i].grant[j].queue = &divisions->list[i].queue[j];
}
