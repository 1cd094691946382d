/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes divided slot pools:
 *
 *	"pools": [
 *	 {"pool": "nodes", "slots": 15, "queues": [
 *	  {"name": "day", "deserved": 8, "got": 11, "lent": 3, "share": 50, ...}]}]
 */
#include "json/pool_division.h"

#include "json/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pool_division_create(struct pool_division *division, size_t count)
{
	*division = (struct pool_division){
		.queue = calloc(count + 1, sizeof(*division->queue)),
		.queue_name = calloc(count + 1, sizeof(*division->queue_name)),
		.grant = calloc(count + 1, sizeof(*division->grant)),
		.count = count,
	};
	if (division->queue && division->queue_name && division->grant)
		return 0;
	division->count = 0;
	pool_division_clear(division);
	return -1;
}

void pool_division_clear(struct pool_division *division)
{
	for (size_t i = 0; i < division->count; i++)
		free(division->queue_name[i]);
	free(division->name);
	free(division->queue);
	free(division->queue_name);
	free(division->grant);
	memset(division, 0, sizeof(*division));
}

const char *pool_division_name(const struct pool_division *division, size_t grant)
{
	return division->queue_name[division->grant[grant].queue - division->queue];
}

/* Writes the queue of grant i. */
static void put_queue(FILE *out, const struct pool_division *division, size_t i, bool with_demand)
{
	const struct fathom_pool_grant *grant = &division->grant[i];

	json_print(out, "{\"name\": %s, \"deserved\": %zu, \"got\": %zu, \"lent\": %zu",
		   pool_division_name(division, i), (size_t)grant->deserved, (size_t)grant->got,
		   (size_t)grant->lent);
	/* share: null for a queue that only shares nodes with the pool */
	if (with_demand)
		json_print(out, ", \"share\": %g, \"demand\": %zu, \"used\": %g",
			   grant->queue->in_pool ? grant->queue->share : (double)NAN,
			   (size_t)grant->queue->demand, grant->queue->used);
	json_put(out, "}");
}

void json_put_division(FILE *out, const struct pool_division *division, bool with_demand)
{
	json_print(out, "\"slots\": %zu,\n \"queues\": [", (size_t)division->slots);
	for (size_t i = 0; i < division->count; i++) {
		json_put(out, i ? ",\n  " : "\n  ");
		put_queue(out, division, i, with_demand);
	}
	json_put(out, "]");
}

void json_put_pools(FILE *out, const struct pool_division *division, size_t count)
{
	json_put(out, "\"pools\": [");
	for (size_t i = 0; i < count; i++) {
		json_print(out, i ? ",\n {\"pool\": %s, " : "\n {\"pool\": %s, ", division[i].name);
		json_put_division(out, &division[i], true);
		json_put(out, "}");
	}
	json_put(out, "]");
}
