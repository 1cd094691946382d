/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes the parts of usage at passes, and drops points when there are too many. */
#include "replay/replay_figures.h"

#include "memory/need_memory.h"

#include <string.h>

#define MOST_VALUES 4000000	/* points times nodes, floats: 16 MB */
#define LEAST_POINTS 16		/* even of the largest tree */

/* Returns how many points a series of a tree has at most; an even number. */
static size_t points_for(size_t nodes)
{
	size_t most = MOST_VALUES / nodes / 2 * 2;

	if (most > SERIES_MOST_POINTS)
		return SERIES_MOST_POINTS;
	return most > LEAST_POINTS ? most : LEAST_POINTS;
}

void usage_series_create(struct usage_series *series, size_t nodes)
{
	*series = (struct usage_series){ .nodes = nodes, .most = points_for(nodes), .stride = 1 };
	series->time = need_zeros(series->most, sizeof(*series->time));
	series->part = need_zeros(series->most * nodes, sizeof(*series->part));
	series->total = need_zeros(nodes, sizeof(*series->total));
}

/* Drops every second point, and doubles the stride. */
static void drop_every_second(struct usage_series *series)
{
	for (size_t i = 1; 2 * i < series->count; i++) {
		series->time[i] = series->time[2 * i];
		memcpy(series->part + i * series->nodes, series->part + 2 * i * series->nodes,
		       series->nodes * sizeof(*series->part));
	}
	series->count = (series->count + 1) / 2;
	series->stride *= 2;
}

/* Sets the total of each node to what it and all nodes below it have used. */
static void sum_up(struct usage_series *series, const uint32_t *parent,
		   const struct yardstick *yardstick, double integral)
{
	for (size_t node = 0; node < series->nodes; node++)
		series->total[node] = yardstick_used(yardstick, node, integral);
	for (size_t node = series->nodes - 1; node > 0; node--)
		series->total[parent[node]] += series->total[node];
}

void usage_series_add(struct usage_series *series, const uint32_t *parent,
		      const struct yardstick *yardstick, double integral, double time)
{
	uint64_t pass = series->passes++;
	float *part;

	if (pass % series->stride == 0 && series->count == series->most)
		drop_every_second(series);	/* which doubles the stride */
	if (pass % series->stride)
		return;
	sum_up(series, parent, yardstick, integral);
	part = series->part + series->count * series->nodes;
	for (size_t node = 0; node < series->nodes; node++)
		part[node] = series->total[0] > 0
				     ? (float)(series->total[node] / series->total[0]) : 0;
	series->time[series->count++] = time;
}
