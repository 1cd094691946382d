/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/fairness.h"

#include "memory/need_memory.h"

#include <math.h>

#define ROUNDING 1e-12	/* relative; rounding makes parts differ that are equal */

void fairness_create(struct fairness *fairness, const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree);

	*fairness = (struct fairness){ .demanding = need_zeros(count, sizeof(uint32_t)),
				       .share = need_zeros(count, sizeof(double)) };
	for (size_t node = 0; node < count; node++)
		fairness->share[node] = fathom_tree_norm_shares(tree, node);
}

void fairness_submit(struct fairness *fairness, struct node_figures *figures, uint32_t node)
{
	fairness->waiting += !figures[node].waiting++;
	if (figures[node].live++)
		return;
	figures[node].demand_place = fairness->count;
	fairness->demanding[fairness->count++] = node;
}

void fairness_start(struct fairness *fairness, struct node_figures *figures, uint32_t node)
{
	fairness->waiting -= !--figures[node].waiting;
}

void fairness_end(struct fairness *fairness, struct node_figures *figures, uint32_t node)
{
	size_t place = figures[node].demand_place;
	uint32_t last;

	if (--figures[node].live)
		return;
	last = fairness->demanding[--fairness->count];
	fairness->demanding[place] = last;
	figures[last].demand_place = place;
}

static void note_demand(struct node_figures *figures, double used, double share, double period)
{
	figures->demand += period;
	if (figures->waiting && used < share * (1 - ROUNDING))
		figures->below_share += period;
}

void fairness_measure(const struct fairness *fairness, struct replay_figures *figures,
		      const double *usage, double period)
{
	double all_usage = 0, all_shares = 0, error = 0, sum = 0, squares = 0, counted = 0;

	for (size_t i = 0; i < fairness->count; i++) {
		all_usage += usage[fairness->demanding[i]];
		all_shares += fairness->share[fairness->demanding[i]];
	}
	if (!(all_usage > 0) || !(all_shares > 0))
		return;
	for (size_t i = 0; i < fairness->count; i++) {
		uint32_t node = fairness->demanding[i];
		double used = usage[node] / all_usage, share = fairness->share[node] / all_shares;
		double ratio = share > 0 ? used / share : 0;

		error += fabs(used - share);
		counted += share > 0;
		sum += ratio;
		squares += ratio * ratio;
		note_demand(&figures->node[node], used, share, period);
	}
	figures->passes++;
	figures->error_sum += error / 2;
	figures->jain_sum += squares > 0 ? sum * sum / (counted * squares) : 1;
}
