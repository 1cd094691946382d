/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up CPU seconds with one decay for all nodes; replay_figures.h has the formula. */
#include "replay/replay_figures.h"

#include "memory/need_memory.h"

/* The integral doubles with each half-life, and loses precision beside `base`; after so many
 * half-lives it begins anew at a new epoch. */
#define MOST_HALF_LIVES 50

void yardstick_create(struct yardstick *yardstick, size_t nodes, double half_life)
{
	*yardstick = (struct yardstick){ .half_life = half_life, .nodes = nodes };
	yardstick->base = need_zeros(nodes, sizeof(*yardstick->base));
	yardstick->cpus = need_zeros(nodes, sizeof(*yardstick->cpus));
}

/* Returns the decayed seconds from the epoch until `time`, as they count at the epoch: later
 * seconds count more. */
static double integral_at(const struct yardstick *yardstick, double time)
{
	return fathom_decayed_seconds(yardstick->epoch, time, yardstick->epoch,
				      yardstick->half_life);
}

/* Makes `time` the epoch, and converts what nodes have used until then. */
static void move_epoch(struct yardstick *yardstick, double time)
{
	double integral = integral_at(yardstick, time);
	double left = fathom_decay(time - yardstick->epoch, yardstick->half_life);

	for (size_t node = 0; node < yardstick->nodes; node++)
		yardstick->base[node] = yardstick_used(yardstick, node, integral) * left;
	yardstick->epoch = time;
}

double yardstick_integral(struct yardstick *yardstick, double time)
{
	if (yardstick->half_life > 0 &&
	    time - yardstick->epoch > MOST_HALF_LIVES * yardstick->half_life)
		move_epoch(yardstick, time);
	return integral_at(yardstick, time);
}

void yardstick_take(struct yardstick *yardstick, uint32_t node, double cpus, double time)
{
	yardstick->base[node] -= cpus * yardstick_integral(yardstick, time);
	yardstick->cpus[node] += cpus;
}
