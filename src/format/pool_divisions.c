/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads divided slot pools, from a FiguresFile, a cluster's snapshot or what
 * fathom pools --json prints:
 *
 *	{"format": "fathom-division", "version": 1, "pools": [
 *	 {"pool": "nodes", "slots": 15, "queues": [
 *	  {"name": "day", "deserved": 8, "got": 11, "lent": 3, ...}]}]}
 *
 * A pool that came from a file of its own has no "pools" around it.
 */
#include "format/pool_divisions.h"

#include "core/error.h"
#include "document/json_reader.h"
#include "format/snapshot_parts.h"
#include "json/figures.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* ---- a queue --------------------------------------------------------------------- */

struct queue {
	struct fathom_pool_queue queue;
	struct fathom_pool_grant grant;
	const char *name;
};

#define QUEUE(member) .at = offsetof(struct queue, member)
#define SLOTS .type = JSON_WHOLE, .high = INFINITY, \
	      .right = "must be an integer of 0 or more: slots"

static void read_name(struct json_reader *json, const struct json_key *key, const json_t *value,
		      void *queue)
{
	if (!json_is_string(value))
		json_wrong_key(json, key->name, "must be a string");
	((struct queue *)queue)->name = json_string_value(value);
}

/* null: the queue is outside the pool */
static void read_share(struct json_reader *json, const struct json_key *key, const json_t *value,
		       void *into)
{
	struct fathom_pool_queue *queue = &((struct queue *)into)->queue;

	queue->in_pool = !json_is_null(value);
	queue->share = json_number_value(value);
	if (queue->in_pool && !(json_is_number(value) && queue->share > 0))
		json_wrong_key(json, key->name, "must be a number above 0, or null");
}

static const struct json_key keys[] = {
	{ "name", true, .read = read_name },
	{ "deserved", true, QUEUE(grant.deserved), SLOTS },
	{ "got", true, QUEUE(grant.got), SLOTS },
	{ "lent", true, QUEUE(grant.lent), SLOTS },
	{ "share", .read = read_share },
	{ "demand", QUEUE(queue.demand), SLOTS },
	{ "used", QUEUE(queue.used), .high = INFINITY,
	  .right = "must be a number of 0 or more" },
	JSON_END
};

/* ---- a pool ---------------------------------------------------------------------- */

static int no_memory(struct json_reader *json)
{
	return fathom_error_set(json->error, ENOMEM, "%s", strerror(ENOMEM));
}

static int grow(void *list, size_t count, size_t size)
{
	void *grown = reallocarray(*(void **)list, count, size);

	if (!grown)
		return -1;
	*(void **)list = grown;
	return 0;
}

/* Grants point to their queues once all queues have been read. */
static int add_queue(struct json_reader *json, const json_t *object, void *into)
{
	struct pool_division *division = into;
	size_t at = division->count;
	struct queue queue = { 0 };

	json_read_keys(json, object, keys, &queue);
	if (grow(&division->queue, at + 1, sizeof(*division->queue)) ||
	    grow(&division->queue_name, at + 1, sizeof(*division->queue_name)) ||
	    grow(&division->grant, at + 1, sizeof(*division->grant)) ||
	    !(division->queue_name[at] = strdup(queue.name)))
		return no_memory(json);
	division->queue[at] = queue.queue;
	division->grant[at] = queue.grant;
	division->count++;
	return 0;
}

static int read_pool_name(struct json_reader *json, const json_t *value, void *into)
{
	struct pool_division *division = into;

	if (!json_is_string(value))
		return json_wrong_member(json, "must be a string");
	division->name = strdup(json_string_value(value));
	return division->name ? 0 : no_memory(json);
}

#define POOL_SLOTS { .at = offsetof(struct pool_division, slots), .type = JSON_WHOLE, \
		     .high = INFINITY, .right = "must be an integer of 0 or more" }

static const struct json_member pool_members[] = {
	{ .name = "pool", .needed = true, .read = read_pool_name },
	{ .name = "slots", .needed = true, .value = POOL_SLOTS },
	{ .name = "queues", .needed = true, .element = add_queue, .shape = "{\"name\": ...}" },
};

/* ---- the document ---------------------------------------------------------------- */

static int read_time(struct json_reader *json, const json_t *value, void *into)
{
	struct pool_divisions *divisions = into;

	divisions->time = json_integer_value(value);
	return json_is_integer(value) ? 0 : json_wrong_member(json, "must be an integer");
}

static int read_cluster(struct json_reader *json, const json_t *value, void *into)
{
	struct pool_divisions *divisions = into;

	if (!json_is_string(value))
		return 0;
	divisions->cluster = strdup(json_string_value(value));
	return divisions->cluster ? 0 : no_memory(json);
}

static void *begin_pool(void *into)
{
	struct pool_divisions *divisions = into;

	if (grow(&divisions->list, divisions->count + 1, sizeof(*divisions->list)))
		return NULL;
	divisions->list[divisions->count] = (struct pool_division){ 0 };
	return &divisions->list[divisions->count++];
}

/* Returns the pool without a name. NULL: ENOMEM. */
static struct pool_division *unnamed_pool(struct pool_divisions *divisions)
{
	return divisions->count ? &divisions->list[0] : begin_pool(divisions);
}

static int read_slots_alone(struct json_reader *json, const json_t *value, void *into)
{
	static const struct json_key slots = POOL_SLOTS;
	struct pool_division *division = unnamed_pool(into);

	if (!division)
		return no_memory(json);
	json_read_value(json, &slots, value, division);
	return 0;
}

static int add_queue_alone(struct json_reader *json, const json_t *object, void *into)
{
	struct pool_division *division = unnamed_pool(into);

	return division ? add_queue(json, object, division) : no_memory(json);
}

#define POOLS { .name = "pools", .is_list = true, .members = pool_members,               \
		.member_count = COUNT(pool_members), .begin = begin_pool,                 \
		.shape = "{\"pool\": ..., \"slots\": ..., \"queues\": [...]}" }

static const struct json_member members_of_figures[] = {
	{ .name = "time", .needed = true, .read = read_time },
	{ .name = "cluster", .read = read_cluster },
	POOLS,
};

static const struct json_member members_of_division[] = {
	{ .name = "slots", .read = read_slots_alone },
	{ .name = "queues", .element = add_queue_alone, .shape = "{\"name\": ...}" },
	POOLS,
};

static const struct json_member members_of_snapshot[] = { POOLS };

static const struct json_document documents[] = {
	{ .format = SNAPSHOT_FORMAT, .version = SNAPSHOT_VERSION, .shape = "\"pools\": [...]",
	  .members = members_of_snapshot, .member_count = COUNT(members_of_snapshot),
	  .page = SNAPSHOT_PAGE },
	{ .format = JSON_FIGURES_FORMAT, .version = JSON_FIGURES_VERSION,
	  .shape = "\"time\": ..., \"pools\": [...]", .members = members_of_figures,
	  .member_count = COUNT(members_of_figures), .page = "fathom-pools(1)" },
	{ .format = JSON_DIVISION_FORMAT, .version = JSON_DIVISION_VERSION,
	  .shape = "\"pools\": [...]", .members = members_of_division,
	  .member_count = COUNT(members_of_division), .page = "fathom-pools(1)" },
};

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

int pool_divisions_read(struct document *input, struct pool_divisions *divisions,
			struct fathom_error *error)
{
	*divisions = (struct pool_divisions){ 0 };
	if (json_read_document(input, find_document(input), divisions, error)) {
		pool_divisions_clear(divisions);
		return -1;
	}
	for (size_t i = 0; i < divisions->count; i++)
		for (size_t j = 0; j < divisions->list[i].count; j++)
			divisions->list[i].grant[j].queue = &divisions->list[i].queue[j];
	return 0;
}

void pool_divisions_clear(struct pool_divisions *divisions)
{
	for (size_t i = 0; i < divisions->count; i++)
		pool_division_clear(&divisions->list[i]);
	free(divisions->list);
	free(divisions->cluster);
	*divisions = (struct pool_divisions){ 0 };
}
