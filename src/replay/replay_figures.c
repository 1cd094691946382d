/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/replay_figures.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

#define SHORTEST_RUN 10	/* seconds; shorter runs count as this long in the bounded slowdown */

int replay_figures_create(struct replay_figures *figures, size_t nodes,
			  struct fathom_error *error)
{
	*figures = (struct replay_figures){ .nodes = nodes };
	figures->node = calloc(nodes, sizeof(*figures->node));
	if (!figures->node)
		return fathom_error_no_memory(error);
	return usage_series_create(&figures->series, nodes, error);
}

static void add_to_node(struct node_figures *node, double wait, double slowdown)
{
	node->jobs++;
	node->wait += wait;
	node->slowdown += slowdown;
	node->longest_wait = fmax(node->longest_wait, wait);
}

int replay_figures_add(struct replay_figures *figures, uint32_t node, double submit, double start,
		       double run, uint32_t cpus, struct fathom_error *error)
{
	double wait = start - submit, end = start + run;
	double used = cpus * fmax(end - fmax(start, figures->begin), 0);
	double slowdown = fmax((wait + run) / fmax(run, SHORTEST_RUN), 1);

	figures->last_end = fmax(figures->last_end, end);
	figures->cpu_seconds += used;
	figures->node[node].cpu_seconds += used;
	if (submit < figures->begin)
		return 0;
	figures->jobs++;
	figures->wait += wait;
	figures->slowdown += slowdown;
	add_to_node(&figures->node[node], wait, slowdown);
	return wait_times_add(&figures->waits, wait, error);
}

static double mean_below_share(const struct replay_figures *figures)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < figures->nodes; i++) {
		const struct node_figures *node = &figures->node[i];

		if (!(node->demand > 0))
			continue;
		sum += node->below_share / node->demand;
		count++;
	}
	return count > 0 ? sum / count : NAN;
}

void replay_figures_finish(struct replay_figures *figures, uint64_t cpus)
{
	double jobs = (double)figures->jobs, passes = (double)figures->passes;

	wait_times_settle(&figures->waits);
	figures->mean_wait = figures->wait / jobs;
	figures->mean_bounded_slowdown = figures->slowdown / jobs;
	figures->median_wait = wait_times_quantile(&figures->waits, 0.5);
	figures->p95_wait = wait_times_quantile(&figures->waits, 0.95);
	figures->longest_wait = wait_times_quantile(&figures->waits, 1);
	figures->makespan = fmax(figures->last_end - figures->begin, 0);
	figures->utilization = figures->cpu_seconds / ((double)cpus * figures->makespan);
	figures->share_error = figures->error_sum / passes;
	figures->jain = figures->jain_sum / passes;
	figures->below_share = mean_below_share(figures);
}

void node_figures_add(struct node_figures *to, const struct node_figures *from)
{
	to->jobs += from->jobs;
	to->wait += from->wait;
	to->slowdown += from->slowdown;
	to->longest_wait = fmax(to->longest_wait, from->longest_wait);
	to->cpu_seconds += from->cpu_seconds;
	to->demand += from->demand;
	to->below_share += from->below_share;
	to->usage += from->usage;
}

void replay_figures_clear(struct replay_figures *figures)
{
	wait_times_clear(&figures->waits);
	usage_series_clear(&figures->series);
	free(figures->node);
	*figures = (struct replay_figures){ 0 };
}
